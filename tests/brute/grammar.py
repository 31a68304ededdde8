"""`Grammar` (SPEC S8): families of spans with chains of labels, a tag for every word, and the
parts of the binarised tree, found by walking it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from spanforest.types import Analysis, Mention

from . import Enumeration, ScoredPart
from .spans import Span, laminar_families

ROOT = "ROOT"
Rule = tuple[str, tuple[str, ...], str, tuple[str, ...], bool]


def chains(labels: Sequence[str], unary: int) -> list[tuple[str, ...]]:
    most = min(unary, len(labels))
    return [c for size in range(1, most + 1) for c in permutations(labels, size)]


class Walk:
    """Collects the parts of a tree. A node is (symbol, span or word, children)."""

    def __init__(
        self,
        labels: Sequence[str],
        tags: Sequence[str],
        contexts: Sequence[tuple[str, ...]],
        rules: Mapping[Rule, int],
        ancestors: int,
        siblings: int,
    ) -> None:
        self.labels, self.tags = list(labels), list(tags)
        self.symbols = [*labels, *tags]
        self.contexts, self.rules = list(contexts), rules
        self.ancestors, self.siblings = ancestors, siblings
        self.parts: list[ScoredPart] = []
        self.used: list[Rule] = []

    def rule(self, rule: Rule) -> None:
        self.used.append(rule)
        if rule in self.rules:
            self.parts.append(("rule", (self.rules[rule],)))

    def entity(
        self,
        tree: dict[Span, tuple[str, ...]],
        tagging: Sequence[str],
        span: Span,
        chain: Sequence[str],
        above: tuple[str, ...],
    ) -> None:
        """A node with the labels `chain` from outside in (ROOT first at the top)."""
        name, *inner = chain
        context = above[: self.ancestors]
        if name != ROOT:
            where = (span[0], span[1] - 1, self.labels.index(name), self.contexts.index(context))
            self.parts.append(("span", where))
        seen = () if name == ROOT else context
        below = (name, *above)
        if inner:
            self.rule((name, seen, "", (inner[0],), False))
            self.entity(tree, tagging, span, inner, below)
            return
        children = list(self.children(tree, span))
        names = [tree[s][0] if is_entity else tagging[s[0]] for s, is_entity in children]
        self.sequence(name, seen, names, [s[0] for s, _ in children])
        for (child, is_entity), symbol in zip(children, names, strict=True):
            if is_entity:
                self.entity(tree, tagging, child, tree[child], below)
            else:
                place = self.contexts.index(below[: self.ancestors])
                self.parts.append(("tag", (child[0], self.tags.index(symbol), place)))

    def children(
        self, tree: dict[Span, tuple[str, ...]], span: Span
    ) -> Iterator[tuple[Span, bool]]:
        at = span[0]
        while at < span[1]:
            inner = [s for s in tree if s[0] == at and s[1] <= span[1] and s != span]
            if inner:
                widest = max(inner, key=lambda s: s[1])
                yield widest, True
                at = widest[1]
            else:
                yield (at, at + 1), False
                at += 1

    def sequence(
        self, name: str, seen: tuple[str, ...], names: Sequence[str], starts: Sequence[int]
    ) -> None:
        """The rules of a right-branching binarisation, the last two children together."""
        if len(names) == 1:
            self.rule((name, seen, "", (names[0],), False))
            return
        for k in range(len(names) - 1):
            before = names[k - 1] if k and self.siblings else ""
            last = k == len(names) - 2
            together = (names[k], names[k + 1]) if last else (names[k],)
            self.rule((name, seen, before, together, not last))
        if self.siblings:
            for k in range(1, len(names)):
                pair = (self.symbols.index(names[k - 1]), self.symbols.index(names[k]))
                self.parts.append(("meet", (starts[k], *pair)))


def grammar(
    n: int,
    labels: Sequence[str],
    tags: Sequence[str],
    contexts: Sequence[tuple[str, ...]],
    rules: Sequence[Rule],
    ancestors: int,
    siblings: int,
    unary: int,
    restricted: bool,
) -> Enumeration:
    """`restricted`: only trees all of whose rules are in `rules`."""
    number = {rule: k for k, rule in enumerate(rules)}
    for family in laminar_families(n, None):
        for choice in product(chains(labels, unary), repeat=len(family)):
            tree = dict(zip(family, choice, strict=True))
            mentions = frozenset(Mention(x, (s,)) for s, chain in tree.items() for x in chain)
            order = tuple(sorted((*s, c) for s, c in tree.items() if len(c) > 1))
            for tagging in product(tags, repeat=n):
                walk = Walk(labels, tags, contexts, number, ancestors, siblings)
                if n:
                    top = (ROOT, *tree.get((0, n), ()))
                    walk.entity(tree, tagging, (0, n), top, ())
                if restricted and not number.keys() >= set(walk.used):
                    continue
                yield Analysis(mentions, tagging, order if unary > 1 else None), walk.parts
