"""`Analyses`: the answers of a batch, as arrays; objects are made when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from .. import _core
from ..types import Analysis, Mention

if TYPE_CHECKING:
    from .system import System

Ints: TypeAlias = npt.NDArray[np.int64]


class Analyses(Sequence[Analysis]):
    """One `Analysis` a sentence, backed by arrays.

    - `sentences[s] : sentences[s+1]` are the mentions of sentence `s`;
    - `starts`, `ends`, `labels`: first token, one past the last, index into `label_names`;
    - `fragments[m] : fragments[m+1]` are the rows of `ranges`, the fragments of mention `m`;
    - `tags[s]`, `structures[s]`: the other fields of the analysis, None where a space has none.
    """

    __slots__ = ("_arrays", "_space", "_whole")

    def __init__(
        self,
        space: System,
        arrays: _core.Analyses | _Mentions,
        whole: Sequence[Analysis] | None = None,
    ) -> None:
        self._space, self._arrays, self._whole = space, arrays, whole

    @classmethod
    def of(cls, analyses: Sequence[Analysis], space: System) -> Analyses:
        """Given analyses; their mentions in the order of the text, outer ones first."""
        position = {name: k for k, name in enumerate(space.labels)}
        groups = [
            sorted(a.mentions, key=lambda m: (m.start, -m.end, m.fragments, position[m.label]))
            for a in analyses
        ]
        mentions = [mention for group in groups for mention in group]
        arrays = _Mentions(
            sentences=_offsets([len(group) for group in groups]),
            starts=_ints([m.start for m in mentions]),
            ends=_ints([m.end for m in mentions]),
            labels=_ints([position[m.label] for m in mentions]),
            fragments=_offsets([len(m.fragments) for m in mentions]),
            ranges=_ints([k for m in mentions for pair in m.fragments for k in pair]),
        )
        return cls(space, arrays, tuple(analyses))

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(self._space.labels)

    @property
    def sentences(self) -> Ints:
        return self._arrays.sentences

    @property
    def starts(self) -> Ints:
        return self._arrays.starts

    @property
    def ends(self) -> Ints:
        return self._arrays.ends

    @property
    def labels(self) -> Ints:
        return self._arrays.labels

    @property
    def fragments(self) -> Ints:
        self._arrays.list_ranges()
        return self._arrays.fragments

    @property
    def ranges(self) -> Ints:
        self._arrays.list_ranges()
        return self._arrays.ranges.reshape(-1, 2)

    @property
    def tags(self) -> Sequence[tuple[str, ...] | None]:
        return Lazy(len(self), self._tags)

    @property
    def structures(self) -> Sequence[Any]:
        return Lazy(len(self), self._structure)

    def __len__(self) -> int:
        return len(self._arrays.sentences) - 1

    @overload
    def __getitem__(self, s: int) -> Analysis: ...
    @overload
    def __getitem__(self, s: slice) -> list[Analysis]: ...
    def __getitem__(self, s: int | slice) -> Analysis | list[Analysis]:
        if isinstance(s, slice):
            return [self[k] for k in range(*s.indices(len(self)))]
        s = range(len(self))[s]
        if self._whole is not None:
            return self._whole[s]
        return Analysis(frozenset(self._mentions(s)), self._tags(s), self._structure(s))

    def _mentions(self, s: int) -> list[Mention]:
        names, arrays = self._space.labels, self._arrays
        first, last = arrays.sentences[s : s + 2].tolist()
        labels = arrays.labels[first:last].tolist()
        if not len(arrays.fragments):
            starts, ends = arrays.starts[first:last].tolist(), arrays.ends[first:last].tolist()
            return [
                Mention.span(names[label], start, end)
                for label, start, end in zip(labels, starts, ends, strict=True)
            ]
        at = arrays.fragments[first : last + 1].tolist()
        pairs = arrays.ranges.reshape(-1, 2)[at[0] : at[-1]].tolist() if at else []
        ranges = [(start, end) for start, end in pairs]
        return [
            Mention(names[label], tuple(ranges[at[k] - at[0] : at[k + 1] - at[0]]))
            for k, label in enumerate(labels)
        ]

    def _tags(self, s: int) -> tuple[str, ...] | None:
        if self._whole is not None:
            return self._whole[s].tags
        names = self._space.tag_names
        if not names:
            return None
        assert not isinstance(self._arrays, _Mentions)
        first, last = self._arrays.tag_offsets[s : s + 2].tolist()
        return tuple(names[tag] for tag in self._arrays.tags[first:last].tolist())

    def _structure(self, s: int) -> Any:
        if self._whole is not None:
            return self._whole[s].structure
        assert not isinstance(self._arrays, _Mentions)
        first, last = self._arrays.structure_offsets[s : s + 2].tolist()
        return self._space.structure_of(self._arrays.structures[first:last].tolist())

    def __reduce__(self) -> tuple[Any, ...]:
        return Analyses.of, (list(self), self._space)

    def __repr__(self) -> str:
        return f"<Analyses: {len(self)} sentences, {len(self.starts)} mentions>"


@dataclass(frozen=True, eq=False)
class _Mentions:
    """The arrays of given analyses."""

    sentences: Ints
    starts: Ints
    ends: Ints
    labels: Ints
    fragments: Ints
    ranges: Ints

    def list_ranges(self) -> None:
        """They are there."""


class Lazy(Sequence[Any]):
    """A sequence whose entries are made when they are looked at."""

    def __init__(self, size: int, make: Callable[[int], Any]) -> None:
        self._size, self._make = size, make

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self._make(m) for m in range(*k.indices(self._size))]
        return self._make(range(self._size)[k])


def _ints(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def _offsets(counts: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
