"""Analyses in the terminal: the words, and a bracket with its label under every mention."""

from collections.abc import Iterable, Sequence

from ..types import Mention
from ._layout import columns, rows, widest, width


def draw(words: Sequence[str], mentions: Iterable[Mention]) -> str:
    """The words on one line and below them the mentions, inner ones first.

    >>> print(draw("pain in arms and legs".split(), [Mention.span("ADR", 0, 3)]))
    pain in arms and legs
    └───ADR────┘
    """
    placed = rows(mentions)
    cells = columns(words, [mention for mention, _ in placed])
    text = "".join(
        word + " " * (size - width(word) + 1) for word, (_, size) in zip(words, cells, strict=True)
    )
    canvas = [[" "] * sum(cells[-1]) for _ in range(1 + max((r for _, r in placed), default=-1))]
    for mention, row in placed:
        _bracket(canvas[row], mention, cells)
    return "\n".join([text.rstrip(), *("".join(line).rstrip() for line in canvas)])


def _bracket(line: list[str], mention: Mention, cells: Sequence[tuple[int, int]]) -> None:
    """Draw one mention on its line: fragments in brackets, gaps dotted."""
    first, last = cells[mention.start][0], sum(cells[mention.end - 1])
    line[first:last] = "┄" * (last - first)
    for start, end in mention.fragments:
        left, right = cells[start][0], sum(cells[end - 1])
        label = _as_cells(mention.label) if (start, end) == widest(mention) else []
        before = (right - left - 2 - len(label)) // 2
        after = right - left - 2 - len(label) - before
        line[left:right] = (
            ["└", *"─" * before, *label, *"─" * after, "┘"] if right - left > 1 else ["┴"]
        )


def _as_cells(text: str) -> list[str]:
    """The text with one entry a terminal cell: a wide character fills two."""
    cells: list[str] = []
    for character in text:
        if width(character) == 0 and cells:
            cells[-1] += character
        else:
            cells += [character, *[""] * (width(character) - 1)]
    return cells
