"""What may import what, and what importing costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import spanforest
import spanforest.rules
import spanforest.spaces
import spanforest.viewer

BRUTE = Path(__file__).parents[1] / "brute"


@pytest.mark.parametrize("path", sorted(BRUTE.glob("*.py")), ids=lambda path: path.name)
def test_brute_force_knows_only_the_plain_types(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            imported.add(str(node.module))
    allowed = set(sys.stdlib_module_names) | {"numpy"}
    assert {name for name in imported if name.partition(".")[0] not in allowed} <= {
        "spanforest.types"
    }


@pytest.mark.parametrize(
    "module",
    [spanforest, spanforest.rules, spanforest.spaces, spanforest.viewer],
    ids=lambda m: m.__name__,
)
def test_exports(module: object) -> None:
    names = module.__all__  # type: ignore[attr-defined]
    assert len(set(names)) == len(names)
    assert all(hasattr(module, name) for name in names)


PACKAGE = Path(spanforest.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_from_the_root(path: Path) -> set[str]:
    """The names that a module imports from `spanforest` itself, which the layers do not see."""
    roots = ((len(path.relative_to(PACKAGE).parts), None), (0, "spanforest"))
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = {alias.name for alias in getattr(node, "names", ())}
        if isinstance(node, ast.Import):
            found |= names & {"spanforest"}
        elif isinstance(node, ast.ImportFrom) and (node.level, node.module) in roots:
            found |= names
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_root_gives_only_the_native_library_and_layers(path: Path) -> None:
    layers = {entry.stem for entry in PACKAGE.iterdir()} - {"__init__"}
    assert imported_from_the_root(path) <= {"_core", "__version__"} | layers


def test_importing_is_light() -> None:
    heavy = ("typer", "rich", "torch", "safetensors", "spanforest.cli")
    code = f"import sys, spanforest; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_native_library() -> None:
    assert spanforest.__version__ == spanforest._core.version
    assert spanforest._core.compiler()
    assert spanforest._core.architecture()
