from typing import Any

import numpy as np
import pytest

from spanforest import Analysis, Document, Mention
from spanforest.errors import DocumentError, MentionError

NO_SPANS = np.zeros((0, 2), dtype=np.int64)


def test_equality_is_by_label_and_fragments() -> None:
    assert (
        Mention("A", ((0, 2),)) == Mention.span("A", 0, 2) == Mention.union("A", [(1, 2), (0, 1)])
    )
    assert Mention.span("A", 0, 2) != Mention.span("B", 0, 2)
    assert len({Mention.span("A", 0, 2), Mention("A", ((0, 2),))}) == 1
    assert Mention("A", [[0, 1], [2, 3]]) == Mention("A", ((0, 1), (2, 3)))  # type: ignore[arg-type]
    assert Mention("A", np.array([[0, 1]])).fragments == ((0, 1),)  # type: ignore[arg-type]


def test_properties() -> None:
    mention = Mention.union("A", [(4, 6), (0, 1), (1, 2), (5, 7)])
    assert mention.fragments == ((0, 2), (4, 7))
    assert (mention.start, mention.end) == (0, 7)
    assert mention.tokens == (0, 1, 4, 5, 6)
    assert not mention.is_continuous
    assert str(mention) == "Mention('A', 0:2, 4:7)"


@pytest.mark.parametrize(
    ("label", "fragments", "message"),
    [
        ("", ((0, 1),), "needs a label"),
        (3, ((0, 1),), "needs a label"),
        ("A", (), "at least one fragment"),
        ("A", ((1, 1),), r"\(1, 1\): expected 0 <= start < end"),
        ("A", ((-1, 1),), "expected 0 <= start < end"),
        ("A", ((0, 1), (1, 2)), "must not touch"),
        ("A", ((2, 3), (0, 1)), "must be sorted"),
        ("A", (0, 1), "pairs"),
        ("A", ((0, 1.5),), "pairs"),
        ("A", ((0, 1, 2),), "pairs"),
    ],
)
def test_malformed_mentions(label: str, fragments: object, message: str) -> None:
    with pytest.raises(MentionError, match=message):
        Mention(label, fragments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ([(0, 5), (2, 2)], r"\(2, 2\): expected 0 <= start < end"),
        ([(0, 5), (3, 1)], r"\(3, 1\): expected 0 <= start < end"),
        ([(-1, 1)], "expected 0 <= start < end"),
        ([(0, 1.5)], "pairs"),
        ([0, 1], "pairs"),
        (5, "pairs"),
        ([], "at least one fragment"),
    ],
)
def test_unions_of_ranges_that_are_none(ranges: Any, message: str) -> None:
    with pytest.raises(MentionError, match=message):
        Mention.union("A", ranges)


def test_analysis_is_a_value() -> None:
    assert Analysis(frozenset()) == Analysis(frozenset(), None, None)
    assert Analysis(frozenset(), ("p",)) != Analysis(frozenset())
    assert hash(Analysis(frozenset(), structure=((0, 1),)))


def test_document_from_words() -> None:
    document = Document.from_words(
        [["I", "am", "Fabian"], [], ["from", "Bonn"]],
        [[Mention.span("PER", 2, 3)], [], [Mention("X", ((0, 1), (1, 2))[:1])]],
        tags=["p"] * 5,
        id="d1",
    )
    assert document.text == "I am Fabian\n\nfrom Bonn"
    assert [s.words for s in document] == [("I", "am", "Fabian"), (), ("from", "Bonn")]
    assert [len(s) for s in document] == [3, 0, 2]
    assert document[0].text_of(Mention.span("PER", 2, 3)) == "Fabian"
    assert document[2].characters(Mention.span("X", 0, 2)) == ((13, 22),)
    assert document[-1].tags == ("p", "p")
    assert document[1:] == [document[1], document[2]]
    assert document[::-1] == list(document)[::-1]
    assert document[0].mentions == (Mention.span("PER", 2, 3),)


def test_characters_are_code_points() -> None:
    text = "naïve 😀 肝\u0301x"
    document = Document(text, np.array([(0, 5), (6, 7), (8, 11)]), np.array([(0, 3)]))
    sentence = document[0]
    assert sentence.words == ("naïve", "😀", "肝\u0301x")
    mention = Mention("A", ((0, 1), (2, 3)))
    assert sentence.characters(mention) == ((0, 5), (8, 11))
    assert sentence.text_of(mention) == "naïve 肝\u0301x"
    with pytest.raises(MentionError, match="3 tokens"):
        sentence.text_of(Mention.span("A", 0, 4))


def test_nothing_is_lost_or_shared() -> None:
    twice = [Mention.span("A", 0, 1)] * 2
    document = Document.from_words([["a"]], [twice])
    assert document.mentions == (tuple(twice),)
    with pytest.raises(ValueError, match="read-only"):
        document.tokens[0, 0] = 5


@pytest.mark.parametrize(
    ("tokens", "sentences", "mentions", "tags", "message"),
    [
        ([(0, 9)], [(0, 1)], (), None, r"tokens\[0\]"),
        ([(0, 0)], [(0, 1)], (), None, r"tokens\[0\]"),
        ([(0, 2), (1, 3)], [(0, 2)], (), None, r"tokens\[1\]"),
        ([(0, 1)], [(0, 2)], (), None, r"sentences\[0\]"),
        ([(0, 1)], NO_SPANS, (), None, "cover all 1 tokens"),
        ([(0, 1), (1, 2)], [(0, 1)], (), None, "cover all 2 tokens"),
        ([(0, 1)], [(0, 1)], ((), ()), None, "mentions of 2 sentences"),
        ([(0, 1)], [(0, 1)], ((Mention.span("A", 0, 2),),), None, "sentence 0 has 1 tokens"),
        ([(0, 1)], [(0, 1)], (("A", 0, 1),), None, r"mentions\[0\]\[0\]: .* a mention, not 'A'"),
        ([(0, 1)], [(0, 1)], (Mention.span("A", 0, 1),), None, r"mentions\[0\]: .* a list of"),
        ([(0, 1)], [(0, 1)], 5, None, "mentions: expected one list of mentions a sentence, not 5"),
        ([(0, 1)], [(0, 1)], (), ("p", "q"), "2 tags for 1 tokens"),
        ([(0, 1)], [(0, 1)], (), "p", "tags: expected one string a token, not 'p'"),
        ([(0, 1)], [(0, 1)], (), (7,), r"tags\[0\]: expected a string, not 7"),
        ([(0, 1), (1,)], [(0, 2)], (), None, r"tokens: expected integers \[k, 2\], not ragged"),
        ([(0.0, 1.0)], [(0, 1)], (), None, "expected integers"),
        ([0, 1], [(0, 1)], (), None, r"\[k, 2\]"),
    ],
)
def test_documents_that_do_not_fit(
    tokens: object, sentences: object, mentions: object, tags: object, message: str
) -> None:
    with pytest.raises(DocumentError, match=message):
        Document("text", tokens, sentences, mentions, tags)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (5, "sentences: expected one list of words a sentence, not 5"),
        (["a b"], r"sentences\[0\]: expected a list of words, not 'a b'"),
        ([[], ["a", 7]], r"sentences\[1\]\[1\]: expected a string, not 7"),
    ],
)
def test_words_that_are_none(sentences: Any, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        Document.from_words(sentences)


def test_texts_are_strings() -> None:
    with pytest.raises(DocumentError, match="text: expected a string, not None"):
        Document(None, NO_SPANS, NO_SPANS)  # type: ignore[arg-type]


def test_documents_keep_tuples() -> None:
    mention = Mention.span("A", 0, 1)
    for document in (
        Document("a", [(0, 1)], [(0, 1)], iter([[mention]]), iter(["p"])),  # type: ignore[arg-type]
        Document.from_words([["a"]], iter([[mention]]), iter(["p"])),  # type: ignore[arg-type]
    ):
        assert document.mentions == ((mention,),)
        assert document.tags == ("p",)


def test_empty_document() -> None:
    assert len(Document("", NO_SPANS, NO_SPANS)) == 0
    assert len(Document.from_words([])) == 0
