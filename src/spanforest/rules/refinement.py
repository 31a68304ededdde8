"""Refinement: the graph of the derivations that a finite memory accepts.

The memory is a deterministic bottom-up tree automaton: `step` gives the state of the head of an
edge from the states of its antecedents (None: the derivation is refused), `accept` says which
states of the goal are good. Items are split by state; derivations stay one to one.
"""

from collections.abc import Callable, Collection, Hashable
from itertools import product
from typing import Any, TypeAlias

from .graph import Edge, Found, Graph, Way, build, trim

State: TypeAlias = Hashable
Step: TypeAlias = Callable[[Edge, tuple[Any, ...]], tuple[State, tuple[Found, ...]] | None]
"""The state after an edge and the mentions it completes, given the states of its body."""


def refined(graph: Graph, step: Step, accept: Callable[[Any], bool]) -> Graph:
    """The derivations of `graph` that the memory accepts."""
    if not len(graph):
        return graph
    last = len(graph) - 1
    ways: dict[tuple[int, State], list[Way]] = {}
    states: list[dict[State, None]] = [{} for _ in graph.items]
    for edge in graph.all_edges:
        for combination in product(*(states[b] for b in edge.body)):
            outcome = step(edge, combination)
            if outcome is None or (edge.head == last and not accept(outcome[0])):
                continue
            state = None if edge.head == last else outcome[0]
            states[edge.head][state] = None
            body = tuple(zip(edge.body, combination, strict=True))
            parts = tuple(graph.parts[part] for part in edge.parts)
            events = (edge.mention, edge.tag, edge.outside, outcome[1])
            ways.setdefault((edge.head, state), []).append((edge.rule, body, parts, events))
    goal = (last, None)
    if goal not in ways:
        return Graph(graph.system, graph.n, (), (), ())
    kept = trim(ways, goal)
    return build(graph.system, graph.n, goal, kept, lambda node: graph.items[node[0]])


def filtered(graph: Graph, keep: Callable[[Edge], bool]) -> Graph:
    """The derivations of `graph` whose edges are all kept."""
    return refined(
        graph, lambda edge, _: ((), edge.found) if keep(edge) else None, lambda state: True
    )


def demanding(graph: Graph, wanted: Collection[Found]) -> Graph:
    """The derivations of `graph` that complete one of the wanted mentions."""
    names = frozenset(wanted)

    def step(edge: Edge, states: tuple[bool, ...]) -> tuple[bool, tuple[Found, ...]]:
        return any(states) or not names.isdisjoint(edge.found), edge.found

    return refined(graph, step, bool)
