"""Threads: how many, beside others of Python, and after a fork."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import spanforest as sf

SPACE = sf.Nested(["A", "B", "C"])
SCORES = np.random.default_rng(0).normal(size=(96, 50, 50, 3)).astype("float32")


@pytest.fixture(autouse=True)
def many_threads() -> Iterator[None]:
    before = sf.threads()
    sf.set_threads(4)
    yield
    sf.set_threads(before)


def answers() -> list[Any]:
    forest = SPACE.forest(SCORES)
    return [forest.max().tolist(), forest.marginals().tobytes(), list(forest.argmax())]


def test_the_number_of_threads() -> None:
    expected = answers()
    for count in (1, 2, 7):
        sf.set_threads(count)
        assert sf.threads() == count
        assert answers() == expected


@pytest.mark.parametrize("count", [0, -1, 1.5, "two", None])
def test_no_number_of_threads(count: Any) -> None:
    with pytest.raises(sf.errors.OptionError, match=r"count = .*: expected an integer"):
        sf.set_threads(count)
    assert sf.threads() == 4


def test_threads_of_python_ask_at_once() -> None:
    expected = answers()
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(lambda _: answers(), range(12)))


def test_an_error_reaches_who_asks() -> None:
    scores = SCORES.copy()
    scores[77, 3, 5, 1] = np.nan
    for _ in range(3):
        with pytest.raises(sf.errors.ScoreError, match=r"of sentence 77: nan at \[3, 5, 1\]"):
            SPACE.forest(scores).marginals()
    assert SPACE.forest(SCORES).max()[77] > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    expected = answers()
    child = os.fork()
    if child == 0:
        os._exit(0 if answers() == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert answers() == expected
