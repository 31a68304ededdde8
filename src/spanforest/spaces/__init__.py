"""The spaces: sets of analyses, each with its rules, its score arrays and how to read them."""

from ._space import Space
from ._tree import GrammarRule
from .chain import Chain
from .discontinuous import Discontinuous
from .dynamic_chain import DynamicChain
from .grammar import Grammar
from .label_chunk import LabelChunk
from .nested import Nested
from .segments import Segments

__all__ = [
    "Chain",
    "Discontinuous",
    "DynamicChain",
    "Grammar",
    "GrammarRule",
    "LabelChunk",
    "Nested",
    "Segments",
    "Space",
]
