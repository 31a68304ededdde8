"""`Segments` and `Nested`: families of spans, and labels on them (SPEC S2, S3, S4_L, (a))."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

from spanforest.types import Analysis, Mention

from . import Enumeration

Span = tuple[int, int]


def all_spans(n: int) -> list[Span]:
    return [(i, j) for i in range(n) for j in range(i + 1, n + 1)]


def disjoint(a: Span, b: Span) -> bool:
    return a[1] <= b[0] or b[1] <= a[0]


def crossing(a: Span, b: Span) -> bool:
    return a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]


def families(
    spans: Sequence[Span], compatible: Callable[[Span, Span], bool]
) -> Iterator[tuple[Span, ...]]:
    """All sets of spans that are pairwise compatible."""
    if not spans:
        yield ()
        return
    first, rest = spans[0], spans[1:]
    yield from families(rest, compatible)
    for family in families([s for s in rest if compatible(first, s)], compatible):
        yield (first, *family)


def inside(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1] and inner != outer


def children(span: Span, family: Sequence[Span]) -> list[Span]:
    below = [s for s in family if inside(s, span)]
    return [s for s in below if not any(inside(s, other) for other in below)]


def narrow_enough(family: Sequence[Span], narrow: int | None) -> bool:
    """Every mention has at most one child longer than `narrow` words."""
    if narrow is None:
        return True
    return all(sum(j - i > narrow for i, j in children(span, family)) <= 1 for span in family)


def flat_families(n: int) -> Iterator[tuple[Span, ...]]:
    return families(all_spans(n), disjoint)


def laminar_families(n: int, narrow: int | None) -> Iterator[tuple[Span, ...]]:
    for family in families(all_spans(n), lambda a, b: not crossing(a, b)):
        if narrow_enough(family, narrow):
            yield family


def label_sets(labels: Sequence[str], per_span: int | None) -> list[tuple[int, ...]]:
    most = len(labels) if per_span is None else min(per_span, len(labels))
    return [c for k in range(1, most + 1) for c in combinations(range(len(labels)), k)]


def labelled(
    families_of_n: Iterator[tuple[Span, ...]],
    labels: Sequence[str],
    per_span: int | None,
    allowed: Callable[[int, Span], bool] = lambda label, span: True,
) -> Enumeration:
    for family in families_of_n:
        options = [
            [c for c in label_sets(labels, per_span) if all(allowed(t, span) for t in c)]
            for span in family
        ]
        for choice in product(*options):
            chosen = [(t, i, j) for (i, j), c in zip(family, choice, strict=True) for t in c]
            mentions = frozenset(Mention(labels[t], ((i, j),)) for t, i, j in chosen)
            yield Analysis(mentions), [("span", (i, j - 1, t)) for t, i, j in chosen]


def segments(
    n: int,
    labels: Sequence[str],
    max_length: Sequence[int] | None = None,
    per_span: int | None = 1,
) -> Enumeration:
    def short(label: int, span: Span) -> bool:
        return max_length is None or span[1] - span[0] <= max_length[label]

    return labelled(flat_families(n), labels, per_span, short)


def nested(
    n: int, labels: Sequence[str], narrow: int | None = 1, per_span: int | None = 1
) -> Enumeration:
    return labelled(laminar_families(n, narrow), labels, per_span)
