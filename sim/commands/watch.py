"""`tipoff watch`: one game turn by turn."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import natural, plugin_option, registry_of, rules_options, settings
from sim.errors import BadInput, Status

if TYPE_CHECKING:
    from sim.game import Game
    from sim.registry import Registry


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("watch", help="show one game turn by turn", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument(
        "strategy",
        nargs="+",
        help="in seat order where several play; parts of one player are joined by +, such as "
        "risk-aware+void-maker",
    )
    verb.add_argument("--deal", type=natural, default=0, metavar="K", help="number of the deal")
    verb.add_argument("--seed", type=natural, default=2024, metavar="S")
    verb.add_argument(
        "--rotation", type=natural, default=0, metavar="R", help="move everybody on by R seats"
    )
    verb.add_argument("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    rules_options(verb)
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    registry = registry_of(arguments.plugin)
    game = registry.game(arguments.game)
    (_several if game.for_several else _alone)(arguments, game, registry)
    return Status.OK


def _alone(arguments: argparse.Namespace, game: Game, registry: Registry) -> None:
    from sim.game import Dice
    from sim.lanes import plain_player
    from sim.policy import written
    from sim.settings import params_of, rules_of
    from sim.strategy import contract
    from sim.work import Spec

    if len(arguments.strategy) > 1 or arguments.rotation:
        raise BadInput(f"{game.title} is played alone: give one strategy and no --rotation")
    listing = registry.strategy(game.name, arguments.strategy[0])
    params = params_of(listing, settings("--set", arguments.set))
    rules = rules_of(game, settings("--rules", arguments.rules))
    spec = Spec(listing.origin, params, rules)
    scores = contract(listing.cls) == "score"  # whoever chooses thinks for long: compiled
    player = plain_player(listing.cls(**params)) if scores else spec.player(game)
    dice, part = Dice(arguments.seed, arguments.seed), game.part("watch")
    if not arguments.json:
        for text in part.game_text(rules, dice, arguments.deal, player):
            print(text)
        return
    about = {
        "game": game.name,
        "rules": vars(rules),
        "seed": arguments.seed,
        "deal": arguments.deal,
        "strategy": listing.name,
        "params": written(params),
    }
    print(json.dumps(about | part.game_record(rules, dice, arguments.deal, player)))


def _several(arguments: argparse.Namespace, game: Game, registry: Registry) -> None:
    from sim.game import Dice
    from sim.seated import seated
    from sim.settings import rules_of

    if arguments.set:
        raise BadInput("--set: is for games that one plays alone")
    rules = rules_of(game, settings("--rules", arguments.rules))
    turn = arguments.rotation % len(arguments.strategy)
    names = arguments.strategy[-turn:] + arguments.strategy[:-turn] if turn else arguments.strategy
    members = seated(game, registry, rules, names)
    dice, part = Dice(arguments.seed, arguments.seed), game.part("watch")
    if not arguments.json:
        for text in part.game_text(rules, dice, arguments.deal, members, names):
            print(text)
        return
    about = {
        "game": game.name,
        "rules": vars(rules),
        "seed": arguments.seed,
        "deal": arguments.deal,
        "line_up": names,
    }
    print(json.dumps(about | part.game_record(rules, dice, arguments.deal, members)))
