"""`Forest`: the distribution p(y) ∝ exp score(y) over the analyses of a space."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from .._checks import checked_count
from ..errors import Infeasible, NotRepresentable, OptionError, located
from ..types import Analysis, Mention
from .analyses import Analyses
from .constraints import (
    Constraints,
    Pattern,
    constrained_graph,
    fragments_of,
    one_each,
    patterns_of,
    per_sentence,
)
from .reference import Problem
from .scores import FloatArray, Given, ScoreBatch
from .system import System

Meaning: TypeAlias = Literal["exact", "span", "cover"]
Gold: TypeAlias = Analysis | Sequence[Mention]
S_co = TypeVar("S_co", bound=System, covariant=True)


class Forest(Generic[S_co]):
    """A distribution over the analyses of each sentence of a batch; made by `Space.forest`.

    The analyses of a sentence that have a score above -inf must not be none: every question
    raises `Infeasible` otherwise, naming the sentence.
    """

    def __init__(
        self,
        space: S_co,
        scores: Given | Mapping[str, Given],
        lengths: Sequence[int] | None = None,
        backend: str = "reference",
    ) -> None:
        if backend != "reference":
            raise OptionError(f"there is no backend {backend!r}: expected 'reference'")
        self.space = space
        self.backend = backend
        self._batch = ScoreBatch(space.score_arrays, scores, lengths)
        self._by_name = isinstance(scores, Mapping)
        self._constraints = [Constraints()] * self._batch.size

    @property
    def lengths(self) -> tuple[int, ...]:
        """The number of words of each sentence."""
        return self._batch.lengths

    def __len__(self) -> int:
        """The number of sentences."""
        return self._batch.size

    @cached_property
    def _problems(self) -> list[Problem]:
        return [self._problem(s) for s in range(len(self))]

    def _problem(self, s: int, further: Constraints = Constraints()) -> Problem:  # noqa: B008
        """Sentence `s` under the constraints of the forest and `further` ones."""
        graph = constrained_graph(self.space, self.lengths[s], self._constraints[s] & further)
        return Problem(self.space, graph, self._batch, s)

    def argmax(self) -> Analyses:
        """A best analysis of each sentence; among equals always the same one, without mentions
        that add nothing to the score where they can be dropped.
        """
        found = [self.space.analysis(p.graph, p.best()) for p in self._problems]
        return Analyses.of(found, self.space.labels)

    def max(self) -> FloatArray:
        """The best score of each sentence: `[B]`."""
        return self._each(lambda problem: problem.score(problem.best()))

    def log_partition(self) -> FloatArray:
        """Log Z of each sentence: `[B]`."""
        return self._each(Problem.log_partition)

    def entropy(self) -> FloatArray:
        """The entropy of each sentence's distribution, in nats: `[B]`."""
        return self._each(Problem.entropy)

    def marginals(self) -> Any:
        """The expected count of every scored part: the gradient of log Z by the scores.

        In the form in which the scores came: one array, or a mapping with every array of the
        space; padded `[B, …]` or one array a sentence. Shared scores have counts per sentence.
        """
        spec = self.space.score_arrays
        if not self._by_name:
            return self._marginals(spec[0].name)
        return {array.name: self._marginals(array.name) for array in spec}

    def _marginals(self, name: str) -> Any:
        column = self._batch.columns.get(name)
        (array,) = (a for a in self.space.score_arrays if a.name == name)
        ragged = (
            any(c.ragged for c in self._batch.columns.values())
            if column is None or column.shared
            else column.ragged
        )
        longest = 0 if ragged else max(self.lengths, default=0)

        def shape(s: int) -> tuple[int, ...]:
            if column is not None:
                return column.of(s).shape
            return array.for_words(self.lengths[s] if ragged else longest).shape

        counts = [p.marginals(name, shape(s)) for s, p in enumerate(self._problems)]
        typed = [c.astype(self._batch.dtype) for c in counts]
        if ragged:
            return typed
        return np.stack(typed) if typed else np.zeros((0, *array.for_words(0).shape))

    def log_prob(self, gold: Sequence[Gold]) -> FloatArray:
        """Log p of each sentence's analysis, or of all analyses with exactly the given mentions.

        -inf for gold that the space represents but the constraints or the scores rule out.
        """
        one_each("gold", gold, len(self))
        results = [
            min(0.0, self._log_score(s, entry) - problem.log_partition())
            for s, (entry, problem) in enumerate(zip(gold, self._problems, strict=True))
        ]
        return np.array(results, dtype=self._batch.dtype)

    def _log_score(self, s: int, gold: Gold) -> float:
        """Log of the summed weight of the analyses that `gold` means."""
        n = self.lengths[s]
        if isinstance(gold, Analysis):
            with located(f"gold[{s}]"):
                graph, derivation = self.space.derivation(gold, n)
            if not self._constraints[s].obeyed_by(gold.mentions):
                return -math.inf
            return Problem(self.space, graph, self._batch, s).score(derivation)
        mentions = patterns_of(f"gold[{s}]", gold, self.space, n)
        exactly = Constraints(require=mentions, allow=(mentions,))
        problem = self._problem(s, exactly)
        possible = len(problem.graph) or len(constrained_graph(self.space, n, exactly))
        if len(set(mentions)) < len(mentions) or not possible:
            violations = self.space.violations([m for m in mentions if isinstance(m, Mention)], n)
            raise NotRepresentable(f"gold[{s}] is outside the space", violations)
        try:
            return problem.log_partition()
        except Infeasible:
            return -math.inf

    def probability(
        self, mentions: Sequence[Sequence[Pattern]], meaning: Meaning = "exact"
    ) -> list[npt.NDArray[np.float64]]:
        """The probability of each mention, per sentence, under one of three meanings.

        - "exact": this mention, with its label, is in the analysis;
        - "span": a mention of exactly these fragments is, whatever its label;
        - "cover": each of its tokens is in some mention of the analysis.

        Mentions that the space cannot represent have probability 0. Fragments may stand for
        mentions; without a label, "exact" and "span" mean the same.
        """
        if meaning not in ("exact", "span", "cover"):
            raise OptionError(f"meaning {meaning!r}: expected 'exact', 'span' or 'cover'")
        groups = per_sentence("mentions", mentions, self.space, self.lengths)
        return [
            np.array([self._probability(s, m, meaning) for m in group], dtype=np.float64)
            for s, group in enumerate(groups)
        ]

    def _probability(self, s: int, pattern: Pattern, meaning: Meaning) -> float:
        if meaning == "cover":
            words = (k for start, end in fragments_of(pattern) for k in range(start, end))
            wanted = Constraints(cover=tuple(words))
        else:
            seen = pattern if meaning == "exact" else fragments_of(pattern)
            wanted = Constraints(require=(seen,))
        whole = self._problems[s].log_partition()
        try:
            return math.exp(min(0.0, self._problem(s, wanted).log_partition() - whole))
        except Infeasible:
            return 0.0

    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        """The k best analyses of each sentence with their scores, best first, none twice.

        Fewer where a sentence has fewer analyses with a score above -inf.
        """
        k = checked_count("k", k, 1)
        return [
            [(score, self.space.analysis(p.graph, d)) for score, d in p.kbest(k)]
            for p in self._problems
        ]

    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        """K independent exact samples for each sentence; the same for the same seed."""
        k, seed = checked_count("k", k, 1), checked_count("seed", seed, 0)
        return [
            [self.space.analysis(p.graph, d) for d in p.sample(k, seed)] for p in self._problems
        ]

    def constrained(
        self,
        require: Sequence[Sequence[Pattern]] | None = None,
        forbid: Sequence[Sequence[Pattern]] | None = None,
        allow: Sequence[Sequence[Pattern]] | None = None,
    ) -> "Forest[S_co]":
        """The forest over the analyses that obey: one list of mentions a sentence each.

        `require`: mentions that must occur; `forbid`: that must not; `allow`: if given, no other
        mention may occur. Fragments without a label mean any label. Raises `Infeasible` if a
        sentence has no such analysis.
        """
        given = {"require": require, "forbid": forbid, "allow": allow}
        groups = zip(
            *(per_sentence(name, g, self.space, self.lengths) for name, g in given.items()),
            strict=True,
        )
        forest = type(self).__new__(type(self))
        forest.__dict__.update(
            {k: v for k, v in self.__dict__.items() if k != "_problems"},
            _constraints=[
                old & Constraints(r, f, () if allow is None else (a,))
                for old, (r, f, a) in zip(self._constraints, groups, strict=True)
            ],
        )
        for problem in forest._problems:
            if not len(problem.graph):
                raise Infeasible(f"sentence {problem.s}: no analysis obeys the constraints")
        return forest

    def _each(self, question: Callable[[Problem], float]) -> FloatArray:
        return np.array([question(p) for p in self._problems], dtype=self._batch.dtype)

    def __repr__(self) -> str:
        return f"<Forest: {len(self)} sentences in {self.space!r}>"
