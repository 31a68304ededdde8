"""Reads the Markdown tables beside it."""

from pathlib import Path

FOLDER = Path(__file__).parent


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a Markdown table, by column."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    header, _, *body = [[c.strip() for c in line.strip()[1:-1].split("|")] for line in lines]
    return [dict(zip(header, cells, strict=False)) for cells in body]


def table(name: str) -> list[dict[str, str]]:
    """The only table of a file."""
    return rows((FOLDER / name).read_text(encoding="utf-8"))


def sections(name: str) -> dict[str, list[dict[str, str]]]:
    """The tables of a file by the first word of their headings."""
    parts = (FOLDER / name).read_text(encoding="utf-8").split("### ")[1:]
    return {part.split()[0]: rows(part) for part in parts}
