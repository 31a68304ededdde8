"""`Chain`: a linear chain over the well-formed tag sequences of BIO or BIOES (SPEC S1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from .. import _core
from .._checks import checked_names
from ..errors import OptionError
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System
from ..schemes import OUTSIDE, Scheme, scheme
from ._tagging import Tag, TagSpace

ITEMS = (
    Item("tagged(i, b)", "[{b}, {i}]", "1 <= i <= n and 0 <= b < K", "word i has tag b"),
    Item("goal(i)", "[goal, {i}]", "i == n", "all words have tags"),
)

PARTS = (
    Part("word(i, b)", "w({i}, {b})", "1 <= i <= n and 0 <= b < K", "word i has tag b", "i-1, b"),
    Part(
        "transition(a, b)",
        "w({a}→{b})",
        "0 <= a < K and 0 <= b < K",
        "a word has tag a, the next one b",
        "a, b",
    ),
    Part("start(b)", "w(→{b})", "0 <= b < K", "the first word has tag b", "b"),
    Part("end(b)", "w({b}→)", "0 <= b < K", "the last word has tag b", "b"),
)

RULES = (
    Rule("first", "tagged(i, b) <- start(b) word(i, b)", "i == 1 and initial(b)", tag="i-1, b"),
    Rule(
        "next",
        "tagged(i, b) <- tagged(i-1, a) transition(a, b) word(i, b)",
        "follows(a, b)",
        tag="i-1, b",
    ),
    Rule("last", "goal(i) <- tagged(i, b) end(b)", "final(b)"),
    Rule("empty", "goal(i) <-", "i == 0"),
)


@dataclass(frozen=True, repr=False)
class Chain(TagSpace):
    """Flat mentions as tags: only well-formed sequences, first-order transitions.

    - `scheme`: "BIO" (begin, inside, outside) or "BIOES" (also end, single).

    `tags` are `O`, then the tags of each label (`B-PER`, `I-PER`, …). Scores: `word` [n, K] =
    [word, tag]; optional and usually shared by all sentences: `transition` [K, K] = [tag, next
    tag], `start` [K] and `end` [K]. Scores of pairs that are not well-formed are never read.

    Time O(n K²). Mentions of more than one word are on no single part, so constraints on them
    refine the states: each tracked mention about doubles them inside its span. Cannot represent
    overlapping or discontinuous mentions.
    """

    labels: Sequence[str]
    scheme: str = "BIO"

    def __post_init__(self) -> None:
        self._set(labels=checked_names("labels", self.labels))
        if self.scheme not in ("BIO", "BIOES"):
            raise OptionError(f"scheme = {self.scheme!r}: expected 'BIO' or 'BIOES'")

    @cached_property
    def tag_table(self) -> tuple[Tag, ...]:
        begins = [p.name for p in self._scheme.prefixes if p.opens == "yes"]
        return (
            Tag(OUTSIDE, "outside"),
            *(
                Tag(f"{p.name}-{label}", "mention" if p.name in begins else "inside", t)
                for t, label in enumerate(self.labels)
                for p in self._scheme.prefixes
            ),
        )

    @property
    def _scheme(self) -> Scheme:
        return scheme(self.scheme)

    @cached_property
    def system(self) -> System:
        table, tags = self._scheme, self.tags
        numbers = range(len(tags))
        return System(
            f"linear chain, {self.scheme}",
            ITEMS,
            PARTS,
            RULES,
            goal="goal(n)",
            constants={"K": len(tags)},
            relations={
                "initial": frozenset((b,) for b in numbers if table.may_start(tags[b])),
                "final": frozenset((b,) for b in numbers if table.may_end(tags[b])),
                "follows": frozenset(
                    (a, b)
                    for a, b in product(numbers, numbers)
                    if table.may_follow(tags[a], tags[b])
                ),
            },
            names={"a": tags, "b": tags},
            meanings={
                "K": "number of tags",
                "initial": "the first word can have tag b",
                "final": "the last word can have tag b",
                "follows": "tag b can stand behind tag a",
            },
        )

    @cached_property
    def score_arrays(self) -> tuple[ScoreArray, ...]:
        k = len(self.tags)
        tag = Axis("tag", k)
        return (
            ScoreArray("word", "word[i, b]: word i has tag b", (Axis("word"), tag), required=True),
            ScoreArray(
                "transition", "transition[a, b]: b stands behind a", (tag, Axis("next tag", k))
            ),
            ScoreArray("start", "start[b]: the first word has tag b", (tag,)),
            ScoreArray("end", "end[b]: the last word has tag b", (tag,)),
        )

    def _native_program(self) -> _core.Space:
        relations = self.system.relations
        return _core.Space.chain(
            self.native_tags,
            sorted((a, b) for a, b in relations["follows"]),
            [b for (b,) in relations["initial"]],
            [b for (b,) in relations["final"]],
        )
