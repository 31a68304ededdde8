"""The native backend: questions answered by the C++ engine.

A whole batch is asked at once. Where the analyses of a sentence are constrained, its derivations
are listed explicitly and refined (`_core.Graph`), at a cost in the number of its edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _core
from ..types import Analysis, Mention
from .analyses import Analyses, Column
from .backend import infeasible
from .constraints import NO_CONSTRAINTS, Constraints, Pattern, largest_subset, mentions_meant
from .scores import ScoreArray, ScoreBatch, bad_score

if TYPE_CHECKING:
    from .system import System


Floats: TypeAlias = npt.NDArray[np.float64]


class NativeSpace:
    """The native program of a space, and the shapes of its score arrays."""

    def __init__(self, core: _core.Space, arrays: Sequence[ScoreArray]) -> None:
        self.core = core
        self.shapes = [
            ([-1 if axis.size is None else axis.size for axis in array.axes], array.upper)
            for array in arrays
        ]
        self.no_scores = _core.Batch(self.shapes, [None] * len(self.shapes), [])

    def graph(
        self, space: System, n: int, constraints: Constraints, analysis: Analysis | None = None
    ) -> _core.Graph:
        """The derivations of n words that obey, of one analysis only if it is given."""
        numbers: dict[Mention, int] = {}

        def meant(patterns: Sequence[Pattern]) -> set[int]:
            found = (m for pattern in patterns for m in mentions_meant(space, pattern))
            return {numbers.setdefault(m, len(numbers)) for m in found}

        require = [meant((pattern,)) for pattern in constraints.require]
        forbid = meant(constraints.forbid)
        allow = [meant(patterns) for patterns in constraints.allow]
        position = {label: k for k, label in enumerate(space.labels)}
        tags = {tag: k for k, tag in enumerate(space.tag_names)}
        return _core.graph(
            self.no_scores,
            self.core,
            n,
            [(position[m.label], m.fragments) for m in numbers],
            require,
            forbid,
            allow,
            set(constraints.cover),
            [tags[tag] for tag in analysis.tags] if analysis and analysis.tags else [],
            None if analysis is None else space.structure_numbers(analysis.structure),
        )

    def best_kept(self, space: System, mentions: Sequence[Mention], n: int) -> set[Mention]:
        """The `largest_subset` of some mentions that is representable."""
        graph = self.graph(space, n, Constraints(allow=(tuple(mentions),)))
        kept = largest_subset(
            len(mentions), lambda worth: graph.worthiest(self.core, list(worth))[0]
        )
        return {mentions[k] for k in kept}


class NativeBackend:
    """A batch of sentences under constraints, asked natively."""

    def __init__(
        self, space: System, batch: ScoreBatch, constraints: Sequence[Constraints]
    ) -> None:
        assert space.native is not None
        self.space, self.native, self.core = space, space.native, space.native.core
        self._scores = batch
        self._constraints = constraints

    @cached_property
    def _batch(self) -> _core.Batch:
        given = self._scores.columns
        names = [array.name for array in self.space.score_arrays]
        columns = [given[name].values if name in given else None for name in names]
        return _core.Batch(self.native.shapes, columns, self._scores.lengths)

    @cached_property
    def _graphs(self) -> dict[int, _core.Graph]:
        """The derivations of the sentences that are constrained."""
        return {
            s: self._graph(s, constraints)
            for s, constraints in enumerate(self._constraints)
            if constraints != NO_CONSTRAINTS
        }

    def _graph(self, s: int, constraints: Constraints) -> _core.Graph:
        return self.native.graph(self.space, self._scores.lengths[s], constraints)

    @contextmanager
    def _located(self) -> Iterator[None]:
        """Say where a score is that is no number."""
        try:
            yield
        except _core.BadScore as error:
            number, s, at = error.args
            array = self.space.score_arrays[number]
            values = self._scores.columns[array.name].of(s)
            place = tuple(0 if size == 1 else k for k, size in zip(at, values.shape, strict=False))
            raise bad_score(array.name, s, at[: values.ndim], values[place]) from None

    def _each(self, values: Floats, of_graph: Callable[[_core.Graph, int], float]) -> Floats:
        """Values of all sentences, those that are constrained taken from their graphs."""
        for s, graph in self._graphs.items():
            values[s] = of_graph(graph, s)
        missing = np.flatnonzero(~(values > -math.inf))
        if len(missing):
            raise infeasible(int(missing[0]))
        return values

    def scores(self) -> Floats:
        def best(graph: _core.Graph, s: int) -> float:
            return max(graph.kbest(self.core, self._batch, s, 1)[0], default=-math.inf)

        with self._located():
            return self._each(self._batch.best(self.core, False)[0], best)

    def argmax(self) -> Analyses:
        if self._graphs:
            found = [ranked[0][1] for ranked in self.kbest(1)]
            return Analyses.of(found, self.space.labels)
        with self._located():
            scores, raw = self._batch.best(self.core, True)
        self._each(scores, lambda graph, s: -math.inf)
        assert raw is not None
        return analyses_of(self.space, raw)

    def log_partition(self) -> Floats:
        with self._located():
            return self._each(
                self._batch.sums(self.core, None),
                lambda graph, s: graph.log_z(self.core, self._batch, s, None),
            )

    def add_marginals(self, counts: Mapping[str, Any]) -> None:
        columns = [counts[array.name] for array in self.space.score_arrays]
        with self._located():
            sums = self._batch.sums(self.core, columns)
            for s in self._graphs:
                for column in columns:
                    column[s][...] = 0
            self._each(sums, lambda graph, s: graph.log_z(self.core, self._batch, s, columns))

    def entropy(self) -> Floats:
        with self._located():
            return self._each(
                self._batch.entropies(self.core),
                lambda graph, s: graph.entropy(self.core, self._batch, s),
            )

    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        with self._located():
            ranked = self._batch.kbest(self.core, k)
            for s, graph in self._graphs.items():
                ranked[s] = graph.kbest(self.core, self._batch, s, k)
        return [
            list(zip(scores.tolist(), analyses, strict=True))
            for scores, analyses in self._ranked(ranked)
        ]

    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        with self._located():
            drawn = self._batch.sample(self.core, k, seed)
            for s, graph in self._graphs.items():
                drawn[s] = graph.sample(self.core, self._batch, s, k, seed)
        return [list(analyses) for _, analyses in self._ranked(drawn)]

    def _ranked(self, ranked: list[_core.Ranked]) -> Iterator[tuple[Floats, Analyses]]:
        for s, (scores, raw) in enumerate(ranked):
            if not len(scores):
                raise infeasible(s)
            yield scores, analyses_of(self.space, raw)

    def log_weight(self, s: int, further: Constraints) -> float:
        graph = self._graph(s, self._constraints[s] & further)
        with self._located():
            return graph.log_z(self.core, self._batch, s, None)

    def log_weight_of(self, s: int, analysis: Analysis) -> float:
        n = self._scores.lengths[s]
        self.space.check_analysis(analysis, n)
        mentions = tuple(analysis.mentions)
        exactly = Constraints(require=mentions, allow=(mentions,))
        graph = self.native.graph(self.space, n, exactly, analysis)
        if not len(graph) or self._any(graph) != analysis:
            raise self.space.not_an_analysis(analysis, n)
        with self._located():
            return graph.log_z(self.core, self._batch, s, None)

    def _any(self, graph: _core.Graph) -> Analysis:
        """One of the analyses of a graph."""
        _, raw = graph.worthiest(self.core, [])
        return analyses_of(self.space, raw)[0]

    def is_possible(self, s: int, constraints: Constraints) -> bool:
        return len(self._graph(s, constraints)) > 0


def analyses_of(space: System, raw: _core.RawAnalyses) -> Analyses:
    """Analyses as the engine gives them."""
    mentions, starts, ends, labels, fragments, ranges, tags, tag, structure, numbers = raw
    names = space.tag_names

    def tags_of(s: int) -> tuple[str, ...] | None:
        return tuple(names[t] for t in tag[tags[s] : tags[s + 1]].tolist()) if names else None

    def structure_of(s: int) -> Any:
        return space.structure_of(numbers[structure[s] : structure[s + 1]].tolist())

    return Analyses(
        label_names=tuple(space.labels),
        sentences=mentions,
        starts=starts,
        ends=ends,
        labels=labels,
        fragments=fragments,
        ranges=ranges.reshape(-1, 2),
        tags=Column(len(mentions) - 1, tags_of),
        structures=Column(len(mentions) - 1, structure_of),
    )
