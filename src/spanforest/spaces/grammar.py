"""`Grammar`: nested mentions as constituents, with joint tags (paper 004, SPEC S8).

Numbers: symbols are the labels, then the tags, then ROOT (which also stands for "no sibling
before"); contexts are the nearest ancestors of a node, those of children of ROOT first and the
empty one of ROOT itself last; chains are the sets of labels that end a derivation on one span.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from .. import _core
from .. import rules as interpreter
from .._checks import LARGEST, checked_count, checked_names, ordered
from ..errors import LabelError, NotRepresentable, OptionError, Violation
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System
from ..types import Analysis, Mention
from ._grammar_tables import MEANINGS, tables
from ._space import Space, cross, in_groups
from ._tree import (
    ROOT,
    GrammarRule,
    RuleSet,
    Span,
    Tree,
    labels_on_spans,
    orders_in,
    structure_of,
)

if TYPE_CHECKING:
    from ..rules.graph import Edge, Graph
    from ..rules.semirings import Derivation

NODE, REST, GOAL = range(3)
ITEMS = (
    Item(
        "node(a, c, m, i, j)",
        "N({a},{c},{m},{i},{j})",
        "0 <= a <= S and 0 <= c <= C and 0 <= m < M and 0 <= i < j <= n",
        "a constituent a of words i to j-1 below c, whose chain of labels on this span is m",
        block=True,
    ),
    Item(
        "rest(a, c, p, i, j)",
        "@({a},{c},{p},{i},{j})",
        "0 <= a <= S and 0 <= c <= C and 0 <= p <= S and 0 <= i and i+2 <= j <= n",
        "the last children, two or more, of a constituent a below c; p is the child before them",
    ),
    Item("goal(i)", "[goal, {i}]", "i == n", "the tree of the sentence"),
)

PARTS = (
    Part(
        "tag(i, b, c)",
        "nl({b},{c},{i})",
        "0 <= i < n and T <= b < S and 0 <= c < C",
        "word i has tag b, below c",
        "i, b-T, c",
    ),
    Part(
        "span(i, j, a, c)",
        "nl({a},{c},{i},{j})",
        "0 <= i < j <= n and 0 <= a < T and 0 <= c < C",
        "words i to j-1 are a mention labelled a, below c",
        "i, j-1, a, c",
    ),
    Part("rule(r)", "r({r})", "0 <= r < R", "grammar rule r is used", "r"),
    Part(
        "meet(k, b, e)",
        "r({b}·{e},{k})",
        "1 <= k < n and 0 <= b < S and 0 <= e < S",
        "siblings b and e meet at fencepost k",
        "k, b, e",
    ),
)

NODES = (
    Rule("pos", "node(b, c, m, i, j) <- tag(i, b, c)", "j == i+1 and m == 0", tag="i, b-T"),
    Rule(
        "un",
        "node(a, c, m, i, j) <- node(b, d, l, i, j) span(i, j, a, c) rule(r)",
        "unary(r, a, c, b) and below(a, c, d) and wraps(a, l, m)",
        mention="a, i, j, m",
    ),
    Rule(
        "un",
        "node(a, c, m, i, j) <- node(b, d, l, i, j) rule(r)",
        "a == S and m == 0 and unary(r, a, c, b) and below(a, c, d) and tops(b, l)",
    ),
    Rule(
        "@",
        "node(a, c, m, i, j) <- rest(a, c, p, i, j) span(i, j, a, c)",
        "p == S and alone(a, m)",
        mention="a, i, j, m",
    ),
    Rule("@", "node(a, c, m, i, j) <- rest(a, c, p, i, j)", "a == S and p == S and m == 0"),
    Rule("goal", "goal(i) <- node(a, c, m, h, i)", "a == S and c == C and m == 0 and h == 0"),
    Rule("empty", "goal(i) <-", "i == 0"),
)

LAST = "rest(a, c, p, i, j) <- node(b, d, l, i, k) node(e, d, u, k, j) rule(r)"
NEXT = "rest(a, c, p, i, j) <- node(b, d, l, i, k) rest(a, c, q, k, j) rule(r)"
LAST_WHERE = "pair(r, a, c, p, b, e) and below(a, c, d) and tops(b, l) and tops(e, u)"
NEXT_WHERE = "more(r, a, c, p, b) and below(a, c, d) and tops(b, l) and recalled(b, q)"

WITHOUT_SIBLINGS = (Rule("b", LAST, LAST_WHERE), Rule("b@", NEXT, NEXT_WHERE))
WITH_SIBLINGS = (
    Rule("b0", f"{LAST} meet(k, b, e)", f"p == S and {LAST_WHERE}"),
    Rule("b0@", NEXT, f"p == S and {NEXT_WHERE}"),
    Rule("b1", f"{LAST} meet(i, p, b) meet(k, b, e)", f"p != S and {LAST_WHERE}"),
    Rule("b1@", f"{NEXT} meet(i, p, b)", f"p != S and {NEXT_WHERE}"),
)


@dataclass(frozen=True, repr=False)
class Grammar(Space):
    """Nested mentions and tags as a tree: ROOT, mentions, and a tag above every word.

    - `ancestors`: how many (0 to 2) a node's score and its rule see;
    - `siblings`: whether (1) or not (0) a rule sees the child before its children;
    - `unary`: at most so many labels on one span. With more than one, mentions of one span are a
      chain and `Analysis.structure` has `(start, end, labels from outside in)` for each such
      span; `encode` takes the order of `labels` if it can.
    - `observed`: the rules (`GrammarRule`) that may be used (`rules_of` lists those of an
      analysis); None: all, `grammar`, whose number grows fast. If no tree has some mentions
      with the given tags (or none exists for n words at all), `encode` refuses them although
      `violations`, which asks for any tags, finds none.

    Scores (C contexts of `ancestors`, S = T + P symbols, labels first; R rules of `grammar`):

    - `tag` [n, P, C or 1] = [word, tag, context];
    - `span` [n, n, T, C or 1] = [first word, last word, label, context];
    - `rule` [R], optional, usually shared by all sentences;
    - `meet` [n, S, S], optional, with siblings=1 only: [k, b, e], siblings b and e meet between
      words k-1 and k; row 0 is never read. With `rule` this stands for scores of rules with
      span and split, which would be cubic.

    Time O(n³ R). Cannot represent crossing or discontinuous mentions.
    """

    labels: Sequence[str]
    tags: Sequence[str]
    ancestors: int = 2
    siblings: int = 1
    unary: int = 1
    observed: Sequence[GrammarRule] | None = None

    has_tags = True
    label_limit = "unary"
    together = "no rule of the grammar has it among the children that are kept"

    def __post_init__(self) -> None:
        self._set(
            labels=checked_names("labels", self.labels),
            tags=checked_names("tags", self.tags),
            ancestors=checked_count("ancestors", self.ancestors, 0, most=2),
            siblings=checked_count("siblings", self.siblings, 0, most=1),
            unary=checked_count("unary", self.unary, 1, most=LARGEST),
        )
        shared = {*self.labels, ROOT} & {*self.tags} | {*self.labels} & {ROOT}
        if shared:
            raise LabelError(f"{', '.join(sorted(shared))}: labels, tags and ROOT must be distinct")
        if self.observed is not None:
            given = ordered("observed", self.observed, "a list of rules", OptionError)
            self._set(observed=tuple(dict.fromkeys(map(self._checked_rule, given))))

    @property
    def tag_names(self) -> Sequence[str]:
        return self.tags

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Labels, tags and ROOT."""
        return (*self.labels, *self.tags, ROOT)

    @cached_property
    def _every_rule(self) -> RuleSet:
        return RuleSet(self.labels, self.tags, self.ancestors, self.siblings, self.unary)

    @property
    def contexts(self) -> tuple[tuple[str, ...], ...]:
        """The ancestors that a node can have, nearest first, as far as they are seen."""
        return self._every_rule.contexts

    @cached_property
    def chains(self) -> tuple[frozenset[str], ...]:
        """The sets of labels that one span can have, the empty one first."""
        sizes = range(min(self.unary, len(self.labels)) + 1)
        return tuple(frozenset(c) for size in sizes for c in combinations(self.labels, size))

    @cached_property
    def grammar(self) -> tuple[GrammarRule, ...]:
        """The rules of the grammar, in the order of the scores `rule`."""
        return tuple(self._every_rule if self.observed is None else self.observed)

    def rules_of(self, analysis: Analysis, n: int) -> tuple[GrammarRule, ...]:
        """The rules that the tree of an analysis uses, sorted, whether or not in `observed`.

        Without a structure, labels on one span are taken in the order of `labels`.
        """
        chains = self._chains_in(analysis, n)
        tags = self._checked_tags(analysis.tags, n)
        if not tags:
            return ()
        tree = Tree(chains, tags, self.ancestors, self.siblings)
        return tuple(sorted(set(tree.rules((0, n), ROOT, (), chains.get((0, n), ())))))

    def _chains_in(self, analysis: Analysis, n: int) -> dict[Span, tuple[str, ...]]:
        """The labels on each span, from outside in, of an analysis that some tree has."""
        kept: list[Mention] = []
        violations: list[Violation] = []
        for mention in self.check_analysis(analysis, n):
            if reason := self._exclusion(mention, kept):
                violations.append(Violation(mention, reason))
            else:
                kept.append(mention)
        orders = orders_in(analysis.structure)
        chains = {
            span: order if {*(order := orders.get(span, ()))} == {*labels} else labels
            for span, labels in labels_on_spans(self._in_order(kept)).items()
        }
        structure = None if self.unary == 1 else structure_of(chains)
        if violations or analysis.structure not in (None, structure):
            raise replace(self, observed=None).not_an_analysis(analysis, n)
        return chains

    @cached_property
    def system(self) -> System:
        siblings = WITH_SIBLINGS if self.siblings else WITHOUT_SIBLINGS
        symbols, contexts = self.symbols, ["^".join(context) for context in self.contexts]
        return System(
            f"grammar, {self.ancestors} ancestors, {self.siblings} siblings",
            items=ITEMS,
            parts=PARTS if self.siblings else PARTS[:-1],
            rules=(*NODES[:5], *siblings, *NODES[5:]),
            goal="goal(n)",
            constants={
                "T": len(self.labels),
                "S": len(symbols) - 1,
                "C": len(contexts),
                "M": len(self.chains),
                "R": len(self.grammar),
            },
            relations=tables(
                self.labels,
                symbols,
                self.contexts,
                self.chains,
                self.grammar,
                self.ancestors,
                self.siblings,
            ),
            meanings=MEANINGS,
            names={
                **dict.fromkeys("abe", symbols),
                "p": (*symbols[:-1], "–"),
                "c": (*contexts, "–"),
                "m": ["+".join(sorted(chain)) or "–" for chain in self.chains],
                "r": [str(rule) for rule in self.grammar],
            },
        )

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        context = Axis("context", len(self.contexts), constant_allowed=True)
        symbols = len(self.symbols) - 1
        arrays = (
            ScoreArray(
                "span",
                "span[i, j, a, c]: words i to j (both included) are a mention a below context c",
                (Axis("first word"), Axis("last word"), Axis("label", len(self.labels)), context),
                required=True,
            ),
            ScoreArray(
                "tag",
                "tag[i, b, c]: word i has tag b below context c",
                (Axis("word"), Axis("tag", len(self.tags)), context),
                required=True,
            ),
            ScoreArray(
                "rule", "rule[r]: rule r of `grammar` is used", (Axis("rule", len(self.grammar)),)
            ),
            ScoreArray(
                "meet",
                "meet[k, b, e]: siblings b and e meet between words k-1 and k",
                (Axis("word behind"), Axis("sibling", symbols), Axis("next sibling", symbols)),
            ),
        )
        return arrays if self.siblings else arrays[:-1]

    def _native_program(self) -> _core.Space:
        number = {symbol: k for k, symbol in enumerate(self.symbols)}
        relations, root = self.system.relations, number[ROOT]
        below = [[-1] * (len(self.contexts) + 1) for _ in self.symbols]
        for a, c, d in relations["below"]:
            below[a][c] = d
        rows = [
            *((r, a, c, root, b, -1, False) for r, a, c, b in relations["unary"]),
            *((r, a, c, p, b, e, False) for r, a, c, p, b, e in relations["pair"]),
            *((r, a, c, p, b, -1, True) for r, a, c, p, b in relations["more"]),
        ]
        tags_first = sorted(rows, key=lambda row: (-row[4], -row[5], row))
        chains = [[number[label] for label in chain] for chain in self.chains]
        return _core.Space.grammar(
            len(self.labels), len(self.tags), bool(self.siblings), tags_first, below, chains
        )

    def structure_of(self, numbers: Sequence[int]) -> Hashable:
        if self.unary == 1:
            return None
        chains: dict[tuple[int, int], tuple[str, ...]] = {}
        for i, j, label in in_groups(numbers, 3):
            chains[i, j] = (*chains.get((i, j), ()), self.labels[label])
        return structure_of(chains)

    def structure_numbers(self, structure: Hashable) -> list[int]:
        orders = orders_in(structure).items()
        known = ((i, j, label) for (i, j), labels in orders for label in labels)
        return [x for i, j, a in known if a in self.labels for x in (i, j, self.labels.index(a))]

    def words_left_out(self, graph: Graph, edge: Edge) -> Iterable[int]:
        """The words whose tags are children of ROOT."""
        kind, parent, *_ = graph.items[edge.head]
        if kind == GOAL or parent != len(self.symbols) - 1:
            return ()
        tags = range(len(self.labels), len(self.symbols) - 1)
        below = (graph.items[b] for b in edge.body)
        return [start for kind, a, _, _, start, *_ in below if kind == NODE and a in tags]

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        plain = super().analysis(graph, derivation)
        if self.unary == 1:
            return plain
        completed = (edge.mention for edge in derivation if edge.mention)
        outside_in = sorted(completed, key=lambda mention: -len(self.chains[mention[3]]))
        mentions = [Mention.span(self.labels[a], i, j) for a, i, j, _ in outside_in]
        return replace(plain, structure=structure_of(labels_on_spans(mentions)))

    def _admits(self, analysis: Analysis, n: int) -> Callable[[Edge], bool]:
        tagged = super()._admits(analysis, n)
        chains: dict[tuple[int, ...], int] = {}
        for (i, j), labels in orders_in(analysis.structure).items():
            for k, label in enumerate(labels):
                inner = frozenset(labels[k:])
                if label in self.labels and inner in self.chains:
                    chains[self.labels.index(label), i, j] = self.chains.index(inner)
        return lambda edge: (
            tagged(edge)
            and (
                not edge.mention or chains.get(edge.mention[:3], edge.mention[3]) == edge.mention[3]
            )
        )

    def _encode(
        self, mentions: frozenset[Mention], n: int, tags: tuple[str, ...] | None
    ) -> Analysis:
        if self.unary == 1 and self.observed is None:
            return Analysis(mentions, tags)
        found = self._checked(mentions, n)
        for structure in (self._canonical(mentions), None):
            wanted = Analysis(mentions, tags, structure)
            graph = self._graph_within(found, n, self._admits(wanted, n))
            size, derivation = interpreter.best(graph, lambda edge: len(edge.found))
            if size == len(mentions):
                return self.analysis(graph, derivation)
        raise NotRepresentable(f"no tree of {self!r} has these mentions with these tags")

    def _canonical(self, mentions: Iterable[Mention]) -> Hashable:
        """The structure with labels on one span in the order of `labels`."""
        if self.unary == 1:
            return None
        return structure_of(labels_on_spans(self._in_order(mentions)))

    def _in_order(self, mentions: Iterable[Mention]) -> list[Mention]:
        return sorted(mentions, key=lambda mention: self.labels.index(mention.label))

    def _conflict(self, mention: Mention, other: Mention) -> str:
        if mention.fragments == other.fragments:
            return "has the same tokens as" if self.unary == 1 else ""
        return "crosses" if cross(mention, other) else ""

    def _checked_rule(self, rule: GrammarRule) -> GrammarRule:
        try:
            plain = GrammarRule(*rule)
            exists = plain in self._every_rule
        except TypeError:
            exists = False
        if not exists:
            raise OptionError(
                f"observed: {rule!r} is not a rule for these labels, tags and options"
            )
        return plain
