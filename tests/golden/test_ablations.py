"""Each side condition and each rule is necessary: without it counts change, or items support
themselves (SPEC S3, S4)."""

from dataclasses import replace

import pytest

import spanforest as sf
from spanforest.errors import CyclicRules
from spanforest.rules import COUNTING, System, find_ambiguity, ground, total


def without_condition(system: System, *names: str) -> System:
    """The system with the side conditions of some rules dropped."""
    rules = tuple(replace(r, where="") if r.name in names else r for r in system.rules)
    return replace(system, rules=rules)


def without_rule(system: System, name: str) -> System:
    return replace(system, rules=tuple(r for r in system.rules if r.name != name))


def counts(system: System, up_to: int) -> list[int]:
    return [total(ground(system, n), COUNTING) for n in range(1, up_to + 1)]


CUBIC, QUADRATIC = sf.Nested(["X"], None).system, sf.Nested(["X"], 1).system


def test_cubic_without_rules() -> None:
    assert counts(CUBIC, 4) == [2, 8, 48, 352]
    assert counts(without_rule(CUBIC, "e"), 4) == [2, 7, 32, 166]
    assert counts(without_rule(CUBIC, "f"), 4) == [2, 7, 35, 214]


@pytest.mark.parametrize(("system", "name"), [(CUBIC, "c"), (QUADRATIC, "j")])
def test_cycles_are_rejected(system: System, name: str) -> None:
    with pytest.raises(CyclicRules, match=r"support itself: .*↔.* needs .*↦"):
        ground(without_condition(system, name), 3)


def test_long_children_on_both_sides() -> None:
    """Without `i+2 < j` in l and m, short children come from the left as well."""
    items = tuple(
        replace(item, where="0 <= i < j <= n") if item.name == "left" else item
        for item in QUADRATIC.items
    )
    free = without_condition(replace(QUADRATIC, items=items), "l", "m")
    assert counts(free, 4) == [2, 10, 72, 556]
    assert find_ambiguity(ground(free, n) for n in (1, 2)) is not None
    assert find_ambiguity(ground(QUADRATIC, n) for n in range(5)) is None


@pytest.mark.parametrize("rule", QUADRATIC.rules, ids=lambda rule: rule.name)
def test_every_rule_of_the_quadratic_system_is_needed(rule: object) -> None:
    system = replace(QUADRATIC, rules=tuple(r for r in QUADRATIC.rules if r is not rule))
    assert counts(system, 6) != counts(QUADRATIC, 6)


def test_cubic_without_condition_f() -> None:
    """`i < j-1` in f only keeps its item in range; the range already says it."""
    assert counts(without_condition(CUBIC, "f"), 4) == counts(CUBIC, 4)
