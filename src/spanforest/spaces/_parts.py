"""Positions in score arrays: where an analysis scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import ScoreError
from ..inference.scores import ScoreArray

if TYPE_CHECKING:
    from ..rules.graph import Place
    from ..rules.semirings import Derivation


def parts_at(places: Sequence[Place], derivation: Derivation) -> Counter[Place]:
    """How often a derivation scores at each position; `places` of the parts of its graph."""
    return Counter(places[part] for edge in derivation for part in edge.parts)


def checked_parts(
    arrays: Sequence[ScoreArray], parts: Mapping[str, npt.ArrayLike]
) -> Counter[Place]:
    """How often each position is wanted, by rows of positions in `arrays` for n words."""
    if not isinstance(parts, Mapping):
        raise ScoreError(f"parts: expected a mapping from score arrays to rows, not {parts!r}")
    named = {array.name: array for array in arrays}
    wanted: Counter[Place] = Counter()
    for name, rows in parts.items():
        if name not in named:
            raise ScoreError(f"there are no scores called {name!r}: expected {', '.join(named)}")
        wanted.update((name, row) for row in _checked_rows(named[name], rows))
    return wanted


def _checked_rows(array: ScoreArray, rows: npt.ArrayLike) -> list[tuple[int, ...]]:
    """Positions in a score array, one a row."""
    axes = len(array.axes)
    expected = f"parts of {array.name!r}: expected rows of integers [k, {axes}]"
    try:
        positions = np.asarray(rows)
    except ValueError as error:
        raise ScoreError(f"{expected}, not rows of different lengths") from error
    if not positions.size:
        return []
    if positions.dtype.kind not in "iu" or positions.shape[1:] != (axes,):
        raise ScoreError(f"{expected}, not {positions.dtype} {list(positions.shape)}")
    for row in positions.tolist():
        if not all(0 <= k < size for k, size in zip(row, array.shape, strict=True)):
            raise ScoreError(f"parts of {array.name!r}: {row} is not a position in {array}")
    return [tuple(row) for row in positions.tolist()]
