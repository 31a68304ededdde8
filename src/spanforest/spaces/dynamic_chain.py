"""`DynamicChain`: flat mentions by a chain with dynamic potentials (paper 001 §3.2.2, SPEC S5).

Numbers: a label is 0 for outside (O) and 1 to T for the labels of mentions; `column[l]` is where
the tags B, I, E of label l are in the word scores. Fenceposts: word p of the paper is word p-1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from .. import _core
from .. import rules as interpreter
from .._checks import LARGEST, checked_count, checked_names
from ..errors import OptionError
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System
from ..schemes import OUTSIDE
from ..types import Analysis, Mention
from ._space import Space
from .segments import per_label

if TYPE_CHECKING:
    from ..rules.graph import Found, Graph
    from ..rules.semirings import Derivation

LABEL = "0 <= l <= T"
MENTION_LABEL = "1 <= x <= T"

ITEMS = (
    Item(
        "end(i, x)",
        "δ({i},{x}_E)",
        f"1 <= i <= n and {MENTION_LABEL}",
        "the first i words, a mention labelled x ends at word i",
    ),
    Item(
        "link(i, l, x)",
        "δ({i},{l}→{x})",
        f"1 <= i < n and {LABEL} and {MENTION_LABEL}",
        "the first i words, the last of which has label l; a mention labelled x starts behind",
    ),
    Item(
        "open(i, l)",
        "δ_c({i},{l})",
        f"1 <= i <= n and {LABEL}",
        "the first i words; word i is in a mention (l = 0: a run of outside words), begun anywhere",
    ),
    Item(
        "steps(k, i, l)",
        "c({k}+1..{i},{l})",
        f"1 <= k <= i <= n and {LABEL} and i-k <= reach[l]",
        "words k+1 to i go on with the label of word k",
    ),
    Item("goal(i)", "[goal, {i}]", "i == n", "all words"),
)

PARTS = (
    Part(
        "first(p, x)",
        "Ψ({p},{x}_B)",
        f"1 <= p <= n and {MENTION_LABEL}",
        "word p is the first of a mention labelled x",
        "p-1, column[x]",
        "word",
    ),
    Part(
        "within(p, x)",
        "Ψ({p},{x}_I)",
        f"1 <= p <= n and {MENTION_LABEL}",
        "word p is in a mention labelled x (the first and the last one too)",
        "p-1, column[x]+1",
        "word",
    ),
    Part(
        "last(p, x)",
        "Ψ({p},{x}_E)",
        f"1 <= p <= n and {MENTION_LABEL}",
        "word p is the last of a mention labelled x",
        "p-1, column[x]+2",
        "word",
    ),
    Part("out(p)", "Ψ({p},O)", "1 <= p <= n", "word p is outside", "p-1, 0", "word"),
    Part(
        "step(p, l)",
        "Ψ({p},{l}→{l})",
        f"2 <= p <= n and {LABEL}",
        "words p-1 and p in one mention, or both outside",
        "p-1, l, goes_on[l]",
        "transition",
    ),
    Part(
        "leave(p, y)",
        "Ψ({p},{y}→O)",
        "2 <= p <= n and 1 <= y <= T",
        "a mention ended at word p-1, word p is outside",
        "p-1, y, 0",
        "transition",
    ),
    Part(
        "enter(p, l, x)",
        "Ψ({p},{l}→{x}_B)",
        f"2 <= p <= n and {LABEL} and {MENTION_LABEL}",
        "a mention starts at word p, word p-1 has label l",
        "p-1, l, x",
        "transition",
    ),
    Part(
        "segment(j, i, x)",
        "Ψ({x}[{j},{i}])",
        f"1 <= j <= i <= n and {MENTION_LABEL} and i-j < window[x]",
        "words j to i are a mention",
        "j-1, i-j, x-1",
    ),
    Part(
        "segment_after(l, j, i, x)",
        "Ψ({l}→{x}[{j},{i}])",
        f"2 <= j <= i <= n and {LABEL} and {MENTION_LABEL} and i-j < window[x]",
        "words j to i are a mention, word j-1 has label l",
        "j-1, i-j, x-1, l",
    ),
    Part(
        "gap(y, j, i, x)",
        "Ψ({y}O[{j},{i}]{x})",
        f"2 <= j <= i < n and 1 <= y <= T and {MENTION_LABEL} and i-j < window[0]",
        "words j to i are outside, between two mentions",
        "j-1, i-j, y-1, x-1",
    ),
)

START = "first(j, x) within(j, x)"
SHORT = "steps(j, i, x) last(i, x) segment(j, i, x)"

MENTIONS_IN_WINDOW = (
    Rule(
        "E",
        f"end(i, x) <- link(j-1, l, x) {START} {SHORT} segment_after(l, j, i, x)",
        mention="x, j-1, i",
    ),
    Rule("E1", f"end(i, x) <- {START} {SHORT}", "j == 1", mention="x, 0, i"),
)
LONG_MENTIONS = (
    Rule(
        "E>",
        "end(i, x) <- open(i-window[x], x) steps(i-window[x], i, x) last(i, x)",
    ),
    Rule("C1", f"open(j, x) <- {START}", "j == 1"),
    Rule("C", f"open(j, x) <- link(j-1, l, x) {START}"),
)
LONG_MENTIONS_EXPLICIT = (
    Rule(
        "E>",
        f"end(i, x) <- link(j-1, l, x) {START} steps(j, i, x) last(i, x)",
        "i-j >= window[x]",
        mention="x, j-1, i",
    ),
    Rule(
        "E1>",
        f"end(i, x) <- {START} steps(j, i, x) last(i, x)",
        "j == 1 and i-j >= window[x]",
        mention="x, 0, i",
    ),
)
OTHERS = (
    Rule("L", "link(i, l, x) <- end(i, l) enter(i+1, l, x)"),
    Rule(
        "LO",
        "link(i, o, x) <- end(j-1, y) leave(j, y) out(j) steps(j, i, o) gap(y, j, i, x) "
        "enter(i+1, o, x)",
        "o == 0",
        outside="j-1, j",
    ),
    Rule(
        "LO1",
        "link(i, o, x) <- out(j) steps(j, i, o) enter(i+1, o, x)",
        "o == 0 and j == 1 and i <= window[o]",
        outside="0, 1",
    ),
    Rule(
        "LO>",
        "link(i, o, x) <- open(i-window[o], o) steps(i-window[o], i, o) enter(i+1, o, x)",
        "o == 0",
    ),
    Rule("CO1", "open(j, o) <- out(j)", "o == 0 and j == 1", outside="0, 1"),
    Rule(
        "CO",
        "open(j, o) <- end(j-1, y) leave(j, y) out(j)",
        "o == 0",
        outside="j-1, j",
    ),
    Rule("C+", "open(i, x) <- open(i-1, x) step(i, x) within(i, x)"),
    Rule("CO+", "open(i, o) <- open(i-1, o) step(i, o) out(i)", "o == 0", outside="i-1, i"),
    Rule("c0", "steps(k, i, l) <-", "k == i"),
    Rule("c", "steps(k, i, x) <- steps(k, i-1, x) step(i, x) within(i, x)"),
    Rule(
        "cO",
        "steps(k, i, o) <- steps(k, i-1, o) step(i, o) out(i)",
        "o == 0",
        outside="i-1, i",
    ),
    Rule("goal", "goal(i) <- end(i, x)"),
    Rule("goalO", "goal(i) <- open(i, o)", "o == 0"),
    Rule("empty", "goal(i) <-", "i == 0"),
)


@dataclass(frozen=True, repr=False)
class DynamicChain(Space):
    """Flat mentions: a chain whose scores may also look at whole mentions and gaps.

    - `entity_window`: mentions of up to this many words have dynamic scores; a number, a mapping
      from every label, or numbers in the order of the labels. Longer mentions are legal, without.
    - `gap_window`: the same for runs of outside words between two mentions.

    Scores (all but `word` optional; T labels, W and G the largest windows):

    - `word` [n, 1+3T] = [word, tag]; `tags` are `O` and for each label B, I, E. A mention scores
      I on every word, B on its first and E on its last one as well;
    - `transition` [n or 1, 1+T, 1+2T] = [word p, label of word p-1, what word p does], labels with
      O first; word p is outside (0), starts a mention (1 to T), or goes on with one (T+1 to 2T);
    - `segment` [n or 1, W, T] = [first word, length - 1, label];
    - `segment_after` [n or 1, W, T, 1+T] = [first word, length - 1, label, label of the word
      before];
    - `gap` [n or 1, G, T, T] = [first word, length - 1, label before, label behind], for runs of
      outside words between two mentions (not at the ends of the sentence).

    Row 0 of `transition`, `segment_after` and `gap` is never read, unless it is the only one.

    Time O(n (T² W + T² G)). Constraints treat every length like one in the window, at the cost
    of O(n² T²). Cannot represent overlapping or discontinuous mentions.
    """

    labels: Sequence[str]
    entity_window: int | Mapping[str, int] | Sequence[int]
    gap_window: int

    def __post_init__(self) -> None:
        self._set(
            labels=(labels := checked_names("labels", self.labels)),
            entity_window=per_label("entity_window", self.entity_window, labels, 0),
            gap_window=checked_count("gap_window", self.gap_window, 0, most=LARGEST),
        )
        if self.entity_window is None:
            raise OptionError("entity_window: expected a number, or one for each label, not None")

    @cached_property
    def windows(self) -> tuple[int, ...]:
        """The window of outside runs, then those of the labels."""
        assert isinstance(self.entity_window, tuple)
        return (self.gap_window, *self.entity_window)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the word scores: `O`, then B, I and E of each label."""
        return (OUTSIDE, *(f"{p}-{label}" for label in self.labels for p in "BIE"))

    @property
    def mention_names(self) -> Sequence[str]:
        return ("", *self.labels)

    @cached_property
    def system(self) -> System:
        labels, count = (OUTSIDE, *self.labels), len(self.labels)
        return System(
            "dynamic chain",
            ITEMS,
            PARTS,
            rules=(*MENTIONS_IN_WINDOW, *LONG_MENTIONS, *OTHERS),
            goal="goal(n)",
            constants={
                "T": count,
                "window": self.windows,
                "reach": self.windows,
                "column": (0, *range(1, 3 * count, 3)),
                "goes_on": (0, *range(count + 1, 2 * count + 1)),
            },
            names={
                **dict.fromkeys("xylo", labels),
            },
            meanings={
                "T": "number of labels",
                "window": "longest run with scores of its own: of outside words, then by label",
                "reach": "most steps: windows, or any number where rules know their mentions",
                "column": "where B, I, E of a label are in `word`",
                "goes_on": "where going on with a label is in `transition`",
            },
        )

    @cached_property
    def explicit_system(self) -> System:
        """The same analyses by rules that know where every mention starts."""
        unlimited = (self.gap_window, *(LARGEST for _ in self.labels))
        return replace(
            self.system,
            name="dynamic chain, all mentions explicit",
            rules=(*MENTIONS_IN_WINDOW, *LONG_MENTIONS_EXPLICIT, *OTHERS),
            constants={**self.system.constants, "reach": unlimited},
        )

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        count = len(self.labels)
        word, any_word = Axis("word"), Axis("word", constant_allowed=True)
        label, before = Axis("label", count), Axis("label before", 1 + count)
        length = Axis("length - 1", max(self.windows[1:]))
        return (
            ScoreArray(
                "word",
                "word[p, b]: word p has tag b",
                (word, Axis("tag", 1 + 3 * count)),
                required=True,
            ),
            ScoreArray(
                "transition",
                "transition[p, l, r]: word p-1 has label l, word p is outside, starts or goes on",
                (any_word, before, Axis("step", 1 + 2 * count)),
            ),
            ScoreArray(
                "segment",
                "segment[j, d, x]: words j to j+d are a mention with label x",
                (any_word, length, label),
            ),
            ScoreArray(
                "segment_after",
                "segment_after[j, d, x, l]: the same, and word j-1 has label l",
                (any_word, length, label, before),
            ),
            ScoreArray(
                "gap",
                "gap[j, d, y, x]: words j to j+d are outside, between mentions labelled y and x",
                (
                    any_word,
                    Axis("length - 1", self.gap_window),
                    Axis("label before", count),
                    Axis("label behind", count),
                ),
            ),
        )

    def _native_program(self) -> _core.Space:
        return _core.Space.dynamic(len(self.labels), self.windows)

    def explicit_graph(self, n: int, tracked: Collection[Found], strict: bool) -> Graph:
        return interpreter.ground(self.explicit_system, n) if tracked or strict else self.graph(n)

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        place = graph.places
        used = (place[part] for edge in derivation for part in edge.parts)
        words = sorted(position for name, position in used if name == "word")
        starts = [(p, b) for p, b in words if b % 3 == 1]
        ends = [p + 1 for p, b in words if b and b % 3 == 0]
        return Analysis(
            frozenset(
                Mention.span(self.labels[b // 3], start, end)
                for (start, b), end in zip(starts, ends, strict=True)
            )
        )

    def derivation(self, analysis: Analysis, n: int) -> tuple[Graph, Derivation]:
        """The derivation of an analysis, told by the tags of its words."""
        violations = self.violations(self.check_analysis(analysis, n), n)
        if violations or analysis != Analysis(analysis.mentions):
            raise self.not_an_analysis(analysis, n)
        wanted = {p: {0} for p in range(n)}
        for mention in analysis.mentions:
            column = self.tags.index(f"B-{mention.label}")
            wanted.update({p: {column + 1} for p in mention.tokens})
            wanted[mention.start].add(column)
            wanted[mention.end - 1].add(column + 2)
        place = self.graph(n).places
        refused = {
            part
            for part, (name, at) in enumerate(place)
            if name == "word" and at[1] not in wanted[at[0]]
        }
        graph = interpreter.filtered(self.graph(n), lambda edge: refused.isdisjoint(edge.parts))
        is_word = [name == "word" for name, _ in graph.places]
        return graph, interpreter.best(
            graph, lambda edge: sum(is_word[part] for part in edge.parts)
        )[1]
