"""Grounding: the items and edges of a system for a sentence of n words, in evaluation order.

A `Graph` is the hypergraph of all derivations: every item that can be derived from axioms and is
needed for the goal, every edge (rule instance) between such items. It does not depend on scores,
so one graph serves all sentences of a length. The algorithms are in `algorithms.py`.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from .._checks import checked_length
from ..errors import CyclicRules, RuleError
from ._compiler import Expander, compile_position, compile_rule
from .notation import System

Node: TypeAlias = tuple[int, ...]
"""A ground item (or part): its position in `System.items` (or `.parts`), then its arguments."""

Found: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""A mention completed by an edge: label and fragments."""


Place: TypeAlias = tuple[str, tuple[int, ...]]
"""A score array and a position in it."""


class Edge(NamedTuple):
    """A rule instance: `head` follows from `body`; items and parts are positions in the graph."""

    rule: int
    head: int
    body: tuple[int, ...]
    parts: tuple[int, ...]
    mention: tuple[int, ...] = ()
    tag: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()
    found: tuple[Found, ...] = ()


@dataclass(frozen=True)
class Graph:
    """All derivations of a sentence of `n` words.

    `edges[k]` are the ways to derive item k from items before k; the goal is the last item. A
    graph without items has no derivation. `items[k]` is a ground item, with further values behind
    it where the state space was refined (`refined`).
    """

    system: System
    n: int
    items: tuple[tuple[Any, ...], ...]
    edges: tuple[tuple[Edge, ...], ...]
    parts: tuple[Node, ...]

    def __len__(self) -> int:
        """The number of items."""
        return len(self.items)

    @property
    def all_edges(self) -> Iterator[Edge]:
        """Every edge, in evaluation order of its head."""
        return (edge for group in self.edges for edge in group)

    @cached_property
    def places(self) -> list[Place]:
        """For every part, its score array and its position in it."""
        place = [compile_position(self.system, part) for part in self.system.parts]
        return [
            (self.system.parts[kind].array, place[kind](*values)) for kind, *values in self.parts
        ]

    def show_item(self, position: int) -> str:
        """An item in the notation of the paper."""
        return _show(self.system, self.items[position])

    def show_part(self, position: int) -> str:
        """A part in the notation of the paper."""
        kind, *values = self.parts[position]
        return self.system.show_ground(self.system.parts[kind].name, values)


def ground(system: System, n: int) -> Graph:
    """The graph of `system` for n words; `CyclicRules` if an item would support itself."""
    n = checked_length(n)
    goal = _goal(system, n)
    ways = trim(_reach(_expand(system, n), goal), goal)
    return build(system, n, goal, ways, lambda node: node)


Way: TypeAlias = tuple[int, tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
"""An edge before items have positions: rule, items, parts, remaining fields of `Edge`."""


def build(
    system: System,
    n: int,
    goal: Hashable,
    ways: Mapping[Any, Sequence[Way]],
    shown: Callable[[Any], tuple[Any, ...]],
) -> Graph:
    """A graph from the ways to derive each item that is derivable and needed."""
    if goal not in ways:
        return Graph(system, n, (), (), ())
    order = _evaluation_order(system, goal, ways, shown)
    item_at = {node: k for k, node in enumerate(order)}
    part_at: dict[Any, int] = {}
    edges = tuple(
        tuple(
            Edge(
                rule,
                head,
                tuple(item_at[b] for b in body),
                tuple(part_at.setdefault(p, len(part_at)) for p in parts),
                *events,
            )
            for rule, body, parts, events in ways[node]
        )
        for head, node in enumerate(order)
    )
    return Graph(system, n, tuple(shown(node) for node in order), edges, tuple(part_at))


def _goal(system: System, n: int) -> Node:
    values = {"n": n, **{k: v for k, v in system.constants.items() if isinstance(v, int)}}
    arguments = []
    for argument in system.goal_atom.arguments:
        terms = argument.terms
        if terms is None or set(terms) - {""} - set(values):
            raise RuleError(f"{system.name}: the goal {system.goal} may use n and constants only")
        arguments.append(sum(c * values.get(name, 1) for name, c in terms.items()))
    return (system.position(system.goal_atom.predicate), *arguments)


_expanders: WeakKeyDictionary[System, dict[int, list[tuple[int, Expander]]]] = WeakKeyDictionary()


def _expand(system: System, n: int) -> Callable[[Node], list[Way]]:
    """All instances of all rules with a given head."""
    if system not in _expanders:
        table: dict[int, list[tuple[int, Expander]]] = {}
        for k, rule in enumerate(system.rules):
            entry = (k, compile_rule(system, rule))
            table.setdefault(system.position(rule.head.predicate), []).append(entry)
        _expanders[system] = table
    rules = _expanders[system]

    def expand(node: Node) -> list[Way]:
        return [
            (rule, body, parts, (mention, tag, outside, _found(mention)))
            for rule, expander in rules.get(node[0], ())
            for body, parts, mention, tag, outside in expander(n, *node[1:])
        ]

    return expand


def _found(mention: tuple[int, ...]) -> tuple[Found, ...]:
    return ((mention[0], ((mention[1], mention[2]),)),) if mention else ()


def _reach(expand: Callable[[Any], list[Way]], goal: Any) -> dict[Any, list[Way]]:
    """The ways to derive everything that the goal may need."""
    ways: dict[Any, list[Way]] = {goal: expand(goal)}
    agenda = [goal]
    while agenda:
        for _, body, _, _ in ways[agenda.pop()]:
            for node in body:
                if node not in ways:
                    ways[node] = expand(node)
                    agenda.append(node)
    return ways


def trim(ways: Mapping[Any, Sequence[Way]], goal: Any) -> dict[Any, list[Way]]:
    """`ways` without what cannot be derived from axioms or is not needed for the goal."""
    missing: dict[tuple[Any, int], int] = {}
    users: dict[Any, list[tuple[Any, int]]] = {}
    derived: set[Any] = set()
    agenda: list[Any] = []
    for node, group in ways.items():
        for k, (_, body, _, _) in enumerate(group):
            missing[node, k] = len(body)
            for b in body:
                users.setdefault(b, []).append((node, k))
            if not body and node not in derived:
                derived.add(node)
                agenda.append(node)
    while agenda:
        for node, k in users.get(agenda.pop(), ()):
            missing[node, k] -= 1
            if not missing[node, k] and node not in derived:
                derived.add(node)
                agenda.append(node)
    if goal not in derived:
        return {}
    complete = {node: [way for way in ways[node] if derived.issuperset(way[1])] for node in derived}
    return _reach(lambda node: complete[node], goal)


def _evaluation_order(
    system: System,
    goal: Any,
    ways: Mapping[Any, Sequence[Way]],
    shown: Callable[[Any], tuple[Any, ...]],
) -> list[Any]:
    """Items so that antecedents come first; a cycle is an error that shows it."""
    order: list[Any] = []
    done: dict[Any, bool] = {goal: False}
    path = [(goal, iter([b for way in ways[goal] for b in way[1]]))]
    while path:
        node, rest = path[-1]
        for b in rest:
            if b not in done:
                done[b] = False
                path.append((b, iter([c for way in ways[b] for c in way[1]])))
                break
            if not done[b]:
                nodes = [n for n, _ in path]
                cycle = [*nodes[nodes.index(b) :], b]
                raise CyclicRules(
                    f"{system.name}: an item would support itself: "
                    + " needs ".join(_show(system, shown(node)) for node in cycle)
                )
        else:
            done[node] = True
            order.append(node)
            path.pop()
    return order


def _show(system: System, node: tuple[Any, ...]) -> str:
    item = system.items[node[0]]
    return system.show_ground(item.name, node[1 : 1 + len(item.variables)])
