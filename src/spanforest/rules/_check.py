"""What a system must say before it can be grounded; errors name the rule or the declaration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from ..errors import RuleError, located
from ._expressions import Atom, Comparison, Expression, parse_expressions

if TYPE_CHECKING:
    from .notation import Predicate, Rule, System

EVENTS = {"mention": "label, start, end", "tag": "word, tag", "outside": "start, end"}
"""What the events of a rule are made of; a mention may have further values."""


def check(system: System) -> None:
    """Refuse what no grounding could make sense of."""
    if not system.items or not system.rules:
        raise RuleError("expected at least one item and one rule")
    for name, rows in system.relations.items():
        if len({len(row) for row in rows}) > 1:
            raise RuleError(f"relation {name}: rows of different lengths")
    for name in system.meanings.keys() - {*system.constants, *system.relations}:
        raise RuleError(f"{name} has a meaning, but is neither a constant nor a relation")
    declared = Counter(declaration.name for declaration in (*system.items, *system.parts))
    for name, times in declared.items():
        if times > 1:
            raise RuleError(f"{name} is declared more than once")
    for item in system.items:
        with located(item.form):
            _check_declaration(system, item, "")
    for part in system.parts:
        with located(part.form):
            _check_declaration(system, part, part.index)
    for rule in system.rules:
        with located(f"rule ({rule.name})"):
            _check_rule(system, rule)
    if not system.is_item(system.goal_atom):
        raise RuleError(f"the goal {system.goal} is not an item")
    _check_form(system, system.goal_atom)


def _check_declaration(system: System, declaration: Predicate, index: str) -> None:
    condition = declaration.range_of(declaration.atom.arguments)
    _check_condition(system, condition)
    positions = parse_expressions(index)
    _check_tables(system, positions)
    known = {*system.constants, *declaration.variables}
    _check_names(positions, known)
    for conjunct in condition:
        _check_names(conjunct.sides, {"n", *known})


def _check_names(expressions: Iterable[Expression], known: AbstractSet[str]) -> None:
    for expression in expressions:
        for name in sorted(expression.names - known):
            raise RuleError(f"{expression.text}: {name} is neither an argument nor a constant")


def _check_rule(system: System, rule: Rule) -> None:
    if not system.is_item(rule.head):
        raise RuleError(f"{rule.head.predicate} is not an item")
    for atom in (rule.head, *rule.body):
        _check_form(system, atom)
        _check_tables(system, atom.arguments)
    for argument in rule.head.arguments:
        if not argument.text.isidentifier():
            raise RuleError(f"the arguments of a head are variables, not {argument.text}")
    _check_condition(system, rule.condition)
    for (name, form), event in zip(EVENTS.items(), rule.events, strict=True):
        _check_tables(system, event)
        wanted = form.count(",") + 1
        if event and (len(event) < wanted if name == "mention" else len(event) != wanted):
            raise RuleError(f"{name} {getattr(rule, name)!r} should have the form {form!r}")


def _check_form(system: System, atom: Atom) -> None:
    declared = {d.name: d for d in (*system.items, *system.parts)}.get(atom.predicate)
    if declared is None:
        raise RuleError(f"{atom.predicate} is neither an item nor a part")
    if len(atom.arguments) != len(declared.variables):
        raise RuleError(f"{atom} should have the form {declared.form}")


def _check_condition(system: System, condition: Iterable[Comparison | Atom]) -> None:
    for conjunct in condition:
        _check_tables(system, conjunct.sides)
        if isinstance(conjunct, Comparison):
            continue
        if conjunct.predicate not in system.relations:
            raise RuleError(f"{conjunct.predicate} is not a relation")
        arity = next(map(len, system.relations[conjunct.predicate]), len(conjunct.arguments))
        if len(conjunct.arguments) != arity:
            raise RuleError(f"{conjunct}: the relation has {arity} columns")


def _check_tables(system: System, expressions: Iterable[Expression]) -> None:
    tables = {name for name, value in system.constants.items() if not isinstance(value, int)}
    for expression in expressions:
        for name in sorted(expression.tables - tables):
            raise RuleError(f"{expression.text}: {name} is not a table of constants")
        for name in sorted(expression.names & tables):
            raise RuleError(f"{expression.text}: {name} is a table, which needs an index")
