"""Gold of every shape: exactly the representable sets of mentions encode, and back; what is
reported as in the way is as little as possible."""

from itertools import combinations

import numpy as np
import pytest

import spanforest as sf
from brute.discontinuous import all_mentions

from .cases import CASES, Case, enumerated

ALL_SETS_UP_TO = 9  # mentions: 512 sets; above, so many sets are drawn
DRAWN = 100


def _largest(case: Case) -> int:
    return min(case.largest, 4 if len(case.space.labels) == 1 else 3)


def _all_sets(case: Case, n: int) -> bool:
    return len(all_mentions(n, case.space.labels)) <= ALL_SETS_UP_TO


def _sets(case: Case, n: int) -> list[frozenset[sf.Mention]]:
    """All sets of mentions, discontinuous ones too, or sets drawn from the continuous ones."""
    universe = all_mentions(n, case.space.labels)
    if _all_sets(case, n):
        sizes = range(len(universe) + 1)
        return [frozenset(c) for size in sizes for c in combinations(universe, size)]
    if not isinstance(case.space, sf.Discontinuous):
        universe = [m for m in universe if m.is_continuous]
    generator = np.random.default_rng(len(universe))
    shares = generator.choice([0.1, 0.2, 0.4], size=DRAWN)
    return [frozenset(m for m in universe if generator.random() < share) for share in shares]


def _tags(space: sf.Space, n: int) -> list[str] | None:
    return [space.tag_names[0]] * n if space.has_tags else None


@pytest.mark.parametrize(
    ("case", "n"),
    [pytest.param(c, n, id=f"{c.id}-{n}") for c in CASES for n in range(_largest(c) + 1)],
)
def test_what_is_representable_encodes(case: Case, n: int) -> None:
    analyses = enumerated(case, n).analyses
    known = set(analyses)
    for given in analyses[:: max(1, len(analyses) // 40)]:
        analysis = case.space.encode(given.mentions, n, given.tags)
        assert (analysis.mentions, analysis.tags) == (given.mentions, given.tags)
        assert analysis in known
        parts = case.space.parts(analysis, n)
        assert case.space.decode(parts, n).mentions == given.mentions


@pytest.mark.parametrize(
    ("case", "n"),
    [
        pytest.param(c, n, id=f"{c.id}-{n}")
        for c in CASES
        for n in range(_largest(c) + 1)
        if _all_sets(c, n) or n == _largest(c)
    ],
)
def test_nothing_else_encodes_and_violations_are_smallest(case: Case, n: int) -> None:
    space = case.space
    representable = {a.mentions: a.tags for a in enumerated(case, n).analyses}
    for mentions in _sets(case, n):
        violations = space.violations(list(mentions), n)
        kept = mentions - {v.mention for v in violations}
        possible = [other for other in representable if other <= mentions]
        assert len(violations) == len(mentions) - max(map(len, possible), default=0)
        assert kept in representable or not possible
        assert all(v.reason for v in violations)
        if mentions in representable:
            assert not violations
            assert space.encode(mentions, n, representable[mentions]).mentions == mentions
        else:
            with pytest.raises(sf.NotRepresentable) as caught:
                space.encode(mentions, n, _tags(space, n))
            assert len(caught.value.violations) == len(violations)
            assert all(str(v.mention) in str(caught.value) for v in caught.value.violations)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_repeated_mentions_are_violations(case: Case) -> None:
    n = 2
    mention = sf.Mention.span(case.space.labels[0], 0, 1)
    violations = case.space.violations([mention, mention], n)
    assert [(v.mention, v.reason) for v in violations] == [(mention, "given more than once")]
    scores = {a.name: np.zeros((1, *a.shape)) for a in case.space.score_spec(n)}
    with pytest.raises(sf.NotRepresentable):
        case.space.forest(scores).log_prob([[mention, mention]])
