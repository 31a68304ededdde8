"""Constraints: what the mentions of a sentence must obey."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .._checks import listed
from ..errors import LabelError, MentionError, located
from ..types import Fragments, Mention, checked_fragments
from .system import System

if TYPE_CHECKING:
    from ..rules.graph import Found

Pattern: TypeAlias = Mention | Fragments
"""A mention, or fragments without a label, which mean a mention of any label."""


@dataclass(frozen=True)
class Constraints:
    """What the mentions of one sentence must obey.

    `require` must occur, `forbid` must not; only what is in every set of `allow` may occur; the
    words of `cover` must be in some mention.
    """

    require: tuple[Pattern, ...] = ()
    forbid: tuple[Pattern, ...] = ()
    allow: tuple[tuple[Pattern, ...], ...] = ()
    cover: tuple[int, ...] = ()

    def __and__(self, other: Constraints) -> Constraints:
        """Both at once."""
        return Constraints(
            self.require + other.require,
            self.forbid + other.forbid,
            self.allow + other.allow,
            self.cover + other.cover,
        )

    def obeyed_by(self, mentions: Collection[Mention]) -> bool:
        """Whether an analysis with exactly these mentions obeys."""

        def among(patterns: Iterable[Pattern], mention: Mention) -> bool:
            return mention in patterns or mention.fragments in patterns

        return (
            all(any(among((p,), m) for m in mentions) for p in self.require)
            and not any(among(self.forbid, m) for m in mentions)
            and all(among(allowed, m) for allowed in self.allow for m in mentions)
            and {word for m in mentions for word in m.tokens}.issuperset(self.cover)
        )


NO_CONSTRAINTS = Constraints()


def matches(space: System, pattern: Pattern, n: int) -> tuple[Found, ...]:
    """The labelled fragments that a checked pattern means, as edges name them."""
    if fragments_of(pattern)[-1][1] > n:
        raise MentionError(f"{pattern} is outside a sentence of {n} words")
    names = space.mention_names
    return tuple((names.index(m.label), m.fragments) for m in mentions_meant(space, pattern))


def mentions_meant(space: System, pattern: Pattern) -> tuple[Mention, ...]:
    """The mentions that a checked pattern means: itself, or its fragments with any label."""
    if not isinstance(pattern, Mention):
        return tuple(Mention(label, pattern) for label in space.labels)
    if pattern.label not in space.labels:
        raise LabelError(f"{pattern}: unknown label; expected one of {', '.join(space.labels)}")
    return (pattern,)


def fragments_of(pattern: Pattern) -> Fragments:
    """The fragments of a checked pattern."""
    return pattern.fragments if isinstance(pattern, Mention) else pattern


def per_sentence(
    name: str, groups: Sequence[Iterable[Pattern]] | None, space: System, lengths: Sequence[int]
) -> list[tuple[Pattern, ...]]:
    """`groups` as one tuple of patterns a sentence, or an error that says what was expected."""
    if groups is None:
        return [()] * len(lengths)
    one_each(name, groups, len(lengths))
    return [
        patterns_of(f"{name}[{s}]", group, space, n)
        for s, (group, n) in enumerate(zip(groups, lengths, strict=True))
    ]


def one_each(name: str, groups: object, size: int) -> None:
    """Refuse what does not have one entry for each of `size` sentences."""
    several = isinstance(groups, Sequence) and not isinstance(groups, str)
    if not several or len(groups) != size:  # type: ignore[arg-type]
        given = f"{len(groups)} entries" if several else repr(groups)  # type: ignore[arg-type]
        raise MentionError(f"{name}: expected one entry for each of {size} sentences, not {given}")


def patterns_of(where: str, group: object, space: System, n: int) -> tuple[Pattern, ...]:
    """The patterns of one sentence of n words, each checked."""
    patterns: list[Pattern] = []
    for k, pattern in enumerate(listed(where, group, "a list of mentions", MentionError)):
        with located(f"{where}[{k}]"):
            patterns.append(pattern if isinstance(pattern, Mention) else checked_fragments(pattern))
            matches(space, patterns[-1], n)
    return tuple(patterns)


TOLD_APART = 32
"""How many mentions weights tell apart at once: sums of such weights are exact."""


def largest_subset(count: int, heaviest: Callable[[Sequence[float]], Collection[int]]) -> set[int]:
    """The largest possible subset of `count` things that are given in order of preference.

    Among equally large ones it is the one that has the first thing on which they differ, so no
    other is as good. `heaviest` gives a possible subset with the greatest sum of weights.
    """
    kept: set[int] = set()
    for start in range(0, count, TOLD_APART):
        worth = [2.0 if k in kept and k < start else 1.0 for k in range(count)]
        for k in range(start, min(count, start + TOLD_APART)):
            worth[k] += 0.5 ** (1 + k - start)
        kept = set(heaviest(worth))
        if len(kept) == count:
            break
    return kept
