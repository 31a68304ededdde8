"""The complexity of a system, read off its rules.

The number of instances of a rule grows at most as n^d, d being the number of variables that can
range over the sentence independently, as far as comparisons of two variables tell. Two variables
count as one when their difference is bounded by constants, and none when they are bounded
themselves (labels, states, windows): so d is the number of strongly connected components of the
graph with an arc u → v where the conditions say u - v <= constant, without the components of 0
and of n.
"""

from collections.abc import Sequence

from ._expressions import Atom, Comparison
from .notation import Item, Rule, System


def degree(system: System) -> int:
    """The degree in n of the number of rule instances, at most: the time of inference."""
    return max(rule_degree(system, rule) for rule in system.rules)


def rule_degree(system: System, rule: Rule) -> int:
    """The degree in n of the number of instances of one rule, at most."""
    return _degree(system, system.variables(rule), system.conditions(rule))


def item_degree(system: System) -> int:
    """The degree in n of the number of items, at most: the memory of inference."""
    return max(_item_degree(system, item) for item in system.items)


def _item_degree(system: System, item: Item) -> int:
    return _degree(system, item.variables, item.range_of(item.atom.arguments))


def _degree(
    system: System, variables: Sequence[str], conditions: Sequence[Comparison | Atom]
) -> int:
    nodes = ["0", "n", *variables]
    reach = {(u, v): u == v for u in nodes for v in nodes}
    for conjunct in conditions:
        if isinstance(conjunct, Atom):
            # A relation is a finite table: what it holds is bounded.
            for name in conjunct.names & set(variables):
                reach[name, "0"] = reach["0", name] = True
            continue
        for form in conjunct.at_least_zero():
            signed = {x: c for x, c in form.items() if x in nodes}
            if sorted(signed.values()) in ([1], [-1], [-1, 1]):
                low = next((x for x, c in signed.items() if c < 0), "0")
                high = next((x for x, c in signed.items() if c > 0), "0")
                reach[low, high] = True
    for w in nodes:
        for u in nodes:
            for v in nodes:
                reach[u, v] |= reach[u, w] and reach[w, v]
    components = {frozenset(v for v in nodes if reach[u, v] and reach[v, u]) for u in variables}
    return sum(not component & {"0", "n"} for component in components)
