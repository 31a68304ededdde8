"""`Space`: what all spaces share. A space adds its rules, its score arrays and how to read them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from .. import _core
from .. import rules as interpreter
from .._checks import checked_length, listed
from ..errors import (
    LabelError,
    MentionError,
    NotRepresentable,
    TagError,
    Violation,
    located,
)
from ..inference.constraints import largest_subset, matches
from ..inference.forest import BackendName, Forest
from ..inference.native import NativeSpace
from ..inference.scores import Given, Lengths, ScoreArray
from ..rules.notation import Rule, System
from ..types import Analysis, Mention
from ._parts import checked_parts, parts_at

if TYPE_CHECKING:
    from ..rules.graph import Edge, Found, Graph
    from ..rules.semirings import Derivation
    from ..rules.traces import Trace

GRAPHS_KEPT = 32


class Space(ABC):
    """A set of analyses for every sentence length, defined by deduction rules.

    Subclasses are frozen dataclasses of their options. They give `system` (the rules),
    `score_arrays`, and where mentions alone do not tell, `analysis` and `_admits`.
    """

    labels: Sequence[str]

    has_tags: ClassVar[bool] = False
    """Whether an analysis has a tag for every word besides its mentions."""

    label_limit: ClassVar[str] = ""
    """The option that limits the number of labels on one span, where there is one."""

    together: ClassVar[str] = "cannot be represented together with the mentions that are kept"
    """The reason to give when no single other mention is in the way."""

    @property
    @abstractmethod
    def system(self) -> System:
        """The deduction system."""

    @property
    @abstractmethod
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        """The score arrays; the first is the one that a bare array means."""

    def _set(self, **options: object) -> None:
        """Keep options in the form in which they were checked."""
        for name, value in options.items():
            object.__setattr__(self, name, value)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The deduction rules."""
        return self.system.rules

    @property
    def mention_names(self) -> Sequence[str]:
        """The label that each number in the mentions of the rules means."""
        return self.labels

    def score_spec(self, n: int) -> tuple[ScoreArray, ...]:
        """Name, axes and meaning of every score array for n words."""
        n = checked_length(n)
        return tuple(array.for_words(n) for array in self.score_arrays)

    def __getstate__(self) -> dict[str, object]:
        """The options; what is made from them is made again."""
        return {option.name: getattr(self, option.name) for option in fields(self)}  # type: ignore[arg-type]

    def forest(
        self,
        scores: Given | Mapping[str, Given],
        lengths: Lengths | None = None,
        backend: BackendName | None = None,
    ) -> Forest[Self]:
        """The distribution that `scores` give to the analyses of a batch of sentences.

        `scores`: for every score array (a mapping by name; a bare array is the first one) either
        a padded array `[sentence, …]` with `lengths`, or a list of one array a sentence; float32
        or float64, up to 1e15, -inf for what is ruled out. Arrays that are not required count as 0
        when they are left out. A forest holds views: scores must not change while it is used.
        `backend`: "native" (if None, unless the space has rules only), or "reference".
        """
        return Forest(self, scores, lengths, backend)

    def count(self, n: int) -> int:
        """The exact number of analyses of n words."""
        return interpreter.total(self.graph(n), interpreter.COUNTING)

    def encode(
        self, mentions: Iterable[Mention], n: int, tags: Sequence[str] | None = None
    ) -> Analysis:
        """The analysis with these mentions (and tags, where the space has them).

        Raises `NotRepresentable` with the `violations` if there is none. Where several analyses
        have these mentions, the docstring of the space says which one is taken.
        """
        given, n = _listed(mentions), checked_length(n)
        violations = self.violations(given, n)
        if violations:
            raise NotRepresentable(f"mentions outside {self!r}", violations)
        return self._encode(frozenset(given), n, self._checked_tags(tags, n))

    def decode(self, parts: Mapping[str, npt.ArrayLike], n: int) -> Analysis:
        """An analysis that scores exactly at these positions: the inverse of `parts`."""
        wanted = checked_parts(self.score_spec(n), parts)
        place = self.graph(n).places
        allowed = {part for part, at in enumerate(place) if at in wanted}
        graph = interpreter.filtered(self.graph(n), lambda edge: allowed.issuperset(edge.parts))
        place = graph.places
        tried, size = 0, wanted.total()
        while True:  # derivations with most parts first; few have as many as are wanted
            k = max(1, 8 * tried)
            ranked = interpreter.total(graph, interpreter.KBest(k), lambda edge: len(edge.parts))
            for _, derivation in ranked[tried:]:
                if parts_at(place, derivation) == wanted:
                    return self.analysis(graph, derivation)
            if len(ranked) < k or ranked[-1][0] < size:
                raise NotRepresentable(f"no analysis in {self!r} has exactly these parts")
            tried = k

    def parts(self, analysis: Analysis, n: int) -> dict[str, npt.NDArray[np.intp]]:
        """Where in each score array the analysis scores: its score is the sum there.

        One row of indices a part, sorted; repeated where a part is used twice.
        """
        graph, derivation = self.derivation(analysis, n)
        used = sorted(parts_at(graph.places, derivation).elements())
        return {
            array.name: np.array(
                [at for name, at in used if name == array.name], dtype=np.intp
            ).reshape(-1, len(array.axes))
            for array in self.score_arrays
        }

    def trace(self, analysis: Analysis, n: int) -> Trace:
        """The derivation of an analysis, line by line."""
        return interpreter.trace(*self.derivation(analysis, n))

    def violations(self, mentions: Iterable[Mention], n: int) -> list[Violation]:
        """A smallest set of mentions whose removal makes the rest representable, with reasons.

        As many mentions stay as can stay together. Where they can be chosen in several ways, the
        first given mention that is not in all of them stays, then the next, and so on. Raises only
        for mentions that are no gold at all: unknown labels, out of range.
        """
        given = _listed(mentions)
        found = self._checked(given, n)
        repeated = [m for k, m in enumerate(given) if m in given[:k]]
        if self.native is not None:
            kept = self.native.best_kept(self, tuple(found), n)
        else:
            kept = self._best_kept(found, n)
        lost = [m for m in found if m not in kept]
        stays = [m for m in found if m in kept]
        return [
            *(Violation(m, self._exclusion(m, stays) or self.together) for m in lost),
            *(Violation(m, "given more than once") for m in repeated),
        ]

    def _best_kept(self, found: Mapping[Mention, Found], n: int) -> set[Mention]:
        """The `largest_subset` that is representable, by the rules."""
        graph, number = self._graph_within(found, n), {f: k for k, f in enumerate(found.values())}

        def heaviest(worth: Sequence[float]) -> set[int]:
            derivation = interpreter.best(graph, lambda e: sum(worth[number[f]] for f in e.found))[
                1
            ]
            return {number[f] for edge in derivation for f in edge.found}

        kept = largest_subset(len(found), heaviest)
        return {m for k, m in enumerate(found) if k in kept}

    @cached_property
    def native(self) -> NativeSpace | None:
        """The program of the engine; None for a space that has rules only."""
        program = self._native_program()
        return None if program is None else NativeSpace(program, self.score_arrays)

    def _native_program(self) -> _core.Space | None:
        """The finite tables of the space, for the engine."""
        return None

    def structure_of(self, numbers: Sequence[int]) -> Hashable:
        """`Analysis.structure` from the numbers that the engine gives for it."""
        return None

    def structure_numbers(self, structure: Hashable) -> list[int]:
        """The numbers for a structure, as far as it has the right form."""
        return []

    def graph(self, n: int) -> Graph:
        """All derivations of n words."""
        n = checked_length(n)
        if n not in self._graphs:
            while len(self._graphs) >= GRAPHS_KEPT:
                del self._graphs[next(iter(self._graphs))]
            self._graphs[n] = interpreter.ground(self.system, n)
        return self._graphs[n]

    @cached_property
    def _graphs(self) -> dict[int, Graph]:
        return {}

    def explicit_graph(self, n: int, tracked: Collection[Found], strict: bool) -> Graph:
        """All derivations, by edges that say which mentions they complete (see `System`)."""
        return self.graph(n)

    def words_left_out(self, graph: Graph, edge: Edge) -> Iterable[int]:
        """The words that an edge leaves out of all mentions."""
        return range(*edge.outside) if edge.outside else ()

    def restraint(self, graph: Graph, edge: Edge) -> int:
        """Decides between equal scores: words left out, less mentions (see `System`)."""
        return sum(1 for _ in self.words_left_out(graph, edge)) - bool(edge.mention)

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        """The analysis that a derivation derives."""
        return Analysis(self._mentions(derivation), self._tags(derivation))

    def derivation(self, analysis: Analysis, n: int) -> tuple[Graph, Derivation]:
        """The derivation of an analysis, with its graph; `NotRepresentable` if there is none."""
        found = self.check_analysis(analysis, n)
        graph = self._graph_within(found, n, self._admits(analysis, n))
        _, derivation = interpreter.best(graph, lambda edge: len(edge.found))
        if not len(graph) or self.analysis(graph, derivation) != analysis:
            raise self.not_an_analysis(analysis, n)
        return graph, derivation

    def _graph_within(
        self,
        found: Mapping[Mention, Found],
        n: int,
        admits: Callable[[Edge], bool] = lambda edge: True,
    ) -> Graph:
        """The derivations with no mentions but the given ones, whose edges are admitted."""
        names = frozenset(found.values())
        graph = self.explicit_graph(n, names, strict=True)
        return interpreter.filtered(
            graph, lambda edge: names.issuperset(edge.found) and admits(edge)
        )

    def _admits(self, analysis: Analysis, n: int) -> Callable[[Edge], bool]:
        """Whether an edge can be in the derivation of an analysis, as far as tags tell."""
        if analysis.tags is None:
            return lambda edge: True
        position = {tag: k for k, tag in enumerate(self.tag_names)}
        tags = [position[tag] for tag in analysis.tags]
        return lambda edge: not edge.tag or tags[edge.tag[0]] == edge.tag[1]

    def _encode(
        self, mentions: frozenset[Mention], n: int, tags: tuple[str, ...] | None
    ) -> Analysis:
        """The analysis with representable mentions."""
        return Analysis(mentions, tags)

    @property
    def tag_names(self) -> Sequence[str]:
        """The tag that each number in the tags of the rules means."""
        return ()

    def _mentions(self, derivation: Derivation) -> frozenset[Mention]:
        names = self.mention_names
        return frozenset(
            Mention.span(names[edge.mention[0]], edge.mention[1], edge.mention[2])
            for edge in derivation
            if edge.mention
        )

    def _tags(self, derivation: Derivation) -> tuple[str, ...] | None:
        if not self.has_tags:
            return None
        tagged = sorted(edge.tag for edge in derivation if edge.tag)
        return tuple(self.tag_names[tag] for _, tag in tagged)

    def _exclusion(self, mention: Mention, others: Sequence[Mention]) -> str:
        """Why a mention cannot be with `others`, if it alone, a pair or its span tells."""
        alone = self._obstacle(mention)
        if alone:
            return alone
        for other in others:
            if conflict := self._conflict(mention, other):
                return f"{conflict} {other}"
        limit = getattr(self, self.label_limit, None)
        labels = 1 + sum(other.fragments == mention.fragments for other in others)
        if limit is not None and labels > limit:
            return f"more than {self.label_limit}={limit} labels on these tokens"
        return ""

    def _obstacle(self, mention: Mention) -> str:
        """Why a mention is in no analysis, if so."""
        return "" if mention.is_continuous else "not continuous"

    def _conflict(self, mention: Mention, other: Mention) -> str:
        """How two mentions exclude each other, as a verb; empty if they do not."""
        return "overlaps" if overlap(mention, other) else ""

    def _checked(self, mentions: Iterable[Mention], n: int) -> dict[Mention, Found]:
        """Mentions as edges name them; an error if one is not well-typed gold for n words."""
        n, found = checked_length(n), {}
        for k, mention in enumerate(_listed(mentions)):
            with located(f"mentions[{k}]"):
                if not isinstance(mention, Mention):
                    raise MentionError(f"expected a mention, not {mention!r}")
                (found[mention],) = matches(self, mention, n)
        return found

    def check_analysis(self, analysis: Analysis, n: int) -> dict[Mention, Found]:
        """The mentions of an analysis, in order, as edges name them; its tags are checked too."""
        if not isinstance(analysis, Analysis):
            raise MentionError(f"expected an Analysis, not {analysis!r}")
        try:
            hash(analysis)
        except TypeError as error:
            raise NotRepresentable(f"{analysis}: its fields must be hashable: {error}") from error
        found = self._checked(analysis.mentions, n)
        self._checked_tags(analysis.tags, n)
        return {m: found[m] for m in sorted(found, key=lambda m: (m.fragments, m.label))}

    def not_an_analysis(self, analysis: Analysis, n: int) -> NotRepresentable:
        """The error for an analysis outside the space."""
        violations = self.violations(self.check_analysis(analysis, n), n)
        return NotRepresentable(f"not an analysis of {self!r}: {analysis}", violations)

    def _checked_tags(self, tags: Sequence[str] | None, n: int) -> tuple[str, ...] | None:
        name = type(self).__name__
        if not self.has_tags:
            if tags is not None:
                raise TagError(f"{name} has no tags beside its mentions")
            return None
        given = () if tags is None else listed("tags", tags, "one tag a word", TagError)
        if tags is None or len(given) != n:
            count = "none" if tags is None else str(len(given))
            raise TagError(f"{name} needs one tag a word: expected {n} tags, not {count}")
        for k, tag in enumerate(given):
            if tag not in self.tag_names:
                raise LabelError(
                    f"tags[{k}] = {tag!r}: expected one of {', '.join(self.tag_names)}"
                )
        return given

    def __repr__(self) -> str:
        """The call that makes the space, options that have their default left out."""
        shown = []
        for option in fields(self):  # type: ignore[arg-type]
            value: Any = getattr(self, option.name)
            if option.default != value:
                listed = list(value) if isinstance(value, tuple) else value
                text = (
                    f"[… {len(value)} …]"
                    if isinstance(value, tuple) and len(value) > 40
                    else f"{listed!r}"
                )
                shown.append(text if option.name == "labels" else f"{option.name}={text}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _listed(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    return listed("mentions", mentions, "a list of mentions", MentionError)


def in_groups(numbers: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Numbers in groups of `size`."""
    return [tuple(numbers[k : k + size]) for k in range(0, len(numbers), size)]


def overlap(a: Mention, b: Mention) -> bool:
    """Whether two mentions share a token."""
    return not set(a.tokens).isdisjoint(b.tokens)


def cross(a: Mention, b: Mention) -> bool:
    """Whether two continuous mentions overlap, neither inside the other."""
    (first, second) = sorted((a, b), key=lambda m: (m.start, -m.end))
    return first.start < second.start < first.end < second.end
