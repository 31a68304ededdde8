"""Examples in docstrings run; what rules are made of is explained."""

import doctest
import importlib
import pkgutil

import pytest

import spanforest
from contract.cases import CASES, Case

MODULES = [
    module.name
    for module in pkgutil.walk_packages(spanforest.__path__, "spanforest.")
    if not module.name.endswith(("_core", "__main__"))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_systems_explain_themselves(case: Case) -> None:
    system = case.space.system
    assert all(declared.meaning for declared in (*system.items, *system.parts))
    assert system.meanings.keys() == {*system.constants, *system.relations}
    assert all(system.meanings.values())
