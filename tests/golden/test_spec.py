"""The verified tables: counts, values, automata."""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

import spanforest as sf
from contract.tolerances import GOLDEN
from golden.tables import sections, table

LABELS = ("X", "Y", "Z")
TAGS = ("p", "q")


def spaces_of(row: str) -> list[sf.Space]:
    """The spaces that a row of the count table is about."""
    types = re.search(r"T=(\d)", row)
    labels = LABELS[: int(types[1])] if types else LABELS[:1]
    options: dict[str, list[sf.Space]] = {
        "S2 T=1, maxlen 2": [sf.Segments(labels, 2)],
        "S2 T=2, maxlen X:2 Y:1": [sf.Segments(LABELS[:2], {"X": 2, "Y": 1})],
        "S6 c=2 p=1": [_joint(2, 1, True)],
        "S6 c=2 p=1 (O,O) forbidden": [_joint(2, 1, False)],
        "S6 c=2 p=2": [_joint(2, 2, True)],
        "S6 c=2 p=2 (O,O) forbidden": [_joint(2, 2, False)],
        "S6 c=3 p=2 (O,O) forbidden": [_joint(3, 2, False)],
        "S7 tag strings (10 tags)": [sf.Discontinuous(labels, naming="semantic")],
        "S7 structural strings = mention sets": [sf.Discontinuous(labels)],
    }
    if row in options:
        return options[row]
    if row.startswith("S1 BIO"):
        return [
            sf.Chain(labels),
            sf.Chain(labels, "BIOES"),
            sf.Segments(labels),
            sf.DynamicChain(labels, 2, 1),
        ]
    if row.startswith("(a)"):
        return [sf.Nested(labels, 1 if "S4" in row else None, labels_per_span=None)]
    if row.startswith("S3"):
        return [sf.Nested(labels, None)]
    if row.startswith("S4"):
        narrow = re.match(r"S4_(\d)", row)
        return [sf.Nested(labels, int(narrow[1]) if narrow else 1)]
    if row.startswith("(d)"):
        return [sf.Discontinuous(labels, 3 if "K=3" in row else 2, bare="bare" in row)]
    return [_grammar(row, labels)]


def _joint(chunks: int, tags: int, adjacent: bool) -> sf.Space:
    return sf.LabelChunk(TAGS[:tags], ("O", "I", "J")[:chunks], adjacent_outside=adjacent)


def _grammar(row: str, labels: tuple[str, ...]) -> sf.Space:
    found = re.fullmatch(r"S8 T=\d P=(\d) u=(\d)( flat)?", row)
    assert found, row
    tags = TAGS[: int(found[1])]
    if not found[3]:
        return sf.Grammar(labels, tags, unary=int(found[2]))
    every = sf.Grammar(labels, tags).grammar
    flat = [r for r in every if r.parent == "ROOT" or not {*r.children, r.before} & set(labels)]
    return sf.Grammar(labels, tags, observed=flat)


def counted() -> Iterator[object]:
    for row in table("counts.md"):
        counts = [int(cell) for n in range(1, 9) if (cell := row.get(f"n={n}"))]
        for space in spaces_of(row["space"]):
            yield pytest.param(space, counts, id=f"{row['space']}-{space!r}")


@pytest.mark.parametrize(("space", "counts"), list(counted()))
def test_counts(space: sf.Space, counts: list[int]) -> None:
    assert [space.count(n) for n in range(1, len(counts) + 1)] == counts
    assert space.count(0) == 1


@pytest.mark.parametrize("row", table("values.md"), ids=lambda row: row["case"])
def test_values(row: dict[str, str]) -> None:
    space, scores, part = _golden_case(row["case"])
    forest = space.forest(scores[None])
    assert forest.log_partition()[0] == pytest.approx(float(row["logZ"]), abs=GOLDEN["score"])
    assert forest.max()[0] == pytest.approx(float(row["MAP score"]), abs=GOLDEN["score"])
    assert forest.entropy()[0] == pytest.approx(float(row["entropy"]), abs=GOLDEN["entropy"])
    assert forest.marginals()[(0, *part)] == pytest.approx(
        float(row["marginal"]), abs=GOLDEN["score"]
    )


def _golden_case(case: str) -> tuple[sf.Space, npt.NDArray[np.float64], tuple[int, ...]]:
    n = int(re.search(r"n=(\d+)", case)[1])  # type: ignore[index]
    if case.startswith("S7"):
        semantic = "full" in case
        numbers = [k for k in range(10) if semantic or k != 4]
        i, k = np.meshgrid(range(n), numbers, indexing="ij")
        space = sf.Discontinuous(["X"], naming="semantic" if semantic else "structural")
        return space, np.sin(1.0 + 5 * i + 3 * k), (0, space.tags.index("DB-Bx"))
    count = int(re.search(r"T=(\d)", case)[1])  # type: ignore[index]
    first, end, t = np.meshgrid(range(n), range(1, n + 1), range(count), indexing="ij")
    labels = LABELS[:count]
    name = case.split()[0]
    narrow = {"S3": None, "S4": 1}.get(name, int(name[-1]))
    spans: sf.Space = sf.Segments(labels) if name == "S2" else sf.Nested(labels, narrow)
    return spans, np.sin(1.0 + 7 * first + 3 * end + 11 * t), (0, 1, 0)


AUTOMATA = {
    "s7_full": sf.Discontinuous(["X"], naming="semantic"),
    "s7_structural": sf.Discontinuous(["X"]),
    "k3_structural": sf.Discontinuous(["X"], components=3),
    "k2_structural_bare": sf.Discontinuous(["X"], bare=True),
    "k3_structural_bare": sf.Discontinuous(["X"], components=3, bare=True),
}


@pytest.mark.parametrize(("name", "space"), AUTOMATA.items(), ids=AUTOMATA)
def test_automata(name: str, space: sf.Discontinuous) -> None:
    found = sections("automata.md")[name]
    automaton = space.automaton
    arcs = {
        (int(row["state"]), space.tags.index(tag)): int(cell)
        for row in found
        for tag, cell in row.items()
        if tag in space.tags and cell not in ("·", "")
    }
    assert automaton.states == len(found)
    assert automaton.arcs == arcs
    assert automaton.final == {int(row["state"]) for row in found if row["final"] == "F"}


@pytest.mark.parametrize("labels", [1, 2, 3])
@pytest.mark.parametrize(
    ("options", "per_label", "tags_per_label"),
    [
        ({"naming": "semantic"}, 12, 9),
        ({}, 8, 8),
        ({"components": 3}, 17, 10),
        ({"bare": True}, 8, 11),
    ],
)
def test_automata_of_several_labels(
    labels: int, options: dict[str, object], per_label: int, tags_per_label: int
) -> None:
    space = sf.Discontinuous(LABELS[:labels], **options)  # type: ignore[arg-type]
    assert space.automaton.states == 1 + per_label * labels
    assert len(space.tags) == 1 + tags_per_label * labels


def test_tag_names() -> None:
    names = "CB CI O DB-Bx DB-By DI-Bx DI-By DI-Ix DI-Iy DI-O"
    assert sf.Discontinuous(["X"], naming="semantic").tags == tuple(names.split())
    names = "CB CI O DB-Bx DI-Bx DI-By DI-Bz DI-Ix DI-Iy DI-Iz DI-O"
    assert sf.Discontinuous(["X"], components=3).tags == tuple(names.split())
    assert sf.Discontinuous(["X", "Y"]).tags[8:11] == ("DI-O-X", "CB-Y", "CI-Y")


@pytest.mark.parametrize(
    ("narrow", "instances"),
    [
        (None, {10: 561, 20: 3521, 40: 24641}),
        (1, {10: 485, 20: 2060, 40: 8510, 80: 34610}),
        (2, {10: 555, 20: 2570, 40: 11100}),
        (4, {10: 585, 20: 3240, 40: 15450}),
    ],
)
def test_numbers_of_rule_instances(narrow: int | None, instances: dict[int, int]) -> None:
    space = sf.Nested(["X"], narrow)
    found = {n: sum(1 for _ in space.graph(n).all_edges) for n in instances}
    assert found == instances
