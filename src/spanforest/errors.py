"""Every exception of the library, in one place.

All of them derive from `SpanforestError`; those caused by an argument are of `ValueError` too, so
that code which knows nothing of spanforest still catches them. Messages say where (sentence,
index), what was found and what was expected.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .types import Mention


class SpanforestError(Exception):
    """Base of all exceptions raised by spanforest."""


class OptionError(SpanforestError, ValueError):
    """An option, or a product of options, that does not exist."""


class LabelError(SpanforestError, ValueError):
    """An empty, repeated or unknown label or tag."""


class TagError(SpanforestError, ValueError):
    """A tag sequence that its scheme does not allow."""


class LengthError(SpanforestError, ValueError):
    """A sentence length that is negative, or larger than the arrays that came with it."""


class ScoreError(SpanforestError, ValueError):
    """Scores of a wrong name, shape or type; NaN, +inf or beyond the limit where they are used."""


class MentionError(SpanforestError, ValueError):
    """A malformed mention, or mentions that do not fit their sentence or batch."""


class DocumentError(SpanforestError, ValueError):
    """Tokens, sentences or mentions that do not fit the text of a document."""


class RuleError(SpanforestError, ValueError):
    """A deduction rule that cannot be read or grounded."""


class CyclicRules(RuleError):
    """A deduction system in which an item would be needed to derive itself."""


class MissingProperty(SpanforestError, TypeError):
    """An algorithm was asked to work in a semiring that lacks a property it needs."""


class Infeasible(SpanforestError, ValueError):
    """No analysis of the sentence obeys the constraints with a score above -inf."""


class Violation(NamedTuple):
    """A mention that has to go before the rest can be represented, and why."""

    mention: Mention
    reason: str

    def __str__(self) -> str:
        return f"{self.mention}: {self.reason}"


class NotRepresentable(SpanforestError, ValueError):
    """Mentions, or an analysis, that lie outside a space; `violations` lists what and why."""

    def __init__(self, message: str, violations: Sequence[Violation] = ()) -> None:
        listed = "".join(f"\n  {violation}" for violation in violations)
        super().__init__(message + listed)
        self.violations = tuple(violations)


@contextmanager
def located(where: str) -> Iterator[None]:
    """Put `where` in front of the message of any error of spanforest that is raised inside."""
    try:
        yield
    except SpanforestError as error:
        error.args = (f"{where}: {error}",)
        raise
