"""Every space and every product of its options, with the brute force that enumerates it.

A new space, or a new option, enters the contract suite by an entry here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import spanforest as sf
from brute import Enumeration
from brute.chains import chain, dynamic_chain
from brute.discontinuous import discontinuous
from brute.grammar import grammar
from brute.label_chunk import label_chunk
from brute.spans import nested, segments
from spanforest.types import Analysis

ONE, TWO, THREE = ("A",), ("A", "B"), ("A", "B", "C")


@dataclass(frozen=True)
class Case:
    """A space, its enumeration, and the largest n to enumerate."""

    space: sf.Space
    enumerate: Callable[[int], Enumeration]
    largest: int

    @property
    def id(self) -> str:
        return repr(self.space).replace(" ", "")


@dataclass(frozen=True)
class Enumerated:
    """All analyses of n words by definition, with their parts."""

    analyses: list[Analysis]
    parts: list[list[tuple[str, tuple[int, ...]]]]

    @cached_property
    def flat(self) -> dict[str, tuple[npt.NDArray[np.intp], tuple[npt.NDArray[np.intp], ...]]]:
        """For every array, the analyses that score in it, one by one, and the positions."""
        listed: dict[str, list[tuple[int, ...]]] = {}
        for k, parts in enumerate(self.parts):
            for name, at in parts:
                listed.setdefault(name, []).append((k, *at))
        columns = {name: np.array(rows, dtype=np.intp).T for name, rows in listed.items()}
        return {name: (owner, tuple(at)) for name, (owner, *at) in columns.items()}


@cache
def enumerated(case: Case, n: int) -> Enumerated:
    pairs = list(case.enumerate(n))
    return Enumerated([analysis for analysis, _ in pairs], [parts for _, parts in pairs])


def _segments(labels: Any, limits: Any, per_span: int | None, largest: int) -> Case:
    space = sf.Segments(labels, limits, per_span)
    return Case(space, lambda n: segments(n, labels, space.limits, per_span), largest)


def _nested(labels: Any, narrow: int | None, per_span: int | None, largest: int) -> Case:
    space = sf.Nested(labels, narrow, per_span)
    return Case(space, lambda n: nested(n, labels, narrow, per_span), largest)


def _chain(labels: Any, scheme: str, largest: int) -> Case:
    return Case(sf.Chain(labels, scheme), lambda n: chain(n, labels, scheme), largest)


def _dynamic(labels: Any, windows: Any, gap: int, largest: int) -> Case:
    space = sf.DynamicChain(labels, windows, gap)
    return Case(space, lambda n: dynamic_chain(n, labels, windows, gap), largest)


def _label_chunk(tags: Any, chunks: Any, adjacent: bool, across: bool, largest: int) -> Case:
    space = sf.LabelChunk(tags, chunks, "O", adjacent, across)
    return Case(space, lambda n: label_chunk(n, tags, chunks, "O", adjacent, across), largest)


def _discontinuous(labels: Any, components: int, naming: Any, bare: bool, largest: int) -> Case:
    space = sf.Discontinuous(labels, components, naming, bare)
    semantic = naming == "semantic"
    return Case(space, lambda n: discontinuous(n, labels, components, semantic, bare), largest)


def _grammar(
    labels: Any,
    tags: Any,
    ancestors: int,
    siblings: int,
    unary: int,
    largest: int,
    observed: Any = None,
) -> Case:
    space = sf.Grammar(labels, tags, ancestors, siblings, unary, observed)
    return Case(
        space,
        lambda n: grammar(
            n, labels, tags, space.contexts, space.grammar, ancestors, siblings, unary,
            observed is not None,
        ),
        largest,
    )  # fmt: skip


def flat_rules() -> tuple[sf.GrammarRule, ...]:
    """The rules of trees whose mentions hold words only (SPEC S8, facts)."""
    space = sf.Grammar(TWO, ("p", "q"), ancestors=1)

    def flat(rule: sf.GrammarRule) -> bool:
        return rule.parent == "ROOT" or not {*rule.children, rule.before} & set(TWO)

    return tuple(rule for rule in space.grammar if flat(rule))


def some_rules(ancestors: int, siblings: int, unary: int) -> tuple[sf.GrammarRule, ...]:
    """Two thirds of the rules, drawn."""
    every = sf.Grammar(TWO, ("p", "q"), ancestors, siblings, unary).grammar
    drawn = np.random.default_rng(ancestors).random(len(every)) < 2 / 3
    return tuple(rule for rule, keep in zip(every, drawn, strict=True) if keep)


CASES = [
    _chain(ONE, "BIO", 6),
    _chain(TWO, "BIO", 4),
    _chain(ONE, "BIOES", 5),
    _chain(TWO, "BIOES", 4),
    _segments(ONE, None, 1, 6),
    _segments(TWO, None, 1, 4),
    _segments(ONE, (2,), 1, 6),
    _segments(TWO, (2, 1), 1, 5),
    _segments(TWO, None, None, 4),
    _segments(THREE, None, 2, 3),
    _segments(TWO, (2, 1), 2, 4),
    _segments(TWO, (1, 2), None, 4),
    *(_dynamic(ONE, (w,), g, 6) for w, g in ((0, 0), (1, 1), (2, 3), (3, 2), (9, 9))),
    *(_dynamic(TWO, w, g, 4) for w, g in (((0, 2), 1), ((2, 3), 1), ((1, 1), 2), ((9, 9), 0))),
    # narrow = 0, 1, 2 restrict mentions of 2, 4, 6 words or more
    *(_nested(ONE, narrow, 1, 6 if narrow == 2 else 5) for narrow in (0, 1, 2, 3, None)),
    *(_nested(TWO, narrow, 1, 4) for narrow in (0, 1, 2, None)),
    *(_nested(TWO, narrow, None, n) for narrow, n in ((0, 3), (1, 4), (2, 3), (None, 4))),
    *(_nested(THREE, narrow, 2, 2) for narrow in (0, 1, 2, None)),
    *(
        _label_chunk(tags, chunks, adjacent, across, largest)
        for tags, chunks, largest in ((("p",), ("O", "I"), 5), (("p", "q"), ("I", "O"), 4))
        for adjacent in (False, True)
        for across in (False, True)
    ),
    _label_chunk(("p", "q"), ("I", "O", "J"), False, True, 3),
    *(
        _discontinuous(ONE, components, naming, bare, largest)
        for components, naming, bare, largest in (
            (2, "semantic", False, 5),
            (2, "structural", False, 5),
            (3, "structural", False, 5),
            (2, "structural", True, 4),
            (3, "structural", True, 4),
        )
    ),
    _discontinuous(TWO, 2, "semantic", False, 3),
    _discontinuous(TWO, 2, "structural", False, 4),
    _discontinuous(TWO, 3, "structural", False, 3),
    _discontinuous(TWO, 2, "structural", True, 3),
    _discontinuous(TWO, 3, "structural", True, 3),
    *(
        _grammar(ONE, ("p",), ancestors, siblings, 1, 4)
        for ancestors in (0, 1, 2)
        for siblings in (0, 1)
    ),
    *(_grammar(TWO, ("p", "q"), ancestors, 1, 1, 3) for ancestors in (0, 1, 2)),
    *(
        _grammar(TWO, ("p",), ancestors, siblings, 2, 2 + siblings)
        for ancestors in (0, 1, 2)
        for siblings in (0, 1)
    ),
    _grammar(THREE, ("p",), 1, 1, 3, 2),
    *(
        _grammar(
            TWO, ("p", "q"), ancestors, siblings, unary, 3, some_rules(ancestors, siblings, unary)
        )
        for ancestors, siblings, unary in ((0, 0, 1), (0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 2))
    ),
    _grammar(TWO, ("p", "q"), 1, 1, 1, 4, flat_rules()),
]
