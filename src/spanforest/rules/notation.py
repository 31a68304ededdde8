"""The notation: a space of analyses as a literal of items, parts and deduction rules.

For example::

    System(
        name="semi-Markov",
        items=(Item("prefix(j)", "[→, {j}]", "0 <= j <= n"),),
        parts=(Part("span(i, j, t)", "[{t}, {i}, {j}]", "0 <= i < j <= n and 0 <= t < T"),),
        rules=(
            Rule("axiom", "prefix(j) <-", where="j == 0"),
            Rule("a", "prefix(j) <- prefix(i) span(i, j, t)", mention="t, i, j"),
            Rule("b", "prefix(j) <- prefix(j-1)"),
        ),
        goal="prefix(n)",
        constants={"T": 2},
    )

An *item* is something proved on the way (a prefix of the sentence, a mention with its inside), a
*part* is something scored (a span with a label), the *goal* is the item that stands for a whole
analysis. All arguments are integers; fenceposts run from 0 to n, labels and states from 0. Names
in a rule are variables, except `n`, the `constants` (an integer, or a table `window[t]`) and the
`relations` (finite tables of integers: the arcs of an automaton, the rules of a grammar).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from ..errors import RuleError, located
from ._check import check
from ._expressions import (
    Atom,
    Comparison,
    Expression,
    parse_atom,
    parse_atoms,
    parse_condition,
    parse_expressions,
)

Relation: TypeAlias = frozenset[tuple[int, ...]]
Constant: TypeAlias = int | Sequence[int]


@dataclass(frozen=True)
class Predicate:
    """The declaration of an item or a part: `form` names its arguments, `where` their range."""

    form: str
    glyph: str
    where: str = ""
    meaning: str = ""

    @cached_property
    def atom(self) -> Atom:
        """The form, parsed: a name and distinct variables."""
        atom = parse_atom(self.form)
        variables = [argument.text for argument in atom.arguments]
        if len(set(variables)) < len(variables) or not all(v.isidentifier() for v in variables):
            raise RuleError(f"{self.form}: the arguments of a declaration are distinct variables")
        return atom

    @property
    def name(self) -> str:
        """The name before the parentheses."""
        return self.atom.predicate

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the arguments."""
        return tuple(argument.text for argument in self.atom.arguments)

    def show(self, arguments: Sequence[str]) -> str:
        """The predicate in the notation of the paper."""
        return self.glyph.format(**dict(zip(self.variables, arguments, strict=True)))

    def range_of(self, arguments: Sequence[Expression]) -> tuple[Comparison | Atom, ...]:
        """The range condition, with `arguments` in place of the declared variables."""
        texts = {
            v: a.text if a.text.isidentifier() else f"({a.text})"
            for v, a in zip(self.variables, arguments, strict=True)
        }
        return parse_condition(substitute(self.where, texts))


@dataclass(frozen=True)
class Item(Predicate):
    """Something a derivation proves. In a trace, the proof of a `block` item stands together."""

    block: bool = False


@dataclass(frozen=True)
class Part(Predicate):
    """Something scored: `index` is where in the score array, which is called like the part
    unless `scores` names another.
    """

    index: str = ""
    scores: str = ""

    @property
    def array(self) -> str:
        """The name of the score array."""
        return self.scores or self.name


@dataclass(frozen=True)
class Rule:
    """A deduction rule: `head <- antecedents`, if `where`.

    Applying it completes the mention `"label, start, end"` (further values tell apart mentions
    that differ only in structure), gives a word the tag `"word, tag"`, and leaves the words of
    the range `outside` out of every mention, where these are given.
    """

    name: str
    text: str
    where: str = ""
    mention: str = ""
    tag: str = ""
    outside: str = ""

    @cached_property
    def head(self) -> Atom:
        """What the rule proves."""
        return parse_atom(self.text.partition("<-")[0])

    @cached_property
    def body(self) -> tuple[Atom, ...]:
        """The antecedents: items and parts."""
        return parse_atoms(self.text.partition("<-")[2])

    @cached_property
    def condition(self) -> tuple[Comparison | Atom, ...]:
        """The side condition, as conjuncts."""
        return parse_condition(self.where)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names in the rule but those of predicates, in order of appearance."""
        groups = [atom.arguments for atom in (self.head, *self.body)]
        groups += [conjunct.sides for conjunct in self.condition]
        names = (name for group in (*groups, *self.events) for e in group for name in e.order)
        return tuple(dict.fromkeys(names))

    @cached_property
    def events(self) -> tuple[tuple[Expression, ...], ...]:
        """What `mention`, `tag` and `outside` say, in this order."""
        return tuple(parse_expressions(text) for text in (self.mention, self.tag, self.outside))

    def with_values(self, values: Mapping[str, int]) -> "Rule":
        """The rule for given values, as in rule (j_l) for l = 1; sides that are then true go."""
        texts = {name: str(value) for name, value in values.items()}
        where = (c for c in parse_condition(substitute(self.where, texts)) if not _trivial(c))
        return replace(
            self,
            text=substitute(self.text, texts),
            where=" and ".join(str(c) if isinstance(c, Atom) else c.simplified for c in where),
        )


@dataclass(frozen=True, eq=False)
class System:
    """A deduction system: everything that defines a space, in one literal.

    `names` maps a variable of a declaration to the names of its values, `meanings` a constant or
    a relation to what it is, for printing.
    """

    name: str
    items: tuple[Item, ...]
    parts: tuple[Part, ...]
    rules: tuple[Rule, ...]
    goal: str
    constants: Mapping[str, Constant] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with located(self.name):
            check(self)

    @cached_property
    def _items(self) -> Mapping[str, Item]:
        return {item.name: item for item in self.items}

    @cached_property
    def _parts(self) -> Mapping[str, Part]:
        return {part.name: part for part in self.parts}

    @cached_property
    def goal_atom(self) -> Atom:
        """The goal, parsed; its arguments may use `n` and constants."""
        return parse_atom(self.goal)

    def is_item(self, atom: Atom) -> bool:
        """Whether the atom is an item (else it is a part)."""
        return atom.predicate in self._items

    def declaration(self, name: str) -> Item | Part:
        """The declared item or part of that name."""
        return self._items[name] if name in self._items else self._parts[name]

    def position(self, name: str) -> int:
        """The position of an item among the items, or of a part among the parts."""
        return list(self._items if name in self._items else self._parts).index(name)

    def variables(self, rule: Rule) -> tuple[str, ...]:
        """The variables of a rule, in order of appearance."""
        return tuple(name for name in rule.names if name != "n" and name not in self.constants)

    def conditions(self, rule: Rule) -> tuple[Comparison | Atom, ...]:
        """All a rule instance obeys: its side condition and the ranges of its items and parts."""
        ranges = (
            self.declaration(atom.predicate).range_of(atom.arguments)
            for atom in (rule.head, *rule.body)
        )
        return (*rule.condition, *(conjunct for conjuncts in ranges for conjunct in conjuncts))

    def show(self, atom: Atom) -> str:
        """An atom of a rule in the notation of the paper."""
        return self.declaration(atom.predicate).show([a.text for a in atom.arguments])

    def show_ground(self, name: str, values: Sequence[int]) -> str:
        """A ground item or part in the notation of the paper, labels by name."""
        declaration = self.declaration(name)
        shown = [
            self.names[variable][value] if variable in self.names else str(value)
            for variable, value in zip(declaration.variables, values, strict=True)
        ]
        return declaration.show(shown)

    def table(self) -> list[tuple[str, str, str, str]]:
        """The rules for people: name, antecedents, consequent, side condition."""
        return [
            (
                rule.name,
                " ".join(self.show(atom) for atom in rule.body),
                self.show(rule.head),
                pretty(rule.where),
            )
            for rule in self.rules
        ]

    def __str__(self) -> str:
        rows = [
            (f"({name})", f"{body} ⊢ {head}".strip(), where)
            for name, body, head, where in self.table()
        ]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(
            f"{name:<{widths[0]}}  {text:<{widths[1]}}  {where}".rstrip()
            for name, text, where in rows
        )


def substitute(text: str, values: Mapping[str, str]) -> str:
    """`text` with whole names replaced."""
    return re.sub(r"[A-Za-z_]\w*", lambda match: values.get(match[0], match[0]), text)


def pretty(condition: str) -> str:
    """A condition with mathematical signs."""
    for plain, sign in (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("==", "="), (" and ", ", ")):
        condition = condition.replace(plain, sign)
    return condition


def rules_up_to(rules: Iterable[Rule], variable: str, bound: str, limit: int) -> tuple[Rule, ...]:
    """`rules` for a variable that runs from 1 to the constant `bound`, which is `limit`: without
    those that use it if there is no value, with the value put in if there is only one.
    """
    if limit == 1:
        return tuple(rule.with_values({variable: 1, bound: 1}) for rule in rules)
    return tuple(rule for rule in rules if limit > 0 or variable not in rule.names)


def _trivial(conjunct: Comparison | Atom) -> bool:
    """Whether a conjunct compares two numbers and is true."""
    if isinstance(conjunct, Atom) or conjunct.operator == "!=":
        return False
    return all(not (set(form) - {""}) and form.get("", 0) >= 0 for form in conjunct.at_least_zero())
