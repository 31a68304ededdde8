"""Options of the spaces, and gold that spaces refuse."""

import pickle
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import spanforest as sf
from spanforest import Mention
from spanforest._checks import LARGEST
from spanforest.errors import LabelError, LengthError, MentionError, OptionError, ScoreError
from spanforest.spaces._tree import RuleSet


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sf.Chain([]), "labels: expected at least one"),
        (lambda: sf.Chain("PER"), "expected a list of non-empty strings, not 'PER'"),
        (lambda: sf.Chain(["A", "A"]), "'A' is given more than once"),
        (lambda: sf.Chain(["A", ""]), "non-empty strings"),
        (lambda: sf.Chain([1]), "non-empty strings"),  # type: ignore[list-item]
        (lambda: sf.Chain(["A"], "IOB1"), "expected 'BIO' or 'BIOES'"),
        (lambda: sf.Segments(["A"], 0), "max_length of A = 0: expected an integer of at least 1"),
        (lambda: sf.Nested(None), "labels: expected a list of non-empty strings, not None"),  # type: ignore[arg-type]
        (lambda: sf.Segments(["A"], 1.5), "max_length of A = 1.5"),  # type: ignore[arg-type]
        (lambda: sf.Segments(["A"], {"B": 1}), "unknown labels B"),
        (lambda: sf.Segments(["A"], {"B": 1, 7: 1}), "unknown labels 7, B"),  # type: ignore[dict-item]
        (lambda: sf.Segments(["A"], {1}), r"max_length of A = \{1\}: expected an integer"),  # type: ignore[arg-type]
        (lambda: sf.Segments(["A"], np.array([1.5])), "max_length of A = .*1.5"),  # type: ignore[arg-type]
        (lambda: sf.Segments(["A", "B"], {"B": 1}), "no number for A"),
        (lambda: sf.Segments(["A", "B"], [1]), "1 numbers for 2 labels"),
        (lambda: sf.Segments(["A"], labels_per_span=0), r"or None \(any number\)"),
        (lambda: sf.Nested(["A"], -1), r"narrow = -1: .* at least 0 or None \(no restriction\)"),
        (lambda: sf.Nested(["A"], 1.5), "narrow = 1.5"),  # type: ignore[arg-type]
        (lambda: sf.Nested(["A"], True), "narrow = True"),
        (lambda: sf.DynamicChain(["A"], -1, 0), "entity_window of A = -1"),
        (lambda: sf.DynamicChain(["A"], None, 0), "entity_window"),  # type: ignore[arg-type]
        (lambda: sf.DynamicChain(["A"], 1, -1), "gap_window = -1"),
        (lambda: sf.LabelChunk(["p"], ["A"]), "outside = 'O': expected one of A"),
        (lambda: sf.LabelChunk([], ["O"]), "tags: expected at least one"),
        (lambda: sf.LabelChunk(["p"], ["O"], adjacent_outside=2), "adjacent_outside = 2"),  # type: ignore[arg-type]
        (lambda: sf.Discontinuous(["A"], 4), "components = 4: expected 2 or 3"),
        (lambda: sf.Discontinuous(["A"], True), "components = True: expected 2 or 3"),
        (lambda: sf.Discontinuous(["A"], 2.0), "components = 2.0: expected 2 or 3"),  # type: ignore[arg-type]
        (lambda: sf.Discontinuous(["A"], naming="free"), "naming = 'free'"),  # type: ignore[arg-type]
        (lambda: sf.Discontinuous(["A"], 3, "semantic"), "naming='semantic' exists for"),
        (lambda: sf.Discontinuous(["A"], 2, "semantic", True), "naming='semantic' exists for"),
        (lambda: sf.Discontinuous(["A"], bare=1), "bare = 1: expected True or False"),  # type: ignore[arg-type]
        (lambda: sf.Nested({"A"}), "labels: .* not a set: the order is the layout of the scores"),  # type: ignore[arg-type]
        (lambda: sf.LabelChunk(frozenset("p"), ["O"]), "tags: .* not a set"),  # type: ignore[arg-type]
        (lambda: sf.Grammar(["A"], ["p"], observed=set()), "observed: .* not a set"),  # type: ignore[arg-type]
        (lambda: sf.Grammar(["A"], ["p"], observed=5), "observed: expected a list of rules, not 5"),  # type: ignore[arg-type]
        (lambda: sf.Grammar(["A"], ["A"]), "must be distinct"),
        (lambda: sf.Grammar(["ROOT"], ["p"]), "ROOT: labels, tags and ROOT must be distinct"),
        (lambda: sf.Grammar(["A"], ["p"], 3), "ancestors = 3: expected an integer from 0 to 2"),
        (lambda: sf.Grammar(["A"], ["p"], siblings=2), "siblings = 2: expected .* from 0 to 1"),
        (lambda: sf.Grammar(["A"], ["p"], unary=0), "unary = 0"),
        (
            lambda: sf.Grammar(["A"], ["p"], observed=[sf.GrammarRule("B", (), "", ("p",))]),
            "is not a rule for these labels",
        ),
        (lambda: sf.Grammar(["A"], ["p"], ancestors=-1), "expected an integer from 0 to 2"),
        *(
            (lambda make=make: make(2**70), f"= {2**70}: expected an integer from . to {LARGEST}")
            for make in (
                lambda k: sf.Nested(["A"], k), lambda k: sf.Nested(["A"], 1, k),
                lambda k: sf.Segments(["A"], k), lambda k: sf.DynamicChain(["A"], k, 0),
                lambda k: sf.DynamicChain(["A"], 0, k), lambda k: sf.Grammar(["A"], ["p"], unary=k),
            )
        ),
        *(
            (lambda rule=rule: sf.Grammar(["A"], ["p"], observed=[rule]), "is not a rule for")
            for rule in (7, "A", ("A",), ("A", ("ROOT", ), "", "p"), sf.GrammarRule("A", (), "", 5))  # type: ignore[arg-type]
        ),
    ],
)  # fmt: skip
def test_options_that_do_not_exist(make: Callable[[], object], message: str) -> None:
    with pytest.raises((LabelError, OptionError), match=message) as caught:
        make()
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("numpy", "plain"),
    [
        (sf.Segments(["A", "B"], np.array([2, 3])), sf.Segments(["A", "B"], (2, 3))),  # type: ignore[arg-type]
        (sf.Segments(["A", "B"], np.int64(2)), sf.Segments(["A", "B"], 2)),  # type: ignore[arg-type]
        (sf.Nested(["A"], np.int32(2), np.int64(3)), sf.Nested(["A"], 2, 3)),  # type: ignore[arg-type]
        (sf.DynamicChain(["A"], {"A": np.int8(2)}, np.int8(1)), sf.DynamicChain(["A"], 2, 1)),  # type: ignore[arg-type,dict-item]
        (sf.Discontinuous(["A"], np.int64(3)), sf.Discontinuous(["A"], 3)),  # type: ignore[arg-type]
        (
            sf.Grammar(["A"], ["p"], np.int64(1), np.int64(0), np.int64(2)),  # type: ignore[arg-type]
            sf.Grammar(["A"], ["p"], 1, 0, 2),
        ),
    ],
)  # fmt: skip
def test_numpy_integers_are_integers(numpy: sf.Space, plain: sf.Space) -> None:
    assert (numpy, repr(numpy)) == (plain, repr(plain))


SPACES = [
    sf.Chain(["A"]), sf.Segments(["A"]), sf.Nested(["A"]), sf.Discontinuous(["A"]),
    sf.DynamicChain(["A"], 2, 1), sf.LabelChunk(["p"], ["O", "A"]), sf.Grammar(["A"], ["p"]),
]  # fmt: skip


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_lengths(space: sf.Space) -> None:
    assert space.count(np.int64(1)) == space.count(1)  # type: ignore[arg-type]
    for n in (-1, 1.0, 1.5, True, "3"):
        with pytest.raises(LengthError, match="expected a number of words"):
            space.count(n)  # type: ignore[arg-type]
        with pytest.raises(LengthError):
            space.score_spec(n)  # type: ignore[arg-type]
        with pytest.raises(LengthError):
            space.violations([], n)  # type: ignore[arg-type]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_gold_that_is_none(space: sf.Space) -> None:
    with pytest.raises(MentionError, match="outside a sentence of 3 words"):
        space.violations([Mention.span("A", 1, 4)], 3)
    with pytest.raises(LabelError, match="unknown label; expected one of A"):
        space.violations([Mention.span("Z", 0, 1)], 3)
    with pytest.raises(MentionError, match=r"mentions\[1\]: expected a mention, not \(\(0, 1"):
        space.violations([Mention.span("A", 0, 1), ((0, 1),)], 3)  # type: ignore[list-item]
    for question in (space.violations, space.encode):
        for given in (Mention.span("A", 0, 1), 5, "A", None):
            with pytest.raises(MentionError, match="mentions: expected a list of mentions, not"):
                question(given, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_what_is_no_analysis(space: sf.Space) -> None:
    for question in (space.derivation, space.parts, space.trace):
        for given in (None, 5, [Mention.span("A", 0, 1)]):
            with pytest.raises(MentionError, match="expected an Analysis, not"):
                question(given, 3)  # type: ignore[arg-type]
        with pytest.raises(MentionError, match="expected a list of mentions, not 5"):
            question(sf.Analysis(5), 3)  # type: ignore[arg-type]
        with pytest.raises(MentionError, match=r"mentions\[0\]: expected a mention, not 5"):
            question(sf.Analysis(frozenset({5})), 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_reprs_make_the_space_again(space: sf.Space) -> None:
    again = eval(repr(space), vars(sf))
    assert again == space
    assert hash(again) == hash(space)


@pytest.mark.parametrize(
    ("space", "mentions", "reasons"),
    [
        (sf.Segments(["A"]), ((0, 2), (1, 3)), ["overlaps"]),
        (sf.Segments(["A"], 2), ((0, 3),), ["longer than max_length 2"]),
        (sf.Nested(["A"]), ((0, 2), (1, 3)), ["crosses"]),
        (sf.Nested(["A"]), ((0, 4), (0, 2), (2, 4)), ["would have two children longer than"]),
        (sf.Nested(["A"]), ((0, 2), (2, 4), (0, 4)), ["would have two children longer than"]),
        (sf.Chain(["A"]), ((0, 2), (1, 3)), ["overlaps"]),
        (sf.Grammar(["A"], ["p"]), ((0, 2), (1, 3)), ["crosses"]),
        (sf.Discontinuous(["A"]), ((0, 3), (1, 2)), ["is inside", "contains"]),
    ],
)
def test_reasons(space: sf.Space, mentions: object, reasons: list[str]) -> None:
    given = [Mention.span("A", a, b) for a, b in mentions]  # type: ignore[attr-defined]
    (violation,) = space.violations(given, 5)
    assert any(reason in violation.reason for reason in reasons)


def test_gold_may_be_any_iterable() -> None:
    twice = [Mention.span("A", 0, 2)] * 2
    for space in SPACES:
        violations = space.violations(twice, 3)
        assert len(violations) == 1
        assert space.violations(iter(twice), 3) == violations


@pytest.mark.parametrize("most", [LARGEST, None])
def test_limits_that_no_sentence_reaches(most: int | None) -> None:
    spaces: list[sf.Space] = [sf.Nested(["A"], most, most), sf.Segments(["A"], most, most)]
    for space in spaces:
        array = np.zeros((1, 5, 5, 1))
        assert space.forest(array).log_partition() == pytest.approx(np.log(space.count(5)))


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_copies_are_made_of_the_options(space: sf.Space) -> None:
    assert space.count(2) > 0
    assert space.native is not None
    for copy in (pickle.loads(pickle.dumps(space)), deepcopy(space)):
        assert copy == space
        assert repr(copy) == repr(space)
        assert copy.count(2) == space.count(2)


def test_labels_are_plain_strings() -> None:
    assert repr(sf.Segments(np.array(["A", "B"]))) == "Segments(['A', 'B'])"  # type: ignore[arg-type]


def test_other_reasons() -> None:
    gap = Mention("A", ((0, 1), (2, 3)))
    for space in SPACES:
        if not isinstance(space, sf.Discontinuous):
            assert [v.reason for v in space.violations([gap], 3)] == ["not continuous"]
    (violation,) = sf.Segments(["A"], max_length=2).violations([gap], 3)
    assert violation.reason == "not continuous"
    two = [Mention.span("A", 0, 1), Mention.span("B", 0, 1)]
    (violation,) = sf.Nested(["A", "B"]).violations(two, 1)
    assert violation.reason.startswith("has the same tokens as")
    assert sf.Nested(["A", "B"], labels_per_span=2).violations(two, 1) == []
    three = Mention("A", ((0, 1), (2, 3), (4, 5)))
    (violation,) = sf.Discontinuous(["A"]).violations([three], 5)
    assert violation.reason == "has 3 fragments, more than components=2"
    assert sf.Discontinuous(["A"], components=3).violations([three], 5) == []
    product = [Mention("A", ((a, a + 1), (b, b + 1))) for a in (0, 2) for b in (4, 6)]
    assert sf.Discontinuous(["A"]).violations(product, 7) == []
    for space in (
        sf.Nested(["A", "B", "C"], labels_per_span=2),
        sf.Segments(["A", "B", "C"], labels_per_span=2),
        sf.Grammar(["A", "B", "C"], ["p"], ancestors=0, siblings=0, unary=2),
    ):
        (violation,) = space.violations([A02, B02, C02], 2)
        assert violation == (C02, f"more than {space.label_limit}=2 labels on these tokens")
    (violation,) = sf.Discontinuous(["A"]).violations(product[:3], 7)
    assert violation.reason.startswith("interleaves with")


A02, B02, C02 = (Mention.span(label, 0, 2) for label in "ABC")
TAGS = ("p", "p", "p")


def test_grammar_rules_of_an_analysis() -> None:
    space = sf.Grammar(["A", "B"], ["p", "q"], unary=2)
    gold = [Mention.span("A", 0, 2), Mention.span("B", 0, 2), Mention.span("B", 3, 4)]
    analysis = space.encode(gold, 4, ["p", "q", "p", "q"])
    assert analysis.structure == ((0, 2, ("A", "B")),)
    rules = space.rules_of(analysis, 4)
    assert {str(rule) for rule in rules} == {
        "ROOT → A @", "ROOT → A | p B", "A^ROOT → B", "B^A^ROOT → p q", "B^ROOT → q",
    }  # fmt: skip
    used = {space.grammar[r] for r in space.parts(analysis, 4)["rule"][:, 0]}
    assert used == set(rules)
    assert rules == tuple(sorted(used))
    assert space.rules_of(replace(analysis, structure=None), 4) == rules
    assert space.rules_of(sf.Analysis(frozenset(), ()), 0) == ()
    restricted = sf.Grammar(["A", "B"], ["p", "q"], unary=2, observed=rules)
    assert restricted.grammar == rules
    assert restricted.violations(gold, 4) == []
    assert restricted.count(4) == 1
    with pytest.raises(sf.NotRepresentable, match=r"no tree .* with these tags"):
        restricted.encode(gold, 4, ["p", "p", "p", "p"])
    other = [Mention.span("A", 1, 2)]
    assert [v.mention for v in restricted.violations(other, 4)] == other


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        (sf.Analysis(frozenset({A02, Mention.span("B", 1, 3)}), TAGS), "crosses"),
        (sf.Analysis(frozenset({Mention("A", ((0, 1), (2, 3)))}), TAGS), "not continuous"),
        (sf.Analysis(frozenset({A02, B02, C02}), TAGS), "more than unary=2 labels on these"),
        *(
            (sf.Analysis(frozenset({A02, B02}), TAGS, structure), message)
            for structure, message in (
                (5, "expected .start, end, labels from outside in"),
                ((1, 2), "expected .start, end, labels from outside in"),
                (((0, 2, 7),), "expected .start, end, labels from outside in"),
                (((0, 2, ([], [])),), "its fields must be hashable"),
                (((0, 2, ("A", "C")),), "not an analysis of"),
                (((0, 2, ("A", "B", "A")),), "not an analysis of"),
                (((0, 2, ("A", "B")), (0, 1, ("A", "B"))), "not an analysis of"),
                (((0, 2, "AB"),), "not an analysis of"),
            )
        ),
    ],
)
def test_what_is_no_tree_of_a_grammar(analysis: sf.Analysis, message: str) -> None:
    space = sf.Grammar(["A", "B", "C"], ["p"], unary=2, observed=[])
    every = sf.Grammar(["A", "B", "C"], ["p"], ancestors=0, siblings=0, unary=2)
    for question in (space.rules_of, every.rules_of, every.trace, every.parts):
        with pytest.raises(sf.NotRepresentable, match=message):
            question(analysis, 3)


@pytest.mark.parametrize("ancestors", [0, 1, 2])
@pytest.mark.parametrize("siblings", [0, 1])
@pytest.mark.parametrize("unary", [1, 2])
def test_which_grammar_rules_exist(ancestors: int, siblings: int, unary: int) -> None:
    every = RuleSet(("A", "B"), ("p",), ancestors, siblings, unary)
    symbols = ("A", "B", "p", "ROOT", "")
    rules = (
        sf.GrammarRule(parent, tuple(above[:size]), before, children[:length], more)
        for parent, before, *above in product(symbols, repeat=4)
        for size in (0, 1, 2)
        for children in product(symbols[:4], repeat=2)
        for length in (0, 1, 2)
        for more in (False, True)
    )
    assert {rule for rule in rules if rule in every} == set(every)
    assert len(list(every)) == len(set(every))


def test_decoding_what_is_no_analysis() -> None:
    space = sf.Nested(["A", "B"])
    for spans in ([(0, 1, 0), (1, 2, 0)], [(0, 1, 0)] * 2, [(0, 1, 0), (0, 1, 1)]):
        with pytest.raises(sf.NotRepresentable, match="has exactly these parts"):
            space.decode({"span": spans}, 3)
    for rows in ([(0.5, 1.0, 0.0)], [(0, 1)], [0, 1, 0], ["abc"], [(0, 1, 0), (0,)], None):
        with pytest.raises(
            ScoreError, match=r"parts of 'span': expected rows of integers \[k, 3\]"
        ):
            space.decode({"span": rows}, 3)  # type: ignore[dict-item]
    for row in ([0, 9, 0], [0, -1, 0], [0, 1, 2]):
        with pytest.raises(ScoreError, match=rf"'span': {re.escape(str(row))} is not a position"):
            space.decode({"span": [(0, 1, 0), row]}, 3)
    with pytest.raises(ScoreError, match="parts: expected a mapping from score arrays"):
        space.decode(None, 3)  # type: ignore[arg-type]
    with pytest.raises(ScoreError, match="no scores called 'word': expected span"):
        space.decode({"word": []}, 3)
    assert space.decode({}, 3) == sf.Analysis(frozenset())


def test_decoding_among_many_analyses_with_the_same_positions() -> None:
    """Without ancestors, orders of labels on a span show in the number of rules used only."""
    space = sf.Grammar(["A", "B"], ["p"], ancestors=0, siblings=0, unary=2)
    spans = [(k, k + 1) for k in range(6)]
    gold = [Mention("AB"[t], (span,)) for span in spans for t in (0, 1)]
    inner_first = tuple(
        (*span, ("B", "A") if k % 3 else ("A", "B")) for k, span in enumerate(spans)
    )
    analysis = sf.Analysis(frozenset(gold), ("p",) * 6, inner_first)
    parts = space.parts(analysis, 6)
    again = space.parts(space.decode(parts, 6), 6)
    assert {name: rows.tolist() for name, rows in again.items()} == {
        name: rows.tolist() for name, rows in parts.items()
    }


def test_semantic_types() -> None:
    space = sf.Discontinuous(["A"], naming="semantic")
    gold = [Mention("A", ((0, 1), (2, 3)))]
    assert space.encode(gold, 3).structure == ((0, "x"),)
    (trace_x, trace_y) = (
        str(space.trace(sf.Analysis(frozenset(gold), structure=((0, kind),)), 3)) for kind in "xy"
    )
    assert "DB-Bx" in trace_x
    assert "DB-By" in trace_y
    strange = (((0, "z"),), None, 5, (0, "x"), ((0, "x", "y"),), ([0, "x"],), np.zeros((2, 2)))
    for structure in strange:
        with pytest.raises(sf.NotRepresentable):
            space.trace(sf.Analysis(frozenset(gold), structure=structure), 3)  # type: ignore[arg-type]


def test_score_spec_explains_itself() -> None:
    for space in SPACES:
        for array in space.score_spec(3):
            assert array.name in array.meaning
            assert len(array.axes) == array.meaning.partition("]")[0].count(",") + 1
            assert -1 not in array.shape
            assert str(array).startswith(f"{array.name} [")


def test_an_empty_violation_list_for_nothing() -> None:
    assert all(space.violations([], n) == [] for space in SPACES for n in (0, 3))
