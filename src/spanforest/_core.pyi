"""The native library."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

version: str

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Column: TypeAlias = npt.NDArray[np.floating[Any]] | list[npt.NDArray[np.floating[Any]]]
RawAnalyses: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""Offsets of mentions, starts, ends, labels, offsets of ranges, ranges, offsets of tags, tags,
offsets of structure, structure."""
Ranked: TypeAlias = tuple[Floats, RawAnalyses]
Name: TypeAlias = tuple[str, list[int]]

class BadScore(ValueError): ...

def compiler() -> str: ...
def architecture() -> str: ...
def levels() -> list[str]: ...
def level() -> str: ...
def use_level(name: str) -> None: ...
def threads() -> int: ...
def set_threads(count: int) -> None: ...

class Space:
    @staticmethod
    def segments(labels: int, most: int, longest: Sequence[int]) -> Space: ...
    @staticmethod
    def nested(labels: int, most: int, narrow: int | None) -> Space: ...
    @staticmethod
    def chain(
        tags: Sequence[tuple[int, int, int, bool]],
        follows: Sequence[tuple[int, int]],
        initial: Sequence[int],
        final: Sequence[int],
    ) -> Space: ...
    @staticmethod
    def automaton(
        tags: Sequence[tuple[int, int, int, bool]],
        states: int,
        arcs: Sequence[tuple[int, int, int]],
        final: Sequence[int],
        semantic: bool,
    ) -> Space: ...
    @staticmethod
    def dynamic(labels: int, window: Sequence[int]) -> Space: ...
    @staticmethod
    def label_chunk(
        chunks: int, tags: int, outside: int, adjacent: bool, across: bool
    ) -> Space: ...
    @staticmethod
    def grammar(
        labels: int,
        tags: int,
        siblings: bool,
        rows: Sequence[tuple[int, int, int, int, int, int, bool]],
        below: Sequence[Sequence[int]],
        chains: Sequence[Sequence[int]],
    ) -> Space: ...

class Batch:
    def __init__(
        self,
        shapes: Sequence[tuple[Sequence[int], bool]],
        columns: Sequence[Column | None],
        lengths: Sequence[int],
    ) -> None: ...
    def best(self, space: Space, trees: bool) -> tuple[Floats, RawAnalyses | None]: ...
    def sums(self, space: Space, targets: Sequence[Column] | None) -> Floats: ...
    def entropies(self, space: Space) -> Floats: ...
    def kbest(self, space: Space, count: int) -> list[Ranked]: ...
    def sample(self, space: Space, count: int, seed: int) -> list[Ranked]: ...

class Graph:
    def __len__(self) -> int: ...
    def edges(
        self, shapes: Batch, space: Space
    ) -> list[tuple[str, Name, list[Name], list[tuple[int, list[int]]]]]: ...
    def log_z(
        self, space: Space, batch: Batch, s: int, targets: Sequence[Column] | None
    ) -> float: ...
    def entropy(self, space: Space, batch: Batch, s: int) -> float: ...
    def kbest(self, space: Space, batch: Batch, s: int, count: int) -> Ranked: ...
    def sample(self, space: Space, batch: Batch, s: int, count: int, seed: int) -> Ranked: ...
    def worthiest(self, space: Space, worth: Sequence[float]) -> tuple[list[int], RawAnalyses]: ...

def graph(
    shapes: Batch,
    space: Space,
    n: int,
    tracked: Sequence[tuple[int, Sequence[tuple[int, int]]]],
    require: Sequence[set[int]],
    forbid: set[int],
    allow: Sequence[set[int]],
    cover: set[int],
    tags: Sequence[int],
    structure: Sequence[int] | None,
) -> Graph: ...
