"""Checks of arguments that all layers share; each returns the plain value it accepts."""

from collections import Counter
from operator import index
from typing import Any

import numpy as np

from .errors import LabelError, LengthError, OptionError, SpanforestError

LARGEST = 2**31 - 1
"""The largest length, size or limit: small enough to add such numbers up in the engine."""

COUNTED = 2**63 - 1
"""The largest number of answers, and the largest seed."""


def integer(value: Any) -> int | None:
    """The int that an integer of any kind stands for; None for anything else, truth values too."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def checked_count(
    what: str, value: object, least: int, alternative: str = "", most: int = COUNTED
) -> int:
    """An integer from `least` to `most`; `alternative` says what else the option may be."""
    number = integer(value)
    if number is None or not least <= number <= most:
        too_many = most < LARGEST or (number is not None and number > most)
        wanted = f"from {least} to {most}" if too_many else f"of at least {least}"
        raise OptionError(f"{what} = {value!r}: expected an integer {wanted}{alternative}")
    return number


def optional_count(what: str, value: object, least: int, none: str) -> int | None:
    """The same for an option that may be None; `none` says what that means."""
    if value is None:
        return None
    return checked_count(what, value, least, f" or None ({none})", LARGEST)


def checked_length(n: object) -> int:
    """A number of words."""
    number = integer(n)
    if number is None or not 0 <= number <= LARGEST:
        limit = f" and at most {LARGEST}" if number is not None and number > LARGEST else ""
        raise LengthError(f"n = {n!r}: expected a number of words, an integer of at least 0{limit}")
    return number


def checked_names(what: str, names: object) -> tuple[str, ...]:
    """Labels or tags as a tuple: at least one, distinct, not empty, in an order that stays."""
    listed = ordered(what, names, "a list of non-empty strings", LabelError)
    if any(not isinstance(name, str) or not name for name in listed):
        raise LabelError(f"{what}: expected a list of non-empty strings, not {names!r}")
    if not listed:
        raise LabelError(f"{what}: expected at least one, not an empty list")
    twice = [name for name, times in Counter(listed).items() if times > 1]
    if twice:
        raise LabelError(f"{what}: {twice[0]!r} is given more than once")
    return tuple(map(str, listed))


def listed(what: str, values: Any, expected: str, error: type[SpanforestError]) -> tuple[Any, ...]:
    """The entries of any iterable but a string; else an error that says what was expected."""
    try:
        if isinstance(values, str):
            raise TypeError("a string is not a list")
        return tuple(values)
    except TypeError as cause:
        raise error(f"{what}: expected {expected}, not {values!r}") from cause


def ordered(
    what: str, values: object, expected: str, error: type[SpanforestError]
) -> tuple[Any, ...]:
    """The same, but no set: the order of the entries is the layout of the scores."""
    if isinstance(values, set | frozenset):
        raise error(
            f"{what}: expected {expected}, not a set: the order is the layout of the scores"
        )
    return listed(what, values, expected, error)
