"""Tag schemes as tables: IOB1, IOB2 (= BIO), BIOES, BILOU; reading, writing, conversion, repair.

A tag is `O`, or a prefix and a label joined by a hyphen: `B-PER`. A scheme says of each prefix
whether it opens a mention and whether it closes one; every rule about neighbouring tags follows.
Ill-formed sequences are errors; `repair` mends them and says what it changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ._checks import checked_length, listed
from .errors import MentionError, NotRepresentable, OptionError, TagError, Violation, located
from .types import Mention

Answer: TypeAlias = Literal["yes", "no", "maybe"]

OUTSIDE = "O"


class Prefix(NamedTuple):
    """What a prefix says of its word: does a mention start here, does one end here?"""

    name: str
    opens: Answer
    closes: Answer


@dataclass(frozen=True)
class Scheme:
    """A tag scheme. `only_between`: the prefix that may only stand right behind a mention of the
    same label (B in IOB1).
    """

    name: str
    prefixes: tuple[Prefix, ...]
    only_between: str = ""

    def prefix(self, tag: str) -> Prefix | None:
        """The prefix of a tag, None for `O`."""
        if isinstance(tag, str):
            if tag == OUTSIDE:
                return None
            name, hyphen, label = tag.partition("-")
            for prefix in self.prefixes:
                if prefix.name == name and hyphen and label:
                    return prefix
        names = ", ".join(f"{prefix.name}-LABEL" for prefix in self.prefixes)
        raise TagError(f"{tag!r} is not a tag of {self.name}: expected {OUTSIDE}, {names}")

    def tags(self, labels: Iterable[str]) -> tuple[str, ...]:
        """All tags for some labels: `O` first, then label by label."""
        return (OUTSIDE, *(f"{p.name}-{label}" for label in labels for p in self.prefixes))

    def may_start(self, tag: str) -> bool:
        """Whether a sentence may start with the tag."""
        return self.may_follow(OUTSIDE, tag)

    def may_end(self, tag: str) -> bool:
        """Whether a sentence may end with the tag."""
        return self.may_follow(tag, OUTSIDE)

    def may_follow(self, left: str, right: str) -> bool:
        """Whether `right` may stand directly behind `left`."""
        a, b = self.prefix(left), self.prefix(right)
        same = left.partition("-")[2] == right.partition("-")[2]
        must_continue = a is not None and a.closes == "no"
        if b is None:
            return not must_continue
        if b.name == self.only_between:
            return a is not None and same
        if a is None:
            return b.opens != "no"
        if must_continue or (b.opens == "no"):
            return same and b.opens != "yes" and a.closes != "yes"
        return True

    def starts_mention(self, left: str, right: str) -> bool:
        """Whether `right`, directly behind `left`, starts a new mention (given it may follow)."""
        a, b = self.prefix(left), self.prefix(right)
        if b is None or b.opens == "no":
            return False
        same = left.partition("-")[2] == right.partition("-")[2]
        return b.opens == "yes" or a is None or a.closes == "yes" or not same


IOB1 = Scheme(
    "IOB1", (Prefix("B", "yes", "maybe"), Prefix("I", "maybe", "maybe")), only_between="B"
)
IOB2 = BIO = Scheme("BIO", (Prefix("B", "yes", "maybe"), Prefix("I", "no", "maybe")))
BIOES = Scheme(
    "BIOES",
    (
        Prefix("B", "yes", "no"),
        Prefix("I", "no", "no"),
        Prefix("E", "no", "yes"),
        Prefix("S", "yes", "yes"),
    ),
)
BILOU = Scheme(
    "BILOU",
    (
        Prefix("B", "yes", "no"),
        Prefix("I", "no", "no"),
        Prefix("L", "no", "yes"),
        Prefix("U", "yes", "yes"),
    ),
)

SCHEMES = {"IOB1": IOB1, "IOB2": IOB2, "BIO": BIO, "BIOES": BIOES, "BILOU": BILOU}


def scheme(name: str) -> Scheme:
    """The scheme of that name."""
    if not isinstance(name, str) or name not in SCHEMES:
        raise OptionError(f"there is no tag scheme {name!r}: expected {', '.join(SCHEMES)}")
    return SCHEMES[name]


def _tags_of(table: Scheme, tags: Iterable[str]) -> tuple[str, ...]:
    """The tags of a sentence, if all are of the scheme."""
    given = listed("tags", tags, "one tag a word", TagError)
    for k, tag in enumerate(given):
        with located(f"word {k}"):
            table.prefix(tag)
    return given


def read(tags: Iterable[str], name: str = "BIO") -> list[Mention]:
    """The mentions of a well-formed tag sequence, in order; `TagError` where it is not.

    >>> read(["B-PER", "I-PER", "O", "B-ORG"])
    [Mention('PER', 0:2), Mention('ORG', 3:4)]
    """
    table = scheme(name)
    given = _tags_of(table, tags)
    mentions: list[Mention] = []
    start = None
    left = OUTSIDE
    for k, tag in enumerate([*given, OUTSIDE]):
        if not table.may_follow(left, tag):
            raise TagError(
                f"{table.name}: {tag!r} (word {k}) cannot stand behind {left!r}"
                if k < len(given)
                else f"{table.name}: the sentence cannot end with {left!r}"
            )
        starts = table.starts_mention(left, tag)
        if start is not None and (starts or tag == OUTSIDE):
            mentions.append(Mention.span(left.partition("-")[2], start, k))
            start = None
        start = k if starts else start
        left = tag
    return mentions


def write(mentions: Iterable[Mention], n: int, name: str = "BIO") -> list[str]:
    """The tags of flat mentions; `NotRepresentable` if they overlap or have gaps.

    >>> write([Mention.span("PER", 0, 2)], 3, "BIOES")
    ['B-PER', 'E-PER', 'O']
    """
    table = scheme(name)
    given = listed("mentions", mentions, "a list of mentions", MentionError)
    for k, mention in enumerate(given):
        if not isinstance(mention, Mention):
            raise MentionError(f"mentions[{k}]: expected a mention, not {mention!r}")
    tags = [OUTSIDE] * checked_length(n)
    for mention in sorted(given, key=lambda m: (m.start, m.end)):
        reason = _why_not(mention, tags, n)
        if reason:
            raise NotRepresentable(
                f"{table.name} tags hold flat mentions only", [Violation(mention, reason)]
            )
        for k in range(mention.start, mention.end):
            left = tags[k - 1] if k else OUTSIDE
            tags[k] = next(
                tag
                for tag in (f"{p.name}-{mention.label}" for p in reversed(table.prefixes))
                if table.may_follow(left, tag)
                and table.starts_mention(left, tag) == (k == mention.start)
                and _closes(table, tag, k == mention.end - 1)
            )
    return tags


def _closes(table: Scheme, tag: str, last: bool) -> bool:
    prefix = table.prefix(tag)
    return prefix is not None and prefix.closes in ("maybe", "yes" if last else "no")


def _why_not(mention: Mention, tags: Sequence[str], n: int) -> str:
    if mention.end > n:
        return f"outside a sentence of {n} words"
    if not mention.is_continuous:
        return "not continuous"
    if any(tags[k] != OUTSIDE for k in range(mention.start, mention.end)):
        return "overlaps another mention"
    return ""


def convert(tags: Iterable[str], source: str, target: str) -> list[str]:
    """The same mentions in another scheme."""
    given = _tags_of(scheme(source), tags)
    return write(read(given, source), len(given), target)


class Repair(NamedTuple):
    """A tag that `repair` changed."""

    word: int
    old: str
    new: str


def repair(tags: Iterable[str], name: str = "BIO") -> tuple[list[str], list[Repair]]:
    """A well-formed sequence close to `tags`, and every change made; never done silently.

    Mentions are read as conlleval reads them: a word that cannot continue the mention before it
    starts a new one, a mention that cannot go on ends. Then they are written again.

    >>> repair(["I-PER", "I-PER", "O"])
    (['B-PER', 'I-PER', 'O'], [Repair(word=0, old='I-PER', new='B-PER')])
    """
    table = scheme(name)
    given = _tags_of(table, tags)
    mentions: list[Mention] = []
    start: int | None = None
    left = OUTSIDE
    for k, tag in enumerate([*given, OUTSIDE]):
        label, label_before = tag.partition("-")[2], left.partition("-")[2]
        before, prefix = table.prefix(left), table.prefix(tag)
        goes_on = (
            prefix is not None
            and before is not None
            and label == label_before
            and prefix.opens != "yes"
            and before.closes != "yes"
        )
        if start is not None and not goes_on:
            mentions.append(Mention.span(label_before, start, k))
            start = None
        if prefix is not None and not goes_on:
            start = k
        left = tag
    mended = write(mentions, len(given), name)
    pairs = enumerate(zip(given, mended, strict=True))
    return mended, [Repair(k, old, new) for k, (old, new) in pairs if old != new]
