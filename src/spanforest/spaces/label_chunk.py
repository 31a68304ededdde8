"""`LabelChunk`: chunks over words and a tag for every word, jointly (paper 002, SPEC S6)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from .._checks import checked_names
from ..errors import LabelError, OptionError
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System
from ..types import Analysis, Mention
from ._space import Space, in_groups

if TYPE_CHECKING:
    from ..rules.graph import Edge, Graph
    from ..rules.semirings import Derivation

CHUNK = "0 <= c < C"
TAG = "0 <= p < P"

RUN = Item(
    "run(q, t, c, p)",
    "L({q},{t},{c},{p})",
    f"0 <= q < t <= n and {CHUNK} and {TAG}",
    "a chunk labelled c starts at q and is read up to t; word t-1 has tag p",
)
FILLED = Item(
    "filled(q, r, c)",
    "I({q},{r},{c})",
    f"0 <= q < r <= n and {CHUNK}",
    "words q to r-1 are a chunk labelled c, tagged in some way",
)
CLOSED = Item(
    "closed(r, c)", "K({r},{c})", f"1 <= r <= n and {CHUNK}", "a chunk labelled c ends at r"
)
OPEN = Item(
    "open(q, c)", "A({q},{c})", f"0 <= q < n and {CHUNK}", "a chunk labelled c may start at q"
)
GOAL = Item("goal(r)", "[goal, {r}]", "r == n", "all words are in chunks")

PARTS = (
    Part(
        "node(t, c, p)",
        "nd({c},{p},{t})",
        f"0 <= t < n and {CHUNK} and {TAG}",
        "word t has tag p, in a chunk labelled c",
        "t, c, p",
    ),
    Part(
        "transition(t, c, s, p)",
        "tr({c},{s},{p},{t})",
        f"1 <= t < n and {CHUNK} and 0 <= s < P and {TAG}",
        "words t-1 and t have tags s and p, in one chunk labelled c",
        "t, c, s, p",
    ),
    Part(
        "chunk(q, r, c)",
        "ch({c},{q},{r})",
        f"0 <= q < r <= n and {CHUNK}",
        "words q to r-1 are a chunk labelled c",
        "q, r-1, c",
    ),
    Part(
        "boundary(q, d, c)",
        "ct({d},{c},{q})",
        f"1 <= q < n and 0 <= d < C and {CHUNK}",
        "a chunk labelled c starts at q, behind one labelled d",
        "q, d, c",
    ),
)
ACROSS = Part(
    "across(q, d, c, s, p)",
    "cx({d},{c},{s},{p},{q})",
    f"1 <= q < n and 0 <= d < C and {CHUNK} and 0 <= s < P and {TAG}",
    "the same, words q-1 and q having tags s and p",
    "q, d, c, s, p",
)

RULES = (
    Rule("L", "run(q, t, c, p) <- node(q, c, p)", "t == q+1", tag="q, p"),
    Rule(
        "L+",
        "run(q, t, c, p) <- run(q, t-1, c, s) transition(t-1, c, s, p) node(t-1, c, p)",
        tag="t-1, p",
    ),
    Rule("I", "filled(q, r, c) <- run(q, r, c, p)"),
    Rule(
        "K",
        "closed(r, c) <- open(q, c) filled(q, r, c) chunk(q, r, c)",
        "c != outside",
        mention="c, q, r",
    ),
    Rule(
        "KO",
        "closed(r, c) <- open(q, c) filled(q, r, c) chunk(q, r, c)",
        "c == outside",
        outside="q, r",
    ),
    Rule("A0", "open(q, c) <-", "q == 0"),
    Rule("A", "open(q, c) <- closed(q, d) boundary(q, d, c)", "neighbours(d, c)"),
    Rule("goal", "goal(r) <- closed(r, c)"),
    Rule("empty", "goal(r) <-", "r == 0"),
)

OPEN_TAGGED = Item(
    "open(q, c, p)",
    "A({q},{c},{p})",
    f"0 <= q < n and {CHUNK} and {TAG}",
    "a chunk labelled c may start at q with tag p",
)
BEGUN = replace(RUN, meaning=f"{RUN.meaning}, all before q included")
CLOSED_TAGGED = Item(
    "closed(r, c, p)",
    "K({r},{c},{p})",
    f"1 <= r <= n and {CHUNK} and {TAG}",
    "a chunk labelled c ends at r with tag p",
)

RULES_ACROSS = (
    Rule("L", "run(q, t, c, p) <- open(q, c, p) node(q, c, p)", "t == q+1", tag="q, p"),
    RULES[1],
    Rule(
        "K",
        "closed(r, c, p) <- run(q, r, c, p) chunk(q, r, c)",
        "c != outside",
        mention="c, q, r",
    ),
    Rule("KO", "closed(r, c, p) <- run(q, r, c, p) chunk(q, r, c)", "c == outside", outside="q, r"),
    Rule("A0", "open(q, c, p) <-", "q == 0"),
    Rule(
        "A",
        "open(q, c, p) <- closed(q, d, s) boundary(q, d, c) across(q, d, c, s, p)",
        "neighbours(d, c)",
    ),
    Rule("goal", "goal(r) <- closed(r, c, p)"),
    Rule("empty", "goal(r) <-", "r == 0"),
)


@dataclass(frozen=True, repr=False)
class LabelChunk(Space):
    """Two layers: a tag for every word, and chunks that cover all words.

    - `chunks`: the labels of chunks; `outside` is one of them and makes no mention;
    - `adjacent_outside`: whether two outside chunks may stand side by side. If so, analyses with
      the same mentions and tags differ in `Analysis.structure`, the ranges of the outside chunks;
      `encode` takes the longest ones.
    - `tags_across_chunks`: tags of neighbouring words also score across a chunk boundary.

    Scores (all but `node` optional; c chunk labels, p tags):

    - `node` [n, c, p] = [word, chunk label, tag];
    - `transition` [n or 1, c, p, p] = [word, chunk label, tag of the word before, tag], for words
      of one chunk;
    - `chunk` [n, n, c] = [first word, last word, chunk label];
    - `boundary` [n or 1, c, c] = [first word of a chunk, label of the chunk before, its label];
    - `across` [n or 1, c, c, p, p] = [first word, label before, label, tag before, tag], only
      with `tags_across_chunks`.

    Row 0 of `transition`, `boundary` and `across` is never read, unless it is the only one.

    Time O(n² c p²). Cannot represent overlapping or discontinuous mentions.
    """

    tags: Sequence[str]
    chunks: Sequence[str]
    outside: str = "O"
    adjacent_outside: bool = False
    tags_across_chunks: bool = False

    has_tags = True

    def __post_init__(self) -> None:
        self._set(
            tags=checked_names("tags", self.tags), chunks=checked_names("chunks", self.chunks)
        )
        if self.outside not in self.chunks:
            raise LabelError(
                f"outside = {self.outside!r}: expected one of {', '.join(self.chunks)}"
            )
        for option in ("adjacent_outside", "tags_across_chunks"):
            if not isinstance(getattr(self, option), bool):
                raise OptionError(f"{option} = {getattr(self, option)!r}: expected True or False")

    @cached_property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """The labels of mentions: all chunk labels but `outside`."""
        return tuple(label for label in self.chunks if label != self.outside)

    @property
    def mention_names(self) -> Sequence[str]:
        return self.chunks

    @property
    def tag_names(self) -> Sequence[str]:
        return self.tags

    @cached_property
    def system(self) -> System:
        numbers = range(len(self.chunks))
        outside = self.chunks.index(self.outside)
        across = self.tags_across_chunks
        return System(
            "labels and chunks" + (", tags across chunks" if across else ""),
            items=(BEGUN, CLOSED_TAGGED, OPEN_TAGGED, GOAL)
            if across
            else (RUN, FILLED, CLOSED, OPEN, GOAL),
            parts=(*PARTS, ACROSS) if across else PARTS,
            rules=RULES_ACROSS if across else RULES,
            goal="goal(n)",
            constants={"C": len(self.chunks), "P": len(self.tags), "outside": outside},
            relations={
                "neighbours": frozenset(
                    (d, c)
                    for d in numbers
                    for c in numbers
                    if self.adjacent_outside or not d == c == outside
                )
            },
            meanings={
                "C": "number of chunk labels",
                "P": "number of tags",
                "outside": "the chunk label that makes no mention",
                "neighbours": "a chunk labelled c can stand behind one labelled d",
            },
            names={"c": self.chunks, "d": self.chunks, "p": self.tags, "s": self.tags},
        )

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        word, any_word = Axis("word"), Axis("word", constant_allowed=True)
        chunk, before = Axis("chunk", len(self.chunks)), Axis("chunk before", len(self.chunks))
        tag, tag_before = Axis("tag", len(self.tags)), Axis("tag before", len(self.tags))
        arrays = (
            ScoreArray(
                "node",
                "node[t, c, p]: word t has tag p, in a chunk labelled c",
                (word, chunk, tag),
                required=True,
            ),
            ScoreArray(
                "transition",
                "transition[t, c, s, p]: words t-1 and t have tags s and p, in one chunk",
                (any_word, chunk, tag_before, tag),
            ),
            ScoreArray(
                "chunk",
                "chunk[q, r, c]: words q to r (both included) are a chunk labelled c",
                (Axis("first word"), Axis("last word"), chunk),
            ),
            ScoreArray(
                "boundary",
                "boundary[q, d, c]: a chunk labelled c starts at word q, behind one labelled d",
                (any_word, before, chunk),
            ),
        )
        if not self.tags_across_chunks:
            return arrays
        across = ScoreArray(
            "across",
            "across[q, d, c, s, p]: the same, words q-1 and q having tags s and p",
            (any_word, before, chunk, tag_before, tag),
        )
        return (*arrays, across)

    def _native_program(self) -> _core.Space:
        return _core.Space.label_chunk(
            len(self.chunks),
            len(self.tags),
            self.chunks.index(self.outside),
            self.adjacent_outside,
            self.tags_across_chunks,
        )

    def structure_of(self, numbers: Sequence[int]) -> Hashable:
        return tuple(in_groups(numbers, 2)) if self.adjacent_outside else None

    def structure_numbers(self, structure: Hashable) -> list[int]:
        ranges = structure if isinstance(structure, tuple) else ()
        pairs = (r for r in ranges if isinstance(r, tuple) and len(r) == 2)
        return [x for pair in pairs for x in pair]

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        plain = super().analysis(graph, derivation)
        if not self.adjacent_outside:
            return plain
        return replace(plain, structure=tuple(sorted(e.outside for e in derivation if e.outside)))

    def _admits(self, analysis: Analysis, n: int) -> Callable[[Edge], bool]:
        tagged = super()._admits(analysis, n)
        if not self.adjacent_outside:
            return tagged
        ranges = analysis.structure if isinstance(analysis.structure, tuple) else ()
        return lambda edge: tagged(edge) and (not edge.outside or edge.outside in ranges)

    def _encode(
        self, mentions: frozenset[Mention], n: int, tags: tuple[str, ...] | None
    ) -> Analysis:
        structure = _gaps(sorted(m.fragments[0] for m in mentions), n)
        return Analysis(mentions, tags, structure if self.adjacent_outside else None)


def _gaps(ranges: Sequence[tuple[int, int]], n: int) -> tuple[tuple[int, int], ...]:
    """The ranges of words between, before and behind sorted ranges."""
    starts = [0, *(end for _, end in ranges)]
    ends = [*(start for start, _ in ranges), n]
    return tuple((a, b) for a, b in zip(starts, ends, strict=True) if a < b)
