"""Brute force: every space enumerated by the definition of its set, without rules.

Nothing here may import more of spanforest than its plain types (`tests/unit/test_layers.py` checks
that), so that this witness cannot inherit a mistake. Each function yields all analyses of n words
with the parts that each of them scores: `(array, index)`, repeated where a part counts twice.
"""

from collections.abc import Iterator
from typing import TypeAlias

from spanforest.types import Analysis

ScoredPart: TypeAlias = tuple[str, tuple[int, ...]]
Enumeration: TypeAlias = Iterator[tuple[Analysis, list[ScoredPart]]]
