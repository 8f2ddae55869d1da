"""Comparing what a file says with what follows from the rest of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from sim.results import Entry

CLOSE = 1e-9  # relative: libraries may round the last digits of a float in another way
NOTHING = 1e-15  # two numbers this near are the same, however small

DIGEST = re.compile("[0-9a-f]{64}")

# Above this sums of squares leave 64 bits; no run gets there.
MOST_DEALS = 2**44


def who(entry: Entry) -> str:
    """Return how messages name an entry."""
    return f"'{entry.label}' under {entry.variant}"


def disagreeing(where: str, given: object, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each field of `given` that is not what is wanted."""
    for name, value in wanted.items():
        found = getattr(given, name)
        if not same(found, value):
            yield f"{where}: {name} is {found}, but {value} follows from the rest of the file"


def no_digest(where: str, text: str) -> Iterator[str]:
    """Yield a message if a text is no digest."""
    if not DIGEST.fullmatch(text):
        yield f"{where} is no digest of 64 hexadecimal digits"


def same(found: Any, wanted: Any, close: float = CLOSE) -> bool:
    """Tell whether two numbers or texts are the same, floats but for rounding."""
    if isinstance(wanted, float):
        return isclose(found, wanted, rel_tol=close, abs_tol=NOTHING)
    return bool(found == wanted)


def first_difference(found: list[Any], wanted: list[Any]) -> str:
    """Return where two lists part, in words, or "" if they are equal."""
    for number, (one, other) in enumerate(zip(found, wanted, strict=False), start=1):
        if one != other:
            return f"number {number} is {one}, but {other} is its place"
    if len(found) != len(wanted):
        return f"there are {len(found)}, but {len(wanted)} follow from the entries"
    return ""
