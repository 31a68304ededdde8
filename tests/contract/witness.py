"""The answers by definition: scores, sums and counts over the enumerated analyses."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from copy import copy

import numpy as np
import numpy.typing as npt

import spanforest as sf
from spanforest.types import Analysis

from .cases import Case, Enumerated, enumerated

Scores = dict[str, npt.NDArray[np.float64]]


def random_scores(space: sf.Space, n: int, seed: int, scale: float = 1.0) -> Scores:
    generator = np.random.default_rng([seed, n])
    return {a.name: scale * generator.standard_normal(a.shape) for a in space.score_spec(n)}


class Witness:
    """All that can be asked of the analyses of n words under given scores."""

    def __init__(self, case: Case, n: int, arrays: Mapping[str, npt.NDArray[np.float64]]) -> None:
        self.all: Enumerated = enumerated(case, n)
        self.analyses = self.all.analyses
        self.scores = np.zeros(len(self.analyses))
        for name, (owner, at) in self.all.flat.items():
            self.scores += np.bincount(owner, arrays[name][at], len(self.analyses))
        self.arrays = arrays

    @property
    def log_partition(self) -> float:
        return log_sum(self.scores)

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        return np.exp(self.scores - self.log_partition)

    @property
    def best(self) -> Analysis:
        return self.analyses[int(self.scores.argmax())]

    @property
    def entropy(self) -> float:
        p = self.probabilities
        return float(-np.sum(p[p > 0] * np.log(p[p > 0])))

    def marginals(self) -> Scores:
        counts = {name: np.zeros(array.shape) for name, array in self.arrays.items()}
        for name, (owner, at) in self.all.flat.items():
            np.add.at(counts[name], at, self.probabilities[owner])
        return counts

    def among(self, keep: npt.NDArray[np.bool_]) -> "Witness":
        """The same where only some of the analyses are possible."""
        some = copy(self)
        some.scores = np.where(keep, self.scores, -np.inf)
        return some

    @property
    def possible(self) -> int:
        """The number of analyses with a score above -inf."""
        return int((self.scores > -np.inf).sum())

    def where(self, holds: Callable[[Analysis], bool]) -> npt.NDArray[np.bool_]:
        return np.array([holds(a) for a in self.analyses], dtype=bool)

    def share(self, holds: Callable[[Analysis], bool]) -> float:
        return float(self.probabilities[self.where(holds)].sum())

    def mentions(self) -> list[sf.Mention]:
        """All mentions that occur, most frequent first."""
        return [m for m, _ in Counter(m for a in self.analyses for m in a.mentions).most_common()]


def log_sum(scores: npt.NDArray[np.float64]) -> float:
    top = scores.max(initial=-np.inf)
    if top == -np.inf:
        return float("-inf")
    return float(top + np.log(np.exp(scores - top).sum()))


def chi_square(counts: npt.NDArray[np.intp], expected: npt.NDArray[np.float64]) -> float:
    """How many standard deviations χ² is above its mean; what is expected less than five times
    is counted together, with so many others that this is expected five times as well.
    """
    order = np.argsort(expected)
    counts, expected = counts[order], expected[order]
    rare = int(np.searchsorted(expected, 5))
    if rare:
        rare = max(rare, 1 + int(np.searchsorted(expected.cumsum(), 5)))
    seen = np.append(counts[rare:], counts[:rare].sum() if rare else [])
    wanted = np.append(expected[rare:], expected[:rare].sum() if rare else [])
    freedom = max(1, len(wanted) - 1)
    return float((((seen - wanted) ** 2 / wanted).sum() - freedom) / np.sqrt(2 * freedom))


def has(mention: sf.Mention) -> Callable[[Analysis], bool]:
    return lambda analysis: mention in analysis.mentions


def has_span(mention: sf.Mention) -> Callable[[Analysis], bool]:
    return lambda analysis: any(m.fragments == mention.fragments for m in analysis.mentions)


def covers(words: Collection[int]) -> Callable[[Analysis], bool]:
    return lambda analysis: set(words) <= {w for m in analysis.mentions for w in m.tokens}


def lacks(mention: sf.Mention) -> Callable[[Analysis], bool]:
    return lambda analysis: mention not in analysis.mentions


def lacks_span(mention: sf.Mention) -> Callable[[Analysis], bool]:
    return lambda analysis: not has_span(mention)(analysis)


def within(allowed: Collection[sf.Mention]) -> Callable[[Analysis], bool]:
    return lambda analysis: analysis.mentions <= set(allowed)


def same_mentions(other: Analysis) -> Callable[[Analysis], bool]:
    return lambda analysis: analysis.mentions == other.mentions
