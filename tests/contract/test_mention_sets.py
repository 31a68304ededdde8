"""Gold of every shape: exactly the representable sets of mentions encode, and back; what is
reported as in the way is as little as possible."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import spanforest as sf
from brute.discontinuous import all_mentions

from .cases import CASES, Case, enumerated

ALL_SETS_UP_TO = 10  # mentions: 1024 sets; above, sets are drawn


def _largest(case: Case) -> int:
    return min(case.largest, 4 if len(case.space.labels) == 1 else 3)


def _universe(case: Case, n: int) -> list[sf.Mention]:
    """The mentions that sets are made of: all, or the continuous ones where those are many."""
    universe = all_mentions(n, case.space.labels)
    if len(universe) <= ALL_SETS_UP_TO or isinstance(case.space, sf.Discontinuous):
        return universe
    return [m for m in universe if m.is_continuous]


def _all_sets(case: Case, n: int) -> bool:
    return len(_universe(case, n)) <= ALL_SETS_UP_TO


def _sets(case: Case, n: int) -> Iterator[tuple[sf.Mention, ...]]:
    """All sets of mentions, or some that are drawn, each in an order that is drawn."""
    universe = _universe(case, n)
    generator = np.random.default_rng(len(universe))
    if _all_sets(case, n):
        chosen = list(product((False, True), repeat=len(universe)))
    else:
        draws = 2000 if case.space == sf.Discontinuous(["A"]) else 100
        shares = generator.choice([0.1, 0.2, 0.4], size=draws)
        chosen = [tuple(generator.random(len(universe)) < share) for share in shares]
    for among in chosen:
        yield tuple(universe[k] for k in generator.permutation(np.flatnonzero(among)))


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
    for given in _sets(case, n):
        mentions = frozenset(given)
        violations = space.violations(given, n)
        kept = mentions - {v.mention for v in violations}
        possible = [other for other in representable if other <= mentions]
        first = max(possible, key=lambda p: (len(p), [m in p for m in given]), default=frozenset())
        assert kept == first == space._best_kept(space._checked(given, n), n)
        assert len(violations) == len(mentions) - len(kept)
        assert all(v.reason for v in violations)
        if mentions in representable:
            assert space.encode(given, n, representable[mentions]).mentions == mentions
        else:
            with pytest.raises(sf.NotRepresentable) as caught:
                space.encode(given, n, _tags(space, n))
            assert caught.value.violations == tuple(violations)
            assert all(str(v.mention) in str(caught.value) for v in violations)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_repeated_mentions_are_violations(case: Case) -> None:
    n = 2
    mention = sf.Mention.span(case.space.labels[0], 0, 1)
    violations = case.space.violations([mention, mention], n)
    assert [(v.mention, v.reason) for v in violations] == [(mention, "given more than once")]
    scores = {a.name: np.zeros((1, *a.shape)) for a in case.space.score_spec(n)}
    with pytest.raises(sf.NotRepresentable):
        case.space.forest(scores).log_prob([[mention, mention]])
