"""`tipoff list`: games, strategies or experiments, with what there is to know about each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from sim.commands.arguments import plugin_option, registry_of
from sim.decisions import decided, lacking
from sim.errors import Status
from sim.registry import Listing, Registry
from sim.strategy import parameters


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("list", help="show what there is", allow_abbrev=False)
    verb.add_argument("what", choices=("games", "strategies", "experiments"))
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    registry = registry_of(arguments.plugin)
    lines = {"games": _games, "strategies": _strategies, "experiments": _experiments}
    print("\n".join(lines[arguments.what](registry)))
    return Status.OK


def _games(registry: Registry) -> Iterator[str]:
    for game in registry.games.values():
        seats = f", for {game.seats[0]} to {game.seats[1]}" if game.for_several else ""
        yield f"{game.name}: {game.title}{seats}, rules version {game.rules_version}"
        yield f"    options: {_fields(game.rules)}"
        yield f"    source: {'; '.join(game.sources)}"


def _fields(rules: Any) -> str:
    """Return the options of a game's rules with their values, the default first."""
    hints = get_type_hints(rules)
    options = []
    for name, default in vars(rules()).items():
        values = (False, True) if hints[name] is bool else get_args(hints[name])
        ordered = [default, *(value for value in values if value != default)]
        options.append(f"{name}={'|'.join(str(value).lower() for value in ordered)}")
    return ", ".join(options)


def _strategies(registry: Registry) -> Iterator[str]:
    for listing in registry.listings.values():
        yield f"{listing.name}({_defaults(listing)}): {listing.advice}"
        yield f"    {listing.game}, {listing.source}{_part(registry, listing)}"
    for broken in registry.broken:
        yield f"broken: {broken}"


def _part(registry: Registry, listing: Listing) -> str:
    """Return what a strategy decides if that is not everything."""
    game = registry.games[listing.game]
    part = lacking(listing.cls, game)
    return f", a part: {', '.join(decided(listing.cls, game))}" if part else ""


def _defaults(listing: Listing) -> str:
    known = parameters(listing.cls).values()
    return ", ".join(f"{parameter.name}={parameter.default}" for parameter in known)


def _experiments(registry: Registry) -> Iterator[str]:
    from sim.experiments import question, shipped

    for name, path in shipped():
        yield f"{name}: {question(path)}"
