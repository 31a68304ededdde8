"""`Discontinuous` (SPEC S7, (d)): all tag strings that are well-formed, and what they mean."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from spanforest.types import Analysis, Mention

from . import Enumeration

KINDS = "xyz"
Component = tuple[str, int, int, bool]


def tag_names(components: int, semantic: bool, bare: bool, labels: Sequence[str]) -> list[str]:
    """The tags in the order of DESIGN §2; `label/tag` for every tag but O."""
    kinds = KINDS[:components]
    marks = ("", "!") if bare else ("",)
    one = ["CB", "CI", "O"]
    one += [f"DB-B{x}{m}" for x in (kinds if semantic else "x") for m in marks]
    one += [f"DI-B{x}{m}" for x in kinds for m in marks]
    one += [f"DI-I{x}" for x in kinds] + ["DI-O"]
    return [
        tag if tag == "O" else f"{label}/{tag}"
        for k, label in enumerate(labels)
        for tag in one
        if k == 0 or tag != "O"
    ]


def groups(tags: Sequence[str]) -> Iterator[tuple[str, int, int]] | None:
    """The runs that belong together: (first tag, start, end); None if a tag has no start."""
    found: list[tuple[str, int, int]] = []
    for k, name in enumerate(tags):
        label, _, tag = name.rpartition("/")
        if tag in ("O", "CB") or tag.startswith("DB"):
            found.append((name, k, k + 1))
            continue
        wanted = "C" if tag == "CI" else "D"
        if not found or not found[-1][0].startswith(f"{label}/{wanted}"):
            return None
        found[-1] = (found[-1][0], found[-1][1], k + 1)
    return iter(found)


def components_of(tags: Sequence[str], start: int) -> list[Component] | None:
    """The components of a set, None if an I tag does not follow its own type (condition 3)."""
    found: list[Component] = []
    is_open = False
    for k, name in enumerate(tags):
        tag = name.rpartition("/")[2].partition("-")[2]
        if tag == "O":
            is_open = False
        elif tag[0] == "B":
            found.append((tag[1], start + k, start + k + 1, tag.endswith("!")))
            is_open = True
        else:
            if not is_open or found[-1][0] != tag[1]:
                return None
            kind, first, _, bare = found[-1]
            found[-1] = (kind, first, start + k + 1, bare)
    return found if is_open else None  # condition 6: no gap at the end


def legal(found: Sequence[Component], structural: bool) -> bool:
    """Conditions 4 and 5, and the order of structural types."""
    kinds = [kind for kind, *_ in found]
    first_seen = list(dict.fromkeys(kinds))
    if len(first_seen) < 2:
        return False
    if structural and first_seen != list(KINDS[: len(first_seen)]):
        return False
    bare_kinds = {kind for kind, _, _, bare in found if bare}
    for (a, _, end, _), (b, start, _, _) in pairwise(found):
        single = kinds.count(a) == kinds.count(b) == 1
        if a != b and end == start and single and not {a, b} & bare_kinds:
            return False
    return True


def union(label: str, parts: Sequence[tuple[int, int]]) -> Mention:
    words = sorted({w for start, end in parts for w in range(start, end)})
    fragments: list[tuple[int, int]] = []
    for w in words:
        if fragments and fragments[-1][1] == w:
            fragments[-1] = (fragments[-1][0], w + 1)
        else:
            fragments.append((w, w + 1))
    return Mention(label, tuple(fragments))


def mentions_of(label: str, found: Sequence[Component]) -> Iterator[Mention]:
    kinds = sorted({kind for kind, *_ in found})
    columns = [[(s, e) for kind, s, e, _ in found if kind == k] for k in kinds]
    for choice in product(*columns):
        yield union(label, choice)
    for _, start, end, bare in found:
        if bare:
            yield union(label, [(start, end)])


def discontinuous(
    n: int,
    labels: Sequence[str],
    components: int = 2,
    semantic: bool = False,
    bare: bool = False,
) -> Enumeration:
    names = tag_names(components, semantic, bare, labels)
    for numbers in product(range(len(names)), repeat=n):
        tags = [names[k] for k in numbers]
        runs = groups(tags)
        if runs is None:
            continue
        mentions: set[Mention] = set()
        structure: list[tuple[int, str]] = []
        for name, start, end in runs:
            label, _, tag = name.rpartition("/")
            if tag == "CB":
                mentions.add(union(label, [(start, end)]))
            elif tag.startswith("DB"):
                found = components_of(tags[start:end], start)
                if found is None or not legal(found, not semantic):
                    break
                mentions.update(mentions_of(label, found))
                structure.append((start, found[0][0]))
        else:
            analysis = Analysis(frozenset(mentions), None, tuple(structure) if semantic else None)
            yield analysis, [("word", (i, k)) for i, k in enumerate(numbers)]


def all_mentions(n: int, labels: Sequence[str]) -> list[Mention]:
    """Every set of words as a mention of every label."""
    words = [c for k in range(1, n + 1) for c in combinations(range(n), k)]
    return [union(label, [(w, w + 1) for w in c]) for label in labels for c in words]
