"""Deduction systems as data, and their reference interpreter: write a space of your own with it.

`System`, `Item`, `Part`, `Rule` are the notation; `ground` makes the graph of all derivations of
n words; `inside`, `outside`, `best`, `sample`, … ask it questions in a semiring; `degree` reads
the complexity off the rules, `find_ambiguity` looks for an analysis that is derived twice, and
`trace` shows a derivation line by line.
"""

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
from .notation import Item, Part, Rule, System
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
from .trace import Trace, trace

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
    "derivations",
    "entropy",
    "find_ambiguity",
    "ground",
    "inside",
    "item_degree",
    "outside",
    "part_expectations",
    "rule_degree",
    "sample",
    "total",
    "trace",
]
