"""The forest as users call it: forms of input, results, and what is refused."""

import math
import pickle
import re
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import spanforest as sf
from spanforest import Mention
from spanforest.errors import (
    LabelError,
    LengthError,
    OptionError,
    ScoreError,
    TagError,
)
from spanforest.inference.forest import BackendName
from spanforest.inference.scores import SCORE_LIMIT

SPACE = sf.Nested(["PER", "ORG"])
CHAIN = sf.Chain(["PER"])


def scores(batch: int, n: int, dtype: str = "float64") -> np.ndarray:
    return np.random.default_rng(n).normal(size=(batch, n, n, 2)).astype(dtype)


def test_the_example_of_the_readme() -> None:
    best = SPACE.forest(scores(2, 5)).argmax()
    assert len(best) == 2
    assert isinstance(best[0], sf.Analysis)
    assert best[-1] == best[1]
    assert best[0:2] == [best[0], best[1]]
    with pytest.raises(IndexError):
        best[2]


def test_analyses_are_arrays() -> None:
    space = sf.Discontinuous(["A", "B"])
    forest = space.forest(np.random.default_rng(3).normal(size=(3, 6, len(space.tags))))
    best = forest.argmax()
    assert best.sentences[-1] == len(best.starts) == len(best.ends) == len(best.labels)
    assert best.fragments[-1] == len(best.ranges)
    for s, analysis in enumerate(best):
        rows = range(best.sentences[s], best.sentences[s + 1])
        assert analysis.mentions == {
            Mention(
                best.label_names[best.labels[m]],
                best.ranges[best.fragments[m] : best.fragments[m + 1]],  # type: ignore[arg-type]
            )
            for m in rows
        }
        assert all(best.starts[m] < best.ends[m] for m in rows)
    assert "3 sentences" in repr(best)


def test_forests_and_analyses_are_pickled() -> None:
    space = sf.LabelChunk(["p", "q"], ["O", "A"], adjacent_outside=True)
    spec = space.score_spec(4)
    generator = np.random.default_rng(1)
    given = {array.name: generator.normal(size=(2, *array.shape)) for array in spec}
    forest = space.forest(given, lengths=[4, 2]).constrained(forbid=[[((0, 1),)], []])
    best = forest.argmax()
    for copied in (pickle.loads(pickle.dumps(forest)), deepcopy(forest)):
        assert list(copied.argmax()) == list(best)
        assert copied.log_partition().tolist() == forest.log_partition().tolist()
    free = space.forest(given).argmax()
    for copied in (pickle.loads(pickle.dumps(free)), deepcopy(free)):
        assert list(copied) == list(free)
        assert copied.ranges.tolist() == free.ranges.tolist()


def test_results_have_the_type_of_the_scores() -> None:
    for dtype in ("float32", "float64"):
        forest = SPACE.forest(scores(2, 4, dtype))
        for result in (forest.max(), forest.log_partition(), forest.entropy(), forest.marginals()):
            assert result.dtype == dtype


def test_marginals_come_in_the_form_of_the_scores() -> None:
    array = scores(2, 4)
    padded = SPACE.forest(array, lengths=[4, 2]).marginals()
    assert padded.shape == array.shape
    assert not padded[1, 2:].any()
    ragged = SPACE.forest([array[0], array[1, :2, :2]]).marginals()
    assert [m.shape for m in ragged] == [(4, 4, 2), (2, 2, 2)]
    np.testing.assert_array_equal(ragged[1], padded[1, :2, :2])
    word = np.zeros((2, 4, 3))
    named = CHAIN.forest({"word": word, "transition": np.zeros((3, 3))}).marginals()
    assert {name: a.shape for name, a in named.items()} == {
        "word": (2, 4, 3),
        "transition": (2, 3, 3),
        "start": (2, 3),
        "end": (2, 3),
    }
    assert named["transition"].sum(axis=(1, 2)) == pytest.approx([3, 3])


def test_shared_and_per_sentence_scores() -> None:
    generator = np.random.default_rng(0)
    word, table = generator.normal(size=(2, 4, 3)), generator.normal(size=(3, 3))
    shared = CHAIN.forest({"word": word, "transition": table})
    each = CHAIN.forest({"word": word, "transition": np.stack([table, table])})
    listed = CHAIN.forest({"word": list(word), "transition": [table, table]})
    for other in (each, listed):
        np.testing.assert_array_equal(shared.log_partition(), other.log_partition())


def test_constant_axes() -> None:
    space = sf.LabelChunk(["p", "q"], ["O", "A"])
    generator = np.random.default_rng(0)
    node, table = generator.normal(size=(2, 4, 2, 2)), generator.normal(size=(1, 2, 2, 2))
    short = space.forest({"node": node, "transition": table})
    full = space.forest({"node": node, "transition": np.tile(table, (2, 4, 1, 1, 1))})
    np.testing.assert_allclose(short.log_partition(), full.log_partition())
    assert short.marginals()["transition"].shape == (2, 1, 2, 2, 2)
    np.testing.assert_allclose(
        short.marginals()["transition"][:, 0], full.marginals()["transition"].sum(axis=1)
    )


def test_scores_are_not_copied_or_changed() -> None:
    array = scores(1, 4)
    array.setflags(write=False)
    SPACE.forest(array).marginals()
    turned = np.asfortranarray(scores(1, 4))
    assert SPACE.forest(turned).max() == SPACE.forest(scores(1, 4)).max()


def test_unused_scores_are_never_read() -> None:
    array = np.full((1, 4, 4, 2), np.nan)
    for i in range(3):
        array[0, i, i:3] = 0
    assert SPACE.forest(array, lengths=[3]).log_partition()[0] > 0


def test_empty_batches_and_sentences() -> None:
    assert len(SPACE.forest([])) == 0
    assert SPACE.forest([]).log_partition().shape == (0,)
    empty = SPACE.forest(np.zeros((2, 0, 0, 2)))
    assert empty.log_partition().tolist() == [0, 0]
    assert empty.argmax()[0] == sf.Analysis(frozenset())
    assert empty.marginals().shape == (2, 0, 0, 2)
    assert SPACE.forest(np.zeros((0, 3, 3, 2))).argmax()[:] == []


@pytest.mark.parametrize("backend", ["native", "reference"])
@pytest.mark.parametrize("narrow", [1, None])
def test_ties_do_not_hang_on_rounding(narrow: int | None, backend: BackendName) -> None:
    """0.1 + 0.2 + 0.3 depends on the order of addition, as a mention around them changes it."""
    cases = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    if backend == "reference":  # whose sums are exact
        cases += [[1e15, 0.01, 0.01], [1e-300, 1e15, 0.1]]
    for inner in cases:
        span = np.full((1, 5, 5, 1), -1.0)
        span[0, range(1, 4), range(1, 4), 0] = inner
        span[0, 1, 3] = span[0, 0, 4] = span[0, 0, 3] = 0
        forest = sf.Nested(["A"], narrow).forest(span, backend=backend)
        assert forest.argmax()[0].mentions == {Mention.span("A", k, k + 1) for k in (1, 2, 3)}
        exact = math.fsum(inner)
        assert forest.max()[0] == pytest.approx(exact, rel=1e-15)
        assert forest.kbest(2)[0][1][0] == pytest.approx(exact, rel=1e-15)
        if backend == "reference":
            assert forest.max()[0] == exact


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((2, 3, 3, 5)), r"'span' after the axis of sentences have shape \[3, 3, 5\]: "
         r"expected span \[first word: n, last word: n, label: 2\]"),
        (np.zeros((2, 3, 4, 2)), "expected span"),
        (np.zeros((3, 3, 2)), "expected a first axis for the sentences"),
        (np.zeros((1, 2, 3, 3, 2)), "expected span"),
        (np.array(1.0), "expected span"),
        ([np.zeros((3, 3, 2)), np.zeros((3, 2))], "'span' of sentence 1 have shape"),
        (np.zeros((1, 3, 3, 2), dtype=np.int64), "are int64: expected a float32 or float64"),
        (np.zeros((1, 3, 3, 2), dtype=np.float16), "are float16"),
        (np.zeros((1, 3, 3, 2), dtype=object), "are object"),
        ([[1.0, 2.0]], "'span' of sentence 0 are list"),
        ("scores", "are str"),
        (np.ma.zeros((1, 3, 3, 2)), "'span' are a masked array: fill it, with -inf"),
        ([np.ma.zeros((3, 3, 2))], "'span' of sentence 0 are a masked array"),
        ({"word": np.zeros((1, 3, 2))}, "no scores called 'word': expected span"),
        ({}, "'span' are missing"),
    ],
)  # fmt: skip
def test_scores_of_the_wrong_form(given: object, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        SPACE.forest(given)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e16, -1e300, float(np.finfo("f4").min)])
def test_nan_infinity_and_numbers_too_large(value: float) -> None:
    array = scores(3, 4)
    array[2, 1, 3, 0] = value
    message = (
        f"'span' of sentence 2: {value} at [1, 3, 0]; expected numbers from -1e+15 to 1e+15, "
        "or -inf for what is ruled out"
    )
    with pytest.raises(ScoreError, match=re.escape(message)):
        SPACE.forest(array).max()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("scale", [1e3, 1e6, SCORE_LIMIT / 4])
def test_large_scores_give_numbers(scale: float, dtype: str) -> None:
    array = np.clip(scores(4, 8, dtype) * scale, -SCORE_LIMIT, SCORE_LIMIT)
    forest = SPACE.forest(array)
    best = forest.argmax()
    np.testing.assert_allclose(forest.log_partition(), forest.max(), rtol=1e-6)
    assert np.all((forest.marginals() >= 0) & (forest.marginals() <= 1))
    assert np.all(forest.log_prob(best) <= 0)
    assert np.all((forest.entropy() >= 0) & (forest.entropy() < math.log(SPACE.count(8))))
    assert all(
        0 <= p <= 1 for p in np.concatenate(forest.probability([list(a.mentions) for a in best]))
    )
    assert all(len(sampled) == 3 for sampled in forest.sample(3, seed=0))


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([3, -1], r"lengths\[1\] = -1: expected 0 to 3"),
        ([4, 0], r"lengths\[0\] = 4: expected 0 to 3"),
        ([3], "expected 2 integers"),
        ([1.5, 2.0], "expected 2 integers"),
        ([[1, 2]], "expected 2 integers"),
        ([[1], [2, 3]], "expected 2 integers"),
    ],
)
def test_wrong_lengths(lengths: list[int], message: str) -> None:
    with pytest.raises(LengthError, match=message):
        SPACE.forest(np.zeros((2, 3, 3, 2)), lengths)


def test_lengths_of_ragged_scores_must_agree() -> None:
    with pytest.raises(LengthError, match=r"lengths\[0\] = 2: expected 3"):
        SPACE.forest([np.zeros((3, 3, 2))], lengths=[2])


def test_ragged_scores_without_words_leave_lengths_free() -> None:
    generator = np.random.default_rng(0)
    word, table = generator.normal(size=(2, 4, 3)), generator.normal(size=(3, 3))
    mixed = CHAIN.forest({"word": word, "transition": [table, table]}, lengths=[4, 2])
    padded = CHAIN.forest({"word": word, "transition": table}, lengths=[4, 2])
    np.testing.assert_array_equal(mixed.log_partition(), padded.log_partition())
    counts = mixed.marginals()
    np.testing.assert_array_equal(counts["word"], padded.marginals()["word"])
    assert isinstance(counts["word"], np.ndarray)
    assert [c.shape for c in counts["transition"]] == [(3, 3), (3, 3)]


def test_arrays_that_disagree() -> None:
    with pytest.raises(ScoreError, match="different numbers of sentences"):
        CHAIN.forest({"word": np.zeros((2, 3, 3)), "start": np.zeros((3, 3))})
    joint = sf.LabelChunk(["p"], ["O", "A"])
    with pytest.raises(ScoreError, match="sentence 0: the arrays must agree on one number"):
        joint.forest({"node": np.zeros((1, 3, 2, 1)), "chunk": np.zeros((1, 4, 4, 2))})
    with pytest.raises(ScoreError, match="expected a first axis for the sentences"):
        CHAIN.forest({"word": np.zeros((4, 3)), "start": np.zeros(3)})


def test_infeasible_names_the_sentence() -> None:
    tags = np.full((2, 2, 3), -np.inf)
    tags[0] = 0
    forest = CHAIN.forest(tags)
    for question in ("max", "argmax", "log_partition", "marginals", "entropy"):
        with pytest.raises(sf.Infeasible, match="sentence 1: no analysis has a score above -inf"):
            getattr(forest, question)()
    with pytest.raises(sf.Infeasible):
        forest.kbest(2)
    with pytest.raises(sf.Infeasible):
        forest.sample(2, seed=0)


def test_infeasible_without_any_analysis() -> None:
    space = sf.Grammar(["A"], ["p"], observed=[])
    forest = space.forest({a.name: np.zeros((1, *a.shape)) for a in space.score_spec(2)})
    for question in ("max", "log_partition", "marginals", "entropy"):
        with pytest.raises(sf.Infeasible, match="sentence 0: no analysis has a score above -inf"):
            getattr(forest, question)()


@pytest.mark.parametrize("k", [0, -1, 1.5, True, None])
def test_numbers_of_answers(k: Any) -> None:
    forest = SPACE.forest(scores(1, 3))
    for question in (forest.kbest, lambda k: forest.sample(k, seed=0)):
        with pytest.raises(OptionError, match="expected an integer of at least"):
            question(k)


def test_numbers_beyond_the_engine() -> None:
    forest = SPACE.forest(scores(1, 3))
    for question in (forest.kbest, lambda k: forest.sample(k, 1), lambda k: forest.sample(1, k)):
        with pytest.raises(OptionError, match=r"expected an integer from . to 9223372036854775807"):
            question(2**63)
    for n in (2**31, 2**70):
        with pytest.raises(LengthError, match=f"n = {n}: .* at most 2147483647"):
            SPACE.count(n)


def test_numpy_integers_count_and_seed() -> None:
    forest = SPACE.forest(scores(1, 3))
    assert forest.kbest(np.int64(2)) == forest.kbest(2)  # type: ignore[arg-type]
    assert forest.sample(np.int8(2), np.uint64(3)) == forest.sample(2, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 0.5, "one", None])
def test_seeds(seed: Any) -> None:
    with pytest.raises(OptionError, match=r"seed = .*: expected an integer of at least 0"):
        SPACE.forest(scores(1, 3)).sample(1, seed)


def test_other_options() -> None:
    forest = SPACE.forest(scores(1, 3))
    with pytest.raises(OptionError, match="expected 'exact', 'span' or 'cover'"):
        forest.probability([[]], "fuzzy")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no backend 'gpu'"):
        SPACE.forest(scores(1, 3), backend="gpu")  # type: ignore[arg-type]
    assert repr(forest) == "<Forest: 1 sentences in Nested(['PER', 'ORG'])>"


def test_samples_of_a_sentence_differ_between_positions_not_between_calls() -> None:
    array = np.repeat(scores(1, 5), 2, axis=0)
    forest = SPACE.forest(array)
    first, second = forest.sample(20, seed=1)
    assert first != second
    assert forest.sample(20, seed=1) == [first, second]
    assert forest.sample(20, seed=2) != [first, second]


def test_gold_tags_are_checked() -> None:
    space = sf.LabelChunk(["p", "q"], ["O", "A"])
    with pytest.raises(TagError, match="expected 3 tags, not none"):
        space.encode([], 3)
    with pytest.raises(TagError, match="expected 3 tags, not 2"):
        space.encode([], 3, ["p", "q"])
    assert space.encode([], 2, iter("pq")).tags == ("p", "q")  # type: ignore[arg-type]
    for tags in (5, "pq"):
        with pytest.raises(TagError, match=f"tags: expected one tag a word, not {tags!r}"):
            space.encode([], 2, tags)  # type: ignore[arg-type]
    with pytest.raises(LabelError, match=r"tags\[1\] = 'x': expected one of p, q"):
        space.encode([], 2, ["p", "x"])
    with pytest.raises(TagError, match="Nested has no tags"):
        SPACE.encode([], 2, ["p", "q"])


class Tensor:
    """What matters of a torch tensor."""

    def __init__(self, array: np.ndarray, requires_grad: bool) -> None:
        self.array, self.requires_grad = array, requires_grad

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return self.array


class BFloat16(Tensor):
    def numpy(self) -> np.ndarray:
        raise TypeError("Got unsupported ScalarType BFloat16")


def test_tensors() -> None:
    array = scores(1, 3)
    assert SPACE.forest(Tensor(array, False)).max() == SPACE.forest(array).max()
    with pytest.raises(ScoreError, match=r"pass scores.detach\(\)"):
        SPACE.forest(Tensor(array, True))
    with pytest.raises(ScoreError, match=r"'span' of sentence 0 cannot be read: .*BFloat16"):
        SPACE.forest([BFloat16(array[0], False)])
