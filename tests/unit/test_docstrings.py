"""Examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import spanforest

MODULES = [
    module.name
    for module in pkgutil.walk_packages(spanforest.__path__, "spanforest.")
    if not module.name.endswith(("_core", "__main__"))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
