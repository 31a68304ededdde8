"""Analyses as trees, binarised: which rules of the grammar an analysis uses (SPEC S8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

ROOT = "ROOT"

Span: TypeAlias = tuple[int, int]


class GrammarRule(NamedTuple):
    """A rule of the grammar: how the next children of a constituent go on.

    `parent` has the `ancestors` (nearest first, as many as the grammar conditions on); `before`
    is the sibling before `children`, "" if there is none (or siblings are not told apart). The
    rule has one child that is all there is, or the last two, or (`more`) one and others behind.
    """

    parent: str
    ancestors: tuple[str, ...]
    before: str
    children: tuple[str, ...]
    more: bool = False

    def __str__(self) -> str:
        left = "^".join((self.parent, *self.ancestors))
        before = f"{self.before} | " if self.before else ""
        return f"{left} → {before}{' '.join(self.children)}{' @' if self.more else ''}"


@dataclass(frozen=True)
class Tree:
    """An analysis as a tree: the labels on each span from outside in, the tags of all words.

    Rules are conditioned on `ancestors` ancestors and, if `siblings`, on the sibling before.
    """

    chains: Mapping[Span, Sequence[str]]
    tags: Sequence[str]
    ancestors: int
    siblings: int

    def rules(
        self, span: Span, parent: str, ancestors: tuple[str, ...], chain: Sequence[str]
    ) -> Iterator[GrammarRule]:
        """The rules of `parent` and of all below it; `chain` are the labels on its own span."""
        seen = () if parent == ROOT else ancestors
        below = (parent, *ancestors)[: self.ancestors]
        if chain:
            yield GrammarRule(parent, seen, "", (chain[0],))
            yield from self.rules(span, chain[0], below, chain[1:])
            return
        children = list(self._children(span))
        yield from self._binarised(parent, seen, [name for name, _ in children])
        for name, inner in children:
            if inner is not None:
                yield from self.rules(inner, name, below, self.chains[inner][1:])

    def _children(self, span: Span) -> Iterator[tuple[str, Span | None]]:
        """The widest mentions strictly inside with their spans, and the tags of other words."""
        at, end = span
        while at < end:
            inside = (s for s in self.chains if s[0] == at and s[1] <= end and s != span)
            widest = max(inside, default=None)
            yield self.tags[at] if widest is None else self.chains[widest][0], widest
            at = at + 1 if widest is None else widest[1]

    def _binarised(
        self, parent: str, ancestors: tuple[str, ...], names: Sequence[str]
    ) -> Iterator[GrammarRule]:
        """The rules that read children from left to right, the last two together."""
        befores = ["", *names] if self.siblings else [""] * (len(names) + 1)
        for before, name in zip(befores, names[:-2], strict=False):
            yield GrammarRule(parent, ancestors, before, (name,), more=True)
        yield GrammarRule(parent, ancestors, befores[max(0, len(names) - 2)], tuple(names[-2:]))
