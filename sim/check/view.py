"""Does it leave the view as it is? Asked first: compiled, it would write on the table itself.

In plain Python a view is a copy, so that nothing can happen here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sim.check.model import Verdict, failed, ok, skipped
from sim.check.subject import Subject
from sim.errors import StrategyFailed
from sim.lanes import Player

DEALS = 10  # of every rules variant
SECONDS = 1.0


class _Changed(Exception):
    """The view was changed; it ends the play."""


def view(subject: Subject) -> Verdict:
    """Return whether the view is the same after a score as before."""

    def score(seen: Any, move: Any) -> float:
        before = [_value(part) for part in seen]
        found = float(subject.plain.strategy.score(seen, move))  # type: ignore[attr-defined]
        if [_value(part) for part in seen] != before:
            raise _Changed
        return found

    try:
        amount = subject.amount(DEALS, subject.plain, SECONDS)
        for rules in subject.variants:
            subject.play(listening(subject, score), rules, 0, amount.deals)
    except (StrategyFailed, SystemExit) as error:
        if not isinstance(error.__cause__, _Changed):
            return skipped("the play stops earlier")
        return failed(
            "it changes the view it is given",
            "a view that is the same after a score as before",
            subject.place,
            "copy what you want to change: compiled, you would move the cards on the table",
        )
    return ok("it leaves the view as it is")


def listening(subject: Subject, score: Callable[[Any, Any], float]) -> Player:
    """Return a player in plain Python that scores by another function, for what it hears."""
    strategy = replace(subject.plain.strategy)  # type: ignore[type-var]  # made a dataclass
    object.__setattr__(strategy, "score", score)  # frozen, but ours
    return replace(subject.plain, strategy=strategy)


def _value(part: Any) -> Any:
    return part if isinstance(part, int) else [int(one) for one in part]
