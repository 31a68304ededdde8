"""Constraints and gold: what they mean together, and what is refused."""

from typing import Any

import numpy as np
import pytest

import spanforest as sf
from spanforest import Mention
from spanforest.errors import LabelError, MentionError

SPACE = sf.Nested(["PER", "ORG"])


def scores(batch: int, n: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(batch, n, n, 2))


def test_constraints_that_cannot_be_met() -> None:
    forest = SPACE.forest(scores(2, 4))
    crossing = [Mention.span("PER", 0, 2), Mention.span("ORG", 1, 3)]
    with pytest.raises(sf.Infeasible, match="sentence 1: no analysis obeys"):
        forest.constrained(require=[[], crossing])
    gap = Mention("PER", ((0, 1), (2, 3)))
    with pytest.raises(sf.Infeasible):
        forest.constrained(require=[[gap], []])
    assert forest.probability([[gap], []])[0].tolist() == [0.0]


def test_constraints_add_up() -> None:
    forest = SPACE.forest(scores(1, 4))
    a, b, c = (Mention.span("PER", k, k + 1) for k in range(3))
    once = forest.constrained(require=[[a]], forbid=[[b]], allow=[[a, b, c]])
    twice = (
        forest.constrained(require=[[a]]).constrained(forbid=[[b]]).constrained(allow=[[a, b, c]])
    )
    assert once.log_partition() == twice.log_partition()
    narrower = twice.constrained(allow=[[a]])
    assert narrower.argmax()[0].mentions == {a}
    assert forest.log_partition() > twice.log_partition()
    for gold in ([b], sf.Analysis(frozenset({b}))):
        assert twice.log_prob([gold])[0] == -np.inf


def test_fragments_may_be_lists() -> None:
    forest = SPACE.forest(scores(1, 4))
    gold = sf.Analysis(frozenset({Mention.span("PER", 0, 1)}))
    for given in ({"require": [[[(0, 1)]]]}, {"allow": [[[[0, 1]]]]}):
        listed = forest.constrained(**given)
        tuples = forest.constrained(**{name: [[((0, 1),)]] for name in given})
        assert listed.log_prob([gold]) == tuples.log_prob([gold]) > -np.inf
    assert forest.constrained(forbid=[[[(0, 1)]]]).log_prob([gold]) == -np.inf  # type: ignore[list-item]
    assert forest.log_prob([[[(0, 1)]]]) == forest.log_prob([[((0, 1),)]])  # type: ignore[list-item]
    meanings: tuple[Any, ...] = ("exact", "cover")
    for meaning in meanings:
        (p,) = forest.probability([[[(0, 1)]]], meaning)  # type: ignore[list-item]
        assert p == forest.probability([[((0, 1),)]], meaning)[0]


def test_allowing_nothing() -> None:
    forest = SPACE.forest(scores(1, 3)).constrained(allow=[[]])
    assert forest.argmax()[0].mentions == frozenset()
    assert forest.log_partition() == pytest.approx(0)


@pytest.mark.parametrize(
    ("require", "error", "message"),
    [
        ([[Mention.span("PER", 0, 9)]], MentionError, "outside a sentence of 4 words"),
        ([[Mention.span("GPE", 0, 1)]], LabelError, "unknown label; expected one of PER, ORG"),
        ([[((2, 1),)]], MentionError, "0 <= start < end"),
        ([[], []], MentionError, "expected one entry for each of 1 sentences, not 2 entries"),
        (Mention.span("PER", 0, 1), MentionError, r"not Mention\('PER', 0:1\)"),
        ([Mention.span("PER", 0, 1)], MentionError, r"require\[0\]: expected a list of mentions"),
    ],
)
def test_constraints_of_the_wrong_form(require: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        SPACE.forest(scores(1, 4)).constrained(require=require)  # type: ignore[arg-type]


def test_gold_of_the_wrong_form() -> None:
    forest = SPACE.forest(scores(1, 4))
    with pytest.raises(MentionError, match="expected one entry for each of 1 sentences, not 2"):
        forest.log_prob([[], []])
    with pytest.raises(sf.NotRepresentable, match=r"gold\[0\] is outside") as caught:
        forest.log_prob([[Mention.span("PER", 0, 2), Mention.span("PER", 1, 3)]])
    assert len(caught.value.violations) == 1
    crossing = sf.Analysis(frozenset({Mention.span("PER", 0, 2), Mention.span("PER", 1, 3)}))
    with pytest.raises(sf.NotRepresentable, match=r"gold\[0\]: .*\n.*crosses") as caught:
        forest.log_prob([crossing])
    assert len(caught.value.violations) == 1
    for strange in (sf.Analysis(5), sf.Analysis(frozenset({5}))):  # type: ignore[arg-type]
        with pytest.raises(MentionError, match=r"gold\[0\]: mentions.*: expected .* not 5"):
            forest.log_prob([strange])
    with pytest.raises(MentionError, match="not Analysis"):
        forest.log_prob(crossing)  # type: ignore[arg-type]
    two = SPACE.forest(scores(2, 4), lengths=[4, 2])
    beyond = [Mention.span("PER", 0, 1), Mention.span("PER", 0, 3)]
    for question in (two.log_prob, two.probability):
        with pytest.raises(MentionError, match=r"\[1\]\[1\]: .* outside a sentence of 2 words"):
            question([[], beyond])
    with pytest.raises(MentionError, match=r"gold\[1\]: .* outside a sentence of 2 words"):
        two.log_prob([[], sf.Analysis(frozenset(beyond))])


def test_gold_with_score_minus_infinity() -> None:
    array = scores(1, 3)
    array[0, 0, 1, 0] = -np.inf
    forest = SPACE.forest(array)
    gold = [Mention.span("PER", 0, 2)]
    assert forest.log_prob([gold])[0] == -np.inf
    assert forest.log_prob([sf.Analysis(frozenset(gold))])[0] == -np.inf
