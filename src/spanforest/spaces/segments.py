"""`Segments`: flat mentions by a semi-Markov model (paper 000 §4.1, SPEC S2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import _core
from .._checks import LARGEST, checked_count, checked_names
from ..errors import LabelError, OptionError
from ..inference.scores import ScoreArray
from ..rules.notation import Item, Rule, System
from ..types import Mention
from ._label_sets import SPAN, checked_labels_per_span, span_scores, with_labels
from ._space import Space

PREFIX = Item("prefix(j)", "[→, {j}]", "0 <= j <= n", "an analysis of the first j words")

RULES = (
    Rule("axiom", "prefix(j) <-", where="j == 0"),
    Rule("a", "prefix(j) <- prefix(i) span(i, j, t)", mention="t, i, j"),
    Rule("b", "prefix(j) <- prefix(j-1)", outside="j-1, j"),
)

SHORT_SPAN = replace(SPAN, where=f"{SPAN.where} and j-i <= longest[t]")


@dataclass(frozen=True, repr=False)
class Segments(Space):
    """Sets of mentions that do not overlap.

    - `max_length`: no mention is longer than this; one number, a mapping from every label to one,
      or the numbers in the order of the labels. None: any length.
    - `labels_per_span`: at most so many labels on a span; None: any number.

    Scores: `span` [n, n, T] = [first word, last word, label]; a mention of the words i to j-1
    with label t scores `span[i, j-1, t]`, an analysis the sum over its mentions.

    Time O(n² T), or O(n Σ max_length). Cannot represent nested, crossing or discontinuous
    mentions.
    """

    labels: Sequence[str]
    max_length: int | Mapping[str, int] | Sequence[int] | None = None
    labels_per_span: int | None = 1

    label_limit = "labels_per_span"

    def __post_init__(self) -> None:
        self._set(
            labels=(labels := checked_names("labels", self.labels)),
            max_length=per_label("max_length", self.max_length, labels, 1),
            labels_per_span=checked_labels_per_span(self.labels_per_span),
        )

    @property
    def limits(self) -> tuple[int, ...] | None:
        """The longest mention of each label."""
        limits = self.max_length
        assert limits is None or isinstance(limits, tuple)
        return limits

    @cached_property
    def system(self) -> System:
        limits = self.limits
        system = System(
            "semi-Markov",
            items=(PREFIX,),
            parts=(SPAN if limits is None else SHORT_SPAN,),
            rules=RULES,
            goal="prefix(n)",
            constants={"T": len(self.labels), **({"longest": limits} if limits else {})},
            names={"t": self.labels},
            meanings={
                "T": "number of labels",
                **({"longest": "most words, by label"} if limits else {}),
            },
        )
        return with_labels(system, self.labels_per_span)

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        return (span_scores(len(self.labels)),)

    def _native_program(self) -> _core.Space:
        return _core.Space.segments(len(self.labels), self.labels_per_span or 0, self.limits or ())

    def _obstacle(self, mention: Mention) -> str:
        limit = self.limits[self.labels.index(mention.label)] if self.limits else LARGEST
        too_long = mention.end - mention.start > limit
        return super()._obstacle(mention) or (f"longer than max_length {limit}" if too_long else "")

    def _conflict(self, mention: Mention, other: Mention) -> str:
        if mention.fragments == other.fragments:
            return "has the same tokens as" if self.labels_per_span == 1 else ""
        return super()._conflict(mention, other)


def per_label(what: str, value: Any, labels: Sequence[str], least: int) -> tuple[int, ...] | None:
    """An option that may differ by label as one number a label; None stays None."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        unknown = set(value) - set(labels)
        if unknown:
            raise LabelError(f"{what}: unknown labels {', '.join(sorted(map(str, unknown)))}")
        missing = [label for label in labels if label not in value]
        if missing:
            raise OptionError(f"{what}: no number for {', '.join(missing)}")
        numbers = [value[label] for label in labels]
    else:
        several = isinstance(value, Sequence) or np.ndim(value) > 0
        numbers = list(value) if several else [value] * len(labels)
    if len(numbers) != len(labels):
        raise OptionError(f"{what}: {len(numbers)} numbers for {len(labels)} labels")
    return tuple(
        checked_count(f"{what} of {label}", number, least, most=LARGEST)
        for label, number in zip(labels, numbers, strict=True)
    )
