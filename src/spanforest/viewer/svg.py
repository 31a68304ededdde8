"""Analyses as SVG: the words, and a labelled bar under every mention; text stays text."""

from collections.abc import Iterable, Sequence
from html import escape

from ..types import Mention
from ._layout import columns, rows, widest

CELL, LINE, MARGIN = 9.0, 26.0, 12.0
COLOURS = ("#3b6ea5", "#a5513b", "#3b8a5c", "#7d4fa0", "#9a7b1f", "#4a7c85", "#a03f6c", "#5c6b3b")


def draw_svg(words: Sequence[str], mentions: Iterable[Mention]) -> str:
    """An SVG picture of an analysis; labels take colours in alphabetical order."""
    placed = rows(mentions)
    cells = columns(words, [mention for mention, _ in placed])
    labels = sorted({mention.label for mention, _ in placed})
    colour = {label: COLOURS[k % len(COLOURS)] for k, label in enumerate(labels)}
    wide = 2 * MARGIN + CELL * (sum(cells[-1]) if cells else 0)
    high = 2 * MARGIN + LINE * (2 + max((row for _, row in placed), default=-1))
    body = [
        _text(_x(left), MARGIN + 14, word, "currentColor", "start")
        for word, (left, _) in zip(words, cells, strict=True)
    ]
    for mention, row in placed:
        body += _mention(mention, cells, MARGIN + LINE * (row + 1), colour[mention.label])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" '
        f'width="{wide:.0f}" height="{high:.0f}" font-family="monospace" font-size="15">'
        f"<title>{escape(' '.join(words))}</title>{''.join(body)}</svg>"
    )


def _mention(
    mention: Mention, cells: Sequence[tuple[int, int]], top: float, colour: str
) -> Iterable[str]:
    """The bars of the fragments, a dashed line through the gaps, the label."""
    first, last = _x(cells[mention.start][0]), _x(sum(cells[mention.end - 1]))
    if not mention.is_continuous:
        yield (
            f'<line x1="{first:.1f}" x2="{last:.1f}" y1="{top + 9:.1f}" y2="{top + 9:.1f}" '
            f'stroke="{colour}" stroke-dasharray="2 3"/>'
        )
    for start, end in mention.fragments:
        left, right = _x(cells[start][0]), _x(sum(cells[end - 1]))
        yield (
            f'<rect x="{left - 2:.1f}" y="{top:.1f}" width="{right - left + 4:.1f}" height="19" '
            f'rx="4" fill="{colour}"/>'
        )
        if (start, end) == widest(mention):
            yield _text((left + right) / 2, top + 14, mention.label, "#ffffff", "middle")


def _x(cell: float) -> float:
    return MARGIN + CELL * cell


def _text(x: float, y: float, text: str, colour: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" '
        f'xml:space="preserve">{escape(text)}</text>'
    )
