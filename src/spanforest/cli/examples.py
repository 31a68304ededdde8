"""The example sentences of papers 000 and 003, for the demonstration, the docs and the tests.

The figure with the sentences of paper 000 is not legible; its tables quote the mentions. Words
that no table quotes ("did not look like", "is now in", "am") are ours.
"""

from typing import NamedTuple

from ..types import Mention


class Example(NamedTuple):
    """A sentence with its analysis, and wrong mentions that cross it, with tempting scores."""

    title: str
    words: tuple[str, ...]
    mentions: tuple[Mention, ...]
    rivals: tuple[tuple[Mention, float], ...] = ()


NESTED = (
    Example(
        "Paper 000, sentence 1: mentions side by side",
        ("He", "did", "not", "look", "like", "a", "dead", "man"),
        (Mention.span("PER", 0, 1), Mention.span("PER", 5, 8)),
        ((Mention.span("PER", 4, 7), 2.0),),
    ),
    Example(
        "Paper 000, sentence 2: one-word mentions inside a mention",
        ("This", "is", "your", "second", "one", "he", "has", "missed"),
        (
            Mention.span("PER", 0, 1),
            Mention.span("PER", 2, 3),
            Mention.span("PER", 5, 6),
            Mention.span("PER", 2, 8),
        ),
        ((Mention.span("PER", 0, 4), 2.0),),
    ),
    Example(
        "Paper 000, sentence 3: a longer mention inside a mention",
        ("He", "is", "now", "in", "the", "United", "States", "army"),
        (Mention.span("PER", 0, 1), Mention.span("GPE", 5, 7), Mention.span("ORG", 4, 8)),
        ((Mention.span("ORG", 3, 6), 4.0),),
    ),
    Example(
        "Paper 000, sentence 4: three levels",
        ("I", "am", "Fabian", "from", "Bonn,", "Germany"),
        (
            Mention.span("PER", 0, 1),
            Mention.span("GPE", 5, 6),
            Mention.span("GPE", 4, 6),
            Mention.span("PER", 2, 6),
        ),
        ((Mention.span("PER", 1, 5), 4.0),),
    ),
)

DISCONTINUOUS = Example(
    "Paper 003, example 3: mentions that share a component",
    ("severe", "pain", "in", "arms", "and", "shoulders"),
    (Mention("ADR", ((1, 4),)), Mention("ADR", ((1, 3), (5, 6)))),
)
