"""The reference backend: every question answered on the graph of the rules, sentence by sentence.

It is exact and slow (a Python step per edge), and what the fast engine is compared with.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import Infeasible, ScoreError
from ..rules._compiler import compile_position
from ..rules.algorithms import Weigh, best, by_parts, entropy, part_expectations, sample, total
from ..rules.graph import Edge, Graph
from ..rules.semirings import LOG, Derivation, KBest
from .scores import SCORE_LIMIT, FloatArray, ScoreBatch
from .system import System

Positions = list[tuple[int, ...]]
Place: TypeAlias = tuple[str, tuple[int, ...]]
"""A score array and a position in it."""

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
        for k, (name, position) in enumerate(used_positions(self.graph)):
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
            wrong = np.flatnonzero(~((np.abs(values) <= SCORE_LIMIT) | (values == -np.inf)))
            if len(wrong):
                raise ScoreError(
                    f"scores {name!r} of sentence {self.s}: {values[wrong[0]]} at "
                    f"{list(positions[wrong[0]])}; expected numbers from {-SCORE_LIMIT:g} to "
                    f"{SCORE_LIMIT:g}, or -inf for what is ruled out"
                )
            result[parts] = values
        return list(result.tolist())

    def infeasible(self) -> Infeasible:
        """The error for a sentence without an analysis."""
        return Infeasible(f"sentence {self.s}: no analysis has a score above -inf")

    def score(self, derivation: Derivation) -> float:
        """The score of a derivation, correctly rounded."""
        return math.fsum(self.scores[part] for edge in derivation for part in edge.parts)

    def best(self) -> Derivation:
        """A best derivation; among equals the most restrained."""
        _, derivation = best(self.graph, self._rank)
        if not derivation:
            raise self.infeasible()
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
            raise self.infeasible()
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
            raise self.infeasible()
        return [(self.score(derivation), derivation) for _, derivation in ranked]

    def sample(self, k: int, seed: int) -> list[Derivation]:
        """K derivations drawn independently; each sentence has a random stream of its own."""
        self.log_partition()
        generator = np.random.default_rng([seed, self.s])
        return sample(self.graph, k, generator, self._weigh)


def used_positions(graph: Graph) -> list[Place]:
    """For every part of a graph, its score array and its position in it."""
    system = graph.system
    place = [compile_position(system, part) for part in system.parts]
    return [(system.parts[kind].array, place[kind](*values)) for kind, *values in graph.parts]


def _within(positions: Positions, array: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], ...]:
    """Positions as one index array an axis, 0 on axes of constant scores."""
    columns = np.array(positions, dtype=np.intp).reshape(len(positions), array.ndim).T
    constant = np.array(array.shape) == 1
    return tuple(np.where(constant[:, None], 0, columns))
