"""Does it play to the end? Thousands of deals of every rules variant, array bounds checked.

Some first in plain Python, for compiled code that changes its view changes the table. Four checks
look at the same games: what stopped one of them is told by the check it belongs to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from sim.check.listening import ViewChanged, guarded
from sim.check.model import Verdict, failed, ok, skipped
from sim.check.subject import Amount, Subject
from sim.errors import StrategyFailed

DEALS = 5_000  # of every rules variant
SECONDS = 6.0
GUARDED, GUARDED_SECONDS = 10, 1.0  # the same of those played first

ADVICE = {
    "finishes": "let score return a number for every view and move it can be given",
    "view": "copy what you want to change: compiled, it would move the cards on the table",
    "scores": "guard divisions, logarithms and powers; a score that must lose can be -1e9",
    "bounds": "check the index first: a compiled strategy reads beyond an array without a word",
}
EXPECTED = {
    "finishes": "no error on any deal",
    "view": "a view that is the same after a score as before",
    "scores": "a finite number for every move",
    "bounds": "every index inside its array",
}


@dataclass(frozen=True)
class Trouble:
    """What stopped the play, and which check it belongs to."""

    check: str
    seen: str
    place: str


@dataclass(frozen=True)
class Played:
    """How many deals were to be played, and what stopped them."""

    amount: Amount | None
    trouble: Trouble | None = None


def finishes(subject: Subject) -> Verdict:
    """Return whether it raises nothing."""
    return _verdict(subject, "finishes", "{}")


def view(subject: Subject) -> Verdict:
    """Return whether it leaves the view as it is."""
    return _verdict(subject, "view", "it is left as it is")


def scores(subject: Subject) -> Verdict:
    """Return whether all scores are finite."""
    return _verdict(subject, "scores", "all of them finite")


def bounds(subject: Subject) -> Verdict:
    """Return whether it stays inside its arrays."""
    return _verdict(subject, "bounds", "no index outside its array")


def _verdict(subject: Subject, check: str, fine: str) -> Verdict:
    played = play(subject)
    trouble = played.trouble
    if trouble is None:
        return ok(fine.format(played.amount))
    if trouble.check != check:
        return skipped(f"the play stops earlier: see '{trouble.check}'")
    return failed(trouble.seen, EXPECTED[check], trouble.place, ADVICE[check])


@cache
def play(subject: Subject, deals: int = DEALS) -> Played:
    """Play the deals of every variant, up to the first fault."""
    rules = subject.variants[0]
    try:
        few = subject.amount(GUARDED, subject.plain, GUARDED_SECONDS)
        for rules in subject.variants:
            subject.play(guarded(subject), rules, 0, few.deals)
        rules = subject.variants[0]
        amount = subject.amount(deals, subject.bounded, SECONDS)
        for rules in subject.variants:
            subject.play(subject.bounded, rules, 0, amount.deals)
    except StrategyFailed as error:
        return Played(None, trouble_of(subject, rules, error))
    return Played(amount)


def trouble_of(subject: Subject, rules: Any, error: StrategyFailed) -> Trouble:
    """Say what went wrong, with the line that plain Python tells: compiled code knows none."""
    what, place = split(str(error), subject)
    check = "finishes"
    if isinstance(error.__cause__, ViewChanged):
        return Trouble("view", f"it changes the view it is given [{rules}]", subject.place)
    if isinstance(error.__cause__, IndexError):
        check = "bounds"
    elif "which is not a finite number" in what or "a score that is not a finite number" in what:
        check = "scores"
    if deal := re.match(r"deal (\d+)", what):
        place = _place_in_plain(subject, rules, int(deal[1])) or place
    return Trouble(check, f"{what} [{rules}]", place)


def split(message: str, subject: Subject) -> tuple[str, str]:
    """Return what a message says of a strategy, and the file and line it ends with."""
    text = message.removeprefix(f"strategy '{subject.listing.name}', ")
    found = re.fullmatch(r"(.*) \(([^()]*:\d+)\)", text, re.DOTALL)
    return (found[1], found[2]) if found else (text, subject.place)


def _place_in_plain(subject: Subject, rules: Any, deal: int) -> str:
    try:
        subject.play(subject.plain, rules, deal, 1)
    except StrategyFailed as error:
        return split(str(error), subject)[1]
    return ""
