"""How closely witnesses must agree: absolute tolerances on scores, log Z, probabilities."""

TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
FINITE_DIFFERENCE = 1e-5
CHI_SQUARE_QUANTILE = 4.0  # standard deviations of a χ² with many degrees of freedom
