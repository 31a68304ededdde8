"""From a rule to its instances: each rule becomes one nest of loops, found from its conditions.

Given the head, the remaining variables are enumerated in an order in which each is bounded by
what is already known: looked up in a relation, or running between the bounds that the comparisons
give. The nest is Python source, so it can be read (`source_of`) as well as run.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from ..errors import RuleError
from ._expressions import Atom, Comparison, Expression, parse_expressions
from .notation import Constant, Part, Relation, Rule, System

Instance: TypeAlias = tuple[
    tuple[tuple[int, ...], ...],  # items: position of the item, then its arguments
    tuple[tuple[int, ...], ...],  # parts: position of the part, then its arguments
    tuple[int, ...],  # the mention that is completed: label, start, end, …; () if none
    tuple[int, ...],  # the word that is tagged and its tag; () if none
    tuple[int, ...],  # the range of words left out of all mentions; () if none
]
Expander: TypeAlias = Callable[..., list[Instance]]


def compile_rule(system: System, rule: Rule) -> Expander:
    """A function `(n, *head arguments) -> instances of the rule with that head`."""
    indices = _Indices(system.relations)
    source = _source(system, rule, indices)
    scope: dict[str, Any] = {
        **{f"c_{name}": _as_value(value) for name, value in system.constants.items()},
        **indices.tables,
    }
    exec(compile(source, f"<rule {rule.name}>", "exec"), scope)  # noqa: S102
    expander: Expander = scope["expand"]
    return expander


def compile_position(system: System, part: Part) -> Callable[..., tuple[int, ...]]:
    """A function `(*arguments of the part) -> position in its score array`."""
    scope = {f"c_{name}": _as_value(value) for name, value in system.constants.items()}
    arguments = ", ".join(_name(name, system) for name in part.variables)
    values = _tuple(_code(e, system) for e in parse_expressions(part.index))
    position: Callable[..., tuple[int, ...]] = eval(f"lambda {arguments}: {values}", scope)  # noqa: S307
    return position


def source_of(system: System, rule: Rule) -> str:
    """The nest of loops a rule is compiled to."""
    return _source(system, rule, _Indices(system.relations))


class _Indices:
    """Look-up tables of relations: from the known arguments to the unknown ones."""

    def __init__(self, relations: dict[str, Relation] | Any) -> None:
        self.relations = relations
        self.tables: dict[str, Any] = {}

    def membership(self, name: str) -> str:
        self.tables[f"m_{name}"] = self.relations[name]
        return f"m_{name}"

    def lookup(self, name: str, known: Sequence[int]) -> str:
        key = "_".join(["r", name, *map(str, known)])
        if key not in self.tables:
            table: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
            for row in sorted(self.relations[name]):
                rest = tuple(value for k, value in enumerate(row) if k not in known)
                table.setdefault(tuple(row[k] for k in known), []).append(rest)
            self.tables[key] = table
        return key


def _as_value(value: Constant) -> Constant:
    return value if isinstance(value, int) else tuple(value)


def _source(system: System, rule: Rule, indices: _Indices) -> str:
    """The source of the nest of loops for `rule`."""
    known: set[str] = {"n", *system.constants}
    lines: list[str] = []
    depth = 1

    def emit(text: str) -> None:
        lines.append("    " * depth + text)

    head = [argument.text for argument in rule.head.arguments]
    tests = []
    for k, name in enumerate(head):
        if name in known:
            tests.append(f"h{k} == {_name(name, system)}")
        else:
            emit(f"{_name(name, system)} = h{k}")
            known.add(name)
    pending = list(system.conditions(rule))
    unknown = [name for name in system.variables(rule) if name not in known]
    while True:
        ready = [c for c in pending if c.names <= known]
        pending = [c for c in pending if not c.names <= known]
        tests += dict.fromkeys(_test(c, system, indices) for c in ready)
        if tests:
            emit(f"if {' and '.join(tests)}:")
            depth += 1
            tests = []
        if not unknown:
            break
        loop, found = _next_loop(system, rule, unknown, known, pending, indices)
        emit(loop)
        depth += 1
        known |= found
        unknown = [name for name in unknown if name not in known]
    emit(f"out.append({_instance(system, rule)})")
    arguments = ", ".join(["c_n", *(f"h{k}" for k in range(len(head)))])
    return "\n".join([f"def expand({arguments}):", "    out = []", *lines, "    return out", ""])


def _next_loop(
    system: System,
    rule: Rule,
    unknown: Sequence[str],
    known: set[str],
    pending: Iterable[Comparison | Atom],
    indices: _Indices,
) -> tuple[str, set[str]]:
    """The loop over the next unknown variables: a relation if there is one, else a range."""
    relations = [c for c in pending if isinstance(c, Atom) and _usable(c, known)]
    if relations:
        atom = max(relations, key=lambda a: sum(e.names <= known for e in a.arguments))
        fixed = [k for k, e in enumerate(atom.arguments) if e.names <= known]
        free = [e.text for k, e in enumerate(atom.arguments) if k not in fixed]
        key = _tuple(_code(atom.arguments[k], system) for k in fixed)
        targets = _tuple(_name(name, system) for name in free)
        return f"for {targets} in {indices.lookup(atom.predicate, fixed)}.get({key}, ()):", {*free}
    comparisons = [c for c in pending if isinstance(c, Comparison)]
    for name in unknown:
        low, high = _bounds(name, comparisons, known, system)
        if low and high:
            ends = [_extreme("max", low), _extreme("min", [f"{bound} + 1" for bound in high])]
            return f"for {_name(name, system)} in range({', '.join(ends)}):", {name}
    raise RuleError(
        f"{system.name}, rule ({rule.name}): nothing bounds {' or '.join(unknown)}; give the "
        "items and parts a range, or use a relation"
    )


def _usable(atom: Atom, known: set[str]) -> bool:
    """Whether a relation can be enumerated: its unknown arguments are distinct variables."""
    free = [e.text for e in atom.arguments if not e.names <= known]
    return bool(free) and len(set(free)) == len(free) and all(t.isidentifier() for t in free)


def _bounds(
    name: str, comparisons: Iterable[Comparison], known: set[str], system: System
) -> tuple[list[str], list[str]]:
    """Lower and upper bounds of a variable from comparisons in which all else is known."""
    low: list[str] = []
    high: list[str] = []
    for comparison in comparisons:
        if comparison.names - known != {name}:
            continue
        for form in comparison.at_least_zero():
            rest = [(t, c) for t, c in form.items() if t != name]
            if any(re.search(rf"\b{name}\b", term) for term, _ in rest):
                continue
            if form.get(name) == 1:
                low.append(_linear(rest, -1, system))
            elif form.get(name) == -1:
                high.append(_linear(rest, 1, system))
    return list(dict.fromkeys(low)), list(dict.fromkeys(high))


def _linear(terms: Iterable[tuple[str, int]], factor: int, system: System) -> str:
    written = []
    for term, coefficient in terms:
        value = factor * coefficient
        if term:
            written.append(f"{'' if value == 1 else f'{value} * '}{_names(term, system)}")
        else:
            written.append(str(value))
    return " + ".join(written) or "0"


def _extreme(function: str, bounds: Sequence[str]) -> str:
    return bounds[0] if len(bounds) == 1 else f"{function}({', '.join(bounds)})"


def _test(conjunct: Comparison | Atom, system: System, indices: _Indices) -> str:
    if isinstance(conjunct, Comparison):
        return _names(conjunct.text, system)
    key = _tuple(_code(e, system) for e in conjunct.arguments)
    return f"{key} in {indices.membership(conjunct.predicate)}"


def _instance(system: System, rule: Rule) -> str:
    """The tuple that describes one instance."""

    def ground(atom: Atom) -> str:
        position = str(system.position(atom.predicate))
        return _tuple([position, *(_code(e, system) for e in atom.arguments)])

    items = [ground(atom) for atom in rule.body if system.is_item(atom)]
    parts = [ground(atom) for atom in rule.body if not system.is_item(atom)]
    events = [_tuple(_code(e, system) for e in event) for event in rule.events]
    return _tuple([_tuple(items), _tuple(parts), *events])


def _tuple(values: Iterable[str]) -> str:
    return "(" + "".join(f"{value}, " for value in values) + ")"


def _code(expression: Expression, system: System) -> str:
    return _names(expression.text, system)


def _name(name: str, system: System) -> str:
    """A name that cannot clash: `c_` for constants and n, `v_` for variables."""
    return f"c_{name}" if name == "n" or name in system.constants else f"v_{name}"


def _names(text: str, system: System) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda match: _name(match[0], system), text)
