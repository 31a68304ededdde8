"""The engine derives by the same rules: its edges are those of the interpreter, one for one."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import spanforest as sf
from spanforest.inference.constraints import NO_CONSTRAINTS
from spanforest.rules.graph import Edge, Graph

from .cases import CASES, Case


def cases() -> Iterator[Any]:
    for case in CASES:
        many_rules = isinstance(case.space, sf.Grammar) and len(case.space.grammar) > 200
        for n in range(5 if many_rules else 7):
            yield pytest.param(case, n, id=f"{case.id}-{n}")


def named(graph: Graph, position: int) -> tuple[str, tuple[int, ...]]:
    kind, *arguments = graph.items[position]
    return graph.system.items[kind].name, tuple(arguments)


def by_rules(graph: Graph, edge: Edge) -> tuple[Any, ...]:
    rule = graph.system.rules[edge.rule].name
    body = sorted(named(graph, b) for b in edge.body)
    return rule, named(graph, edge.head), body, sorted(graph.places[part] for part in edge.parts)


@pytest.mark.parametrize(("case", "n"), list(cases()))
def test_edges_are_those_of_the_rules(case: Case, n: int) -> None:
    space = case.space
    assert space.native is not None
    graph = space.graph(n)
    names = [array.name for array in space.score_arrays]
    root = (len(getattr(space, "symbols", ())) - 1, len(getattr(space, "contexts", ())), 0)

    def item(name: str, arguments: list[int]) -> tuple[str, tuple[int, ...]]:
        return ("node", (*root, 0, *arguments)) if name == "ROOT" else (name, tuple(arguments))

    listed = space.native.graph(space, n, NO_CONSTRAINTS).edges(
        space.native.no_scores, space.native.core
    )
    native = Counter(
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
    assert native == Counter(repr(by_rules(graph, edge)) for edge in graph.all_edges)
