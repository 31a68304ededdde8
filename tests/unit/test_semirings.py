"""One checker of the laws for all semirings; algorithms refuse the wrong one."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spanforest as sf
from spanforest.errors import MissingProperty, OptionError, ScoreError
from spanforest.rules import (
    BOOLEAN,
    COUNTING,
    DERIVATIONS,
    LOG,
    MAX,
    REAL,
    Edge,
    Expectation,
    Graph,
    KBest,
    SecondOrder,
    Semiring,
    best,
    by_parts,
    derivations,
    inside,
    outside,
    sample,
    total,
)

EDGES = [Edge(k, k, (), (k,)) for k in range(4)]
WEIGHTS = [0.5, -1.25, 2.0, -math.inf]


def value(edge: Edge) -> float:
    return 0.75 * edge.head - 1


SEMIRINGS: list[Semiring[Any]] = [
    COUNTING, BOOLEAN, REAL, LOG, MAX, DERIVATIONS, KBest(2), KBest(50),
    Expectation(value), SecondOrder(value, lambda edge: 2.0 - edge.head),
]  # fmt: skip


def close(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and a and isinstance(a[0], float):
        return bool(np.allclose(a, b, rtol=1e-12))
    if isinstance(a, float):
        return a == b or math.isclose(a, b, rel_tol=1e-12)
    if isinstance(a, tuple):  # sets of derivations, whatever their order
        return same_derivations(a, b)
    return bool(a == b)


def same_derivations(a: Any, b: Any) -> bool:
    """The same derivations, or the same scores of the best ones (which may be tied)."""

    def key(entry: Any) -> Any:
        ranked = entry and isinstance(entry[0], int | float)
        return round(entry[0], 9) if ranked else repr(entry)

    return sorted(map(key, a)) == sorted(map(key, b))


def elements(semiring: Semiring[Any]) -> list[Any]:
    lifted = [semiring.lift(w, e) for w, e in zip(WEIGHTS, EDGES, strict=True)]
    return [semiring.zero, semiring.one, *lifted, semiring.plus(lifted[0], lifted[1])]


@pytest.mark.parametrize("semiring", SEMIRINGS, ids=lambda s: type(s).__name__)
def test_laws(semiring: Semiring[Any]) -> None:
    plus: Callable[[Any, Any], Any] = semiring.plus
    times: Callable[[Any, Any], Any] = semiring.times
    zero, one = semiring.zero, semiring.one
    for a in elements(semiring):
        assert close(plus(a, zero), a)
        assert close(plus(zero, a), a)
        assert close(times(a, one), a)
        assert close(times(one, a), a)
        assert close(times(a, zero), zero)
        assert close(times(zero, a), zero)
        if semiring.idempotent:
            assert close(plus(a, a), a)
        for b in elements(semiring):
            assert close(plus(a, b), plus(b, a))
            if semiring.commutative:
                assert close(times(a, b), times(b, a))
            if semiring.selective:
                assert close(plus(a, b), a) or close(plus(a, b), b)
            for c in elements(semiring):
                assert close(plus(plus(a, b), c), plus(a, plus(b, c)))
                assert close(semiring.sum([a, b, c]), plus(plus(a, b), c))
                assert close(times(times(a, b), c), times(a, times(b, c)))
                assert close(times(a, plus(b, c)), plus(times(a, b), times(a, c)))
                assert close(times(plus(a, b), c), plus(times(a, c), times(b, c)))


def test_declared_properties_are_not_too_few() -> None:
    ranked, derived = KBest(2), DERIVATIONS
    a, b = (ranked.lift(w, e) for w, e in zip(WEIGHTS[:2], EDGES, strict=False))
    assert ranked.times(a, b) != ranked.times(b, a)
    assert not derived.commutative


def test_algorithms_refuse_the_wrong_semiring() -> None:
    graph = sf.Nested(["A"]).graph(3)
    for semiring in (KBest(3), DERIVATIONS):
        with pytest.raises(MissingProperty, match="outside needs a commutative semiring"):
            outside(graph, semiring, inside(graph, semiring))
    with pytest.raises(MissingProperty, match="best needs a selective semiring; Log is not"):
        best(graph, semiring=LOG)
    with pytest.raises(MissingProperty, match="sample needs a measure semiring; Max is not"):
        sample(graph, 1, np.random.default_rng(0), semiring=MAX)


SPACE = sf.Nested(["A", "B"])


@pytest.mark.parametrize("semiring", [LOG, REAL, COUNTING], ids=lambda s: type(s).__name__)
def test_samples_of_all_measures(semiring: Semiring[Any]) -> None:
    graph = sf.Segments(["A"]).graph(2)
    weigh = by_parts([1.0, -0.5, -math.inf][: len(graph.parts)])
    every = derivations(graph)
    weights = np.array(
        [1.0 if semiring is COUNTING else math.exp(sum(map(weigh, d))) for d in every]
    )
    drawn = sample(graph, 4000, np.random.default_rng(0), weigh, semiring)
    counts = np.array([drawn.count(d) for d in every])
    assert counts.sum() == 4000
    np.testing.assert_allclose(counts / 4000, weights / weights.sum(), atol=0.03)
    assert (counts == 0).tolist() == (weights == 0).tolist()


@pytest.mark.parametrize("semiring", [LOG, REAL], ids=lambda s: type(s).__name__)
def test_nothing_to_sample(semiring: Semiring[Any]) -> None:
    none = Graph(SPACE.system, 3, (), (), ())
    with pytest.raises(sf.Infeasible, match="no derivation of 3 words to sample"):
        sample(none, 1, np.random.default_rng(0), semiring=semiring)
    with pytest.raises(sf.Infeasible, match="no derivation of 2 words to sample"):
        sample(SPACE.graph(2), 1, np.random.default_rng(0), lambda edge: -math.inf, semiring)


def problem(n: int = 4) -> tuple[Any, list[float]]:
    graph = SPACE.graph(n)
    return graph, np.random.default_rng(5).normal(size=len(graph.parts)).tolist()


def test_sums_that_are_too_large_for_a_float() -> None:
    semirings: list[Semiring[Any]] = [REAL, Expectation(value), SecondOrder(value, value)]
    for semiring in semirings:
        with pytest.raises(ScoreError, match=r"exp\(800\) is too large for a float"):
            total(sf.Nested(["A"]).graph(2), semiring, lambda edge: 800)


def test_too_few_scores() -> None:
    with pytest.raises(ScoreError, match=r"1 scores: expected one for each of `graph.parts`"):
        best(sf.Nested(["A"]).graph(2), by_parts([0.0]))


@pytest.mark.parametrize("k", [0, -1, 1.5])
def test_no_best_derivations(k: Any) -> None:
    with pytest.raises(OptionError, match=f"k = {k}: expected an integer of at least 1"):
        KBest(k)


def test_first_order_expectations() -> None:
    graph, scores = problem()
    weigh = by_parts(scores)
    z, z_score = total(graph, Expectation(weigh), weigh)
    assert math.log(z) == pytest.approx(total(graph, LOG, weigh))
    size = total(graph, Expectation(lambda edge: float(len(edge.found))), weigh)[1] / z
    span = np.zeros((1, 4, 4, 2))
    for part, score in zip(graph.parts, scores, strict=True):
        _, i, j, t = part
        span[0, i, j - 1, t] = score
    forest = SPACE.forest(span)
    assert forest.entropy()[0] == pytest.approx(math.log(z) - z_score / z)
    assert forest.marginals().sum() == pytest.approx(size)


def test_second_order_expectations_are_the_gradient_of_entropy() -> None:
    """∂H/∂w_a = -Cov(score, n_a) (SPEC (h)), against finite differences."""
    graph, scores = problem(3)

    def entropy(scores: list[float]) -> float:
        weigh = by_parts(scores)
        z, z_score = total(graph, Expectation(weigh), weigh)
        return math.log(z) - z_score / z

    weigh = by_parts(scores)
    for part in range(len(scores)):
        used = _uses(part)
        p, r, s, t = total(graph, SecondOrder(weigh, used), weigh)
        covariance = t / p - (r / p) * (s / p)
        moved = [[w + sign * 1e-5 * (k == part) for k, w in enumerate(scores)] for sign in (1, -1)]
        slope = (entropy(moved[0]) - entropy(moved[1])) / 2e-5
        assert -covariance == pytest.approx(slope, abs=1e-6)


def _uses(part: int) -> Callable[[Edge], float]:
    return lambda edge: float(edge.parts.count(part))


def test_collision_probability_is_a_ratio_of_sums() -> None:
    """Σ p² = Z(2w) / Z(w)² (SPEC (h))."""
    graph, scores = problem(3)
    logs = [total(graph, LOG, by_parts([k * w for w in scores])) for k in (1, 2)]
    every = total(graph, KBest(10**6), by_parts(scores))
    assert math.exp(logs[1] - 2 * logs[0]) == pytest.approx(
        sum(math.exp(score - logs[0]) ** 2 for score, _ in every)
    )
