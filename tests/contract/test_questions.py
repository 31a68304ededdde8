"""Every question of the forest gives the answer of the definition."""

from typing import Any

import numpy as np
import pytest

import spanforest as sf
from spanforest.inference.forest import BackendName

from .cases import CASES, Case, enumerated
from .tolerances import CHI_SQUARE_QUANTILE, FINITE_DIFFERENCE, STEP, TOLERANCE
from .witness import (
    Scores,
    Witness,
    chi_square,
    covers,
    has,
    has_span,
    lacks,
    lacks_span,
    log_sum,
    random_scores,
    same_mentions,
    within,
)

GRID = [
    pytest.param(case, n, id=f"{case.id}-{n}")
    for case in CASES
    for n in sorted({0, 1, 2, case.largest - 1, case.largest})
]
EXACT = TOLERANCE["float64"]


@pytest.fixture(params=["native", "reference"])
def backend(request: pytest.FixtureRequest) -> BackendName:
    name: BackendName = request.param
    if name == "native" and request.getfixturevalue("case").space.native is None:
        pytest.skip("the space has rules only")
    return name


def forest_of(case: Case, scores: Scores, backend: BackendName) -> sf.Forest[sf.Space]:
    given = {name: [array] for name, array in scores.items()}
    return case.space.forest(given, backend=backend)


def check_sums(forest: sf.Forest[sf.Space], truth: Witness, tolerance: float = EXACT) -> None:
    assert forest.log_partition() == pytest.approx(truth.log_partition, abs=tolerance)
    assert forest.entropy() == pytest.approx(truth.entropy, abs=tolerance)
    assert forest.max() == pytest.approx(truth.scores.max(), abs=tolerance)
    expected = truth.marginals()
    for name, counts in forest.marginals().items():
        np.testing.assert_allclose(counts[0], expected[name], atol=tolerance, err_msg=name)


def check_ranked(forest: sf.Forest[sf.Space], truth: Witness, k: int) -> None:
    (ranked,) = forest.kbest(k)
    scores, size = [score for score, _ in ranked], min(k, truth.possible)
    assert scores == pytest.approx(np.sort(truth.scores)[::-1][:size], abs=EXACT)
    assert len({analysis for _, analysis in ranked}) == size
    score_of = dict(zip(truth.analyses, truth.scores, strict=True))
    assert [score_of[a] for _, a in ranked] == pytest.approx(scores, abs=EXACT)


def check_samples(forest: sf.Forest[sf.Space], truth: Witness, draws: int) -> None:
    (drawn,) = forest.sample(draws, seed=11)
    assert drawn[:100] == forest.sample(100, seed=11)[0]
    position = {a: k for k, a in enumerate(truth.analyses)}
    counts = np.bincount([position[a] for a in drawn], minlength=len(position))
    assert not counts[truth.probabilities == 0].any()
    assert chi_square(counts, draws * truth.probabilities) < CHI_SQUARE_QUANTILE


@pytest.mark.parametrize(("case", "n"), GRID)
def test_sums_and_best(case: Case, n: int, backend: BackendName) -> None:
    scores = random_scores(case.space, n, seed=1)
    forest, truth = forest_of(case, scores, backend), Witness(case, n, scores)
    check_sums(forest, truth)
    assert forest.argmax()[0] == truth.best


@pytest.mark.parametrize(("case", "n"), GRID)
def test_k_best(case: Case, n: int, backend: BackendName) -> None:
    scores = random_scores(case.space, n, seed=2)
    check_ranked(forest_of(case, scores, backend), Witness(case, n, scores), 6)


@pytest.mark.parametrize(("case", "n"), GRID)
def test_log_prob(case: Case, n: int, backend: BackendName) -> None:
    scores = random_scores(case.space, n, seed=3)
    forest, truth = forest_of(case, scores, backend), Witness(case, n, scores)
    for k in range(0, len(truth.analyses), max(1, len(truth.analyses) // 7)):
        analysis = truth.analyses[k]
        expected = truth.scores[k] - truth.log_partition
        assert forest.log_prob([analysis]) == pytest.approx(expected, abs=EXACT)
        same = truth.where(same_mentions(analysis))
        expected = log_sum(truth.scores[same]) - truth.log_partition
        assert forest.log_prob([list(analysis.mentions)]) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize(("case", "n"), GRID)
def test_probability(case: Case, n: int, backend: BackendName) -> None:
    scores = random_scores(case.space, n, seed=4)
    forest, truth = forest_of(case, scores, backend), Witness(case, n, scores)
    mentions = truth.mentions()
    mentions = mentions[:: max(1, len(mentions) // 6)]
    for meaning, holds in (("exact", has), ("span", has_span)):
        (found,) = forest.probability([mentions], meaning)  # type: ignore[arg-type]
        assert found == pytest.approx([truth.share(holds(m)) for m in mentions], abs=EXACT)
    (found,) = forest.probability([[m.fragments for m in mentions]], "cover")
    assert found == pytest.approx([truth.share(covers(m.tokens)) for m in mentions], abs=EXACT)


@pytest.mark.parametrize(("case", "n"), GRID)
def test_constraints(case: Case, n: int, backend: BackendName) -> None:
    scores = random_scores(case.space, n, seed=5)
    forest, truth = forest_of(case, scores, backend), Witness(case, n, scores)
    mentions = truth.mentions()
    if not mentions:
        return
    generator = np.random.default_rng(n)
    for by_label in (True, False, True, False):
        wanted, refused = (mentions[k] for k in generator.integers(len(mentions), size=2))
        allowed = {m for m in mentions if generator.random() < 0.6}
        given = {
            "require": [[wanted if by_label else wanted.fragments]],
            "forbid": [[refused.fragments if by_label else refused]],
            "allow": [list(allowed)],
        }
        obeys = {
            "require": (has if by_label else has_span)(wanted),
            "forbid": (lacks_span if by_label else lacks)(refused),
            "allow": within(allowed),
        }
        for names in (("require",), ("forbid",), ("allow",), ("require", "forbid", "allow")):
            keep = np.logical_and.reduce([truth.where(obeys[name]) for name in names])
            chosen: dict[str, Any] = {name: given[name] for name in names}
            if not keep.any():
                with pytest.raises(sf.Infeasible):
                    forest.constrained(**chosen)
                continue
            narrowed, kept = forest.constrained(**chosen), truth.among(keep)
            check_sums(narrowed, kept)
            check_ranked(narrowed, kept, 3)
            assert narrowed.argmax()[0] == kept.best
            expected = kept.scores.max() - kept.log_partition
            assert narrowed.log_prob([kept.best]) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_marginals_are_the_gradient(case: Case, backend: BackendName) -> None:
    n = min(3, case.largest)
    scores = random_scores(case.space, n, seed=6)
    marginals = forest_of(case, scores, backend).marginals()
    generator = np.random.default_rng(0)
    for name, array in scores.items():
        for _ in range(3 if array.size else 0):
            at = tuple(generator.integers(size) for size in array.shape)
            values = []
            for sign in (1, -1):
                moved = {k: a.copy() for k, a in scores.items()}
                moved[name][at] += sign * STEP
                values.append(forest_of(case, moved, backend).log_partition()[0])
            slope = (values[0] - values[1]) / (2 * STEP)
            assert marginals[name][0][at] == pytest.approx(slope, abs=FINITE_DIFFERENCE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_samples_follow_the_distribution(case: Case, backend: BackendName) -> None:
    largest = 4 if len(case.space.labels) == 1 else 3
    n, draws = (largest, 5000) if backend == "native" else (2, 3000)
    n = min(case.largest, n)
    scores = random_scores(case.space, n, seed=7)
    forest, truth = forest_of(case, scores, backend), Witness(case, n, scores)
    check_samples(forest, truth, draws)
    mention = truth.mentions()[0]
    for name, obeys in (("require", has(mention)), ("forbid", lacks(mention))):
        narrowed = forest.constrained(**{name: [[mention]]})
        check_samples(narrowed, truth.among(truth.where(obeys)), draws // 3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("seed", [8, 80])
def test_ties_and_minus_infinity(case: Case, seed: int, backend: BackendName) -> None:
    n = case.largest - 1
    generator = np.random.default_rng(seed)
    scores = {k: np.round(a) for k, a in random_scores(case.space, n, seed).items()}
    for array in scores.values():
        array[generator.random(array.shape) < 0.2] = -np.inf
    truth = Witness(case, n, scores)
    if truth.log_partition == -np.inf:
        for question in ("max", "argmax", "log_partition", "marginals", "entropy"):
            with pytest.raises(sf.Infeasible, match="sentence 0"):
                getattr(forest_of(case, scores, backend), question)()
        return
    forest = forest_of(case, scores, backend)
    check_sums(forest, truth)
    best = forest.argmax()[0]
    tied = [a for a, w in zip(truth.analyses, truth.scores, strict=True) if w == truth.scores.max()]
    assert best in tied
    assert not any(other.mentions < best.mentions for other in tied)
    assert best == forest_of(case, scores, backend).argmax()[0]
    assert forest.kbest(1)[0][0][1] in tied
    check_ranked(forest, truth, 5)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_of_equals_none_with_less_is_passed_over(case: Case, backend: BackendName) -> None:
    n = min(case.largest, 3)
    every = [mention.fragments for a in enumerated(case, n).analyses for mention in a.mentions]
    for seed in range(10 if backend == "native" else 2):
        scores = {
            a.name: np.random.default_rng(seed).integers(-1, 2, size=a.shape).astype("f8")
            for a in case.space.score_spec(n)
        }
        truth = Witness(case, n, scores)
        tied = [truth.analyses[k] for k in np.flatnonzero(truth.scores == truth.scores.max())]
        forest = forest_of(case, scores, backend)
        for asked in (forest, forest.constrained(allow=[every])):
            (best,) = asked.argmax()
            assert best in tied
            assert not any(other.mentions < best.mentions for other in tied)


@pytest.mark.parametrize(("case", "n"), GRID)
def test_what_scores_nothing_is_left_out(case: Case, n: int, backend: BackendName) -> None:
    scores = {a.name: np.zeros(a.shape) for a in case.space.score_spec(n)}
    forest = forest_of(case, scores, backend)
    best = forest.argmax()[0]
    fewest = min(len(a.mentions) for a in Witness(case, n, scores).analyses)
    assert len(best.mentions) == fewest
    assert forest.kbest(1)[0] == [(0.0, best)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_batch_is_its_sentences(case: Case, dtype: str, backend: BackendName) -> None:
    space = case.space
    lengths = [case.largest - 1, 0, 1, 2]
    longest = max(lengths)
    single = [
        {k: a.astype(dtype) for k, a in random_scores(space, n, seed=9).items()} for n in lengths
    ]
    padded = {
        array.name: np.full((len(lengths), *array.shape), np.nan, dtype=dtype)
        for array in space.score_spec(longest)
    }
    for s, scores in enumerate(single):
        for name, array in scores.items():
            padded[name][s][tuple(slice(size) for size in array.shape)] = array
    batch = space.forest(padded, lengths=lengths, backend=backend)
    ragged = space.forest(
        {name: [scores[name] for scores in single] for name in padded}, backend=backend
    )
    assert batch.log_partition().dtype == dtype
    for s, scores in enumerate(single):
        alone = forest_of(case, scores, backend)
        for both in (batch, ragged):
            assert both.log_partition()[s] == alone.log_partition()[0]
            assert both.max()[s] == alone.max()[0]
            assert both.entropy()[s] == alone.entropy()[0]
            assert both.argmax()[s] == alone.argmax()[0]
            for name, counts in both.marginals().items():
                own = alone.marginals()[name][0]
                within = tuple(slice(size) for size in own.shape)
                np.testing.assert_array_equal(counts[s][within], own)
                assert np.count_nonzero(counts[s]) == np.count_nonzero(own)
        exact = Witness(case, lengths[s], {k: a.astype(float) for k, a in scores.items()})
        check_sums(alone, exact, TOLERANCE[dtype])
        assert alone.argmax()[0] == exact.best
