"""Analyses as trees, binarised: the rules of a grammar, and those that a tree uses (SPEC S8)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..errors import NotRepresentable
from ..types import Mention

ROOT = "ROOT"

Span: TypeAlias = tuple[int, int]
Structure: TypeAlias = tuple[tuple[int, int, tuple[str, ...]], ...]


def labels_on_spans(mentions: Iterable[Mention]) -> dict[Span, tuple[str, ...]]:
    """The labels of the mentions of each span, in the order of the mentions."""
    spans: dict[Span, tuple[str, ...]] = {}
    for mention in mentions:
        (span,) = mention.fragments
        spans[span] = (*spans.get(span, ()), mention.label)
    return spans


def structure_of(chains: Mapping[Span, Sequence[str]]) -> Structure:
    """What `Analysis.structure` holds: the spans with several labels, from outside in."""
    return tuple(
        (start, end, tuple(labels))
        for (start, end), labels in sorted(chains.items())
        if len(labels) > 1
    )


def orders_in(structure: Hashable) -> dict[Span, tuple[str, ...]]:
    """The labels, from outside in, of each span that a structure lists."""
    entries: Any = () if structure is None else structure
    try:
        return {(i, j): tuple(dict.fromkeys(labels)) for i, j, labels in entries}
    except (TypeError, ValueError) as error:
        raise NotRepresentable(
            f"structure {structure!r}: expected (start, end, labels from outside in) for each span "
            "with several labels"
        ) from error


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
class RuleSet:
    """All rules for some labels and tags, under the options of `Grammar`."""

    labels: Sequence[str]
    tags: Sequence[str]
    ancestors: int
    siblings: int
    unary: int

    @property
    def _children(self) -> tuple[str, ...]:
        return (*self.labels, *self.tags)

    @property
    def _befores(self) -> tuple[str, ...]:
        return ("", *self._children) if self.siblings else ("",)

    @cached_property
    def contexts(self) -> tuple[tuple[str, ...], ...]:
        """The ancestors that a node can have, nearest first, as far as they are seen."""
        found: dict[tuple[str, ...], None] = {(ROOT,)[: self.ancestors]: None}
        for context in (frontier := list(found)):
            for label in self.labels:
                below = (label, *context)[: self.ancestors]
                if below not in found:
                    found[below] = None
                    frontier.append(below)
        return tuple(found)

    def __iter__(self) -> Iterator[GrammarRule]:
        for parent in (ROOT, *self.labels):
            for above in [()] if parent == ROOT else self.contexts:
                for child in self._children:
                    if self._alone(parent, child):
                        yield GrammarRule(parent, above, "", (child,))
                for before in self._befores:
                    for child in self._children:
                        yield GrammarRule(parent, above, before, (child,), more=True)
                        for last in self._children:
                            yield GrammarRule(parent, above, before, (child, last))

    def _alone(self, parent: str, child: str) -> bool:
        """Whether `child` can be all there is below `parent`."""
        return parent == ROOT or child in self.tags or (self.unary > 1 and child != parent)

    def __contains__(self, rule: GrammarRule) -> bool:
        contexts = [()] if rule.parent == ROOT else self.contexts
        children = rule.children
        if (
            rule.parent not in (ROOT, *self.labels)
            or rule.ancestors not in contexts
            or rule.before not in self._befores
            or not isinstance(children, tuple)
            or not {*self._children}.issuperset(children)
        ):
            return False
        if rule.more or len(children) == 2:
            return len(children) == (1 if rule.more else 2)
        return len(children) == 1 and not rule.before and self._alone(rule.parent, *children)


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
