"""Inference on a graph, written once for all spaces.

`weigh` gives the log-score of an edge: `by_parts(scores)` sums the scores of its parts, and
without it every edge weighs 0.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from ..errors import Infeasible, ScoreError
from .graph import Edge, Graph
from .semirings import DERIVATIONS, LOG, MAX, Derivation, Semiring

V = TypeVar("V")
Weigh: TypeAlias = Callable[[Edge], float]


def unweighted(edge: Edge) -> float:
    """0 for every edge."""
    return 0.0


def by_parts(scores: Sequence[float]) -> Weigh:
    """The sum of the scores of the parts of an edge; `scores` in the order of `graph.parts`."""

    def weigh(edge: Edge) -> float:
        try:
            return sum(scores[part] for part in edge.parts)
        except IndexError as error:
            raise ScoreError(
                f"{len(scores)} scores: expected one for each of `graph.parts`"
            ) from error

    return weigh


def inside(graph: Graph, semiring: Semiring[V], weigh: Weigh = unweighted) -> list[V]:
    """For every item, ⊕ over its derivations of ⊗ over their edges."""
    values: list[V] = []
    for edges in graph.edges:
        values.append(semiring.sum(_value(edge, semiring, values, weigh) for edge in edges))
    return values


def _value(edge: Edge, semiring: Semiring[V], values: Sequence[V], weigh: Weigh) -> V:
    own = semiring.lift(weigh(edge), edge)
    return semiring.product((own, *(values[b] for b in edge.body)))


def total(graph: Graph, semiring: Semiring[V], weigh: Weigh = unweighted) -> V:
    """The value of the goal: ⊕ over all derivations."""
    return inside(graph, semiring, weigh)[-1] if len(graph) else semiring.zero


def outside(
    graph: Graph, semiring: Semiring[V], values: Sequence[V], weigh: Weigh = unweighted
) -> list[V]:
    """For every item, ⊕ over derivations of the goal around it; `values` are the inside ones."""
    semiring.require("outside", "commutative")
    result = [semiring.zero] * len(graph)
    if result:
        result[-1] = semiring.one
    for edges in reversed(graph.edges):
        for edge in edges:
            above = semiring.times(result[edge.head], semiring.lift(weigh(edge), edge))
            for k, b in enumerate(edge.body):
                beside = (values[other] for m, other in enumerate(edge.body) if m != k)
                result[b] = semiring.plus(result[b], semiring.product((above, *beside)))
    return result


def _uses(graph: Graph, weigh: Weigh) -> Iterator[tuple[Edge, float, float]]:
    """Every edge that is used, how often in expectation, and the log of its share in its head."""
    values = inside(graph, LOG, weigh)
    around = outside(graph, LOG, values, weigh)
    for edge in graph.all_edges:
        within = _value(edge, LOG, values, weigh)
        expected = LOG.share(around[edge.head] + within, values[-1])
        if expected > 0:
            yield edge, expected, within - values[edge.head]


def part_expectations(graph: Graph, scores: Sequence[float]) -> list[float]:
    """How often each part is used, in expectation: the gradient of log Z."""
    result = [0.0] * len(graph.parts)
    for edge, expected, _ in _uses(graph, by_parts(scores)):
        for part in edge.parts:
            result[part] += expected
    return result


def entropy(graph: Graph, weigh: Weigh = unweighted) -> float:
    """The entropy of a derivation, in nats: the sum over items of that of choosing an edge."""
    return math.fsum(expected * -log_share for _, expected, log_share in _uses(graph, weigh))


def best(
    graph: Graph, weigh: Weigh = unweighted, semiring: Semiring[float] = MAX
) -> tuple[float, Derivation]:
    """The best score and a derivation that has it, always the same one; () if there is none."""
    semiring.require("best", "selective")
    values = inside(graph, semiring, weigh)
    if not values or values[-1] == semiring.zero:
        return semiring.zero, ()

    def choose(item: int) -> Edge:
        ways = graph.edges[item]
        return next(e for e in ways if _value(e, semiring, values, weigh) == values[item])

    return values[-1], _unfold(graph, choose)


def sample(
    graph: Graph,
    k: int,
    generator: np.random.Generator,
    weigh: Weigh = unweighted,
    semiring: Semiring[Any] = LOG,
) -> list[Derivation]:
    """K derivations, drawn independently with probability proportional to their values.

    In `LOG` and `REAL` that is to exp(score), in `COUNTING` to 1. `Infeasible` if all are zero.
    """
    semiring.require("sample", "measure")
    values = inside(graph, semiring, weigh)
    if not values or values[-1] == semiring.zero:
        raise Infeasible(f"{graph.system.name}: no derivation of {graph.n} words to sample")

    def choose(item: int) -> Edge:
        edges = graph.edges[item]
        ways = (_value(edge, semiring, values, weigh) for edge in edges)
        shares = [semiring.share(way, values[item]) for way in ways]
        return edges[int(generator.choice(len(edges), p=np.array(shares) / math.fsum(shares)))]

    return [_unfold(graph, choose) for _ in range(k)]


def derivations(graph: Graph) -> tuple[Derivation, ...]:
    """All derivations; there may be very many."""
    return total(graph, DERIVATIONS)


def _unfold(graph: Graph, choose: Callable[[int], Edge]) -> Derivation:
    """The derivation of the goal that takes the chosen edge for each item."""
    edges: list[Edge] = []
    agenda = [len(graph) - 1]
    while agenda:
        edge = choose(agenda.pop())
        edges.append(edge)
        agenda.extend(reversed(edge.body))
    return tuple(edges)


@dataclass(frozen=True)
class Ambiguity:
    """Two derivations of one analysis, for n words."""

    n: int
    first: Derivation
    second: Derivation


def find_ambiguity(
    graphs: Iterable[Graph],
    analysis: Callable[[Graph, Derivation], object] | None = None,
) -> Ambiguity | None:
    """Two derivations of the same analysis, if some graph has them; None if all are unambiguous.

    An analysis is told by the parts it uses, unless `analysis` says otherwise.
    """
    tell = analysis or _parts_used
    for graph in graphs:
        seen: dict[object, Derivation] = {}
        for derivation in derivations(graph):
            told = tell(graph, derivation)
            if told in seen:
                return Ambiguity(graph.n, seen[told], derivation)
            seen[told] = derivation
    return None


def _parts_used(graph: Graph, derivation: Derivation) -> object:
    return tuple(sorted(graph.parts[part] for edge in derivation for part in edge.parts))
