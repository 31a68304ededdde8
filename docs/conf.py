"""Sphinx configuration: `sphinx-build -W docs docs/_build`."""

import sys
from pathlib import Path

import spanforest

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "spanforest"
author = "the spanforest authors"
version = release = spanforest.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "from_code"]
myst_enable_extensions = ["colon_fence", "deflist"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "spanforest"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
default_role = "code"
