"""What inference needs to know of a space: the `System` protocol that all spaces fulfil."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..errors import NotRepresentable, Violation
from ..types import Analysis, Mention
from .scores import ScoreArray

if TYPE_CHECKING:
    from ..rules.graph import Edge, Found, Graph
    from ..rules.semirings import Derivation
    from .native import NativeSpace


class System(Protocol):
    """A space of analyses, as a forest sees it."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels of mentions."""
        ...

    @property
    def mention_names(self) -> Sequence[str]:
        """The label that each number in `Edge.mention` and `Edge.found` means."""
        ...

    @property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        """The score arrays; the first is the one a bare array means."""
        ...

    @property
    def tag_names(self) -> Sequence[str]:
        """The tags that an analysis has for words; empty where it has none."""
        ...

    @property
    def native(self) -> NativeSpace | None:
        """The program of the engine; None for a space that has rules only."""
        ...

    def structure_of(self, numbers: Sequence[int]) -> Hashable:
        """`Analysis.structure` from the numbers that the engine gives for it."""
        ...

    def structure_numbers(self, structure: Hashable) -> list[int]:
        """The numbers for a structure, as far as it has the right form."""
        ...

    def check_analysis(self, analysis: Analysis, n: int) -> object:
        """Refuse what is not well-typed as an analysis of n words."""
        ...

    def not_an_analysis(self, analysis: Analysis, n: int) -> NotRepresentable:
        """The error for an analysis outside the space."""
        ...

    def graph(self, n: int) -> Graph:
        """All derivations of n words."""
        ...

    def explicit_graph(self, n: int, tracked: Collection[Found], strict: bool) -> Graph:
        """All derivations of n words, by edges that say which tracked mentions they complete.

        If `strict`, derivations with other mentions may be left out.
        """
        ...

    def words_left_out(self, graph: Graph, edge: Edge) -> Iterable[int]:
        """The words that an edge leaves out of all mentions."""
        ...

    def restraint(self, graph: Graph, edge: Edge) -> int:
        """What decides between equal scores: the greatest sum over a derivation.

        Dropping a mention makes the sum greater.
        """
        ...

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        """The analysis that a derivation derives."""
        ...

    def derivation(self, analysis: Analysis, n: int) -> tuple[Graph, Derivation]:
        """The derivation of an analysis; `NotRepresentable` if it is not in the space."""
        ...

    def violations(self, mentions: Sequence[Mention], n: int) -> list[Violation]:
        """A smallest set of mentions whose removal makes the rest representable."""
        ...
