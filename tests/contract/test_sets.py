"""The set itself: rules derive exactly the analyses of the definition, each once."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

import spanforest as sf
from spanforest.rules import Graph, derivations, find_ambiguity

from .cases import CASES, Case, enumerated

GRID = [
    pytest.param(case, n, id=f"{case.id}-{n}") for case in CASES for n in range(case.largest + 1)
]


Positions = tuple[tuple[str, tuple[int, ...]], ...]


def by_rules(case: Case, graph: Graph) -> Counter[tuple[sf.Analysis, Positions]]:
    place = graph.places
    return Counter(
        (
            case.space.analysis(graph, derivation),
            tuple(sorted(place[part] for edge in derivation for part in edge.parts)),
        )
        for derivation in derivations(graph)
    )


def by_definition(case: Case, n: int) -> Counter[tuple[sf.Analysis, Positions]]:
    whole = enumerated(case, n)
    return Counter(
        (analysis, tuple(sorted(parts)))
        for analysis, parts in zip(whole.analyses, whole.parts, strict=True)
    )


@pytest.mark.parametrize(("case", "n"), GRID)
def test_rules_derive_the_set(case: Case, n: int) -> None:
    derived = by_rules(case, case.space.graph(n))
    assert derived == by_definition(case, n)
    assert len({analysis for analysis, _ in derived}) == derived.total() == case.space.count(n)


DYNAMIC = [c for c in CASES if isinstance(c.space, sf.DynamicChain)]


@pytest.mark.parametrize("case", DYNAMIC, ids=lambda case: case.id)
def test_rules_that_know_their_mentions_derive_the_set(case: Case) -> None:
    for n in range(case.largest + 1):
        graph = case.space.explicit_graph(n, (), strict=True)
        assert by_rules(case, graph) == by_definition(case, n)
        for derivation in derivations(graph):
            completed = sf.Analysis(case.space._mentions(derivation))
            assert completed == case.space.analysis(graph, derivation)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_analysis_is_derived_twice(case: Case) -> None:
    assert find_ambiguity(case.space.graph(n) for n in range(case.largest)) is None


@pytest.mark.parametrize(("case", "n"), GRID)
def test_parts_and_decode_are_inverse(case: Case, n: int) -> None:
    space, whole = case.space, enumerated(case, n)
    step = max(1, len(whole.analyses) // 25)
    for analysis, parts in list(zip(whole.analyses, whole.parts, strict=True))[::step]:
        found = space.parts(analysis, n)
        assert _listed(found) == sorted(parts)
        decoded = space.decode(found, n)
        assert decoded == analysis or _listed(space.parts(decoded, n)) == sorted(parts)


def _listed(parts: Mapping[str, npt.NDArray[np.intp]]) -> list[tuple[str, tuple[int, ...]]]:
    return sorted((name, tuple(row)) for name, rows in parts.items() for row in rows.tolist())
