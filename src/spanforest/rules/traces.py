"""Derivation traces: a derivation line by line, as in Tables 1 to 4 of paper 000.

A line proves an item or states an axiom; rules name the lines of their antecedents. The proof of
a `block` item stands together, after the blocks it builds on, in the order of the sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .graph import Edge, Graph
from .notation import Item
from .semirings import Derivation


class Line(NamedTuple):
    """One line: the item, the rule that proves it ("Axiom" for an axiom), its antecedents."""

    item: str
    rule: str
    antecedents: tuple[int, ...]

    @property
    def reason(self) -> str:
        """The rule with its antecedents, as the papers print it."""
        if not self.antecedents:
            return self.rule
        return f"({self.rule}) with {' & '.join(str(line) for line in self.antecedents)}"


@dataclass(frozen=True)
class Trace:
    """The lines of a derivation, numbered from 1."""

    lines: tuple[Line, ...]

    def __str__(self) -> str:
        numbers = [f"{k}." for k in range(1, len(self.lines) + 1)]
        widths = [
            max(map(len, texts), default=0) for texts in (numbers, [x.item for x in self.lines])
        ]
        return "\n".join(
            f"{number:>{widths[0]}} {line.item:<{widths[1]}}  {line.reason}"
            for number, line in zip(numbers, self.lines, strict=True)
        )

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


class _Tree(NamedTuple):
    """A derivation as a tree."""

    edge: Edge
    children: list["_Tree"]


def trace(graph: Graph, derivation: Derivation) -> Trace:
    """The trace of a derivation."""
    lines: list[Line] = []
    number: dict[int, int] = {}

    def add(text: str, rule: str, antecedents: tuple[int, ...]) -> int:
        lines.append(Line(text, rule, antecedents))
        return len(lines)

    def write(root: _Tree) -> None:
        """The blocks below `root`, then the lines of its own block."""
        own, agenda = [], [root]
        while agenda:
            tree = agenda.pop()
            own.append(tree)
            inner = [child for child in tree.children if not _is_block(graph, child)]
            agenda.extend(inner)
        for block in _blocks_of(graph, root):
            write(block)
        for tree in reversed(own):
            state(tree)

    def state(tree: _Tree) -> None:
        edge = tree.edge
        antecedents = [number[b] for b in edge.body]
        antecedents += [add(graph.show_part(p), "Axiom", ()) for p in edge.parts]
        rule = graph.system.rules[edge.rule].name if antecedents else "Axiom"
        number[edge.head] = add(graph.show_item(edge.head), rule, tuple(antecedents))

    if derivation:
        write(_tree(derivation))
    return Trace(tuple(lines))


def _tree(derivation: Derivation) -> _Tree:
    root = _Tree(derivation[0], [])
    open_trees = [root]
    for edge in derivation[1:]:
        while len(open_trees[-1].children) == len(open_trees[-1].edge.body):
            open_trees.pop()
        tree = _Tree(edge, [])
        open_trees[-1].children.append(tree)
        open_trees.append(tree)
    return root


def _is_block(graph: Graph, tree: _Tree) -> bool:
    item: Item = graph.system.items[graph.items[tree.edge.head][0]]
    return item.block


def _blocks_of(graph: Graph, root: _Tree) -> list[_Tree]:
    """The blocks directly below `root`, from left to right."""
    blocks, agenda = [], list(reversed(root.children))
    while agenda:
        tree = agenda.pop()
        if _is_block(graph, tree):
            blocks.append(tree)
        else:
            agenda.extend(reversed(tree.children))
    return blocks
