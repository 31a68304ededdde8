"""Spaces of tag sequences: from tags to mentions, by reading word after word.

`Group` is what has been read of the mentions that are still open: one continuous mention, or a
set of mentions, the product of its typed components (paper 003 §2). Reading a tag either goes on
with the group or finishes it, which completes its mentions. A `Reader`
can be told to remember only what concerns given mentions: so it refines the state space of a tag
automaton until single mentions can be required, forbidden or counted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from .. import rules as interpreter
from ..types import Analysis, Mention, merged
from ._space import Space

if TYPE_CHECKING:
    from ..rules.graph import Edge, Found, Graph
    from ..rules.semirings import Derivation

WHOLE = -2
"""The component type of a continuous mention."""

Role: TypeAlias = Literal["outside", "mention", "set", "component", "inside", "gap"]


RESTRAINT: Mapping[Role, int] = {"outside": 1, "gap": 1, "mention": -1, "set": -1, "component": -2}
"""What a tag adds to the restraint of an analysis (`Space.restraint`). Fewer mentions of the same
words have fewer components, or as many in more sets.
"""


class Tag(NamedTuple):
    """What a tag says of its word.

    - "outside": in no mention and in no set;
    - "mention": the first word of a continuous mention;
    - "set", "component": the first word of the first, or of a further, component of a set;
    - "inside": one more word of the same mention or component;
    - "gap": between two components of a set.

    `kind` is the type of a component (x, y, z: 0, 1, 2) or `WHOLE`; a `bare` component is also a
    mention alone.
    """

    name: str
    role: Role
    label: int = -1
    kind: int = WHOLE
    bare: bool = False


class Component(NamedTuple):
    """A component: its type, its words, and whether it is also a mention alone."""

    kind: int
    start: int
    end: int
    bare: bool


class Group(NamedTuple):
    """An open mention or set: its first word, its finished components, the one being read.

    `kinds` are the types seen, which may be more than those of the remembered components. The
    component being read has no end yet (-1); its start is -1 if it is not remembered.
    """

    label: int
    is_set: bool
    kinds: frozenset[int]
    components: frozenset[Component]
    current: Component | None


State: TypeAlias = Group | None
Outcome: TypeAlias = "tuple[State, tuple[Found, ...]]"


def finish(group: State) -> tuple[Found, ...]:
    """The mentions of a group whose components are all finished."""
    if group is None:
        return ()
    by_kind = [[c for c in group.components if c.kind == kind] for kind in sorted(group.kinds)]
    unions = [merged((c.start, c.end) for c in choice) for choice in product(*by_kind)]
    if group.is_set:
        unions += [((c.start, c.end),) for c in group.components if c.bare]
    return tuple((group.label, fragments) for fragments in unions)


class Reader:
    """Reads tags and says which mentions they complete: all, or those that are `tracked`.

    If `strict`, it refuses (None) whatever completes a mention that is not tracked.
    """

    def __init__(self, tracked: Collection[Found] | None = None, strict: bool = False) -> None:
        self.tracked = None if tracked is None else frozenset(tracked)
        self.strict = strict
        self._words = [
            (label, frozenset(k for a, b in fragments for k in range(a, b)))
            for label, fragments in tracked or ()
        ]

    def read(self, state: State, word: int, tag: Tag) -> Outcome | None:
        """The state behind `word`, tagged `tag`, and the tracked mentions it completes."""
        if tag.role == "inside":
            return state, ()
        closed = self._close(state, word)
        if closed is None:
            return None
        (group,) = closed
        if tag.role == "gap":
            return group, ()
        if tag.role == "component":
            assert group is not None
            return self._open(group, word, tag, ())
        found = self._complete(group)
        if found is None or tag.role == "outside":
            return None if found is None else (None, found)
        fresh = Group(tag.label, tag.role == "set", frozenset(), frozenset(), None)
        return self._open(fresh, word, tag, found)

    def end(self, state: State, n: int) -> Outcome | None:
        """The tracked mentions that the end of the sentence completes."""
        closed = self._close(state, n)
        found = None if closed is None else self._complete(closed[0])
        return None if found is None else (None, found)

    def _open(self, group: Group, word: int, tag: Tag, found: tuple[Found, ...]) -> Outcome | None:
        known = self._matters(group.label, {word})
        if self.strict and not known:
            return None
        current = Component(tag.kind, word if known else -1, -1, tag.bare)
        return group._replace(kinds=group.kinds | {tag.kind}, current=current), found

    def _close(self, group: State, word: int) -> tuple[State] | None:
        """The group with its current component ended at `word`; None if that is refused."""
        if group is None or group.current is None:
            return (group,)
        component = group.current._replace(end=word)
        words = set(range(component.start, word))
        if component.start < 0 or not self._matters(group.label, words):
            return None if self.strict else (group._replace(current=None),)
        return (group._replace(components=group.components | {component}, current=None),)

    def _complete(self, group: State) -> tuple[Found, ...] | None:
        found = finish(group)
        if self.tracked is None:
            return found
        if self.strict and not self.tracked.issuperset(found):
            return None
        return tuple(f for f in found if f in self.tracked)

    def _matters(self, label: int, words: Collection[int]) -> bool:
        """Whether the words can belong to one mention of interest."""
        return self.tracked is None or any(
            label == other and tokens.issuperset(words) for other, tokens in self._words
        )


ROLES: Sequence[Role] = ("outside", "mention", "set", "component", "inside", "gap")
"""In the order of the engine."""


class TagSpace(Space):
    """A space of tag sequences; its rules read word by word and say `tag="word, tag"`."""

    @property
    @abstractmethod
    def tag_table(self) -> tuple[Tag, ...]:
        """What each tag means, in score order."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of the tags, in score order."""
        return tuple(tag.name for tag in self.tag_table)

    @property
    def native_tags(self) -> list[tuple[int, int, int, bool]]:
        """What each tag means, for the engine."""
        return [(ROLES.index(t.role), t.label, t.kind, t.bare) for t in self.tag_table]

    def explicit_graph(self, n: int, tracked: Collection[Found], strict: bool) -> Graph:
        graph = self.graph(n)
        if not tracked and not strict:
            return graph
        reader = Reader(tracked, strict)

        def step(edge: Edge, states: tuple[State, ...]) -> Outcome | None:
            state = states[0] if states else None
            if not edge.tag:
                return reader.end(state, n)
            word, tag = edge.tag
            return reader.read(state, word, self.tag_table[tag])

        return interpreter.refined(graph, step, lambda state: True)

    def words_left_out(self, graph: Graph, edge: Edge) -> Iterable[int]:
        if edge.tag and self.tag_table[edge.tag[1]].role in ("outside", "gap"):
            return (edge.tag[0],)
        return ()

    def restraint(self, graph: Graph, edge: Edge) -> int:
        """Words left out, less what tags open: twice the components, less the sets."""
        if not edge.tag:
            return 0
        tag = self.tag_table[edge.tag[1]]
        return RESTRAINT.get(tag.role, 0) - tag.bare

    def analysis(self, graph: Graph, derivation: Derivation) -> Analysis:
        return self._read(sorted(edge.tag for edge in derivation if edge.tag), graph.n)

    def _read(self, tagged: Sequence[tuple[int, ...]], n: int) -> Analysis:
        """The analysis that a well-formed tag sequence, (word, tag) by (word, tag), means."""
        reader = Reader()
        found: list[Found] = []
        state: State = None
        for word, number in tagged:
            state, completed = _sure(reader.read(state, word, self.tag_table[number]))
            found += completed
        found += _sure(reader.end(state, n))[1]
        return Analysis(
            frozenset(Mention(self.labels[label], fragments) for label, fragments in found)
        )


def _sure(outcome: Outcome | None) -> Outcome:
    assert outcome is not None, "only a strict reader refuses"
    return outcome
