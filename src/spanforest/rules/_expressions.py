"""The little language inside rules: integer terms, comparisons and relations, as strings.

A condition is a conjunction such as `1 <= l <= L and i < j-l and arc(a, b)`. Strings are parsed
by Python's own parser and anything but names, integers, `+ - *`, table look-ups `window[t]`,
comparisons, `and` and calls of relations is refused, so that a rule can be printed, reasoned
about, and compiled without trusting whoever wrote it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import RuleError

Terms: TypeAlias = Mapping[str, int]
"""A linear form: coefficient of every variable, constant or look-up; of 1 under the key ""."""

ATOM = re.compile(r"\s*([A-Za-z_]\w*)\(([^()]*)\)")


@dataclass(frozen=True)
class Expression:
    """An integer expression: its text, the names it uses, and its linear form if it has one.

    `tables` are the names that it looks something up in.
    """

    text: str
    order: tuple[str, ...]
    terms: Terms | None
    tables: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """The names, those of tables left out."""
        return frozenset(self.order)

    @property
    def simplified(self) -> str:
        """The text with numbers added up: `i+1+1` is `i+2`."""
        if self.terms is None or any(c != 1 for name, c in self.terms.items() if name):
            return self.text
        constant = self.terms.get("", 0)
        sum_of_names = "+".join(name for name in self.terms if name)
        return f"{sum_of_names}{constant:+d}" if constant else sum_of_names or "0"


@dataclass(frozen=True)
class Atom:
    """A predicate with arguments: an item, a part or a relation, as in `content(i, j-1)`."""

    predicate: str
    arguments: tuple[Expression, ...]

    @property
    def sides(self) -> tuple[Expression, ...]:
        """The arguments (what a condition is made of)."""
        return self.arguments

    @property
    def names(self) -> frozenset[str]:
        """All names in the arguments."""
        return frozenset().union(*(argument.names for argument in self.arguments))

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(argument.text for argument in self.arguments)})"


@dataclass(frozen=True)
class Comparison:
    """`left operator right`, one link of a chain of comparisons."""

    left: Expression
    operator: str
    right: Expression

    @property
    def sides(self) -> tuple[Expression, ...]:
        """Left and right."""
        return self.left, self.right

    @property
    def names(self) -> frozenset[str]:
        """All names on both sides."""
        return self.left.names | self.right.names

    @property
    def text(self) -> str:
        """The comparison as it is printed and compiled."""
        return f"{self.left.text} {self.operator} {self.right.text}"

    @property
    def simplified(self) -> str:
        """The comparison with numbers added up on both sides."""
        return f"{self.left.simplified} {self.operator} {self.right.simplified}"

    def at_least_zero(self) -> Iterator[Terms]:
        """The linear forms that are >= 0 exactly when the comparison holds (none for !=)."""
        left, right = self.left.terms, self.right.terms
        if left is None or right is None:
            return
        if self.operator in ("<", "<=", "=="):
            yield _sum(right, left, -1, -int(self.operator == "<"))
        if self.operator in (">", ">=", "=="):
            yield _sum(left, right, -1, -int(self.operator == ">"))


def parse_expressions(text: str) -> tuple[Expression, ...]:
    """The expressions of a list such as `i, j-1, t`; empty for an empty text."""
    if not text.strip():
        return ()
    tree = _parse(f"({text},)", text)
    assert isinstance(tree, ast.Tuple)
    return tuple(_expression(node, text) for node in tree.elts)


def parse_atoms(text: str) -> tuple[Atom, ...]:
    """The atoms of a body such as `content(i, j-1) mention(j-1, j)`."""
    atoms, at = [], 0
    while text[at:].strip():
        match = ATOM.match(text, at)
        if match is None:
            raise RuleError(f"expected an atom such as item(i, j) at {text[at:]!r} in {text!r}")
        atoms.append(Atom(match[1], parse_expressions(match[2])))
        at = match.end()
    return tuple(atoms)


def parse_atom(text: str) -> Atom:
    """The only atom of a text."""
    atoms = parse_atoms(text)
    if len(atoms) != 1:
        raise RuleError(f"expected one atom such as item(i, j), not {text.strip()!r}")
    return atoms[0]


def parse_condition(text: str) -> tuple[Comparison | Atom, ...]:
    """The conjuncts of a condition; empty for an empty text."""
    if not text.strip():
        return ()
    tree = _parse(text, text)
    nodes = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return tuple(conjunct for node in nodes for conjunct in _conjuncts(node, text))


def _conjuncts(node: ast.expr, text: str) -> Iterator[Comparison | Atom]:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if type(operator) not in OPERATORS:
                raise RuleError(f"only < <= == != >= > compare, in {text!r}")
            yield Comparison(
                _expression(left, text), OPERATORS[type(operator)], _expression(right, text)
            )
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        yield Atom(node.func.id, tuple(_expression(argument, text) for argument in node.args))
    else:
        raise RuleError(
            f"expected comparisons and relations joined by 'and', not {ast.unparse(node)!r}, "
            f"in {text!r}"
        )


OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.GtE: ">=",
    ast.Gt: ">",
}


def _parse(code: str, text: str) -> ast.expr:
    try:
        return ast.parse(code, mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"cannot read {text!r}: {error.msg}") from error


def _expression(node: ast.expr, text: str) -> Expression:
    tables = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name):
            tables.add(part.value)
        elif not isinstance(part, ALLOWED) or (
            isinstance(part, ast.Constant) and type(part.value) is not int
        ):
            raise RuleError(f"{ast.unparse(node)!r} is not an integer expression, in {text!r}")
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n not in tables]
    order = dict.fromkeys(n.id for n in sorted(names, key=lambda n: n.col_offset))
    return Expression(
        _compact(node), tuple(order), _linear(node), frozenset(table.id for table in tables)
    )


ALLOWED = (
    ast.BinOp,
    ast.UnaryOp,
    ast.USub,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Subscript,
)


def _compact(node: ast.expr) -> str:
    return ast.unparse(node).replace(" ", "")


def _linear(node: ast.expr) -> Terms | None:
    """The linear form of an expression, None if it multiplies two unknowns."""
    match node:
        case ast.Constant(value=int(value)):
            return {"": value}
        case ast.Name(id=name):
            return {name: 1}
        case ast.Subscript():
            return {_compact(node): 1}
        case ast.UnaryOp(operand=operand):
            inner = _linear(operand)
            return None if inner is None else _sum({}, inner, -1)
        case ast.BinOp(left=left, op=operator, right=right):
            a, b = _linear(left), _linear(right)
            if a is None or b is None:
                return None
            if isinstance(operator, ast.Mult):
                if set(a) - {""} and set(b) - {""}:
                    return None
                constant, form = (a, b) if not set(a) - {""} else (b, a)
                return _sum({}, form, constant.get("", 0))
            return _sum(a, b, 1 if isinstance(operator, ast.Add) else -1)
    return None


def _sum(a: Terms, b: Terms, factor: int = 1, constant: int = 0) -> Terms:
    """`a + factor * b + constant`."""
    result = dict(a)
    for name, coefficient in b.items():
        result[name] = result.get(name, 0) + factor * coefficient
    result[""] = result.get("", 0) + constant
    return {name: coefficient for name, coefficient in result.items() if coefficient}
