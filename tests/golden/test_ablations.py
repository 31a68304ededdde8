"""Each side condition and each rule is necessary: without it counts change, or items support
themselves (SPEC S3, S4)."""

from dataclasses import replace

import pytest

import spanforest as sf
from spanforest.errors import CyclicRules, RuleError
from spanforest.rules import COUNTING, System, find_ambiguity, ground, total
from spanforest.rules._expressions import Atom


def without_condition(system: System, *names: str) -> System:
    """The system with the side conditions of some rules dropped."""
    rules = tuple(replace(r, where="") if r.name in names else r for r in system.rules)
    return replace(system, rules=rules)


def without_rule(system: System, name: str) -> System:
    return replace(system, rules=tuple(r for r in system.rules if r.name != name))


def counts(system: System, up_to: int, first: int = 1) -> list[int]:
    return [total(ground(system, n), COUNTING) for n in range(first, up_to + 1)]


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


SYSTEMS = [
    (sf.Chain(["A", "B"], "BIOES").system, 5),
    (sf.Segments(["A", "B"], (2, 1)).system, 5),
    (CUBIC, 5),
    (sf.Nested(["A"], 0).system, 6),
    (QUADRATIC, 6),
    (sf.Nested(["A"], 2).system, 7),
    (sf.Nested(["A", "B"], 1, None).system, 6),
    (sf.Nested(["A", "B", "C"], None, 2).system, 4),
    (sf.DynamicChain(["A", "B"], (2, 1), 2).system, 5),
    (sf.LabelChunk(["p", "q"], ["O", "I"]).system, 4),
    (sf.LabelChunk(["p", "q"], ["O", "I"], tags_across_chunks=True).system, 4),
    (sf.Discontinuous(["A"]).system, 6),
    (sf.Grammar(["A", "B"], ["p"], 1, 1, 2).system, 4),
    (sf.Grammar(["A"], ["p", "q"], 0, 0).system, 5),
]

IMPLIED = {
    ("f", "i < j-1"): "the range of mention(i, j-1)",
    ("k", "i < j-1"): "the range of mention(i, j-1)",
    ("k", "i < j-l"): "the range of mention(i, j-l)",
    ("l", "i+2 < j"): "the range of left(i, j)",
    ("m", "i+2 < j"): "the range of left(i, j)",
    ("m", "i+1+L < j"): "the range of left(i, j)",
    **{(rule, "1 <= l"): "the range of mention" for rule in "jklo"},
    ("C", "x > 0"): "the range of link(j-1, l, x)",
}


@pytest.mark.parametrize(("system", "n"), SYSTEMS, ids=lambda x: getattr(x, "name", None))
def test_every_rule_is_needed(system: System, n: int) -> None:
    for k, rule in enumerate(system.rules):
        fewer = replace(system, rules=(*system.rules[:k], *system.rules[k + 1 :]))
        assert counts(fewer, n, 0) != counts(system, n, 0), rule


@pytest.mark.parametrize(("system", "n"), SYSTEMS[:-2], ids=lambda x: getattr(x, "name", None))
def test_every_condition_is_needed_or_implied(system: System, n: int) -> None:
    """`Grammar` is left out: most of its conditions keep the search away from dead ends."""
    for k, rule in enumerate(system.rules):
        texts = [str(c) if isinstance(c, Atom) else c.text for c in rule.condition]
        for m, text in enumerate(texts):
            where = " and ".join(texts[:m] + texts[m + 1 :])
            free = (*system.rules[:k], replace(rule, where=where), *system.rules[k + 1 :])
            try:
                needed = counts(replace(system, rules=free), n, 0) != counts(system, n, 0)
            except RuleError:
                needed = True  # cyclic, or nothing else bounds a variable
            assert needed != ((rule.name, text) in IMPLIED), (rule, text)
