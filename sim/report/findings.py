"""`reports/FINDINGS.md`: one page of answers; every number refers into a results.json.

The template is Markdown with references `{{experiment / rules variant / label / field}}`. Fields:

    won    win rate with its interval
    gain   paired difference from the baseline of the experiment, in points, with its interval
    left   mean cards left
    way    share of the way from the bottom of the ladder to its top, with its interval
    best   of the sweep of a strategy: the value that wins most
    range   the values not separated from it
    best gain   what the best value gains on deals of the fresh seed, on which it was not chosen
    effect   of a tip of a factorial design, or of two (`middle x pace`), in points

Those of a tournament stand in `sim.report.tournament.findings`.

`python -m sim.report.findings reports/FINDINGS.template.md` prints the page; `make findings`
writes it.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from sim.published import Published, read
from sim.report.strength import Strength, strengths, value_of
from sim.report.tournament import findings as tournament
from sim.report.versus import against, win_span
from sim.report.wording import percent, rate_span, signed, signed_span, span
from sim.results import Entry, Results
from sim.standings import Standings

REFERENCE = re.compile(r"\{\{(.+?)\}\}")
DECIMALS = 1


def fill(template: str, folder: Path) -> str:
    """Return the page: every reference replaced by what the results in the folder say.

    Raises:
        KeyError: if a reference names an experiment, variant, label or field that is not there.
    """

    @cache
    def results(experiment: str) -> Published:
        return read(folder / experiment / "results.json")

    def text(match: re.Match[str]) -> str:
        experiment, variant, label, field = (part.strip() for part in match[1].split(" / "))
        found = results(experiment)
        if isinstance(found, Standings):
            return tournament.FIELDS[field](found, variant, label)
        return FIELDS[field](found, variant, label)

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


def _way(results: Results, variant: str, label: str) -> str:
    if results.ladder is None:
        raise KeyError("the experiment has no ladder")
    rung = {(one.variant, one.label): one for one in results.ladder.rungs}[variant, label]
    ends = span(100 * rung.low, 100 * rung.high, DECIMALS)
    return f"{percent(rung.share, DECIMALS)} % ({ends})"


def _best(results: Results, variant: str, strategy: str) -> str:
    return value_of(_strength(results, variant, strategy).best)


def _range(results: Results, variant: str, strategy: str) -> str:
    return _strength(results, variant, strategy).range


def _best_gain(results: Results, variant: str, strategy: str) -> str:
    if results.fresh is None:
        raise KeyError("the experiment names no fresh seed")
    return _gain(results.fresh, variant, _strength(results, variant, strategy).best.label)


def _strength(results: Results, variant: str, strategy: str) -> Strength:
    return {(one.variant, one.strategy): one for one in strengths(results)}[variant, strategy]


def _effect(results: Results, variant: str, tips: str) -> str:
    names = tuple(tips.split(" x "))
    effects = {(effect.variant, effect.tips): effect for effect in results.effects}
    effect = effects[variant, names]
    span = signed_span(100 * effect.low, 100 * effect.high, DECIMALS)
    return f"{signed(100 * effect.effect, DECIMALS)} ({span})"


FIELDS = {
    "won": _won,
    "gain": _gain,
    "left": _left,
    "way": _way,
    "best": _best,
    "range": _range,
    "best gain": _best_gain,
    "effect": _effect,
}


if __name__ == "__main__":
    source = Path(sys.argv[1])
    sys.stdout.write(fill(source.read_text(encoding="utf-8"), source.parent))
