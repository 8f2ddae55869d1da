"""`tipoff duel`: where two strategies part, on one deal or on those that tell them apart."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import (
    natural,
    plugin_option,
    positive,
    registry_of,
    rules_options,
    settings,
)
from sim.errors import BadInput, Status, did_you_mean
from sim.registry import Registry

if TYPE_CHECKING:
    from sim.duel import Duel


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("duel", help="show where two strategies part", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("one", metavar="A", help="a strategy, or with --config a label")
    verb.add_argument("other", metavar="B")
    verb.add_argument("--config", help="take both, rules and seed from an experiment")
    verb.add_argument("--deal", type=natural, metavar="K", help="show one deal")
    verb.add_argument("--deals", type=positive, default=10_000, metavar="N", help="deals searched")
    verb.add_argument("--top", type=positive, default=10, metavar="N", help="swings listed")
    verb.add_argument("--seed", type=natural, default=2024, metavar="S")
    rules_options(verb)
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.duel import table

    fight, deals = _duel(arguments)
    if arguments.deal is not None:
        found = fight.parting(arguments.deal)
        print(json.dumps(found) if arguments.json else fight.parting_text(arguments.deal))
        return Status.OK
    swings = fight.swings(deals, arguments.top)
    one, other = (side.label for side in fight.sides)
    if arguments.json:
        print(json.dumps([{"deal": deal, "leftover": left} for deal, *left in swings]))
        return Status.OK
    print(f"the largest swings of {deals:,} deals, cards left")
    print("\n".join(table(swings, (one, other))))
    if swings:
        print(f"\n{fight.parting_text(swings[0][0])}")
    return Status.OK


def _duel(arguments: argparse.Namespace) -> tuple[Duel, int]:
    """Return the duel that is asked for, and over how many deals."""
    from sim.duel import Duel, Side
    from sim.game import Dice
    from sim.settings import params_of, rules_of
    from sim.work import Spec

    registry = registry_of(arguments.plugin)
    game = registry.game(arguments.game)
    game.alone("duel")
    rules = rules_of(game, settings("--rules", arguments.rules))
    dice, deals = Dice(arguments.seed, arguments.seed), arguments.deals
    names = arguments.one, arguments.other
    if arguments.config:
        return _duel_of_config(arguments, registry, names)
    listings = [registry.strategy(game.name, name) for name in names]
    one, other = (
        Side(listing.name, Spec(listing.origin, params_of(listing, {}), rules).player(game))
        for listing in listings
    )
    return Duel(game, rules, dice, (one, other)), deals


def _duel_of_config(
    arguments: argparse.Namespace, registry: Registry, labels: tuple[str, str]
) -> tuple[Duel, int]:
    """Return a duel of two entries of an experiment, under the rules given or its first variant."""
    from sim import config, plan
    from sim.duel import Duel, Side
    from sim.experiments import find
    from sim.game import Dice
    from sim.settings import rules_of
    from sim.work import Spec

    wanted = plan.make(config.load(find(arguments.config)), registry)
    if wanted.deal_set:
        raise BadInput(f"{arguments.config} plays a set of deals; a duel plays them from 0 on")
    given = settings("--rules", arguments.rules)
    rules = rules_of(wanted.game, given) if given else wanted.cells[0].rules
    entries = {cell.label: cell for cell in wanted.cells if cell.rules == rules}
    for label in labels:
        if label not in entries:
            raise BadInput(f"no entry '{label}' under {rules}{did_you_mean(label, entries)}")
    one, other = (
        Side(label, Spec(cell.listing.origin, cell.params, rules).player(wanted.game))
        for label, cell in ((label, entries[label]) for label in labels)
    )
    dice = Dice(wanted.seed, wanted.tie_seed, wanted.ties)
    return Duel(wanted.game, rules, dice, (one, other)), min(arguments.deals, wanted.deals)
