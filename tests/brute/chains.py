"""`Chain` and `DynamicChain` (SPEC S1, S5)."""

import re
from collections.abc import Sequence
from itertools import pairwise, product

from spanforest.types import Analysis, Mention

from . import Enumeration, ScoredPart
from .spans import flat_families

MENTION = {"BIO": r"B(?P<t>\d)(?:I(?P=t))*", "BIOES": r"S\d|B(?P<t>\d)(?:I(?P=t))*E(?P=t)"}


def chain(n: int, labels: Sequence[str], scheme: str = "BIO") -> Enumeration:
    """All tag strings that are a sequence of `O` and of mentions."""
    prefixes = {"BIO": "BI", "BIOES": "BIES"}[scheme]
    tags = ["O ", *(f"{p}{t}" for t in range(len(labels)) for p in prefixes)]
    unit = re.compile(rf"O |{MENTION[scheme]}")
    for numbers in product(range(len(tags)), repeat=n):
        text = "".join(tags[k] for k in numbers)
        mentions, at = set(), 0
        while at < len(text) and (match := unit.match(text, at)):
            if match[0] != "O ":
                label = labels[int(match[0][1])]
                mentions.add(Mention(label, ((at // 2, match.end() // 2),)))
            at = match.end()
        if at == len(text):
            yield Analysis(frozenset(mentions)), chain_parts(numbers)


def chain_parts(numbers: Sequence[int]) -> list[ScoredPart]:
    parts: list[ScoredPart] = [("word", (i, b)) for i, b in enumerate(numbers)]
    parts += [("transition", pair) for pair in pairwise(numbers)]
    if numbers:
        parts += [("start", (numbers[0],)), ("end", (numbers[-1],))]
    return parts


def dynamic_chain(
    n: int, labels: Sequence[str], windows: Sequence[int], gap_window: int
) -> Enumeration:
    """All flat analyses; scores word for word as SPEC S5 lists them."""
    for family in flat_families(n):
        for choice in product(range(len(labels)), repeat=len(family)):
            chosen = sorted((i, j, x) for (i, j), x in zip(family, choice, strict=True))
            mentions = frozenset(Mention(labels[x], ((i, j),)) for i, j, x in chosen)
            yield Analysis(mentions), dynamic_parts(n, chosen, len(labels), windows, gap_window)


def dynamic_parts(
    n: int,
    chosen: Sequence[tuple[int, int, int]],
    labels: int,
    windows: Sequence[int],
    gap_window: int,
) -> list[ScoredPart]:
    """Columns of `word`: O, then B, I, E of each label; of `transition`: O, start x, go on x."""
    label_of = [0] * n
    starts = set()
    parts: list[ScoredPart] = []
    for i, j, x in chosen:
        starts.add(i)
        column = 1 + 3 * x
        parts += [("word", (i, column)), ("word", (j - 1, column + 2))]
        for word in range(i, j):
            label_of[word] = x + 1
            parts.append(("word", (word, column + 1)))
        if j - i <= windows[x]:
            parts.append(("segment", (i, j - i - 1, x)))
    parts += [("word", (word, 0)) for word in range(n) if label_of[word] == 0]
    for word in range(1, n):
        before, here = label_of[word - 1], label_of[word]
        goes_on = here and word not in starts
        right = labels + here if goes_on else here
        parts.append(("transition", (word, before, right)))
    for i, j, x in chosen:
        if i > 0 and j - i <= windows[x]:
            parts.append(("segment_after", (i, j - i - 1, x, label_of[i - 1])))
    for (_, start, before), (end, _, behind) in pairwise(chosen):
        if 0 < end - start <= gap_window:
            parts.append(("gap", (start, end - start - 1, before, behind)))
    return parts
