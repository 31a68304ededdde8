"""The native library."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

version: str

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Column: TypeAlias = npt.NDArray[np.floating[Any]] | list[npt.NDArray[np.floating[Any]]]
Ranked: TypeAlias = tuple[Floats, "Analyses"]
Name: TypeAlias = tuple[str, list[int]]

class BadScore(ValueError): ...
class NoAnalysis(ValueError): ...

def compiler() -> str: ...
def architecture() -> str: ...
def levels() -> list[str]: ...
def level() -> str: ...
def use_level(name: str) -> None: ...
def threads() -> int: ...
def set_threads(count: int) -> None: ...

class Space:
    def set_arrays(
        self, arrays: Sequence[tuple[Sequence[int], bool]], others_optional: bool
    ) -> None: ...
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

class Analyses:
    """Analyses one behind the other; offsets of their mentions, of ranges, tags, structure."""

    sentences: Ints
    starts: Ints
    ends: Ints
    labels: Ints
    fragments: Ints
    ranges: Ints
    tag_offsets: Ints
    tags: Ints
    structure_offsets: Ints
    structures: Ints
    def list_ranges(self) -> None: ...

class Batch:
    def __init__(
        self, space: Space, columns: Sequence[Column | None], lengths: Sequence[int]
    ) -> None: ...
    @staticmethod
    def plain(space: Space, scores: object, lengths: object) -> Batch | None: ...
    @property
    def lengths(self) -> list[int]: ...
    def max(self, space: Space) -> Floats: ...
    def argmax(self, space: Space) -> Analyses: ...
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
    def best(self, space: Space, batch: Batch, s: int) -> Ranked: ...
    def kbest(self, space: Space, batch: Batch, s: int, count: int) -> Ranked: ...
    def sample(self, space: Space, batch: Batch, s: int, count: int, seed: int) -> Ranked: ...
    def worthiest(self, space: Space, worth: Sequence[float]) -> tuple[list[int], Analyses]: ...

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
