"""The engine derives by the same rules: its edges are those of the interpreter, one for one."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import spanforest as sf
from brute.spans import all_spans
from spanforest import _core
from spanforest.inference.constraints import NO_CONSTRAINTS, Constraints
from spanforest.rules.graph import Edge, Graph

from .cases import CASES, Case


def cases() -> Iterator[Any]:
    for case in CASES:
        if case.space.native is None:
            continue
        many_rules = isinstance(case.space, sf.Grammar) and len(case.space.grammar) > 200
        for n in range(5 if many_rules else 7):
            yield pytest.param(case, n, id=f"{case.id}-{n}")


def is_dynamic(parameters: Any) -> bool:
    return isinstance(parameters.values[0].space, sf.DynamicChain)


def named(graph: Graph, position: int) -> tuple[str, tuple[int, ...]]:
    kind, *arguments = graph.items[position]
    return graph.system.items[kind].name, tuple(arguments)


def by_rules(graph: Graph, edge: Edge) -> tuple[Any, ...]:
    rule = graph.system.rules[edge.rule].name
    body = sorted(named(graph, b) for b in edge.body)
    return rule, named(graph, edge.head), body, sorted(graph.places[part] for part in edge.parts)


def native_edges(space: sf.Space, graph: _core.Graph) -> Counter[str]:
    assert space.native is not None
    names = [array.name for array in space.score_arrays]
    root = (len(getattr(space, "symbols", ())) - 1, len(getattr(space, "contexts", ())), 0)

    def item(name: str, arguments: list[int]) -> tuple[str, tuple[int, ...]]:
        return ("node", (*root, 0, *arguments)) if name == "ROOT" else (name, tuple(arguments))

    listed = graph.edges(space.native.no_scores, space.native.core)
    return Counter(
        repr(
            (
                rule,
                item(*head),
                sorted(item(*b) for b in body),
                sorted((names[array], tuple(at)) for array, at in parts),
            )
        )
        for rule, head, body, parts in listed
    )


def edges_by_rules(graph: Graph) -> Counter[str]:
    return Counter(repr(by_rules(graph, edge)) for edge in graph.all_edges)


@pytest.mark.parametrize(("case", "n"), list(cases()))
def test_edges_are_those_of_the_rules(case: Case, n: int) -> None:
    space = case.space
    assert space.native is not None
    graph = space.native.graph(space, n, NO_CONSTRAINTS)
    assert native_edges(space, graph) == edges_by_rules(space.graph(n))


@pytest.mark.parametrize(("case", "n"), [p for p in cases() if is_dynamic(p)])
def test_rules_that_know_their_mentions(case: Case, n: int) -> None:
    """Of `DynamicChain`, which has further rules for constraints; here all mentions are allowed."""
    space = case.space
    every = [sf.Mention.span(x, i, j) for x in space.labels for i, j in all_spans(n)]
    assert space.native is not None
    explicit = space.explicit_graph(n, (), strict=True)
    tracked = [(0, ((0, n),))]  # one mention that nothing is said about
    graph = _core.graph(
        space.native.no_scores, space.native.core, n, tracked, [], set(), [], set(), [], None
    )
    assert native_edges(space, graph) == edges_by_rules(explicit)
    graph = space.native.graph(space, n, Constraints(allow=(tuple(every),)))
    assert len(graph) == len(explicit)
    if n > 0:
        with pytest.raises(ValueError, match="the items of a refined graph have no names"):
            graph.edges(space.native.no_scores, space.native.core)
    zeros = {array.name: np.zeros((1, *array.shape)) for array in space.score_spec(n)}
    forest, count = space.forest(zeros).constrained(allow=[every]), space.count(n)
    assert forest.log_partition() == pytest.approx(np.log(count))
    (ranked,) = forest.kbest(min(count + 1, 2000))
    assert len({analysis for _, analysis in ranked}) == len(ranked) == min(count, 2000)
