"""The notation and what is read off it, on small systems and on those of the library."""

import math
from dataclasses import replace
from typing import Any

import pytest

import spanforest as sf
from spanforest.errors import CyclicRules, LengthError, RuleError
from spanforest.rules import (
    COUNTING,
    Item,
    Part,
    Rule,
    System,
    degree,
    derivations,
    find_ambiguity,
    ground,
    item_degree,
    rule_degree,
    total,
    trace,
)
from spanforest.rules._compiler import source_of

PREFIX = Item("prefix(j)", "[→, {j}]", "0 <= j <= n")
SPAN = Part("span(i, j, t)", "[{t}, {i}, {j}]", "0 <= i < j <= n and 0 <= t < T", index="i, j-1, t")
AXIOM = Rule("axiom", "prefix(j) <-", "j == 0")


def system(*rules: Rule, **options: object) -> System:
    given = {"items": (PREFIX,), "parts": (SPAN,), "goal": "prefix(n)", "constants": {"T": 1}}
    return System("mine", rules=(AXIOM, *rules), **{**given, **options})  # type: ignore[arg-type]


FLAT = system(
    Rule("a", "prefix(j) <- prefix(i) span(i, j, t)"), Rule("b", "prefix(j) <- prefix(j-1)")
)


def test_a_system_of_ones_own() -> None:
    assert [total(ground(FLAT, n), COUNTING) for n in range(6)] == [1, 2, 5, 13, 34, 89]
    assert (degree(FLAT), item_degree(FLAT)) == (2, 1)
    assert find_ambiguity(ground(FLAT, n) for n in range(5)) is None
    graph = ground(FLAT, 2)
    assert str(trace(graph, derivations(graph)[0])).startswith("1. [→, 0]")
    assert str(FLAT).splitlines()[1] == "(a)      [→, i] [t, i, j] ⊢ [→, j]"


def test_an_ambiguous_system() -> None:
    """Outside stretches of any length: the over-counting that paper 001 finds in semi-CRFs."""
    loose = system(
        Rule("a", "prefix(j) <- prefix(i) span(i, j, t)"),
        Rule("b", "prefix(j) <- prefix(i)", "i < j"),
    )
    found = find_ambiguity(ground(loose, n) for n in range(4))
    assert found is not None
    assert found.n == 2
    graph = ground(loose, 2)
    traces = {str(trace(graph, d)) for d in (found.first, found.second)}
    assert len(traces) == 2
    by_count = find_ambiguity([ground(FLAT, 2)], lambda graph, derivation: len(derivation))
    assert by_count is not None


def test_cycles_are_shown() -> None:
    loop = system(Rule("x", "prefix(j) <- prefix(j)"))
    with pytest.raises(CyclicRules, match=r"\[→, 0\] needs \[→, 0\]"):
        ground(loop, 0)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Rule("r", "prefix(j) <- prefix(i"), "expected an atom"),
        (Rule("r", "prefix(j) <- other(j)"), "other is neither an item nor a part"),
        (Rule("r", "span(i, j, t) <- prefix(j)"), "span is not an item"),
        (Rule("r", "prefix(j+1) <- prefix(j)"), "arguments of a head are variables"),
        (Rule("r", "prefix(j) <- prefix(i, j)"), r"should have the form prefix\(j\)"),
        (Rule("r", "prefix(j) <- prefix(j/2)"), "not an integer expression"),
        (Rule("r", "prefix(j) <- prefix(j)", "j"), "expected comparisons and relations"),
        (Rule("r", "prefix(j) <- prefix(j)", "j < 1 or j > 2"), "expected comparisons"),
        (Rule("r", "prefix(j) <- prefix(j)", "j in (1, 2)"), "only < <= =="),
        (Rule("r", "prefix(j) <- prefix(j)", "arc(j)"), "arc is not a relation"),
        (Rule("r", "prefix(j) <- prefix(j)", "pair(j)"), r"pair\(j\): the relation has 2 columns"),
        (Rule("r", "prefix(j) <- prefix(j-step[j])"), "step is not a table of constants"),
        (Rule("r", "prefix(j) <- prefix(j)", "j < T[j]"), "T is not a table of constants"),
        (Rule("r", "prefix(j) <- prefix(j)", "j < size"), "size is a table, which needs an index"),
        (Rule("r", "prefix(j) <- prefix(j-1)", mention="j"), "should have the form 'label, start,"),
        (
            Rule("r", "prefix(j) <- prefix(j-1)", tag="j"),
            "tag 'j' should have the form 'word, tag'",
        ),
        (
            Rule("r", "prefix(j) <- prefix(j-1)", outside="0, 1, j"),
            "outside .* the form 'start, end'",
        ),
        (Rule("r", "<- prefix(j)"), r"expected one atom such as item\(i, j\), not ''"),
        (Rule("r", "prefix(i) prefix(j) <- prefix(j)"), "expected one atom"),
        (Rule("r", "prefix(j) <- prefix(j)", "j < open('x')"), "not an integer expression"),
        (Rule("r", "prefix(j) <- prefix(j)", "j <"), "cannot read"),
        (Rule("r", "prefix(j) <- prefix(j)", "j < 1.5"), "not an integer expression"),
    ],
)
def test_rules_that_cannot_be_read(rule: Rule, message: str) -> None:
    with pytest.raises(RuleError, match=rf"mine: rule \(r\): .*{message}"):
        system(rule, relations={"pair": {(0, 1)}}, constants={"T": 1, "size": (1, 2)})


def test_rules_that_cannot_be_grounded() -> None:
    free = Item("prefix(j)", "[→, {j}]")
    loose = system(Rule("r", "prefix(j) <- prefix(i)"), items=(free,))
    with pytest.raises(RuleError, match=r"rule \(r\): nothing bounds i"):
        ground(loose, 2)
    with pytest.raises(RuleError, match="the goal prefix"):
        ground(system(goal="prefix(m)"), 2)
    for n in (-1, 1.5, True, None):
        with pytest.raises(LengthError, match="expected a number of words"):
            ground(FLAT, n)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"goal": "nothing(n)"}, r"mine: the goal nothing\(n\) is not an item"),
        ({"goal": "span(0, n, 0)"}, "mine: the goal .* is not an item"),
        ({"goal": "prefix(0, n)"}, r"mine: prefix\(0, n\) should have the form prefix\(j\)"),
        ({"items": ()}, "mine: expected at least one item and one rule"),
        ({"goal": ""}, "mine: expected one atom"),
        ({"items": (PREFIX, Item("pair(i, i)", "{i}"))}, "distinct variables"),
        ({"items": (PREFIX, PREFIX)}, "mine: prefix is declared more than once"),
        ({"items": (PREFIX, Item("span(i)", "{i}"))}, "mine: span is declared more than once"),
        ({"items": (PREFIX, Item("a(i)", "{i}", "arc(i)"))}, r"a\(i\): arc is not a relation"),
        ({"items": (PREFIX, Item("a(i)", "{i}", "i < k"))}, r"a\(i\): k: k is neither an argument"),
        ({"items": (PREFIX, Item("a(i)", "{i}", "i < size[i]"))}, "size is not a table"),
        ({"parts": (SPAN, Part("p(i)", "{i}", index="i, b"))}, r"p\(i\): b: b is neither an arg"),
        ({"parts": (SPAN, Part("p(i)", "{i}", index="n-i"))}, r"n-i: n is neither an argument"),
        ({"parts": (SPAN, Part("p(i)", "{i}", index="at[i]"))}, r"at\[i\]: at is not a table"),
        ({"meanings": {"K": "labels"}}, "K has a meaning, but is neither a constant nor a rel"),
        ({"relations": {"arc": {(0,), (0, 1)}}}, "relation arc: rows of different lengths"),
    ],
)  # fmt: skip
def test_systems_that_do_not_hold_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        system(**options)


def test_a_system_without_rules() -> None:
    with pytest.raises(RuleError, match="expected at least one item and one rule"):
        replace(FLAT, rules=())


def test_a_rule_is_one_nest_of_loops() -> None:
    source = source_of(FLAT, FLAT.rules[1])
    assert source.count("for ") == 2
    assert "for v_i in range(0, min(" in source or "for v_i in range(0," in source


def test_relations_and_tables() -> None:
    """A two-state automaton and a table of constants."""
    state = Item("state(i, q)", "{q}@{i}", "0 <= i <= n and 0 <= q < 2")
    paths = System(
        "parity",
        items=(state,),
        parts=(),
        rules=(
            Rule("0", "state(i, q) <-", "i == 0 and q == 0"),
            Rule("1", "state(i, r) <- state(i-step[q], q)", "arc(q, r)"),
        ),
        goal="state(n, 0)",
        constants={"step": (1, 2)},
        relations={"arc": frozenset({(0, 0), (0, 1), (1, 0)})},
    )
    assert [total(ground(paths, n), COUNTING) for n in range(7)] == [1, 1, 1, 2, 3, 4, 6]
    assert degree(paths) == 1


@pytest.mark.parametrize(
    ("space", "time", "memory"),
    [
        (sf.Chain(["A"]), 1, 1),
        (sf.Segments(["A"]), 2, 1),
        (sf.Segments(["A"], 3), 1, 1),
        (sf.Segments(["A", "B"], labels_per_span=None), 2, 2),
        (sf.DynamicChain(["A", "B"], (2, 7), 4), 1, 1),
        *((sf.Nested(["A"], narrow), 2, 2) for narrow in (0, 1, 2, 7)),
        (sf.Nested(["A"], None), 3, 2),
        (sf.Nested(["A", "B"], 1, 2), 2, 2),
        (sf.LabelChunk(["p"], ["O", "A"]), 2, 2),
        (sf.LabelChunk(["p"], ["O", "A"], tags_across_chunks=True), 2, 2),
        (sf.Discontinuous(["A"], 3, bare=True), 1, 1),
        (sf.Grammar(["A"], ["p"]), 3, 2),
    ],
    ids=repr,
)
def test_complexity_is_read_off_the_rules(space: sf.Space, time: int, memory: int) -> None:
    assert (degree(space.system), item_degree(space.system)) == (time, memory)
    if not isinstance(space, sf.Grammar):
        edges = [sum(1 for _ in space.graph(n).all_edges) for n in (20, 40)]
        assert abs(math.log2(edges[1] / edges[0]) - time) < 0.5


def test_degrees_of_single_rules() -> None:
    nested = sf.Nested(["A"], 2).system
    by_name = {
        rule.name: rule_degree(nested, rule) for rule in nested.rules if rule.name != "axiom"
    }
    assert set(by_name.values()) == {1, 2}
    assert by_name["i"] == 1
    assert by_name["j"] == 2


def test_rules_are_printed_as_in_the_paper() -> None:
    text = str(sf.Nested(["A"]).system)
    for line in (
        "(j)      [↦, i, j-1] [↔, j-1, j] ⊢ [↦, i, j]  i < j-1",
        "(k)      [↔, i, j-1] [↔, j-1, j] ⊢ [↦, i, j]  i < j-1",
        "(l)      [↔, i, i+1] [↔, i+1, j] ⊢ [←, i, j]  i+2 < j",
        "(m)      [↔, i+1, j] ⊢ [←, i, j]              i+2 < j",
        "(g)      [↦, i, j] [t, i, j] ⊢ [↔, i, j]",
    ):
        assert line in text.splitlines()
    assert "1 ≤ l ≤ L" in str(sf.Nested(["A"], 2).system)
    assert "(j)" not in str(sf.Nested(["A"], 0).system)
