"""The fast paths: contiguous scores against the general engine, at lengths that brute force cannot
reach; the same bits alone and in a batch, on any number of threads; every level of instructions.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

import spanforest as sf
from spanforest import _core

from .tolerances import FAST_COUNTS, FAST_SUMS

SPACES: tuple[sf.Segments | sf.Nested, ...] = (
    sf.Nested(["A", "B", "C"]),
    sf.Nested(["A"]),
    sf.Nested([f"L{k}" for k in range(20)]),
    sf.Nested(["A", "B", "C"], narrow=0),
    sf.Nested(["A", "B", "C"], narrow=None),
    sf.Segments(["A", "B", "C"]),
    sf.Segments(["A", "B"], max_length=5),
)
KINDS = {
    "few above 0": (-3, 1.5, 0.0),
    "any": (0, 1.5, 0.0),
    "ruled out": (-1, 1.5, 0.3),
    "beyond float32": (0, 30, 0.0),
    "beyond float64": (0, 800, 0.1),
}
DTYPES = ("float32", "float64")
Scores = npt.NDArray[np.floating]


@pytest.fixture(params=_core.levels())
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    before = _core.level()
    _core.use_level(request.param)
    yield request.param
    _core.use_level(before)


def made(space: sf.Space, batch: int, n: int, kind: str, dtype: str, seed: int = 0) -> Scores:
    mean, deviation, ruled_out = KINDS[kind]
    generator = np.random.default_rng([seed, batch, n])
    scores = generator.normal(mean, deviation, size=(batch, n, n, len(space.labels)))
    scores[generator.random(scores.shape) < ruled_out] = -np.inf
    scores[:, np.tri(n, k=-1, dtype=bool)] = np.nan  # never read
    return scores.astype(dtype)


def strided(scores: Scores) -> Scores:
    """The same scores in a layout that has no fast path."""
    wide = np.empty((*scores.shape[:-1], 2 * scores.shape[-1]), scores.dtype)
    wide[..., ::2] = scores
    return wide[..., ::2]


def score_of(analysis: sf.Analysis, space: sf.Space, scores: Scores) -> float:
    at = [(m.start, m.end - 1, space.labels.index(m.label)) for m in analysis.mentions]
    return float(sum(scores[place] for place in sorted(at)))


def lengths_of(batch: int, n: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng(n).integers(n // 2, n + 1, size=batch)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_short_sentences(space: sf.Space, kind: str, dtype: str, level: str) -> None:
    for n in (0, 1, 2, 7, 16, 21):
        check(space, made(space, 19, n, kind, dtype), lengths_of(19, n))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["few above 0", "any", "beyond float32"])
@pytest.mark.parametrize("n", [64, 65, 90])
@pytest.mark.parametrize("space", [SPACES[0], *SPACES[4:]], ids=repr)
def test_long_sentences(space: sf.Space, n: int, kind: str, dtype: str) -> None:
    check(space, made(space, 3, n, kind, dtype), np.array([n, n - 20, n - 1]))


def check(space: sf.Space, scores: Scores, lengths: npt.NDArray[np.int64]) -> None:
    fast, slow = space.forest(scores, lengths), space.forest(strided(scores), lengths)
    tolerance = FAST_SUMS[scores.dtype.name]
    most = np.maximum(1, np.abs(slow.max()))
    assert np.all(np.abs(fast.max() - slow.max()) <= tolerance * most)
    for s, best in enumerate(fast.argmax()):
        assert abs(score_of(best, space, scores[s]) - fast.max()[s]) <= 10 * tolerance * most[s]
        assert space.native is not None
        assert space.native.best_kept(space, tuple(best.mentions), int(lengths[s])) == best.mentions
    assert np.all(np.abs(fast.log_partition() - slow.log_partition()) <= tolerance * most)
    np.testing.assert_allclose(
        fast.marginals(), slow.marginals(), atol=FAST_COUNTS[scores.dtype.name] * most.max()
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_a_sentence_has_the_same_bits_anywhere(space: sf.Space, kind: str) -> None:
    n, batch = 40, 37
    scores, lengths = made(space, batch, n, kind, "float32"), lengths_of(batch, n)
    whole = space.forest(scores, lengths)
    best, sums, counts = whole.argmax(), whole.log_partition(), whole.marginals()
    threads = sf.threads()
    sf.set_threads(3)
    again = space.forest(scores, lengths)
    assert list(again.argmax()) == list(best)
    assert np.array_equal(again.marginals(), counts)
    assert np.array_equal(again.log_partition(), sums)
    sf.set_threads(threads)
    for s in (0, 5, batch - 1):
        alone = space.forest([scores[s, : lengths[s], : lengths[s]]])
        assert alone.argmax()[0] == best[s]
        assert alone.max()[0] == whole.max()[s]
        assert alone.log_partition()[0] == sums[s]
        assert np.array_equal(alone.marginals()[0], counts[s, : lengths[s], : lengths[s]])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_levels_agree(space: sf.Space, kind: str) -> None:
    scores = made(space, 5, 30, kind, "float32")
    before, answers = _core.level(), []
    for name in _core.levels():
        _core.use_level(name)
        forest = space.forest(scores)
        answers.append((list(forest.argmax()), forest.max(), forest.log_partition()))
    _core.use_level(before)
    for best, most, sums in answers[1:]:
        assert best == answers[0][0]
        assert np.array_equal(most, answers[0][1])
        np.testing.assert_allclose(sums, answers[0][2], rtol=1e-6, atol=1e-6)


def test_overflow_is_seen_before_the_logarithm() -> None:
    space = sf.Nested(["A", "B", "C", "D", "E"])
    for n, score in ((100, 0.0), (30, 88.0), (30, 1e3), (12, 1e4)):
        scores = np.full((2, n, n, 5), score, dtype="float32")
        exact = space.forest(scores.astype("float64")).log_partition()
        assert np.all(np.isfinite(exact))
        np.testing.assert_allclose(space.forest(scores).log_partition(), exact, rtol=1e-6)
        assert np.all(np.isfinite(space.forest(scores).marginals()))


def test_kept_memory_shows_nothing_of_earlier_answers() -> None:
    space = sf.Nested(["A", "B"])
    for n in (12, 9, 12, 10):
        scores = made(space, 4, n, "any", "float32")
        lengths = [n, 0, n - 3, 1]
        counts = space.forest(scores, lengths).marginals()
        for s, length in enumerate(lengths):
            outside = counts[s].copy()
            outside[:length, :length][np.triu_indices(length)] = 0
            assert not outside.any()
        del counts
