from xml.etree import ElementTree as ET

import pytest

from spanforest import Mention
from spanforest.cli.examples import DISCONTINUOUS, NESTED
from spanforest.errors import MentionError
from spanforest.viewer import draw, draw_svg


def test_nested() -> None:
    assert draw(NESTED[3].words, NESTED[3].mentions).splitlines() == [
        "I     am Fabian from Bonn, Germany",
        "└PER┘                      └─GPE─┘",
        "                     └────GPE────┘",
        "         └──────────PER──────────┘",
    ]


def test_discontinuous() -> None:
    assert draw(DISCONTINUOUS.words, DISCONTINUOUS.mentions).splitlines() == [
        "severe pain in arms and shoulders",
        "       └───ADR────┘",
        "       └─ADR─┘┄┄┄┄┄┄┄┄┄┄└───────┘",
    ]


def test_wide_and_combining_characters() -> None:
    lines = draw(["患者", "e\u0301", "肝"], [Mention.span("病", 0, 1), Mention.span("B", 1, 3)])
    assert lines.splitlines() == ["患者 e\u0301 肝", "└病┘ └B─┘"]


def test_narrow_words_and_nothing() -> None:
    assert draw(["a", "b"], [Mention("X", ((0, 1),))]) == "a   b\n└X┘"
    assert draw(["a", "b", "c"], [Mention("X", ((0, 1), (2, 3)))]).splitlines() == [
        "a   b c",
        "└X┘┄┄┄┴",
    ]
    assert draw([], []) == ""
    assert draw(["a"], []) == "a"


def test_crossing_mentions_have_lines_of_their_own() -> None:
    mentions = [Mention.span("A", 0, 2), Mention.span("B", 1, 3)]
    assert len(draw(["xxx", "yyy", "zzz"], mentions).splitlines()) == 3


def test_mentions_out_of_range() -> None:
    for picture in (draw, draw_svg):
        with pytest.raises(MentionError, match="1 words"):
            picture(["a"], [Mention.span("A", 0, 2)])


def test_svg_is_well_formed_and_escaped() -> None:
    words = ("<b>", "&", '"q"')
    picture = draw_svg(words, [Mention("<X>", ((0, 1), (2, 3)))])
    root = ET.fromstring(picture)
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [*words, "<X>"]
    assert "<b>" not in picture
    assert draw_svg([], [])
