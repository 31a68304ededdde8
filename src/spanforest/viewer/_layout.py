"""Rows for mentions, so that none is drawn over another and outer ones lie below inner ones."""

import unicodedata
from collections.abc import Iterable, Sequence

from ..errors import MentionError
from ..types import Mention


def rows(mentions: Iterable[Mention]) -> list[tuple[Mention, int]]:
    """Each mention with its row, from 0: the first row below all overlapping shorter mentions."""
    placed: list[tuple[Mention, int]] = []
    for mention in sorted(mentions, key=lambda m: (m.end - m.start, m.start, m.fragments, m.label)):
        below = (row + 1 for other, row in placed if _meet(mention, other))
        placed.append((mention, max(below, default=0)))
    return placed


def _meet(a: Mention, b: Mention) -> bool:
    """Whether the extents of two mentions overlap."""
    return a.start < b.end and b.start < a.end


def width(text: str) -> int:
    """The number of terminal cells that a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def columns(words: Sequence[str], mentions: Iterable[Mention]) -> list[tuple[int, int]]:
    """Start and width of the column of each word: room for words and for labels in brackets."""
    widths = [max(1, width(word)) for word in words]
    for mention in sorted(mentions, key=lambda m: m.end - m.start):
        if mention.end > len(words):
            raise MentionError(f"{len(words)} words: {mention} is outside")
        start, end = widest(mention)
        free = sum(widths[start:end]) + end - start - 1
        widths[end - 1] += max(0, width(mention.label) + 2 - free)
    starts = [sum(widths[:k]) + k for k in range(len(widths))]
    return list(zip(starts, widths, strict=True))


def widest(mention: Mention) -> tuple[int, int]:
    """The fragment that bears the label: the first of those with the most words."""
    return max(mention.fragments, key=lambda fragment: fragment[1] - fragment[0])
