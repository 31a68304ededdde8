"""The plain types: `Mention`, `Analysis`, `Sentence`, `Document`.

Ranges are half-open and 0-based everywhere: `[start, end)` over the tokens of a sentence for
mentions, over the code points of a text for tokens.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import index
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from ._checks import listed
from .errors import DocumentError, MentionError

Fragments: TypeAlias = tuple[tuple[int, int], ...]
"""Ranges of tokens: sorted, non-empty, not touching one another."""

Ranges: TypeAlias = npt.NDArray[np.int64]
"""Ranges as columns: an array `[number of ranges, 2]` of starts and ends."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A label and one or more fragments, ranges `[start, end)` of the tokens of its sentence.

    Two mentions are equal when label and fragments are. A continuous mention has one fragment;
    `Mention.span` makes one. Fragments that touch are one fragment: `Mention.union` merges them.

    >>> Mention.span("PER", 0, 2)
    Mention('PER', 0:2)
    >>> Mention.union("ADR", [(4, 5), (0, 1), (1, 2)])
    Mention('ADR', 0:2, 4:5)
    """

    label: str
    fragments: Fragments

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label:
            raise MentionError(f"a mention needs a label, a non-empty string, not {self.label!r}")
        object.__setattr__(self, "fragments", checked_fragments(self.fragments))

    @classmethod
    def span(cls, label: str, start: int, end: int) -> "Mention":
        """The continuous mention of the tokens `[start, end)`."""
        return cls(label, ((start, end),))

    @classmethod
    def union(cls, label: str, ranges: Iterable[tuple[int, int]]) -> "Mention":
        """The mention of all tokens in `ranges`, in any order; touching ranges are merged."""
        return cls(label, merged(_checked_pairs(ranges)))

    @property
    def start(self) -> int:
        """The first token."""
        return self.fragments[0][0]

    @property
    def end(self) -> int:
        """One past the last token."""
        return self.fragments[-1][1]

    @property
    def is_continuous(self) -> bool:
        """Whether the mention is one range of tokens."""
        return len(self.fragments) == 1

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens of all fragments, in order."""
        return tuple(token for start, end in self.fragments for token in range(start, end))

    def __repr__(self) -> str:
        ranges = ", ".join(f"{start}:{end}" for start, end in self.fragments)
        return f"Mention({self.label!r}, {ranges})"

    __str__ = __repr__


def checked_fragments(fragments: Iterable[Sequence[int]]) -> Fragments:
    """`fragments` as a tuple of pairs of ints, if they are sorted, non-empty and apart."""
    pairs = _checked_pairs(fragments)
    if not pairs:
        raise MentionError("a mention needs at least one fragment")
    for (_, end), (start, _) in pairwise(pairs):
        if start <= end:
            raise MentionError(
                f"fragments {pairs} must be sorted and must not touch; Mention.union merges them"
            )
    return pairs


def _checked_pairs(ranges: Iterable[Sequence[int]]) -> Fragments:
    """`ranges` as pairs of ints, if none is empty or negative."""
    try:
        pairs = tuple((index(start), index(end)) for start, end in ranges)
    except (TypeError, ValueError) as error:
        raise MentionError(
            f"fragments are pairs (start, end) of integers, not {ranges!r}"
        ) from error
    for start, end in pairs:
        if not 0 <= start < end:
            raise MentionError(f"fragment ({start}, {end}): expected 0 <= start < end")
    return pairs


def merged(ranges: Iterable[tuple[int, int]]) -> Fragments:
    """The same tokens as `ranges`, as sorted ranges that do not touch."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1]:
            start, end = result[-1][0], max(end, result.pop()[1])
        result.append((start, end))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a space distinguishes: mentions, tags where the space has them, and the rest.

    `tags` is one tag a word in the spaces that predict tags (`LabelChunk`, `Grammar`), else None.
    `structure` holds what mentions and tags leave open (the class of the space says what that
    is); it is None where they leave nothing open, and part of equality.
    """

    mentions: frozenset[Mention]
    tags: tuple[str, ...] | None = None
    structure: Hashable = None


@dataclass(frozen=True, eq=False)
class Document:
    """A text with tokens, sentences and mentions; offsets are code points of `text`.

    - `tokens[k]` is the range of token `k` in `text`: in order, not overlapping, not empty;
    - `sentences[s]` is the range of the tokens of sentence `s`: every token is in one;
    - `mentions[s]` are the mentions of sentence `s`, in tokens *of that sentence*;
    - `tags[k]`, if there are tags, is the tag of token `k`.

    Mentions are kept as they come, in order and with repetitions, so that nothing is lost.
    """

    text: str
    tokens: Ranges
    sentences: Ranges
    mentions: tuple[tuple[Mention, ...], ...] = ()
    tags: tuple[str, ...] | None = None
    id: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise DocumentError(f"text: expected a string, not {self.text!r}")
        tokens = _checked_ranges("tokens", self.tokens, len(self.text))
        sentences = _checked_ranges("sentences", self.sentences, len(tokens))
        edges = np.append(0, sentences[:, 1])
        if (sentences[:, 0] != edges[:-1]).any() or edges[-1] != len(tokens):
            raise DocumentError(f"the sentences must cover all {len(tokens)} tokens, in order")
        checked = {
            "tokens": tokens,
            "sentences": sentences,
            "mentions": _checked_mentions(self.mentions, np.diff(sentences)[:, 0].tolist()),
            "tags": None if self.tags is None else _checked_tags(self.tags, len(tokens)),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_words(
        cls,
        sentences: Sequence[Sequence[str]],
        mentions: Sequence[Sequence[Mention]] = (),
        tags: Sequence[str] | None = None,
        id: str = "",  # noqa: A002
    ) -> "Document":
        """A document from tokenised sentences: words joined by spaces, sentences by newlines."""
        tokens: list[tuple[int, int]] = []
        bounds: list[tuple[int, int]] = []
        at = 0
        listed_words = _checked_words(sentences)
        for words in listed_words:
            first = len(tokens)
            for word in words:
                tokens.append((at, at + len(word)))
                at += len(word) + 1
            at += not words
            bounds.append((first, len(tokens)))
        return cls(
            text="\n".join(" ".join(words) for words in listed_words),
            tokens=np.array(tokens, dtype=np.int64).reshape(-1, 2),
            sentences=np.array(bounds, dtype=np.int64).reshape(-1, 2),
            mentions=mentions,  # type: ignore[arg-type]
            tags=tags,  # type: ignore[arg-type]
            id=id,
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sentences)

    @overload
    def __getitem__(self, s: int) -> "Sentence": ...
    @overload
    def __getitem__(self, s: slice) -> list["Sentence"]: ...
    def __getitem__(self, s: int | slice) -> "Sentence | list[Sentence]":
        """Sentence `s`, or a list of sentences for a slice."""
        if isinstance(s, slice):
            return [Sentence(self, k) for k in range(len(self))[s]]
        return Sentence(self, range(len(self))[s])

    def __iter__(self) -> Iterator["Sentence"]:
        return (Sentence(self, s) for s in range(len(self)))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A view of sentence `position` of `document`; nothing is copied."""

    document: Document
    position: int

    @property
    def token_range(self) -> tuple[int, int]:
        """The tokens of the document that this sentence has."""
        start, end = self.document.sentences[self.position]
        return int(start), int(end)

    @property
    def words(self) -> tuple[str, ...]:
        """The text of each token."""
        start, end = self.token_range
        text = self.document.text
        return tuple(text[a:b] for a, b in self.document.tokens[start:end].tolist())

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The mentions, in tokens of this sentence."""
        return self.document.mentions[self.position]

    @property
    def tags(self) -> tuple[str, ...] | None:
        """The tag of each token, if the document has tags."""
        start, end = self.token_range
        return None if self.document.tags is None else self.document.tags[start:end]

    def __len__(self) -> int:
        """The number of tokens."""
        start, end = self.token_range
        return end - start

    def characters(self, mention: Mention) -> Fragments:
        """The ranges of code points of the document that the fragments of `mention` span."""
        if mention.end > len(self):
            raise MentionError(f"a sentence of {len(self)} tokens: {mention} is outside")
        first = self.token_range[0]
        tokens = self.document.tokens
        return tuple(
            (int(tokens[first + start, 0]), int(tokens[first + end - 1, 1]))
            for start, end in mention.fragments
        )

    def text_of(self, mention: Mention) -> str:
        """The text of `mention`; a gap between fragments is one space."""
        text = self.document.text
        return " ".join(text[start:end] for start, end in self.characters(mention))


def _checked_mentions(groups: Any, lengths: Sequence[int]) -> tuple[tuple[Mention, ...], ...]:
    """The mentions of each sentence, if they fit in; none at all stand for none in each."""
    one_each = listed("mentions", groups, "one list of mentions a sentence", DocumentError)
    one_each = one_each or ((),) * len(lengths)
    if len(one_each) != len(lengths):
        raise DocumentError(f"mentions of {len(one_each)} sentences for {len(lengths)} sentences")
    result = []
    for s, (group, length) in enumerate(zip(one_each, lengths, strict=True)):
        result.append(listed(f"mentions[{s}]", group, "a list of mentions", DocumentError))
        for k, mention in enumerate(result[-1]):
            if not isinstance(mention, Mention):
                raise DocumentError(f"mentions[{s}][{k}]: expected a mention, not {mention!r}")
            if mention.end > length:
                raise DocumentError(f"sentence {s} has {length} tokens: {mention} is outside")
    return tuple(result)


def _checked_words(sentences: Any) -> list[tuple[str, ...]]:
    """The words of each sentence."""
    one_each = listed("sentences", sentences, "one list of words a sentence", DocumentError)
    result = []
    for s, words in enumerate(one_each):
        result.append(listed(f"sentences[{s}]", words, "a list of words", DocumentError))
        for k, word in enumerate(result[-1]):
            if not isinstance(word, str):
                raise DocumentError(f"sentences[{s}][{k}]: expected a string, not {word!r}")
    return result


def _checked_tags(tags: Any, tokens: int) -> tuple[str, ...]:
    """One tag a token."""
    given = listed("tags", tags, "one string a token", DocumentError)
    if len(given) != tokens:
        raise DocumentError(f"{len(given)} tags for {tokens} tokens")
    for k, tag in enumerate(given):
        if not isinstance(tag, str):
            raise DocumentError(f"tags[{k}]: expected a string, not {tag!r}")
    return given


def _checked_ranges(name: str, ranges: npt.ArrayLike, limit: int) -> Ranges:
    """`ranges` as a read-only array `[k, 2]` of ordered ranges within `[0, limit)`."""
    try:
        given = np.asarray(ranges)
    except ValueError as error:
        raise DocumentError(f"{name}: expected integers [k, 2], not ragged rows") from error
    if given.size == 0:
        given = np.zeros((len(given) if given.ndim == 2 else 0, 2), dtype=np.int64)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise DocumentError(
            f"{name}: expected integers [k, 2], not {given.dtype} {list(given.shape)}"
        )
    array = given.astype(np.int64)
    array.setflags(write=False)
    if len(array) == 0:
        return array
    longest = array[:, 1] > array[:, 0] if name == "tokens" else array[:, 1] >= array[:, 0]
    ordered = np.append(0, array[:-1, 1]) <= array[:, 0]
    bad = np.flatnonzero(~(longest & ordered & (array[:, 1] <= limit)))
    if len(bad):
        start, end = array[bad[0]]
        raise DocumentError(
            f"{name}[{bad[0]}] = ({start}, {end}): expected ordered ranges within [0, {limit})"
        )
    return array
