"""spanforest finds the best set of entity mentions in a sentence, exactly.

    space × scores = forest

A space is a set of analyses (flat, nested, discontinuous mentions), scores are numbers for the
parts it scores, and a forest is the distribution they define, of which every question is asked.
"""

from .errors import Infeasible, NotRepresentable, SpanforestError, Violation
from .inference.analyses import Analyses
from .inference.forest import Forest
from .inference.native import set_threads, threads
from .spaces import (
    Chain,
    Discontinuous,
    DynamicChain,
    Grammar,
    GrammarRule,
    LabelChunk,
    Nested,
    Segments,
    Space,
)
from .types import Analysis, Document, Mention, Sentence

try:
    from ._core import version as __version__
except ImportError as error:
    raise ImportError(
        "spanforest's native library is missing: install the package (pip install .), or rebuild "
        "it after changing native/"
    ) from error

__all__ = [
    "Analyses",
    "Analysis",
    "Chain",
    "Discontinuous",
    "Document",
    "DynamicChain",
    "Forest",
    "Grammar",
    "GrammarRule",
    "Infeasible",
    "LabelChunk",
    "Mention",
    "Nested",
    "NotRepresentable",
    "Segments",
    "Sentence",
    "Space",
    "SpanforestError",
    "Violation",
    "__version__",
    "set_threads",
    "threads",
]
