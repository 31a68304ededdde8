"""Score arrays: what a space scores, and a checked batch of such scores.

A space lists its arrays; a user gives one or all of them, for a batch of sentences. Nothing is
copied: a batch holds read-only views. Entries that no analysis uses (below the diagonal, behind
the end of a sentence) are never read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import LengthError, ScoreError

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
Given: TypeAlias = Any
"""The scores of a batch, one array: padded `[B, …]`, or a list of one array a sentence."""

Lengths: TypeAlias = Sequence[int] | npt.NDArray[np.integer[Any]]
"""The number of words of each sentence of a batch."""

SCORE_LIMIT = 1e15
"""The largest magnitude of a score; for what is ruled out there is -inf.

Sums of such scores stay finite and are right to about 1e-16 of the largest: so are log Z and best
scores, while probabilities are off by about that much in the logarithm. No result is NaN.
"""


class Axis(NamedTuple):
    """An axis of a score array: what it counts, and how many; size None is the words.

    Where `constant_allowed`, an array may have size 1: the same scores all along the axis.
    """

    meaning: str
    size: int | None = None
    constant_allowed: bool = False

    @property
    def sizes(self) -> str:
        """The sizes that an array may have here, n being the number of words."""
        size = "n" if self.size is None else str(self.size)
        return f"{size} or 1" if self.constant_allowed and size != "1" else size

    def words_in(self, size: int) -> int | None:
        """How many words an array with `size` entries here has room for; None if any number."""
        return None if self.size is not None or (size == 1 and self.constant_allowed) else size

    def fits(self, size: int) -> bool:
        """Whether an array may have `size` entries here (for some number of words)."""
        return self.size in (None, size) or (size == 1 and self.constant_allowed)


@dataclass(frozen=True)
class ScoreArray:
    """An array of scores for one sentence; one that is not `required` is all 0 if not given."""

    name: str
    meaning: str
    axes: tuple[Axis, ...]
    required: bool = False

    @property
    def upper(self) -> bool:
        """Whether only entries whose first index is not behind the second are read."""
        return [axis.meaning for axis in self.axes[:2]] == ["first word", "last word"]

    def for_words(self, n: int) -> "ScoreArray":
        """The array for n words."""
        sized = (axis._replace(size=n) if axis.size is None else axis for axis in self.axes)
        return replace(self, axes=tuple(sized))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, with -1 for the number of words."""
        return tuple(-1 if axis.size is None else axis.size for axis in self.axes)

    def words_in(self, shape: Sequence[int]) -> set[int]:
        """The numbers of words that the axes of an array have room for."""
        found = {axis.words_in(size) for axis, size in zip(self.axes, shape, strict=True)}
        return {words for words in found if words is not None}

    def fits(self, shape: Sequence[int]) -> bool:
        """Whether an array of this shape can hold the scores of one sentence."""
        return len(shape) == len(self.axes) and all(
            axis.fits(size) for axis, size in zip(self.axes, shape, strict=True)
        )

    def __str__(self) -> str:
        return f"{self.name} [{', '.join(f'{a.meaning}: {a.sizes}' for a in self.axes)}]"


class ScoreBatch:
    """The checked scores of a batch of sentences."""

    def __init__(
        self,
        arrays: Sequence[ScoreArray],
        scores: Given | Mapping[str, Given],
        lengths: Lengths | None,
    ) -> None:
        spec = {array.name: array for array in arrays}
        given = scores if isinstance(scores, Mapping) else {arrays[0].name: scores}
        for name in given:
            if name not in spec:
                raise ScoreError(f"there are no scores called {name!r}: expected {', '.join(spec)}")
        for array in arrays:
            if array.required and array.name not in given:
                raise ScoreError(f"the scores {array.name!r} are missing: {array.meaning}")
        self.columns = {name: GivenArray(spec[name], value) for name, value in given.items()}
        self.size = _batch_size(self.columns)
        self.lengths = _lengths(lengths, self.columns, self.size)

    @property
    def dtype(self) -> np.dtype[Any]:
        """float64 if any array is, else float32."""
        return np.result_type(*(column.dtype for column in self.columns.values()))

    def zeros(self, array: ScoreArray) -> FloatArray | list[FloatArray]:
        """Room for a count of every entry of an array, in the form in which scores are given."""
        column = self.columns.get(array.name)
        own = None if column is None or column.shared else column
        ragged = own.ragged if own else any(c.ragged for c in self.columns.values())
        longest = 0 if ragged else max(self.lengths, default=0)

        def shape(s: int) -> tuple[int, ...]:
            if column is not None:
                return column.of(s).shape
            return array.for_words(self.lengths[s] if ragged else longest).shape

        if ragged:
            return [np.zeros(shape(s), self.dtype) for s in range(self.size)]
        one = shape(0) if self.size else array.for_words(0).shape
        return np.zeros((self.size, *one), self.dtype)

    def array(self, name: str, s: int) -> FloatArray | None:
        """The scores called `name` of sentence `s`; None if they are all 0."""
        return self.columns[name].of(s) if name in self.columns else None


class GivenArray:
    """One named array of a batch: a list of arrays, a padded array, or one for all sentences."""

    def __init__(self, array: ScoreArray, value: Given) -> None:
        self.array = array
        self.ragged = isinstance(value, (list, tuple))
        if self.ragged:
            self.values: Any = [
                _checked(array, one, f"of sentence {s} ") for s, one in enumerate(value)
            ]
            self.size: int | None = len(self.values)
            self.dtype = np.result_type(*(one.dtype for one in self.values), np.float32)
            return
        whole = _as_array(array, value, "")
        self.size = None if whole.ndim == len(array.axes) else len(whole) if whole.ndim else 0
        if self.size is None and array.words_in(whole.shape):
            raise ScoreError(
                f"scores {array.name!r} have shape {list(whole.shape)}: expected a first axis for "
                f"the sentences and then {array}, or a list of one array a sentence"
            )
        one = whole if self.size is None else whole[0] if self.size else np.zeros(whole.shape[1:])
        _check_shape(array, one, "" if self.size is None else "after the axis of sentences ")
        self.dtype = whole.dtype
        self.values = whole

    @property
    def shared(self) -> bool:
        """Whether one array holds for all sentences."""
        return self.size is None

    def of(self, s: int) -> FloatArray:
        """The array of sentence `s`."""
        one: FloatArray = self.values if self.shared else self.values[s]
        return one

    def words_in(self, s: int) -> set[int]:
        """The numbers of words that the array of sentence `s` has room for; none if any."""
        return self.array.words_in(self.of(s).shape)


def is_good(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Which scores are numbers within the limit, or -inf."""
    good: npt.NDArray[np.bool_] = (np.abs(values) <= SCORE_LIMIT) | (values == -np.inf)
    return good


def bad_score(name: str, s: int, at: Sequence[int], value: float) -> ScoreError:
    """The error for a score that is not good, where some part reads it."""
    return ScoreError(
        f"scores {name!r} of sentence {s}: {value} at {list(at)}; expected numbers from "
        f"{-SCORE_LIMIT:g} to {SCORE_LIMIT:g}, or -inf for what is ruled out"
    )


def _checked(array: ScoreArray, value: Any, where: str) -> FloatArray:
    one = _as_array(array, value, where)
    _check_shape(array, one, where)
    return one


def _check_shape(array: ScoreArray, one: FloatArray, where: str) -> None:
    if not array.fits(one.shape) or len(array.words_in(one.shape)) > 1:
        raise ScoreError(
            f"scores {array.name!r} {where}have shape {list(one.shape)}: expected {array}"
        )


def _as_array(array: ScoreArray, value: Any, where: str) -> FloatArray:
    """A read-only view of a numpy array or of a torch tensor, float32 or float64."""
    given = f"scores {array.name!r} {where}"
    if hasattr(value, "requires_grad"):
        value = _from_tensor(given, value)
    if isinstance(value, np.ma.MaskedArray):
        raise ScoreError(f"{given}are a masked array: fill it, with -inf for what is ruled out")
    if not isinstance(value, np.ndarray) or value.dtype not in (np.float32, np.float64):
        kind = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
        raise ScoreError(f"{given}are {kind}: expected a float32 or float64 array")
    view = value.view()
    view.setflags(write=False)
    return view


def _from_tensor(given: str, tensor: Any) -> Any:
    """A torch tensor as a numpy array."""
    if tensor.requires_grad:
        raise ScoreError(
            f"{given}require a gradient, which the reference backend does not give: pass "
            "scores.detach()"
        )
    try:
        return tensor.cpu().numpy()
    except (TypeError, RuntimeError) as error:
        raise ScoreError(
            f"{given}cannot be read: {error}; expected a dense float32 or float64 tensor"
        ) from error


def _batch_size(columns: Mapping[str, GivenArray]) -> int:
    """The number of sentences, on which all arrays must agree."""
    sizes = {name: column.size for name, column in columns.items() if column.size is not None}
    if len(set(sizes.values())) > 1:
        raise ScoreError(f"the arrays have different numbers of sentences: {sizes}")
    return next(iter(sizes.values()))


def _lengths(
    lengths: Lengths | None, columns: Mapping[str, GivenArray], size: int
) -> tuple[int, ...]:
    """The number of words of each sentence: as given, or as the arrays are long."""
    if any(column.ragged for column in columns.values()):
        longest = [_longest(columns, s) for s in range(size)]
    else:
        longest = [_longest(columns, 0)] * size if size else []
    if lengths is None:
        return tuple(longest)
    try:
        checked = np.asarray(lengths)
    except ValueError as error:
        raise LengthError(f"lengths: expected {size} integers, one a sentence") from error
    if checked.shape != (size,) or (size and checked.dtype.kind not in "iu"):
        raise LengthError(
            f"lengths: expected {size} integers, one a sentence, not "
            f"{checked.dtype} {list(checked.shape)}"
        )
    for s, (n, limit) in enumerate(zip(checked.tolist(), longest, strict=True)):
        exact = any(column.ragged and column.words_in(s) for column in columns.values())
        if n != limit if exact else not 0 <= n <= limit:
            raise LengthError(
                f"lengths[{s}] = {n}: expected {'' if exact else '0 to '}{limit}, "
                "the number of words that the scores have"
            )
    return tuple(checked.tolist())


def _longest(columns: Mapping[str, GivenArray], s: int) -> int:
    """How many words the arrays of a sentence have."""
    words = {name: column.words_in(s) for name, column in columns.items()}
    found = set().union(*words.values())
    if len(found) != 1:
        told = {name: sorted(sizes) for name, sizes in words.items()}
        raise ScoreError(f"sentence {s}: the arrays must agree on one number of words: {told}")
    return int(found.pop())
