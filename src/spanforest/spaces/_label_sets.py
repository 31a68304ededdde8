"""Labels on a span: one, or a non-empty set of up to k (SPEC (a)).

A non-empty subset of the labels 0..t is one of 0..t-1, or t alone, or t with one of 0..t-1:
`N_t = N_{t-1} ⊕ w_t ⊕ w_t ⊗ N_{t-1}`. With at most k labels a span the number chosen is counted.
"""

from dataclasses import replace

from .._checks import optional_count
from ..inference.scores import Axis, ScoreArray
from ..rules.notation import Item, Part, Rule, System

SPAN = Part(
    "span(i, j, t)",
    "[{t}, {i}, {j}]",
    "0 <= i < j <= n and 0 <= t < T",
    "words i to j-1 are a mention labelled t",
    index="i, j-1, t",
)

ANY_SET = (
    Item(
        "some(i, j, t)",
        "[≤{t}, {i}, {j}]",
        "0 <= i < j <= n and 0 <= t < T",
        "a non-empty set of labels up to t for the span (i, j)",
    ),
    (
        Rule("s", "some(i, j, t) <- span(i, j, t)", mention="t, i, j"),
        Rule("u", "some(i, j, t) <- some(i, j, t-1)"),
        Rule("v", "some(i, j, t) <- some(i, j, t-1) span(i, j, t)", mention="t, i, j"),
    ),
    "some(i, j, t)",
)

SMALL_SET = (
    Item(
        "some(i, j, t, c)",
        "[≤{t}, {i}, {j}, {c}]",
        "0 <= i < j <= n and 0 <= t < T and 1 <= c <= K",
        "c of the labels up to t for the span (i, j)",
    ),
    (
        Rule("s", "some(i, j, t, c) <- span(i, j, t)", where="c == 1", mention="t, i, j"),
        Rule("u", "some(i, j, t, c) <- some(i, j, t-1, c)"),
        Rule("v", "some(i, j, t, c) <- some(i, j, t-1, c-1) span(i, j, t)", mention="t, i, j"),
    ),
    "some(i, j, t, c)",
)


def span_scores(labels: int) -> ScoreArray:
    """The score array of spaces whose only parts are labelled spans."""
    return ScoreArray(
        "span",
        "span[i, j, t]: the words i to j (both included) are a mention with label t",
        (Axis("first word"), Axis("last word"), Axis("label", labels)),
        required=True,
    )


def checked_labels_per_span(per_span: int | None) -> int | None:
    """The option as a plain number of labels, or None."""
    return optional_count("labels_per_span", per_span, 1, "any number")


def with_labels(system: System, per_span: int | None) -> System:
    """`system` with `span(i, j, t)` in its rules replaced by a set of labels, unless it is one."""
    if per_span == 1:
        return system
    limit = {} if per_span is None else {"K": min(per_span, len(system.names["t"]))}
    item, rules, chosen = ANY_SET if per_span is None else SMALL_SET
    return replace(
        system,
        items=(*system.items, item),
        rules=(*(_with_set(rule, chosen) for rule in system.rules), *rules),
        constants={**system.constants, **limit},
        meanings={**system.meanings, **({"K": "most labels on a span"} if limit else {})},
    )


def _with_set(rule: Rule, chosen: str) -> Rule:
    if SPAN.form not in rule.text:
        return rule
    where = f"{rule.where} and t == T-1" if rule.where else "t == T-1"
    return replace(rule, text=rule.text.replace(SPAN.form, chosen), where=where, mention="")
