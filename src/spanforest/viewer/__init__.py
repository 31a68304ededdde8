"""Pictures of analyses for people: in the terminal, and as SVG."""

from .svg import draw_svg
from .terminal import draw

__all__ = ["draw", "draw_svg"]
