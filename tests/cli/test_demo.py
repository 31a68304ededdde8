import subprocess
import sys

import pytest
from typer.testing import CliRunner

import spanforest
from spanforest.cli import app
from spanforest.cli.examples import DISCONTINUOUS, NESTED
from spanforest.viewer import draw

RUN = CliRunner()


def test_demo_shows_the_analyses_of_the_papers() -> None:
    result = RUN.invoke(app, ["demo"])
    assert result.exit_code == 0
    for example in (*NESTED, DISCONTINUOUS):
        assert example.title in result.output
        assert draw(example.words, example.mentions) in result.output


@pytest.mark.parametrize("arguments", [["--help"], ["demo", "--help"], []])
def test_help(arguments: list[str]) -> None:
    result = RUN.invoke(app, arguments)
    assert result.exit_code == (2 if not arguments else 0)
    assert "Usage" in result.output


def test_version_and_the_module_entry() -> None:
    assert RUN.invoke(app, ["--version"]).output.split() == ["spanforest", spanforest.__version__]
    command = [sys.executable, "-m", "spanforest", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["spanforest", spanforest.__version__]
