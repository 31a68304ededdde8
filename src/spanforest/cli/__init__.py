"""The command line: `spanforest COMMAND`. Each command has a module of its own."""

from typing import Annotated

import typer

from .. import __version__
from .demo import demo

app = typer.Typer(name="spanforest", no_args_is_help=True, add_completion=False)
app.command()(demo)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"spanforest {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Entity mentions by exact inference: flat, nested or discontinuous."""


def main() -> None:
    """Run the command line."""
    app()
