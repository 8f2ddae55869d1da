"""`tipoff watch`: one game turn by turn."""

from __future__ import annotations

import argparse
import json
from typing import Any

from sim.commands.arguments import natural, plugin_option, registry_of, rules_options, settings
from sim.errors import Status


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("watch", help="show one game turn by turn", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("strategy")
    verb.add_argument("--deal", type=natural, default=0, metavar="K", help="number of the deal")
    verb.add_argument("--seed", type=natural, default=2024, metavar="S")
    verb.add_argument("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    rules_options(verb)
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.game import Dice
    from sim.lanes import plain_player
    from sim.policy import written
    from sim.settings import params_of, rules_of
    from sim.strategy import contract
    from sim.work import Spec

    registry = registry_of(arguments.plugin)
    game = registry.game(arguments.game)
    listing = registry.strategy(game.name, arguments.strategy)
    params = params_of(listing, settings("--set", arguments.set))
    rules = rules_of(game, settings("--rules", arguments.rules))
    spec = Spec(listing.origin, params, rules)
    scores = contract(listing.cls) == "score"  # whoever chooses thinks for long: compiled
    player = plain_player(listing.cls(**params)) if scores else spec.player(game)
    dice, part = Dice(arguments.seed, arguments.seed), game.part("watch")
    if not arguments.json:
        for text in part.game_text(rules, dice, arguments.deal, player):
            print(text)
        return Status.OK
    about = {
        "game": game.name,
        "rules": vars(rules),
        "seed": arguments.seed,
        "deal": arguments.deal,
        "strategy": listing.name,
        "params": written(params),
    }
    print(json.dumps(about | part.game_record(rules, dice, arguments.deal, player)))
    return Status.OK
