"""What each tip of a factorial design does, in sentences and tables made from the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim.report.document import Block, Bullets, Image, Table, said
from sim.report.tips import Tip, alone, gap, together, variants
from sim.report.versus import (
    SAME,
    left_mark,
    left_places,
    left_span,
    size_parts,
    win_mark,
    win_places,
    win_span,
)
from sim.report.wording import percent, signed
from sim.results import SEPARATED, Additive, Results

MOST_TOGETHER = 3  # interactions told of one rules variant
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LEAST_P = 0.001  # smaller ones are not told apart


def effects_told(results: Results, images: Sequence[Image]) -> tuple[Block, ...]:
    """Return what is said of the effects around their chart: sentences above, tables below."""
    names = variants(results)
    if not names:
        return ()
    told = (Bullets(tuple((text,) for text in sentences(results, name))) for name in names)
    tables = (_table(results, name) for name in names)
    note = (
        "A single tip: win rate with it minus win rate without it, over all settings of the "
        "others. Two tips (a × b): what they bring together beyond the sum of both. Of the cards "
        f"left fewer are better. “{SAME}”: not separated from nothing. p: of the effect on the "
        "win rate, adjusted over all effects of the table."
    )
    return (*told, *images, *tables, said(note))


# --- Sentences ---


def sentences(results: Results, variant: str) -> Iterator[str]:
    """Yield what each tip does, which two do not add up, and whether all do."""
    single, double = alone(results, variant), together(results, variant)
    for tip in single:
        yield f"At {variant}, {_does(tip)}."
    apart = [tip for tip in double if tip.separated]
    for tip in apart[:MOST_TOGETHER]:
        yield f"At {variant}, {_do(tip)}."
    if double and not apart:
        yield f"At {variant}, no two tips can be told apart from simply adding up."
    for check in results.additive:
        if check.variant == variant and double:
            yield f"At {variant}, {_sum(check, len(single))}."


def _does(tip: Tip) -> str:
    if not tip.separated:
        return (
            f"the effect of {tip.name} on the win rate cannot be told apart from nothing: "
            f"{_open(tip)} on average"
        )
    size, ends = size_parts(tip)
    verb = "adds" if tip.difference > 0 else "costs"
    return f"{tip.name} {verb} {size} on average {ends} over whatever else is followed"


def _do(tip: Tip) -> str:
    size, ends = size_parts(tip)
    way = "more" if tip.difference > 0 else "less"
    first, second = tip.names
    return f"{first} and {second} together bring {size} {way} than each alone would suggest {ends}"


def _sum(check: Additive, count: int) -> str:
    beyond = gap(check)
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    decimals = win_places([beyond])
    observed, expected = percent(check.observed, decimals), percent(check.expected, decimals)
    told = (
        f"all tips together win {observed} %; all off plus the {number} effects alone would give "
        f"{expected} %"
    )
    if not beyond.separated:
        ends = win_span(beyond, decimals)
        value = signed(100 * beyond.difference, decimals)
        return f"{told}, and the two cannot be told apart: a difference of {value} points ({ends})"
    size, ends = size_parts(beyond)
    way = "more" if beyond.difference > 0 else "less"
    return f"{told}: {size} {way} than the sum {ends}"


def _open(tip: Tip) -> str:
    decimals = win_places([tip])
    return f"{signed(100 * tip.difference, decimals)} points ({win_span(tip, decimals)})"


# --- Tables ---


def _table(results: Results, variant: str) -> Table:
    tips = [*alone(results, variant), *together(results, variant)]
    win, left = win_places(tips), left_places(tips)
    ends = "95 % interval"
    head = ("tip", "effect, points", ends, "effect, cards left", ends, "p, adjusted")
    return Table(f"Effects at {variant}", head, tuple(_row(tip, win, left) for tip in tips))


def _row(tip: Tip, win: int, left: int) -> tuple[str, ...]:
    return (
        tip.name,
        f"{win_mark(tip)} {signed(100 * tip.difference, win)}".strip(),
        win_span(tip, win),
        f"{left_mark(tip)} {signed(tip.leftover_difference, left)}".strip(),
        left_span(tip, left),
        p_text(tip.p_holm),
    )


def p_text(p: float) -> str:
    """Return a p-value, never rounded to the other side of what separates."""
    if p < _LEAST_P:
        return f"< {_LEAST_P}"
    decimals = 3
    while (round(p, decimals) < SEPARATED) != (p < SEPARATED):
        decimals += 1
    return f"{p:.{decimals}f}"
