"""The automaton of discontinuous tagging, built from the conditions and minimised (SPEC S7, (d)).

A *set* of mentions is a run of components with typed words, `DB-*` then `DI-*`; it means the
product of its types. The memory of one set is what conditions 3 to 6 need; minimisation and
numbering (breadth first, in the order of the tags) give the tables of SPEC.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ._tagging import WHOLE, Tag

GAP = -1


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton; state 0 is the initial one."""

    states: int
    arcs: Mapping[tuple[int, int], int]
    final: frozenset[int]


class SetMemory(NamedTuple):
    """What has been read of a set: the type of the open component (`GAP` in a gap), how many
    components there are of each type (2: two or more), whether one of a type is bare, and which
    pairs of types touched.
    """

    last: int
    counts: tuple[int, ...]
    bare: tuple[bool, ...]
    touching: frozenset[frozenset[int]]

    def begin(self, tag: Tag, structural: bool) -> "SetMemory | None":
        """Another component; structural types first occur in the order x, y, z."""
        if structural and tag.kind > sum(count > 0 for count in self.counts):
            return None
        apart = self.last in (GAP, tag.kind)
        return SetMemory(
            tag.kind,
            tuple(min(2, c + (k == tag.kind)) for k, c in enumerate(self.counts)),
            tuple(b or (k == tag.kind and tag.bare) for k, b in enumerate(self.bare)),
            self.touching if apart else self.touching | {frozenset((self.last, tag.kind))},
        )

    @property
    def complete(self) -> bool:
        """Conditions 4, 5 and 6: two types, no gap at the end, and no two touching components
        that could as well be one: the only ones of their types, neither bare.
        """
        return (
            self.last != GAP
            and sum(count > 0 for count in self.counts) >= 2
            and not any(
                all(self.counts[k] == 1 and not self.bare[k] for k in pair)
                for pair in self.touching
            )
        )


State: TypeAlias = Literal["outside", "continuous"] | SetMemory


def single_label(tags: Sequence[Tag], components: int, structural: bool) -> Automaton:
    """The minimal automaton for the tags of one label."""
    empty = SetMemory(GAP, (0,) * components, (False,) * components, frozenset())

    def step(state: State, tag: Tag) -> State | None:
        if isinstance(state, SetMemory):
            if tag.role == "inside":
                return state if tag.kind == state.last != GAP else None
            if tag.role == "gap":
                return state._replace(last=GAP)
            if tag.role == "component":
                return state.begin(tag, structural)
            if not state.complete:
                return None
        if tag.role == "inside":
            return state if tag.kind == WHOLE and state == "continuous" else None
        if tag.role == "set":
            return empty.begin(tag, structural)
        ends: dict[str, State] = {"outside": "outside", "mention": "continuous"}
        return ends.get(tag.role)

    arcs: dict[State, list[State | None]] = {}
    agenda: list[State] = ["outside"]
    while agenda:
        state = agenda.pop()
        if state not in arcs:
            arcs[state] = [step(state, tag) for tag in tags]
            agenda += [target for target in arcs[state] if target is not None]
    final = {s for s in arcs if not isinstance(s, SetMemory) or s.complete}
    return _minimal(arcs, final)


def with_labels(one: Automaton, tags: Sequence[Tag], labels: int) -> Automaton:
    """The automaton of several labels: state 0 is shared, the others are there for each label.

    `tags` are those of all labels: those of the first one, then of each further one without `O`.
    """
    tags_of_one = [tag for tag in tags if tag.label <= 0]
    further = [k for k, tag in enumerate(tags_of_one) if tag.role != "outside"]
    enters = [k for k in further if tags_of_one[k].role in ("mention", "set")]

    def state(q: int, label: int) -> int:
        return q and q + label * (one.states - 1)

    def position(k: int, label: int) -> int:
        return k if label == 0 else len(tags_of_one) + (label - 1) * len(further) + further.index(k)

    arcs = {}
    for label in range(labels):
        for (q, k), r in one.arcs.items():
            own = label if k in further else 0
            arcs[state(q, label), position(k, own)] = state(r, own)
        for q in one.final:
            for other in range(labels):
                for k in enters:
                    arcs[state(q, label), position(k, other)] = state(one.arcs[0, k], other)
    final = frozenset(state(q, label) for q in one.final for label in range(labels))
    return Automaton(state(one.states - 1, labels - 1) + 1, arcs, final)


def _minimal(arcs: Mapping[State, Sequence[State | None]], final: Collection[State]) -> Automaton:
    """States that accept the same continuations merged (Moore), numbered breadth first."""
    block = {state: int(state in final) for state in arcs}
    while True:
        signatures = {
            s: (block[s], *(None if t is None else block[t] for t in arcs[s])) for s in arcs
        }
        numbers = {signature: k for k, signature in enumerate(dict.fromkeys(signatures.values()))}
        if len(numbers) == len(set(block.values())):
            break
        block = {s: numbers[signatures[s]] for s in arcs}
    live = _live(arcs, final)
    order: dict[int, int] = {block["outside"]: 0}
    queue: list[State] = ["outside"]
    table: dict[tuple[int, int], int] = {}
    for state in queue:
        for k, target in enumerate(arcs[state]):
            if target is not None and target in live:
                if block[target] not in order:
                    order[block[target]] = len(order)
                    queue.append(target)
                table[order[block[state]], k] = order[block[target]]
    accepting = frozenset(order[block[s]] for s in final if block[s] in order)
    return Automaton(len(order), table, accepting)


def _live(arcs: Mapping[State, Sequence[State | None]], final: Collection[State]) -> set[State]:
    """The states from which a final one can be reached."""
    live = set(final)
    while True:
        more = {s for s in arcs if s not in live and any(t in live for t in arcs[s])}
        if not more:
            return live
        live |= more
