"""Deduction systems as data, and their reference interpreter: write a space of your own with it.

`System`, `Item`, `Part`, `Rule` are the notation; `ground` makes the graph of all derivations of
n words; `inside`, `outside`, `best`, `sample`, … ask it questions in a semiring; `degree` reads
the complexity off the rules, `find_ambiguity` looks for an analysis that is derived twice, and
`trace` shows a derivation line by line.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .notation import Item, Part, Rule, System

if TYPE_CHECKING:
    from .algorithms import (
        Ambiguity,
        best,
        by_parts,
        derivations,
        entropy,
        find_ambiguity,
        inside,
        outside,
        part_expectations,
        sample,
        total,
    )
    from .complexity import degree, item_degree, rule_degree
    from .graph import Edge, Graph, ground
    from .refinement import demanding, filtered, refined
    from .semirings import (
        BOOLEAN,
        COUNTING,
        DERIVATIONS,
        LOG,
        MAX,
        REAL,
        Derivation,
        Expectation,
        KBest,
        SecondOrder,
        Semiring,
    )
    from .traces import Trace, trace

_HOMES = {
    "algorithms": (
        "Ambiguity",
        "best",
        "by_parts",
        "derivations",
        "entropy",
        "find_ambiguity",
        "inside",
        "outside",
        "part_expectations",
        "sample",
        "total",
    ),
    "complexity": ("degree", "item_degree", "rule_degree"),
    "graph": ("Edge", "Graph", "ground"),
    "refinement": ("demanding", "filtered", "refined"),
    "semirings": (
        "BOOLEAN",
        "COUNTING",
        "DERIVATIONS",
        "Derivation",
        "Expectation",
        "KBest",
        "LOG",
        "MAX",
        "REAL",
        "SecondOrder",
        "Semiring",
    ),
    "traces": ("Trace", "trace"),
}
"""The interpreter, module by module; it is imported when a name of it is asked for."""


def __getattr__(name: str) -> object:
    for module, exported in _HOMES.items():
        if name in exported:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BOOLEAN",
    "COUNTING",
    "DERIVATIONS",
    "LOG",
    "MAX",
    "REAL",
    "Ambiguity",
    "Derivation",
    "Edge",
    "Expectation",
    "Graph",
    "Item",
    "KBest",
    "Part",
    "Rule",
    "SecondOrder",
    "Semiring",
    "System",
    "Trace",
    "best",
    "by_parts",
    "degree",
    "demanding",
    "derivations",
    "entropy",
    "filtered",
    "find_ambiguity",
    "ground",
    "inside",
    "item_degree",
    "outside",
    "part_expectations",
    "refined",
    "rule_degree",
    "sample",
    "total",
    "trace",
]
