"""Semirings: what is summed over all derivations, and multiplied along each.

A semiring declares its properties; an algorithm refuses one that lacks a property it needs
(`require`). The weight of an edge comes in as a log-score; `lift` turns it into a value.

- `COUNTING`: the number of derivations, exact;
- `BOOLEAN`: whether there is a derivation above -inf;
- `REAL`, `LOG`: the partition function, its logarithm;
- `MAX`: the best score;
- `KBest(k)`: the k best scores, each with its derivation;
- `DERIVATIONS`: all derivations;
- `Expectation(r)`: (Z, Z E[r]) for r additive over edges;
- `SecondOrder(r, s)`: (Z, Z E[r], Z E[s], Z E[r s]).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from heapq import nlargest
from typing import ClassVar, Generic, TypeAlias, TypeVar

from .._checks import checked_count
from ..errors import MissingProperty, ScoreError
from .graph import Edge

V = TypeVar("V")

Derivation: TypeAlias = tuple[Edge, ...]
"""The edges of a derivation, every edge before those that derive its body, left to right."""


def _exp(weight: float) -> float:
    try:
        return math.exp(weight)
    except OverflowError as error:
        raise ScoreError(f"exp({weight:g}) is too large for a float: take LOG") from error


class Semiring(ABC, Generic[V]):
    """`plus` and `times` with `zero` and `one`; `times` distributes over `plus`.

    - `commutative`: a ⊗ b = b ⊗ a (outside values need it);
    - `idempotent`: a ⊕ a = a;
    - `selective`: a ⊕ b is a or b (a best derivation needs it);
    - `measure`: values are, or are logarithms of, non-negative numbers (sampling needs it).
    """

    zero: V
    one: V
    commutative: ClassVar[bool] = True
    idempotent: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    measure: ClassVar[bool] = False

    @abstractmethod
    def plus(self, a: V, b: V) -> V:
        """A ⊕ b."""

    @abstractmethod
    def times(self, a: V, b: V) -> V:
        """A ⊗ b."""

    @abstractmethod
    def lift(self, weight: float, edge: Edge) -> V:
        """The value of an edge with the log-score `weight`."""

    def sum(self, values: Iterable[V]) -> V:
        """⊕ of any number of values."""
        total = self.zero
        for value in values:
            total = self.plus(total, value)
        return total

    def product(self, values: Iterable[V]) -> V:
        """⊗ of any number of values, from left to right."""
        result = self.one
        for value in values:
            result = self.times(result, value)
        return result

    def share(self, value: V, whole: V) -> float:
        """The fraction of `whole`, a sum above zero, that its summand `value` is; for a measure."""
        raise NotImplementedError

    def require(self, algorithm: str, *properties: str) -> None:
        """Refuse this semiring for an algorithm that needs a property it does not have."""
        for name in properties:
            if not getattr(self, name):
                raise MissingProperty(
                    f"{algorithm} needs a {name} semiring; {type(self).__name__} is not"
                )


class Counting(Semiring[int]):
    """Numbers of derivations, as exact integers; weights are ignored."""

    zero, one = 0, 1
    measure = True

    def plus(self, a: int, b: int) -> int:
        return a + b

    def times(self, a: int, b: int) -> int:
        return a * b

    def lift(self, weight: float, edge: Edge) -> int:
        return 1

    def share(self, value: int, whole: int) -> float:
        return value / whole


class Boolean(Semiring[bool]):
    """Whether anything can be derived with a weight above -inf."""

    zero, one = False, True
    idempotent = selective = True

    def plus(self, a: bool, b: bool) -> bool:
        return a or b

    def times(self, a: bool, b: bool) -> bool:
        return a and b

    def lift(self, weight: float, edge: Edge) -> bool:
        return weight > -math.inf


class Real(Semiring[float]):
    """Sums of products of exponentials; overflows where log-scores are large."""

    zero, one = 0.0, 1.0
    measure = True

    def plus(self, a: float, b: float) -> float:
        return a + b

    def times(self, a: float, b: float) -> float:
        return a * b

    def lift(self, weight: float, edge: Edge) -> float:
        return _exp(weight)

    def share(self, value: float, whole: float) -> float:
        return value / whole


class Log(Semiring[float]):
    """The same in logarithms."""

    zero, one = -math.inf, 0.0
    measure = True

    def plus(self, a: float, b: float) -> float:
        return self.sum((a, b))

    def times(self, a: float, b: float) -> float:
        return a + b

    def lift(self, weight: float, edge: Edge) -> float:
        return weight

    def sum(self, values: Iterable[float]) -> float:
        listed = list(values)
        top = max(listed, default=-math.inf)
        if top == -math.inf:
            return -math.inf
        return top + math.log(math.fsum(math.exp(value - top) for value in listed))

    def share(self, value: float, whole: float) -> float:
        return math.exp(min(0.0, value - whole))


class Max(Semiring[float]):
    """Best scores; exact for integers of any size."""

    zero, one = -math.inf, 0
    idempotent = selective = True

    def plus(self, a: float, b: float) -> float:
        return max(a, b)

    def times(self, a: float, b: float) -> float:
        return -math.inf if -math.inf in (a, b) else a + b

    def lift(self, weight: float, edge: Edge) -> float:
        return weight


Ranked: TypeAlias = tuple[tuple[float, Derivation], ...]


class KBest(Semiring[Ranked]):
    """The k best derivations with their scores, best first; equal scores in the order found."""

    zero: Ranked = ()
    one: Ranked = ((0, ()),)
    commutative = False

    def __init__(self, k: int) -> None:
        self.k = checked_count("k", k, 1)

    def plus(self, a: Ranked, b: Ranked) -> Ranked:
        return self.sum((a, b))

    def times(self, a: Ranked, b: Ranked) -> Ranked:
        return self._top((x + y, d + e) for x, d in a for y, e in b)

    def sum(self, values: Iterable[Ranked]) -> Ranked:
        return self._top(entry for ranked in values for entry in ranked)

    def lift(self, weight: float, edge: Edge) -> Ranked:
        return ((weight, (edge,)),) if weight > -math.inf else ()

    def _top(self, entries: Iterable[tuple[float, Derivation]]) -> Ranked:
        return tuple(nlargest(self.k, entries, key=lambda entry: entry[0]))


class Derivations(Semiring[tuple[Derivation, ...]]):
    """All derivations above -inf, each as the sequence of its edges."""

    zero: tuple[Derivation, ...] = ()
    one: tuple[Derivation, ...] = ((),)
    commutative = False

    def plus(self, a: tuple[Derivation, ...], b: tuple[Derivation, ...]) -> tuple[Derivation, ...]:
        return a + b

    def times(self, a: tuple[Derivation, ...], b: tuple[Derivation, ...]) -> tuple[Derivation, ...]:
        return tuple(d + e for d in a for e in b)

    def lift(self, weight: float, edge: Edge) -> tuple[Derivation, ...]:
        return ((edge,),) if weight > -math.inf else ()


class Expectation(Semiring[tuple[float, float]]):
    """First-order expectation semiring (SPEC (h)): pairs (p, p r), r additive over edges."""

    zero, one = (0.0, 0.0), (1.0, 0.0)

    def __init__(self, value: Callable[[Edge], float]) -> None:
        self.value = value

    def plus(self, a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
        return a[0] + b[0], a[1] + b[1]

    def times(self, a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
        return a[0] * b[0], a[0] * b[1] + a[1] * b[0]

    def lift(self, weight: float, edge: Edge) -> tuple[float, float]:
        p = _exp(weight)
        return (p, p * self.value(edge)) if p else self.zero


Quadruple: TypeAlias = tuple[float, float, float, float]


class SecondOrder(Semiring[Quadruple]):
    """Second-order expectation semiring (SPEC (h)): quadruples (p, p r, p s, p r s)."""

    zero: Quadruple = (0.0, 0.0, 0.0, 0.0)
    one: Quadruple = (1.0, 0.0, 0.0, 0.0)

    def __init__(self, first: Callable[[Edge], float], second: Callable[[Edge], float]) -> None:
        self.first, self.second = first, second

    def plus(self, a: Quadruple, b: Quadruple) -> Quadruple:
        return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]

    def times(self, a: Quadruple, b: Quadruple) -> Quadruple:
        return (
            a[0] * b[0],
            a[0] * b[1] + a[1] * b[0],
            a[0] * b[2] + a[2] * b[0],
            a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0],
        )

    def lift(self, weight: float, edge: Edge) -> Quadruple:
        p = _exp(weight)
        if not p:
            return self.zero
        r, s = self.first(edge), self.second(edge)
        return p, p * r, p * s, p * r * s


COUNTING, BOOLEAN, REAL, LOG, MAX, DERIVATIONS = (
    Counting(),
    Boolean(),
    Real(),
    Log(),
    Max(),
    Derivations(),
)
