"""`Forest`: the distribution p(y) ∝ exp score(y) over the analyses of a space."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _core
from .._checks import checked_count
from ..errors import Infeasible, NotRepresentable, OptionError, located
from ..types import Analysis, Mention
from .analyses import Analyses
from .backend import Backend, Values
from .constraints import (
    NO_CONSTRAINTS,
    Constraints,
    Pattern,
    fragments_of,
    one_each,
    patterns_of,
    per_sentence,
)
from .native import NativeBackend
from .scores import FloatArray, Given, Lengths, ScoreBatch
from .system import System

BackendName: TypeAlias = Literal["native", "reference"]
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
        lengths: Lengths | None = None,
        backend: BackendName | None = None,
    ) -> None:
        self.space = space
        self.backend = _backend_name(space, backend)
        self._scores, self._lengths = scores, lengths
        self._constraints: Sequence[Constraints] = ()
        self._native: _core.Batch | None = None
        if self.backend == "native" and space.native is not None:
            self._native = _core.Batch.plain(space.native.core, scores, lengths)
            if self._native is None:
                self._native = space.native.batch(self._batch)
        else:
            self._batch  # noqa: B018

    def __getstate__(self) -> dict[str, Any]:
        kept = ("space", "backend", "_scores", "_lengths", "_constraints")
        return {name: self.__dict__[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["space"], state["_scores"], state["_lengths"], state["backend"])  # type: ignore[misc]
        self._constraints = state["_constraints"]

    @cached_property
    def _batch(self) -> ScoreBatch:
        """The scores, checked."""
        return ScoreBatch(self.space.score_arrays, self._scores, self._lengths)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The number of words of each sentence."""
        return self._batch.lengths if self._native is None else tuple(self._native.lengths)

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.lengths)

    @cached_property
    def _ask(self) -> Backend:
        if self._native is not None:
            return NativeBackend(self.space, self._native, lambda: self._batch, self._constraints)
        from .reference import ReferenceBackend

        return ReferenceBackend(self.space, self._batch, self._each_constraints)

    def argmax(self) -> Analyses:
        """A best analysis of each sentence; among equals always the same one, without mentions
        that add nothing to the score where they can be dropped.
        """
        return self._ask.argmax()

    def max(self) -> FloatArray:
        """The best score of each sentence: `[B]`."""
        return self._floats(self._ask.scores())

    def log_partition(self) -> FloatArray:
        """Log Z of each sentence: `[B]`."""
        return self._floats(self._ask.log_partition())

    def entropy(self) -> FloatArray:
        """The entropy of each sentence's distribution, in nats: `[B]`."""
        return self._floats(self._ask.entropy())

    def marginals(self) -> Any:
        """The expected count of every scored part: the gradient of log Z by the scores.

        In the form in which the scores came: one array, or a mapping with every array of the
        space; padded `[B, …]` or one array a sentence. Shared scores have counts per sentence.
        """
        counts = self._ask.marginals()
        return (
            counts if isinstance(self._scores, Mapping) else counts[self.space.score_arrays[0].name]
        )

    def log_prob(self, gold: Sequence[Gold]) -> FloatArray:
        """Log p of each sentence's analysis, or of all analyses with exactly the given mentions.

        -inf for gold that the space represents but the constraints or the scores rule out.
        """
        one_each("gold", gold, len(self))
        whole = self._ask.log_partition()
        results = [min(0.0, self._log_weight(s, entry) - whole[s]) for s, entry in enumerate(gold)]
        return self._floats(results)

    def _log_weight(self, s: int, gold: Gold) -> float:
        """Log of the summed weight of the analyses that `gold` means."""
        n = self.lengths[s]
        if isinstance(gold, Analysis):
            with located(f"gold[{s}]"):
                weight = self._ask.log_weight_of(s, gold)
            return weight if self._each_constraints[s].obeyed_by(gold.mentions) else -math.inf
        mentions = patterns_of(f"gold[{s}]", gold, self.space, n)
        exactly = Constraints(require=mentions, allow=(mentions,))
        weight = self._ask.log_weight(s, exactly)
        if weight > -math.inf and len(set(mentions)) == len(mentions):
            return weight
        if len(set(mentions)) < len(mentions) or not self._ask.is_possible(s, exactly):
            violations = self.space.violations([m for m in mentions if isinstance(m, Mention)], n)
            raise NotRepresentable(f"gold[{s}] is outside the space", violations)
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
        whole = self._ask.log_partition()
        return [
            np.array([self._probability(s, m, meaning, whole[s]) for m in group], dtype=np.float64)
            for s, group in enumerate(groups)
        ]

    def _probability(self, s: int, pattern: Pattern, meaning: Meaning, whole: float) -> float:
        if meaning == "cover":
            words = (k for start, end in fragments_of(pattern) for k in range(start, end))
            wanted = Constraints(cover=tuple(words))
        else:
            seen = pattern if meaning == "exact" else fragments_of(pattern)
            wanted = Constraints(require=(seen,))
        return math.exp(min(0.0, self._ask.log_weight(s, wanted) - whole))

    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        """The k best analyses of each sentence with their scores, best first, none twice.

        Fewer where a sentence has fewer analyses with a score above -inf. Among equals the order
        is always the same, but the first need not be the one that `argmax` takes.
        """
        return self._ask.kbest(checked_count("k", k, 1))

    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        """K independent exact samples for each sentence; the same for the same seed."""
        return self._ask.sample(checked_count("k", k, 1), checked_count("seed", seed, 0))

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
            {k: v for k, v in self.__dict__.items() if k != "_ask"},
            _constraints=[
                old & Constraints(r, f, () if allow is None else (a,))
                for old, (r, f, a) in zip(self._each_constraints, groups, strict=True)
            ],
        )
        for s, constraints in enumerate(forest._constraints):
            if not forest._ask.is_possible(s, constraints):
                raise Infeasible(f"sentence {s}: no analysis obeys the constraints")
        return forest

    @property
    def _each_constraints(self) -> Sequence[Constraints]:
        return self._constraints or [NO_CONSTRAINTS] * len(self)

    def _floats(self, values: Values) -> FloatArray:
        return np.array(values, dtype=self._batch.dtype)

    def __repr__(self) -> str:
        return f"<Forest: {len(self)} sentences in {self.space!r}>"


def _backend_name(space: System, wanted: BackendName | None) -> BackendName:
    if wanted not in (None, "native", "reference"):
        raise OptionError(f"there is no backend {wanted!r}: expected 'native' or 'reference'")
    if wanted == "native" and space.native is None:
        raise OptionError(f"{space!r} has rules only: expected backend='reference'")
    return wanted or ("reference" if space.native is None else "native")
