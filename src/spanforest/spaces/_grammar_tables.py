"""The finite tables that the rules of `Grammar` look things up in (numbers as in `grammar`)."""

from collections.abc import Iterable, Mapping, Sequence

from ..rules.notation import Relation
from ._tree import ROOT, GrammarRule

MEANINGS = {
    "T": "number of labels",
    "S": "number of labels and tags; symbol S is ROOT, or no child before",
    "C": "number of contexts; context C is that of ROOT",
    "M": "number of sets of labels that one span can have; 0 is none",
    "R": "number of grammar rules",
    "unary": "grammar rule r: a below c has the one child b",
    "pair": "grammar rule r: the last children of a below c are b and e, behind p",
    "more": "grammar rule r: the next child of a below c is b, behind p, and others follow",
    "below": "d is the context of the children of a, if c is that of a",
    "wraps": "m is the set l with the label a, which it does not have",
    "alone": "m is the set of the label a alone",
    "tops": "a node b can have the set l on its span",
    "recalled": "q is what is known of child b when the next children are read",
}
"""Of constants and relations."""

Context = tuple[str, ...]
Chain = frozenset[str]


def tables(
    labels: Sequence[str],
    symbols: Sequence[str],
    contexts: Sequence[Context],
    chains: Sequence[Chain],
    rules: Iterable[GrammarRule],
    ancestors: int,
    siblings: int,
) -> dict[str, Relation]:
    """All relations."""
    none = len(symbols) - 1
    return {
        **_of_rules(rules, symbols, contexts),
        **_of_contexts(labels, symbols, contexts, ancestors),
        **_of_chains(labels, symbols, chains),
        "recalled": frozenset((b, b if siblings else none) for b in range(none)),
    }


def _of_rules(
    rules: Iterable[GrammarRule], symbols: Sequence[str], contexts: Sequence[Context]
) -> dict[str, Relation]:
    """The rules of the grammar, by their forms."""
    number = {symbol: k for k, symbol in enumerate(symbols)}
    context = {c: k for k, c in enumerate(contexts)}
    numbered: dict[str, set[tuple[int, ...]]] = {"unary": set(), "pair": set(), "more": set()}
    for r, rule in enumerate(rules):
        above = len(contexts) if rule.parent == ROOT else context[rule.ancestors]
        head = (r, number[rule.parent], above)
        children = tuple(number[child] for child in rule.children)
        before = number[rule.before or ROOT]
        if len(children) == 1 and not rule.more:
            numbered["unary"].add((*head, *children))
        else:
            numbered["more" if rule.more else "pair"].add((*head, before, *children))
    return {name: frozenset(rows) for name, rows in numbered.items()}


def _of_contexts(
    labels: Sequence[str], symbols: Sequence[str], contexts: Sequence[Context], ancestors: int
) -> dict[str, Relation]:
    """The contexts of children."""
    context = {c: k for k, c in enumerate(contexts)}
    top = (len(symbols) - 1, len(contexts), context[(ROOT,)[:ancestors]])
    return {
        "below": frozenset(
            {top}
            | {
                (number, k, context[(label, *above)[:ancestors]])
                for above, k in context.items()
                for number, label in enumerate(labels)
            }
        )
    }


def _of_chains(
    labels: Sequence[str], symbols: Sequence[str], chains: Sequence[Chain]
) -> dict[str, Relation]:
    """The sets of labels on one span."""
    chain: Mapping[Chain, int] = {c: k for k, c in enumerate(chains)}
    numbered = list(enumerate(labels))
    return {
        "wraps": frozenset(
            (a, chain[inner], chain[inner | {label}])
            for inner in chains
            for a, label in numbered
            if label not in inner and inner | {label} in chain
        ),
        "alone": frozenset((a, chain[frozenset({label})]) for a, label in numbered),
        "tops": frozenset((b, 0) for b in range(len(labels), len(symbols) - 1))
        | frozenset((a, k) for c, k in chain.items() for a, label in numbered if label in c),
    }
