"""How closely witnesses must agree: absolute tolerances on scores, log Z, probabilities, unless
they are said to be relative.
"""

TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
FINITE_DIFFERENCE = 1e-5  # of marginals
STEP = 1e-5  # by which scores are moved for that
SAME_PROBLEM = {"score": 1e-12, "entropy": 1e-9}  # relative: one problem put to two spaces
GOLDEN = {"score": 1e-11, "entropy": 1e-9}  # printed with 12 decimals, entropies with 10
CHI_SQUARE_QUANTILE = 4.0  # standard deviations of a χ² with many degrees of freedom
FAST_SUMS = {"float32": 2e-6, "float64": 1e-12}
"""Of the fast paths and the general engine: of best scores and log Z, for scores of about 1."""

FAST_COUNTS = {"float32": 1e-5, "float64": 1e-10}
"""The same of expected counts."""
