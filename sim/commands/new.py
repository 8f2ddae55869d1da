"""`tipoff new`: a commented strategy and its test, to begin with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sim.commands.arguments import folder
from sim.errors import BadInput, Status
from sim.registry import Registry, discover


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "new", help="write a strategy of your own, to begin with", allow_abbrev=False
    )
    verb.add_argument("name", metavar="NAME", help="such as save-aces")
    verb.add_argument("--game", default="", help="by default the only one with a template")
    verb.add_argument("--dir", type=folder, default=Path(), metavar="DIR", help="where (here)")
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.template import write_new

    registry = discover()
    game = registry.game(arguments.game or _only(registry))
    tip, test = write_new(arguments.name, game, registry, arguments.dir)
    print(f"{tip}\n{test}\nNow edit it, and then: tipoff check {tip}")
    return Status.OK


def _only(registry: Registry) -> str:
    """Return the one game that has a template."""
    from sim.template import has_template

    names = [name for name, game in registry.games.items() if has_template(game)]
    if len(names) != 1:
        raise BadInput(f"give --game, one of {', '.join(names)}")
    return names[0]
