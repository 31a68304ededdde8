"""`LabelChunk` (SPEC S6): all ways to cut the words into chunks, label them, and tag the words."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from spanforest.types import Analysis, Mention

from . import Enumeration, ScoredPart


def cuts(n: int) -> Iterator[list[tuple[int, int]]]:
    for inner in product((False, True), repeat=max(0, n - 1)):
        edges = [0, *(k + 1 for k, cut in enumerate(inner) if cut), n]
        yield list(pairwise(edges)) if n else []


def label_chunk(
    n: int,
    tags: Sequence[str],
    chunks: Sequence[str],
    outside: str,
    adjacent_outside: bool,
    across: bool,
) -> Enumeration:
    for ranges in cuts(n):
        for labels in product(range(len(chunks)), repeat=len(ranges)):
            names = [chunks[c] for c in labels]
            if not adjacent_outside and any(a == b == outside for a, b in pairwise(names)):
                continue
            mentions = frozenset(
                Mention(name, (span,))
                for name, span in zip(names, ranges, strict=True)
                if name != outside
            )
            gaps = tuple(s for name, s in zip(names, ranges, strict=True) if name == outside)
            for tagging in product(range(len(tags)), repeat=n):
                analysis = Analysis(
                    mentions,
                    tuple(tags[p] for p in tagging),
                    gaps if adjacent_outside else None,
                )
                yield analysis, scored(ranges, labels, tagging, across)


def scored(
    ranges: Sequence[tuple[int, int]],
    labels: Sequence[int],
    tagging: Sequence[int],
    across: bool,
) -> list[ScoredPart]:
    parts: list[ScoredPart] = []
    for k, ((q, r), c) in enumerate(zip(ranges, labels, strict=True)):
        parts.append(("chunk", (q, r - 1, c)))
        parts += [("node", (t, c, tagging[t])) for t in range(q, r)]
        parts += [("transition", (t, c, tagging[t - 1], tagging[t])) for t in range(q + 1, r)]
        if k:
            parts.append(("boundary", (q, labels[k - 1], c)))
            if across:
                parts.append(("across", (q, labels[k - 1], c, tagging[q - 1], tagging[q])))
    return parts
