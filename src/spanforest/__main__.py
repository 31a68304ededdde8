"""`python -m spanforest`."""

from .cli import main

main()
