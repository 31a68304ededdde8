"""A pytest plugin that makes the reference interpreter unimportable: `pytest -p native_only`.

What then passes is answered by the engine alone.
"""

import sys

for name in (
    "spanforest.inference.reference",
    "spanforest.rules.algorithms",
    "spanforest.rules.graph",
    "spanforest.rules.refinement",
    "spanforest.rules.traces",
    "spanforest.rules._compiler",
):
    sys.modules[name] = None  # type: ignore[assignment]
