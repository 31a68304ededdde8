"""What a forest asks of a backend: questions about a batch of sentences under constraints."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import Infeasible
from ..types import Analysis
from .analyses import Analyses
from .constraints import Constraints

Values: TypeAlias = Sequence[float] | npt.NDArray[np.float64]
"""One number a sentence."""

Counts: TypeAlias = Any
"""Expected counts: one array `[B, …]`, or a list of one array a sentence."""


class Backend(Protocol):
    """Answers for each sentence of a batch; `Infeasible` where a sentence has no analysis."""

    def scores(self) -> Values:
        """The best scores."""
        ...

    def argmax(self) -> Analyses:
        """A best analysis of each sentence."""
        ...

    def log_partition(self) -> Values:
        """Log Z of each sentence."""
        ...

    def marginals(self) -> Mapping[str, Counts]:
        """The expected count of every part, for each score array in the form of the scores."""
        ...

    def entropy(self) -> Values:
        """The entropies, in nats."""
        ...

    def kbest(self, k: int) -> list[list[tuple[float, Analysis]]]:
        """The k best analyses of each sentence with their scores."""
        ...

    def sample(self, k: int, seed: int) -> list[list[Analysis]]:
        """K samples for each sentence."""
        ...

    def log_weight(self, s: int, further: Constraints) -> float:
        """Log of the summed weight of what obeys further constraints too; -inf if nothing does."""
        ...

    def log_weight_of(self, s: int, analysis: Analysis) -> float:
        """The score of one analysis; `NotRepresentable` if it is none of the space."""
        ...

    def is_possible(self, s: int, constraints: Constraints) -> bool:
        """Whether any analysis of sentence `s` obeys these constraints, whatever its score."""
        ...


def infeasible(s: int) -> Infeasible:
    """The error for a sentence without an analysis."""
    return Infeasible(f"sentence {s}: no analysis has a score above -inf")
