"""A player in plain Python that is listened to: what it is asked and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sim.check.subject import Subject
from sim.lanes import Player
from sim.strategy import contract


class ViewChanged(Exception):
    """A score changed the view it was given."""


def listening(subject: Subject, play: Callable[..., Any]) -> Player:
    """Return a player in plain Python that plays by another function, for what it hears."""
    strategy = replace(subject.plain.strategy)  # type: ignore[type-var]  # made a dataclass
    object.__setattr__(strategy, contract(type(strategy)), play)  # frozen, but ours
    return replace(subject.plain, strategy=strategy)


def guarded(subject: Subject) -> Player:
    """Return a player that raises ViewChanged if the view is not the same after a score as before.

    In plain Python a view is a copy: nothing is harmed yet. Compiled, the strategy would move the
    cards on the table, and the engine might play for ever.
    """

    own: Any = getattr(subject.plain.strategy, contract(subject.listing.cls))

    def play(view: Any, *more: Any) -> Any:
        before = [_value(part) for part in view]
        found = own(view, *more)
        if [_value(part) for part in view] != before:
            raise ViewChanged
        return found

    return listening(subject, play)


def _value(part: Any) -> Any:
    return part if isinstance(part, int) else tuple(part)
