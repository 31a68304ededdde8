"""`Nested`: nested mentions, in O(n²) or O(n³) (paper 000 §4.2 and §5, SPEC S3, S4, S4_L)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .. import _core
from .._checks import checked_names, optional_count
from ..inference.scores import ScoreArray
from ..rules.notation import Item, Rule, System, rules_up_to
from ..types import Mention
from ._label_sets import SPAN, checked_labels_per_span, span_scores, with_labels
from ._space import Space, cross
from .segments import PREFIX

MENTION = Item(
    "mention(i, j)",
    "[↔, {i}, {j}]",
    "0 <= i < j <= n",
    "a mention of words i to j-1 with all that is inside it",
    block=True,
)
CONTENT = Item(
    "content(i, j)",
    "[↦, {i}, {j}]",
    "0 <= i <= j <= n and i < n",
    "what a mention that starts at i has inside it up to j, except one child that fills (i, j)",
)
LEFT = Item(
    "left(i, j)",
    "[←, {i}, {j}]",
    "0 <= i and i+L+2 <= j <= n",
    "content read from right to left, whose last element is the long child, not starting at i",
)

BOTH = (
    Rule("axiom", "content(i, j) <-", where="i == j"),
    Rule("d", "content(i, j) <- content(i, j-1)"),
    Rule("f", "content(i, j) <- mention(i, j-1)", where="i < j-1"),
    Rule("g", "mention(i, j) <- content(i, j) span(i, j, t)", mention="t, i, j"),
    Rule("axiom", "prefix(j) <-", where="j == 0"),
    Rule("h", "prefix(j) <- prefix(i) mention(i, j)"),
    Rule("i", "prefix(j) <- prefix(j-1)", outside="j-1, j"),
)
CUBIC = (
    Rule("c", "content(i, j) <- content(i, k) mention(k, j)", where="i < k"),
    Rule("e", "content(i, j) <- mention(i, k) mention(k, j)"),
)
QUADRATIC = (
    Rule("j", "content(i, j) <- content(i, j-l) mention(j-l, j)", where="1 <= l <= L and i < j-l"),
    Rule("k", "content(i, j) <- mention(i, j-l) mention(j-l, j)", where="1 <= l <= L and i < j-l"),
    Rule("l", "left(i, j) <- mention(i, i+l) mention(i+l, j)", where="1 <= l <= L and i+l+L < j"),
    Rule("m", "left(i, j) <- mention(i+1, j)", where="i+1+L < j"),
    Rule("n", "left(i, j) <- left(i+1, j)"),
    Rule("o", "left(i, j) <- mention(i, i+l) left(i+l, j)", where="1 <= l <= L"),
    Rule("p", "content(i, j) <- left(i, j)"),
)


@dataclass(frozen=True, repr=False)
class Nested(Space):
    """Sets of mentions on spans that do not cross: side by side, or one inside the other.

    - `narrow`: a mention has at most one child longer than this many words (0, 1, 2, …). 1 is the
      space of paper 000 §5, in O(n²). None lifts the restriction, in O(n³). A mention of up to
      2 `narrow` + 1 words is never restricted, mentions at the top level never are.
    - `labels_per_span`: at most so many labels on a span; None: any number.

    Scores: `span` [n, n, T] = [first word, last word, label]; a mention of the words i to j-1
    with label t scores `span[i, j-1, t]`, an analysis the sum over its mentions.

    Time O(n² (narrow + T)), or O(n³ + n² T) for narrow=None. Cannot represent crossing or
    discontinuous mentions.
    """

    labels: Sequence[str]
    narrow: int | None = 1
    labels_per_span: int | None = 1

    label_limit = "labels_per_span"
    together = "one mention would have two children longer than `narrow` words"

    def __post_init__(self) -> None:
        self._set(
            labels=checked_names("labels", self.labels),
            narrow=optional_count("narrow", self.narrow, 0, "no restriction"),
            labels_per_span=checked_labels_per_span(self.labels_per_span),
        )

    @cached_property
    def system(self) -> System:
        limit = self.narrow
        own = CUBIC if limit is None else rules_up_to(QUADRATIC, "l", "L", limit)
        system = System(
            "nested, O(n³)" if limit is None else f"nested, O(n²), L = {limit}",
            items=(MENTION, CONTENT, PREFIX) if limit is None else (MENTION, CONTENT, LEFT, PREFIX),
            parts=(SPAN,),
            rules=(*BOTH[:4], *own, *BOTH[4:]),
            goal="prefix(n)",
            constants={"T": len(self.labels), **({} if limit is None else {"L": limit})},
            names={"t": self.labels},
            meanings={
                "T": "number of labels",
                **({} if limit is None else {"L": "most words if narrow"}),
            },
        )
        return with_labels(system, self.labels_per_span)

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        return (span_scores(len(self.labels)),)

    def _native_program(self) -> _core.Space:
        return _core.Space.nested(len(self.labels), self.labels_per_span or 0, self.narrow)

    def _conflict(self, mention: Mention, other: Mention) -> str:
        if mention.fragments == other.fragments:
            return "has the same tokens as" if self.labels_per_span == 1 else ""
        return "crosses" if cross(mention, other) else ""
