"""`Discontinuous`: sets of mentions by a finite automaton over tags (paper 003, SPEC S7, (d))."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from .. import _core
from .. import rules as interpreter
from .._checks import checked_names, integer
from ..errors import OptionError
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System
from ..types import Analysis, Mention
from ._automaton import Automaton, single_label, with_labels
from ._space import in_groups
from ._tagging import RESTRAINT, Tag, TagSpace

if TYPE_CHECKING:
    from ..rules.graph import Edge, Graph
    from ..rules.semirings import Derivation

KINDS = "xyz"

ITEMS = (
    Item("state(i, q)", "[{q}, {i}]", "0 <= i <= n and 0 <= q < Q", "after i words in state q"),
    Item("goal(i)", "[goal, {i}]", "i == n", "all words have tags"),
)
PARTS = (
    Part("word(i, k)", "w({i}, {k})", "1 <= i <= n and 0 <= k < K", "word i has tag k", "i-1, k"),
)
RULES = (
    Rule("start", "state(i, q) <-", "i == 0 and q == 0"),
    Rule("arc", "state(i, r) <- state(i-1, q) word(i, k)", "arc(q, k, r)", tag="i-1, k"),
    Rule("final", "goal(i) <- state(i, q)", "final(q)"),
)


@dataclass(frozen=True, repr=False)
class Discontinuous(TagSpace):
    """Continuous mentions, and sets of mentions that share components.

    A set has components of 2 (or up to 3) types and means all unions of one component of each
    type: "swollen knees and elbows" has "swollen knees" and "swollen … elbows". Sets do not overlap
    one another.

    - `components`: how many types, 2 or 3 (the pieces that a mention can have).
    - `naming`: "structural" names types by first occurrence, so that analyses and representable
      sets of mentions are one to one; "semantic" lets either type come first (2^k analyses for a
      set of mentions with k sets; `Analysis.structure` is the first word and type of each, and
      `encode` takes x).
    - `bare`: a component can also be a mention alone.

    `tags` are, for one label, `CB CI O DB-Bx DB-By DI-Bx DI-By DI-Bz DI-Ix DI-Iy DI-Iz DI-O` as
    far as they exist, with `!` behind a `B` for a bare component; with several labels each tag
    but `O` ends in `-LABEL`. Scores: `word` [n, K] = [word, tag].

    Time O(n) for a number of arcs that grows with the labels: 58 for paper 003's automaton, 39
    for the structural one. Constraints refine its states by what matters to the mentions
    concerned. Cannot represent incomplete products, sets that interleave or mentions in a gap.
    """

    labels: Sequence[str]
    components: int = 2
    naming: Literal["structural", "semantic"] = "structural"
    bare: bool = False

    together = "no sets of components have it together with the mentions that are kept"

    def __post_init__(self) -> None:
        components = integer(self.components)
        if components not in (2, 3):
            raise OptionError(f"components = {self.components!r}: expected 2 or 3")
        self._set(labels=checked_names("labels", self.labels), components=components)
        if self.naming not in ("structural", "semantic"):
            raise OptionError(f"naming = {self.naming!r}: expected 'structural' or 'semantic'")
        if not isinstance(self.bare, bool):
            raise OptionError(f"bare = {self.bare!r}: expected True or False")
        if self.naming == "semantic" and (self.components == 3 or self.bare):
            raise OptionError("naming='semantic' exists for two components that are not bare only")

    @cached_property
    def tag_table(self) -> tuple[Tag, ...]:
        one = tuple(self._tags_of_one_label())
        several = len(self.labels) > 1
        return tuple(
            tag._replace(
                name=f"{tag.name}-{label}" if several and tag.role != "outside" else tag.name,
                label=-1 if tag.role == "outside" else t,
            )
            for t, label in enumerate(self.labels)
            for tag in one
            if t == 0 or tag.role != "outside"
        )

    def _tags_of_one_label(self) -> Iterator[Tag]:
        kinds = list(enumerate(KINDS[: self.components]))
        first = kinds if self.naming == "semantic" else kinds[:1]
        bare = (False, True) if self.bare else (False,)
        yield Tag("CB", "mention")
        yield Tag("CI", "inside")
        yield Tag("O", "outside")
        yield from (Tag(f"DB-B{x}{'!' * b}", "set", 0, k, b) for k, x in first for b in bare)
        yield from (Tag(f"DI-B{x}{'!' * b}", "component", 0, k, b) for k, x in kinds for b in bare)
        yield from (Tag(f"DI-I{x}", "inside", 0, k) for k, x in kinds)
        yield Tag("DI-O", "gap")

    @cached_property
    def automaton(self) -> Automaton:
        """The minimal automaton of the well-formed tag sequences."""
        one = single_label(
            tuple(self._tags_of_one_label()), self.components, self.naming == "structural"
        )
        return with_labels(one, self.tag_table, len(self.labels))

    @cached_property
    def system(self) -> System:
        return System(
            f"discontinuous, {self.components} components, {self.naming}"
            + (", bare" if self.bare else ""),
            ITEMS,
            PARTS,
            RULES,
            goal="goal(n)",
            constants={"K": len(self.tags), "Q": self.automaton.states},
            relations={
                "arc": frozenset((q, k, r) for (q, k), r in self.automaton.arcs.items()),
                "final": frozenset((q,) for q in self.automaton.final),
            },
            names={"k": self.tags},
            meanings={
                "K": "number of tags",
                "Q": "number of states of the automaton",
                "arc": "tag k leads from state q to state r",
                "final": "a sentence can end in state q",
            },
        )

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        axes = (Axis("word"), Axis("tag", len(self.tags)))
        return (ScoreArray("word", "word[i, k]: word i has tag k", axes, required=True),)

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        plain = super().analysis(graph, derivation)
        if self.naming == "structural":
            return plain
        tagged = sorted(edge.tag for edge in derivation if edge.tag)
        sets = ((word, self.tag_table[tag]) for word, tag in tagged)
        types = tuple((word, KINDS[tag.kind]) for word, tag in sets if tag.role == "set")
        return replace(plain, structure=types)

    def _admits(self, analysis: Analysis, n: int) -> Callable[[Edge], bool]:
        if self.naming == "structural":
            return super()._admits(analysis, n)
        structure = analysis.structure if isinstance(analysis.structure, tuple) else ()
        return lambda edge: self._starts(edge, lambda word, kind: (word, kind) in structure)

    def _starts(self, edge: Edge, wanted: Callable[[int, str], bool]) -> bool:
        """Whether the edge does not start a set, or one whose word and first type are wanted."""
        if not edge.tag or self.tag_table[edge.tag[1]].role != "set":
            return True
        return wanted(edge.tag[0], KINDS[self.tag_table[edge.tag[1]].kind])

    def _encode(
        self, mentions: frozenset[Mention], n: int, tags: tuple[str, ...] | None
    ) -> Analysis:
        if self.naming == "structural":
            return Analysis(mentions)
        graph = self._graph_within(
            self._checked(mentions, n), n, lambda e: self._starts(e, lambda _, kind: kind == "x")
        )
        return self.analysis(graph, interpreter.best(graph, lambda edge: len(edge.found))[1])

    def _native_program(self) -> _core.Space:
        tags = self.tag_table
        arcs = sorted(
            ((q, k, r) for (q, k), r in self.automaton.arcs.items()),
            key=lambda arc: (-RESTRAINT.get(tags[arc[1]].role, 0), tags[arc[1]].bare, arc),
        )
        return _core.Space.automaton(
            self.native_tags,
            self.automaton.states,
            arcs,
            sorted(self.automaton.final),
            self.naming == "semantic",
        )

    def structure_of(self, numbers: Sequence[int]) -> Hashable:
        if self.naming == "structural":
            return None
        return tuple((word, KINDS[kind]) for word, kind in in_groups(numbers, 2))

    def structure_numbers(self, structure: Hashable) -> list[int]:
        if not isinstance(structure, tuple):
            return []
        pairs = (pair for pair in structure if isinstance(pair, tuple) and len(pair) == 2)
        return [x for word, kind in pairs if kind in KINDS for x in (word, KINDS.index(kind))]

    def _obstacle(self, mention: Mention) -> str:
        pieces = len(mention.fragments)
        if pieces > self.components:
            return f"has {pieces} fragments, more than components={self.components}"
        return ""

    def _conflict(self, mention: Mention, other: Mention) -> str:
        if max(mention.start, other.start) >= min(mention.end, other.end):
            return ""
        n = max(mention.end, other.end)
        graph = self._graph_within(self._checked((mention, other), n), n)
        if len(graph) and interpreter.best(graph, lambda edge: len(edge.found))[0] == 2:
            return ""
        own, others = set(mention.tokens), set(other.tokens)
        if own == others:
            return "has the same tokens as"
        return "is inside" if own < others else "contains" if own > others else "interleaves with"
