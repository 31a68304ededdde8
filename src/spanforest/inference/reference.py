"""The reference backend: every question answered on the graph of the rules, sentence by sentence.

It is exact and slow (a Python step per edge), and what the fast engine is compared with.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import Infeasible
from ..rules.algorithms import Weigh, best, by_parts, entropy, part_expectations, sample, total
from ..rules.graph import Edge, Found, Graph
from ..rules.refinement import demanding, filtered
from ..rules.semirings import LOG, Derivation, KBest
from ..types import Analysis
from .analyses import Analyses
from .backend import Counts, infeasible
from .constraints import NO_CONSTRAINTS, Constraints, Pattern, matches
from .scores import FloatArray, ScoreBatch, bad_score, is_good
from .system import System

Positions = list[tuple[int, ...]]

RESTRAINT_BITS = 64
"""Room below an exact score for the restraint of a whole analysis."""


class Problem:
    """One sentence: the graph of its analyses and the scores of the graph's parts."""

    def __init__(self, space: System, graph: Graph, batch: ScoreBatch, s: int) -> None:
        self.space = space
        self.graph = graph
        self.s = s
        self._batch = batch

    @property
    def _weigh(self) -> Weigh:
        return by_parts(self.scores)

    @cached_property
    def positions(self) -> dict[str, tuple[list[int], Positions]]:
        """For every score array, the parts of the graph that it scores, and where."""
        found: dict[str, tuple[list[int], Positions]] = {}
        for k, (name, position) in enumerate(self.graph.places):
            parts, positions = found.setdefault(name, ([], []))
            parts.append(k)
            positions.append(position)
        return found

    @cached_property
    def scores(self) -> list[float]:
        """The score of every part of the graph; NaN, +inf and numbers too large are errors."""
        result = np.zeros(len(self.graph.parts))
        for name, (parts, positions) in self.positions.items():
            array = self._batch.array(name, self.s)
            if array is None or not parts:
                continue
            values = array[_within(positions, array)].astype(np.float64)
            wrong = np.flatnonzero(~is_good(values))
            if len(wrong):
                raise bad_score(name, self.s, positions[wrong[0]], values[wrong[0]])
            result[parts] = values
        return list(result.tolist())

    def score(self, derivation: Derivation) -> float:
        """The score of a derivation, correctly rounded."""
        return math.fsum(self.scores[part] for edge in derivation for part in edge.parts)

    def best(self) -> Derivation:
        """A best derivation; among equals the most restrained."""
        _, derivation = best(self.graph, self._rank)
        if not derivation:
            raise infeasible(self.s)
        return derivation

    def _rank(self, edge: Edge) -> float:
        """The score of an edge as an exact integer, with its restraint in the lowest bits: so
        equal scores are equal in whatever order they are summed.
        """
        ranks = [self._ranks[part] for part in edge.parts]
        if -math.inf in ranks:
            return -math.inf
        return sum(ranks) + self.space.restraint(self.graph, edge)

    @cached_property
    def _ranks(self) -> list[float]:
        """The scores of the parts in a common unit, as integers; -inf stays."""
        ratios = [None if w == -math.inf else w.as_integer_ratio() for w in self.scores]
        unit = max((ratio[1] for ratio in ratios if ratio), default=1) << RESTRAINT_BITS
        return [ratio[0] * (unit // ratio[1]) if ratio else -math.inf for ratio in ratios]

    def log_partition(self) -> float:
        """Log Z."""
        value = total(self.graph, LOG, self._weigh)
        if value == -math.inf:
            raise infeasible(self.s)
        return value

    def expectations(self) -> list[float]:
        """How often each part is used, in expectation."""
        self.log_partition()
        return part_expectations(self.graph, self.scores)

    def marginals(self, name: str, shape: Sequence[int]) -> FloatArray:
        """The expectations of the parts that the array `name` scores, in its shape."""
        result, expected = np.zeros(shape), self._expectations
        parts, positions = self.positions.get(name, ([], []))
        if parts:
            np.add.at(result, _within(positions, result), expected[parts])
        return result

    @cached_property
    def _expectations(self) -> npt.NDArray[np.float64]:
        return np.array(self.expectations())

    def entropy(self) -> float:
        """The entropy of the distribution, in nats."""
        self.log_partition()
        return entropy(self.graph, self._weigh)

    def kbest(self, k: int) -> list[tuple[float, Derivation]]:
        """The k best derivations with their scores; among equals the most restrained first."""
        ranked = total(self.graph, KBest(k), self._rank)
        if not ranked:
            raise infeasible(self.s)
        return [(self.score(derivation), derivation) for _, derivation in ranked]

    def sample(self, k: int, seed: int) -> list[Derivation]:
        """K derivations drawn independently; each sentence has a random stream of its own."""
        self.log_partition()
        generator = np.random.default_rng([seed, self.s])
        return sample(self.graph, k, generator, self._weigh)


def constrained_graph(space: System, n: int, constraints: Constraints) -> Graph:
    """The derivations of n words that obey; without items if there are none."""
    if constraints == NO_CONSTRAINTS:
        return space.graph(n)

    def all_of(patterns: Iterable[Pattern]) -> frozenset[Found]:
        return frozenset(found for pattern in patterns for found in matches(space, pattern, n))

    require = [matches(space, pattern, n) for pattern in constraints.require]
    forbid = all_of(constraints.forbid)
    allow = [all_of(patterns) for patterns in constraints.allow]
    tracked = frozenset().union(forbid, *allow, *require)
    graph = space.explicit_graph(n, tracked, strict=bool(allow))

    cover = frozenset(constraints.cover)

    def keep(edge: Edge) -> bool:
        return (
            forbid.isdisjoint(edge.found)
            and all(allowed.issuperset(edge.found) for allowed in allow)
            and cover.isdisjoint(space.words_left_out(graph, edge))
        )

    if forbid or allow or cover:
        graph = filtered(graph, keep)
    for wanted in require:
        graph = demanding(graph, wanted)
    return graph


class ReferenceBackend:
    """A batch of sentences under constraints, asked one by one."""

    def __init__(
        self, space: System, batch: ScoreBatch, constraints: Sequence[Constraints]
    ) -> None:
        self.space = space
        self._batch = batch
        self._constraints = constraints

    @cached_property
    def _problems(self) -> list[Problem]:
        return [self._problem(s, NO_CONSTRAINTS) for s in range(self._batch.size)]

    def _problem(self, s: int, further: Constraints) -> Problem:
        n = self._batch.lengths[s]
        graph = constrained_graph(self.space, n, self._constraints[s] & further)
        return Problem(self.space, graph, self._batch, s)

    def scores(self) -> list[float]:
        return [problem.score(problem.best()) for problem in self._problems]

    def argmax(self) -> Analyses:
        found = [self.space.analysis(p.graph, p.best()) for p in self._problems]
        return Analyses.of(found, self.space)

    def log_partition(self) -> list[float]:
        return [problem.log_partition() for problem in self._problems]

    def marginals(self) -> dict[str, Counts]:
        counts = {array.name: self._batch.zeros(array) for array in self.space.score_arrays}
        for name, column in counts.items():
            for s, problem in enumerate(self._problems):
                column[s][...] = problem.marginals(name, column[s].shape)
        return counts

    def entropy(self) -> list[float]:
        return [problem.entropy() for problem in self._problems]

    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        return [
            [(score, self.space.analysis(p.graph, d)) for score, d in p.kbest(k)]
            for p in self._problems
        ]

    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        return [
            [self.space.analysis(p.graph, d) for d in p.sample(k, seed)] for p in self._problems
        ]

    def log_weight(self, s: int, further: Constraints) -> float:
        try:
            return self._problem(s, further).log_partition()
        except Infeasible:
            return -math.inf

    def log_weight_of(self, s: int, analysis: Analysis) -> float:
        graph, derivation = self.space.derivation(analysis, self._batch.lengths[s])
        return Problem(self.space, graph, self._batch, s).score(derivation)

    def is_possible(self, s: int, constraints: Constraints) -> bool:
        return len(constrained_graph(self.space, self._batch.lengths[s], constraints)) > 0


def _within(positions: Positions, array: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], ...]:
    """Positions as one index array an axis, 0 on axes of constant scores."""
    columns = np.array(positions, dtype=np.intp).reshape(len(positions), array.ndim).T
    constant = np.array(array.shape) == 1
    return tuple(np.where(constant[:, None], 0, columns))
