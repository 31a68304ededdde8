"""Tables 1 to 4 of paper 000, in the corrected form (SPEC, errata of seed 000)."""

from pathlib import Path

import pytest

import spanforest as sf
from spanforest.cli.examples import NESTED

LABELS = ["PER", "ORG", "GPE"]
TABLES = {
    "table1": (sf.Segments(LABELS), NESTED[0]),
    "table2_cubic": (sf.Nested(LABELS, None), NESTED[1]),
    "table2": (sf.Nested(LABELS), NESTED[1]),
    "table3": (sf.Nested(LABELS), NESTED[2]),
    "table4": (sf.Nested(LABELS), NESTED[3]),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_the_paper(name: str) -> None:
    space, example = TABLES[name]
    analysis = space.encode(example.mentions, len(example.words))
    expected = (Path(__file__).parent / "traces" / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{space.trace(analysis, len(example.words))}\n" == expected


def test_only_one_rule_differs_between_the_algorithms() -> None:
    cubic, quadratic = (TABLES[name] for name in ("table2_cubic", "table2"))
    words = len(cubic[1].words)
    lines = [list(s.trace(s.encode(e.mentions, words), words)) for s, e in (cubic, quadratic)]
    pairs = zip(*lines, strict=True)
    different = [(a, b) for a, b in pairs if a != b]
    assert [(a.rule, b.rule, a.antecedents == b.antecedents) for a, b in different] == [
        ("c", "j", True)
    ]
