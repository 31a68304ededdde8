"""`Analyses`: the answers of a batch, as arrays; objects are made when they are looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from ..types import Analysis, Mention

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Analyses(Sequence[Analysis]):
    """One `Analysis` a sentence, backed by arrays.

    - `sentences[s] : sentences[s+1]` are the mentions of sentence `s`;
    - `starts`, `ends`, `labels`: first token, one past the last, index into `label_names`;
    - `fragments[m] : fragments[m+1]` are the rows of `ranges`, the fragments of mention `m`;
    - `tags[s]`, `structures[s]`: the other fields of the analysis, None where a space has none.
    """

    label_names: tuple[str, ...]
    sentences: Ints
    starts: Ints
    ends: Ints
    labels: Ints
    fragments: Ints
    ranges: Ints
    tags: Sequence[tuple[str, ...] | None]
    structures: Sequence[Any]

    @classmethod
    def of(cls, analyses: Sequence[Analysis], label_names: Sequence[str]) -> "Analyses":
        """The arrays of given analyses; mentions in the order of the text, outer ones first."""
        position = {name: k for k, name in enumerate(label_names)}
        groups = [
            sorted(a.mentions, key=lambda m: (m.start, -m.end, m.fragments, position[m.label]))
            for a in analyses
        ]
        mentions = [mention for group in groups for mention in group]
        ranges = [pair for mention in mentions for pair in mention.fragments]
        return cls(
            label_names=tuple(label_names),
            sentences=_offsets([len(group) for group in groups]),
            starts=np.array([m.start for m in mentions], dtype=np.int64),
            ends=np.array([m.end for m in mentions], dtype=np.int64),
            labels=np.array([position[m.label] for m in mentions], dtype=np.int64),
            fragments=_offsets([len(m.fragments) for m in mentions]),
            ranges=np.array(ranges, dtype=np.int64).reshape(-1, 2),
            tags=tuple(a.tags for a in analyses),
            structures=tuple(a.structure for a in analyses),
        )

    def __len__(self) -> int:
        return len(self.tags)

    @overload
    def __getitem__(self, s: int) -> Analysis: ...
    @overload
    def __getitem__(self, s: slice) -> list[Analysis]: ...
    def __getitem__(self, s: int | slice) -> Analysis | list[Analysis]:
        if isinstance(s, slice):
            return [self[k] for k in range(*s.indices(len(self)))]
        s = range(len(self))[s]
        mentions = (self._mention(m) for m in range(self.sentences[s], self.sentences[s + 1]))
        return Analysis(frozenset(mentions), self.tags[s], self.structures[s])

    def _mention(self, m: int) -> Mention:
        rows = self.ranges[self.fragments[m] : self.fragments[m + 1]].tolist()
        return Mention(self.label_names[self.labels[m]], tuple((a, b) for a, b in rows))

    def __repr__(self) -> str:
        return f"<Analyses: {len(self)} sentences, {len(self.starts)} mentions>"


class Column(Sequence[Any]):
    """A column whose entries are made when they are looked at."""

    def __init__(self, size: int, make: Callable[[int], Any]) -> None:
        self._size, self._make = size, make

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self._make(m) for m in range(*k.indices(self._size))]
        return self._make(range(self._size)[k])


def _offsets(counts: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
