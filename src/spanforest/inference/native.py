"""The native backend: questions answered by the C++ engine.

A whole batch is asked at once. Where the analyses of a sentence are constrained, its derivations
are listed explicitly and refined (`_core.Graph`), at a cost in the number of its edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _core
from .._checks import checked_count
from ..errors import ScoreError
from ..types import Analysis, Mention
from .analyses import Analyses
from .backend import Counts, infeasible
from .constraints import NO_CONSTRAINTS, Constraints, Pattern, largest_subset, mentions_meant
from .scores import ScoreArray, ScoreBatch, bad_score

if TYPE_CHECKING:
    from .system import System


Floats: TypeAlias = npt.NDArray[np.float64]


def set_threads(count: int) -> None:
    """Let the engine work on `count` threads (at first one a core); answers are the same on any."""
    _core.set_threads(checked_count("count", count, 1))


def threads() -> int:
    """The number of threads that the engine works on."""
    return _core.threads()


class NativeSpace:
    """The native program of a space, and the shapes of its score arrays."""

    def __init__(self, core: _core.Space, arrays: Sequence[ScoreArray]) -> None:
        self.core = core
        self.names = [array.name for array in arrays]
        shapes = [
            ([-1 if axis.size is None else axis.size for axis in array.axes], array.upper)
            for array in arrays
        ]
        core.set_arrays(shapes, not any(array.required for array in arrays[1:]))
        self.no_scores = _core.Batch(core, [None] * len(arrays), [])

    def batch(self, scores: ScoreBatch) -> _core.Batch:
        """The views of a checked batch."""
        given = scores.columns
        columns = [given[name].values if name in given else None for name in self.names]
        return _core.Batch(self.core, columns, scores.lengths)

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


Question = TypeVar("Question", bound=Callable[..., Any])


def _located(question: Question) -> Question:
    """A question that says where a score is that is no number, which sentence has no analysis."""

    @wraps(question)
    def asked(self: NativeBackend, *arguments: Any) -> Any:
        try:
            return question(self, *arguments)
        except _core.BadScore as error:
            raise self.bad_score(*error.args) from None
        except _core.NoAnalysis as error:
            raise infeasible(error.args[0]) from None

    return asked  # type: ignore[return-value]


class NativeBackend:
    """A batch of sentences under constraints, asked natively.

    `scores` gives the checked batch that `batch` views; `constraints` is empty if there are none.
    """

    def __init__(
        self,
        space: System,
        batch: _core.Batch,
        scores: Callable[[], ScoreBatch],
        constraints: Sequence[Constraints],
    ) -> None:
        assert space.native is not None
        self.space, self.native, self.core = space, space.native, space.native.core
        self._batch, self._scores, self._constraints = batch, scores, constraints
        self._log_z: Floats | None = None

    @cached_property
    def _graphs(self) -> dict[int, _core.Graph]:
        """The derivations of the sentences that are constrained."""
        return {
            s: self._graph(s, constraints)
            for s, constraints in enumerate(self._constraints)
            if constraints != NO_CONSTRAINTS
        }

    def _graph(self, s: int, constraints: Constraints) -> _core.Graph:
        return self.native.graph(self.space, self._batch.lengths[s], constraints)

    def bad_score(self, number: int, s: int, at: Sequence[int]) -> ScoreError:
        """The error for a score that is no number."""
        name = self.native.names[number]
        values = self._scores().columns[name].of(s)
        place = tuple(0 if size == 1 else k for k, size in zip(at, values.shape, strict=False))
        return bad_score(name, s, at[: values.ndim], values[place])

    def _each(self, values: Floats, of_graph: Callable[[_core.Graph, int], float]) -> Floats:
        """Values of all sentences, those that are constrained taken from their graphs."""
        for s, graph in self._graphs.items():
            values[s] = of_graph(graph, s)
        missing = np.flatnonzero(~(values > -math.inf))
        if len(missing):
            raise infeasible(int(missing[0]))
        return values

    @_located
    def scores(self) -> Floats:
        def best(graph: _core.Graph, s: int) -> float:
            return max(graph.best(self.core, self._batch, s)[0], default=-math.inf)

        return self._each(self._batch.max(self.core), best)

    @_located
    def argmax(self) -> Analyses:
        free = Analyses(self.space, self._batch.argmax(self.core))
        if not self._graphs:
            return free
        best = list(free)
        for s, graph in self._graphs.items():
            scores, found = graph.best(self.core, self._batch, s)
            if not len(scores):
                raise infeasible(s)
            best[s] = Analyses(self.space, found)[0]
        return Analyses.of(best, self.space)

    @_located
    def log_partition(self) -> Floats:
        if self._log_z is None:
            self._log_z = self._each(
                self._batch.sums(self.core, None),
                lambda graph, s: graph.log_z(self.core, self._batch, s, None),
            )
        return self._log_z

    @_located
    def marginals(self) -> dict[str, Counts]:
        if self._batch.has_marginals and not self._graphs:
            self._log_z, counts = self._batch.marginals(self.core)
            return {self.native.names[0]: counts}
        zeros = {a.name: self._scores().zeros(a) for a in self.space.score_arrays}
        columns = list(zeros.values())
        sums = self._batch.sums(self.core, columns)
        for s in self._graphs:
            for column in columns:
                column[s][...] = 0
        self._log_z = self._each(
            sums, lambda graph, s: graph.log_z(self.core, self._batch, s, columns)
        )
        return zeros

    @_located
    def entropy(self) -> Floats:
        return self._each(
            self._batch.entropies(self.core),
            lambda graph, s: graph.entropy(self.core, self._batch, s),
        )

    @_located
    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        ranked = self._batch.kbest(self.core, k)
        for s, graph in self._graphs.items():
            ranked[s] = graph.kbest(self.core, self._batch, s, k)
        return [
            list(zip(scores.tolist(), analyses, strict=True))
            for scores, analyses in self._ranked(ranked)
        ]

    @_located
    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        drawn = self._batch.sample(self.core, k, seed)
        for s, graph in self._graphs.items():
            drawn[s] = graph.sample(self.core, self._batch, s, k, seed)
        return [list(analyses) for _, analyses in self._ranked(drawn)]

    def _ranked(self, ranked: list[_core.Ranked]) -> Iterator[tuple[Floats, Analyses]]:
        for s, (scores, raw) in enumerate(ranked):
            if not len(scores):
                raise infeasible(s)
            yield scores, Analyses(self.space, raw)

    @_located
    def log_weight(self, s: int, further: Constraints) -> float:
        own = self._constraints[s] if self._constraints else NO_CONSTRAINTS
        return self._graph(s, own & further).log_z(self.core, self._batch, s, None)

    @_located
    def log_weight_of(self, s: int, analysis: Analysis) -> float:
        n = self._batch.lengths[s]
        self.space.check_analysis(analysis, n)
        mentions = tuple(analysis.mentions)
        exactly = Constraints(require=mentions, allow=(mentions,))
        graph = self.native.graph(self.space, n, exactly, analysis)
        if not len(graph) or self._any(graph) != analysis:
            raise self.space.not_an_analysis(analysis, n)
        return graph.log_z(self.core, self._batch, s, None)

    def _any(self, graph: _core.Graph) -> Analysis:
        """One of the analyses of a graph."""
        _, raw = graph.worthiest(self.core, [])
        return Analyses(self.space, raw)[0]

    def is_possible(self, s: int, constraints: Constraints) -> bool:
        return len(self._graph(s, constraints)) > 0
