"""Spaces that have rules and no native program; which mentions stay where not all can."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import spanforest as sf
from spanforest import Mention
from spanforest.errors import OptionError
from spanforest.inference.constraints import TOLD_APART, largest_subset


class Rules(sf.Nested):
    """`Nested` as its rules alone define it."""

    def _native_program(self) -> Any:
        return None


SPACE, SAME = Rules(["A", "B"]), sf.Nested(["A", "B"])


def test_a_space_with_rules_only() -> None:
    scores = np.random.default_rng(0).normal(size=(1, 4, 4, 2))
    forest = SPACE.forest(scores)
    assert (SPACE.native, forest.backend) == (None, "reference")
    assert forest.log_partition() == pytest.approx(SAME.forest(scores).log_partition())
    with pytest.raises(OptionError, match=r"Rules\(\['A', 'B'\]\) has rules only: expected"):
        SPACE.forest(scores, backend="native")


def test_its_violations() -> None:
    spans = [(1, 5), (0, 3), (3, 6), (2, 4)]
    given = [Mention.span("A", *span) for span in spans]
    violations = SPACE.violations(given, 6)
    assert [(v.mention, v.reason) for v in violations] == [
        (m, f"crosses {given[0]}") for m in given[1:3]
    ]
    assert violations == SAME.violations(given, 6)
    assert SPACE.encode([given[0], given[3]], 6) == SAME.encode([given[3], given[0]], 6)
    with pytest.raises(sf.NotRepresentable, match="crosses"):
        SPACE.encode(given, 6)


def test_of_many_mentions_the_same_stay() -> None:
    n, generator = 14, np.random.default_rng(3)
    every = [Mention.span(x, i, j) for x in "AB" for i in range(n) for j in range(i + 1, n + 1)]
    given = [every[k] for k in generator.permutation(len(every))]
    assert len(given) > 6 * TOLD_APART
    assert SPACE.violations(given, n) == SAME.violations(given, n)


def test_the_largest_subset_prefers_what_comes_first() -> None:
    generator, count = np.random.default_rng(5), 3 * TOLD_APART + 5
    possible = [{*generator.permutation(count)[:40].tolist()} for _ in range(500)]
    possible += [{*range(0, 2 * TOLD_APART, 2), 70, k, *range(90, 97)} for k in range(71, 85)]
    best = max(possible, key=lambda s: (len(s), [k in s for k in range(count)]))

    def heaviest(worth: Sequence[float]) -> set[int]:
        return max(reversed(possible), key=lambda s: sum(worth[k] for k in s))

    assert largest_subset(count, heaviest) == best == possible[500]
    assert largest_subset(0, heaviest) == set()
