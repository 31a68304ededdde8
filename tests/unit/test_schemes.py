from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanforest import Mention, NotRepresentable
from spanforest.errors import LengthError, MentionError, OptionError, TagError
from spanforest.schemes import SCHEMES, Repair, convert, read, repair, scheme, write

NAMES = list(SCHEMES)
ADJACENT = [Mention.span("A", 0, 1), Mention.span("A", 1, 3), Mention.span("B", 3, 4)]


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("IOB1", "I-A B-A I-A I-B O"),
        ("IOB2", "B-A B-A I-A B-B O"),
        ("BIOES", "S-A B-A E-A S-B O"),
        ("BILOU", "U-A B-A L-A U-B O"),
    ],
)
def test_reading_and_writing(name: str, tags: str) -> None:
    assert write(ADJACENT, 5, name) == tags.split()
    assert read(tags.split(), name) == ADJACENT


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("labels", ["A", "AB"])
def test_well_formed_strings_are_flat_analyses(name: str, labels: str) -> None:
    """As many strings are read as there are analyses; each is what writing gives."""
    tags = scheme(name).tags(labels)
    counts = {"A": [1, 2, 5, 13, 34], "AB": [1, 3, 11, 41]}[labels]
    for n, count in enumerate(counts):
        found = set()
        for string in product(tags, repeat=n):
            mended, changes = repair(string, name)
            assert read(mended, name) is not None
            try:
                mentions = read(string, name)
            except TagError:
                assert changes
                continue
            assert not changes
            assert tuple(write(mentions, n, name)) == string
            found.add(frozenset(mentions))
        assert len(found) == count


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B"]), max_size=9))
def test_schemes_convert_into_one_another(tags: list[str]) -> None:
    clean, _ = repair(tags)
    for name in NAMES:
        assert convert(convert(clean, "BIO", name), name, "IOB2") == clean


@pytest.mark.parametrize(
    ("name", "tags", "message"),
    [
        ("BIO", "I-A", r"'I-A' \(word 0\) cannot stand behind 'O'"),
        ("BIO", "O B-A I-B", r"'I-B' \(word 2\) cannot stand behind 'B-A'"),
        ("IOB1", "I-A B-B", r"'B-B' \(word 1\)"),
        ("BIOES", "B-A O", r"'O' \(word 1\) cannot stand behind 'B-A'"),
        ("BIOES", "B-A", "the sentence cannot end with 'B-A'"),
        ("BIOES", "O E-A", r"'E-A' \(word 1\)"),
        ("BIO", "S-A", "'S-A' is not a tag of BIO: expected O, B-LABEL, I-LABEL"),
        ("BIO", "B", "'B' is not a tag"),
        ("BIO", "B-", "'B-' is not a tag"),
        ("BIO", "O O S-A", "word 2: 'S-A' is not a tag"),
    ],
)
def test_ill_formed_tags_are_errors(name: str, tags: str, message: str) -> None:
    with pytest.raises(TagError, match=message):
        read(tags.split(), name)


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (["O", 7], "word 1: 7 is not a tag of BIO"),
        (["O", None], "word 1: None is not a tag of BIO"),
        ("O", "tags: expected one tag a word, not 'O'"),
        (5, "tags: expected one tag a word, not 5"),
    ],
)
def test_what_is_no_tag(tags: Any, message: str) -> None:
    for question in (read, repair, lambda tags: convert(tags, "BIO", "BIOES")):
        with pytest.raises(TagError, match=message):
            question(tags)


def test_tags_may_be_any_iterable() -> None:
    tags = ["B-A", "I-A", "O"]
    assert read(iter(tags)) == read(tags)
    assert repair(iter(tags)) == repair(tags)
    assert convert(iter(tags), "BIO", "BIOES") == ["B-A", "E-A", "O"]


@pytest.mark.parametrize("mentions", [5, "A", ADJACENT[0], [("A", 0, 1)]])
def test_what_is_no_mention(mentions: Any) -> None:
    with pytest.raises(MentionError, match="expected a"):
        write(mentions, 3)


def test_lengths() -> None:
    for n in (-1, 1.5, None):
        with pytest.raises(LengthError, match="expected a number of words"):
            write([], n)  # type: ignore[arg-type]


def test_repair_says_what_it_changed() -> None:
    assert repair(["O", "I-A", "I-B"]) == (
        ["O", "B-A", "B-B"],
        [Repair(1, "I-A", "B-A"), Repair(2, "I-B", "B-B")],
    )
    assert repair(["B-A", "O", "E-A"], "BIOES")[0] == ["S-A", "O", "S-A"]


@pytest.mark.parametrize(
    ("mentions", "reason"),
    [
        ([Mention("A", ((0, 1), (2, 3)))], "not continuous"),
        ([Mention.span("A", 0, 2), Mention.span("B", 1, 3)], "overlaps"),
        ([Mention.span("A", 0, 9)], "outside a sentence of 3 words"),
    ],
)
def test_what_tags_cannot_hold(mentions: list[Mention], reason: str) -> None:
    with pytest.raises(NotRepresentable, match=reason):
        write(mentions, 3)


def test_labels_may_have_hyphens() -> None:
    tags = ["B-cell-line", "I-cell-line"]
    assert read(tags) == [Mention.span("cell-line", 0, 2)]


def test_unknown_scheme() -> None:
    with pytest.raises(OptionError, match="no tag scheme 'BMEWO'"):
        scheme("BMEWO")
    with pytest.raises(OptionError, match="no tag scheme"):
        scheme([])  # type: ignore[arg-type]
