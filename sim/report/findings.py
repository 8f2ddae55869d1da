"""`reports/FINDINGS.md`: one page of answers; every number refers into a results.json.

The template is Markdown with references `{{experiment / rules variant / label / field}}`. Fields:

    won    win rate with its interval
    gain   paired difference from the baseline of the experiment, in points, with its interval
    left   mean cards left
    best   of the sweep of a strategy: the value that wins most, and those not separated from it
    best gain   what that value gains
    effect   of a tip of a factorial design, or of two (`middle x pace`), in points

`python -m sim.report.findings reports/FINDINGS.template.md` prints the page; `make findings`
writes it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from sim.report.versus import against, both_ways, win_span
from sim.report.wording import by_win_rate, percent, rate_span, signed, signed_span, value_text
from sim.results import Entry, Results

REFERENCE = re.compile(r"\{\{(.+?)\}\}")
DECIMALS = 1


def fill(template: str, folder: Path) -> str:
    """Return the page: every reference replaced by what the results in the folder say.

    Raises:
        KeyError: if a reference names an experiment, variant, label or field that is not there.
    """

    @cache
    def results(experiment: str) -> Results:
        return Results.read(folder / experiment / "results.json")

    def text(match: re.Match[str]) -> str:
        experiment, variant, label, field = (part.strip() for part in match[1].split(" / "))
        return FIELDS[field](results(experiment), variant, label)

    return REFERENCE.sub(text, template)


def _entry(results: Results, variant: str, label: str) -> Entry:
    return {(one.variant, one.label): one for one in results.entries}[variant, label]


def _won(results: Results, variant: str, label: str) -> str:
    entry = _entry(results, variant, label)
    return f"{percent(entry.win_rate, DECIMALS)} % ({rate_span(entry, DECIMALS)})"


def _gain(results: Results, variant: str, label: str) -> str:
    pair = against(results, results.baseline)[variant, label]
    return f"{signed(100 * pair.difference, DECIMALS)} ({win_span(pair, DECIMALS)})"


def _left(results: Results, variant: str, label: str) -> str:
    return f"{_entry(results, variant, label).leftover_mean:.2f}"


def _best(results: Results, variant: str, strategy: str) -> str:
    """Return the best value of a sweep, and those whose win rate is not separated from its."""
    first, *others = _sweep(results, variant, strategy)
    pairs = both_ways(results, variant)
    level = [one for one in others if not pairs[first.label, one.label].separated]
    value = _value(first)
    return f"{value} (as good: {', '.join(map(_value, level))})" if level else value


def _best_gain(results: Results, variant: str, strategy: str) -> str:
    return _gain(results, variant, _sweep(results, variant, strategy)[0].label)


def _sweep(results: Results, variant: str, strategy: str) -> list[Entry]:
    """Return the entries of a sweep, highest win rate first."""
    entries = results.of_variant(variant)
    return by_win_rate(one for one in entries if one.strategy == strategy and one.swept)


def _effect(results: Results, variant: str, tips: str) -> str:
    names = tuple(tips.split(" x "))
    effects = {(effect.variant, effect.tips): effect for effect in results.effects}
    effect = effects[variant, names]
    span = signed_span(100 * effect.low, 100 * effect.high, DECIMALS)
    return f"{signed(100 * effect.effect, DECIMALS)} ({span})"


def _value(entry: Entry) -> str:
    return " ".join(value_text(entry.params[name]) for name in entry.swept)


FIELDS = {
    "won": _won,
    "gain": _gain,
    "left": _left,
    "best": _best,
    "best gain": _best_gain,
    "effect": _effect,
}


if __name__ == "__main__":
    source = Path(sys.argv[1])
    sys.stdout.write(fill(source.read_text(encoding="utf-8"), source.parent))
