"""A line-up typed on the command line: one player a seat, in plain Python, to be watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sim.decisions import decided, lacking
from sim.errors import BadInput
from sim.game import Game
from sim.lanes import plain_player
from sim.registry import Registry
from sim.seating import Member
from sim.settings import params_of


def seated(game: Game, registry: Registry, rules: Any, names: Sequence[str]) -> list[Member]:
    """Return the member at each seat; parts of a player are joined by "+".

    Raises:
        BadInput: if so many cannot play, or a name is not that of a whole player.
    """
    fewest, most = game.seats
    if not fewest <= len(names) <= most:
        raise BadInput(
            f"{game.title} is for {fewest} to {most}: give so many strategies, not {len(names)}"
        )
    try:
        if hasattr(rules, "check_seats"):
            rules.check_seats(len(names))
    except ValueError as error:
        raise BadInput(f"--rules: {error}") from None
    return [_member(game, registry, name) for name in names]


def _member(game: Game, registry: Registry, name: str) -> Member:
    """Return a player for each decision of the game."""
    listings = [registry.strategy(game.name, part) for part in name.split("+")]
    if len(listings) == 1 and (missing := lacking(listings[0].cls, game)):
        raise BadInput(
            f"'{name}' is a part: it has no {' nor '.join(missing)}; "
            f"add one that has, such as {name}+OTHER"
        )
    found = []
    for decision in game.decisions:
        able = [one for one in listings if decision in decided(one.cls, game)]
        if len(able) != 1:
            many = "no part" if not able else "several parts"
            raise BadInput(f"'{name}': {many} with {decision}; expected one for each decision")
        strategy = able[0].cls(**params_of(able[0], {}))
        found.append(replace(plain_player(strategy), decision=decision))
    return tuple(found)
