"""Spaces that must agree with one another."""

import numpy as np
import pytest

import spanforest as sf

from .tolerances import SAME_PROBLEM
from .witness import random_scores


def _same(a: sf.Forest[sf.Space], b: sf.Forest[sf.Space]) -> None:
    np.testing.assert_allclose(a.log_partition(), b.log_partition(), rtol=SAME_PROBLEM["score"])
    np.testing.assert_allclose(a.max(), b.max(), rtol=SAME_PROBLEM["score"])
    np.testing.assert_allclose(a.entropy(), b.entropy(), rtol=SAME_PROBLEM["entropy"])
    assert a.argmax()[0].mentions == b.argmax()[0].mentions


@pytest.mark.parametrize("n", range(8))
def test_wide_enough_nested_is_unrestricted(n: int) -> None:
    free = sf.Nested(["A", "B"], narrow=None)
    scores = random_scores(free, n, seed=n)["span"][None]
    for narrow in range((n - 1) // 2 if n % 2 else n // 2, n + 1):
        if narrow >= (n - 1) / 2:
            _same(sf.Nested(["A", "B"], narrow).forest(scores), free.forest(scores))


def test_the_first_analysis_that_narrow_1_misses() -> None:
    assert sf.Nested(["A"], 1).count(4) == sf.Nested(["A"], None).count(4) - 16


@pytest.mark.parametrize("n", range(6))
def test_label_chunk_with_one_tag_is_first_order_segments(n: int) -> None:
    """Without `boundary` scores it is `Segments`, with outside words joined into one chunk."""
    joint = sf.LabelChunk(["p"], ["O", "A"])
    flat = sf.Segments(["A"])
    chunk = random_scores(joint, n, seed=n)["chunk"]
    chunk[:, :, 0] = 0
    node = np.zeros((1, n, 2, 1))
    _same(joint.forest({"node": node, "chunk": chunk[None]}), flat.forest(chunk[None, :, :, 1:]))


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize(("window", "gap"), [(0, 0), (1, 2), (3, 1), (9, 9)])
def test_dynamic_chain_without_dynamic_scores_is_a_chain(n: int, window: int, gap: int) -> None:
    """B, I, E on words, and first-order transitions: BIO tags with the same scores."""
    dynamic, chain = sf.DynamicChain(["A"], window, gap), sf.Chain(["A"])
    scores = random_scores(dynamic, n, seed=n)
    word, transition = scores["word"].copy(), scores["transition"][:1]
    word[:, 3] = 0
    tags = np.stack([word[:, 0], word[:, 1] + word[:, 2], word[:, 2]], axis=1)
    table = np.zeros((3, 3))
    table[0, 0], table[0, 1] = transition[0, 0, 0], transition[0, 0, 1]
    table[1, 0] = table[2, 0] = transition[0, 1, 0]
    table[1, 1] = table[2, 1] = transition[0, 1, 1]
    table[1, 2] = table[2, 2] = transition[0, 1, 2]
    _same(
        dynamic.forest({"word": word[None], "transition": transition[None]}),
        chain.forest({"word": tags[None], "transition": table}),
    )


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_chain_reads_segments_of_word_scores(n: int, scheme: str) -> None:
    chain, flat = sf.Chain(["A", "B"], scheme), sf.Segments(["A", "B"])
    word = random_scores(chain, n, seed=n)["word"]
    word -= word[:, :1]  # score relative to O
    span = np.zeros((n, n, 2))
    position = {tag: k for k, tag in enumerate(chain.tags)}
    for t, label in enumerate(flat.labels):
        for i in range(n):
            for j in range(i + 1, n + 1):
                middle = [f"I-{label}"] * (j - i - 2) + [
                    f"{'E' if scheme == 'BIOES' else 'I'}-{label}"
                ]
                single = f"{'S' if scheme == 'BIOES' else 'B'}-{label}"
                tags = [single] if j - i == 1 else [f"B-{label}", *middle]
                span[i, j - 1, t] = sum(word[i + k, position[tag]] for k, tag in enumerate(tags))
    _same(chain.forest(word[None]), flat.forest(span[None]))


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("ancestors", [0, 1, 2])
def test_grammar_without_annotation_is_nested(n: int, ancestors: int) -> None:
    tree, nested = sf.Grammar(["A", "B"], ["p"], ancestors), sf.Nested(["A", "B"], None)
    span = random_scores(nested, n, seed=n)["span"]
    zero = np.zeros((1, n, 1, 1))
    _same(tree.forest({"span": span[None, ..., None], "tag": zero}), nested.forest(span[None]))


@pytest.mark.parametrize("n", range(5))
def test_label_sets_are_labels_of_their_own(n: int) -> None:
    sets, single = sf.Nested(["A", "B"], 1, None), sf.Nested(["A", "B", "A+B"])
    span = random_scores(sets, n, seed=n)["span"]
    together = np.concatenate([span, span.sum(axis=-1, keepdims=True)], axis=-1)
    a, b = sets.forest(span[None]), single.forest(together[None])
    np.testing.assert_allclose(a.log_partition(), b.log_partition(), rtol=SAME_PROBLEM["score"])
    np.testing.assert_allclose(a.max(), b.max(), rtol=SAME_PROBLEM["score"])


@pytest.mark.parametrize("n", range(6))
def test_discontinuous_without_sets_is_a_chain(n: int) -> None:
    sets, chain = sf.Discontinuous(["A"]), sf.Chain(["A"])
    word = random_scores(sets, n, seed=n)["word"]
    for tag, k in zip(sets.tags, range(len(sets.tags)), strict=True):
        if tag.startswith("D"):
            word[:, k] = -np.inf
    bio = word[:, [sets.tags.index(tag) for tag in ("O", "CB", "CI")]]
    _same(sets.forest(word[None]), chain.forest(bio[None]))


@pytest.mark.parametrize("n", range(5))
def test_adjacent_outside_chunks_forbidden_by_scores(n: int) -> None:
    free, strict = (
        sf.LabelChunk(["p", "q"], ["O", "A"], "O", adjacent) for adjacent in (True, False)
    )
    scores = {k: a[None] for k, a in random_scores(free, n, seed=n).items()}
    scores["boundary"][..., 0, 0] = -np.inf
    _same(free.forest(scores), strict.forest(scores))
