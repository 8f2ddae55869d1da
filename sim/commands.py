"""What each command does, once its arguments are read."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from sim.errors import BadInput, Status, did_you_mean
from sim.registry import Listing, Registry, discover
from sim.strategy import parameters

if TYPE_CHECKING:
    from sim.duel import Duel


def run(arguments: argparse.Namespace) -> Status:
    """`tipoff run`: play an experiment, write its report, print a table and the paths."""
    from sim.report.tables import terminal
    from sim.run import Options, run

    finished = run(
        Options(
            config=arguments.config,
            deals=arguments.deals,
            seed=arguments.seed,
            workers=arguments.workers,
            out=arguments.out,
            plugins=tuple(arguments.plugin),
            start_method=arguments.start_method,
            require_compiled=arguments.require_compiled,
            yes=arguments.yes,
        )
    )
    print(terminal(finished.results))
    reused = f", {finished.reused:,} were there already" if finished.reused else ""
    print(f"{finished.played:,} games played{reused}; engine time {finished.engine_seconds:.1f} s")
    for path in finished.paths:
        print(path)
    return Status.OK


def plan(arguments: argparse.Namespace) -> Status:
    """`tipoff plan`: what an experiment will cost and buy, without playing it."""
    from sim import config, forecast
    from sim.cast import cast_of
    from sim.experiments import find
    from sim.plan import make
    from sim.workers import cores

    registry = _registry(arguments.plugin)
    wanted = make(config.load(find(arguments.config)), registry, arguments.deals)
    workers = arguments.workers or wanted.workers or cores()
    found = forecast.forecast(cast_of(wanted, require_compiled=False), workers)
    print("\n".join(forecast.text(found, workers)))
    return Status.OK


def report(arguments: argparse.Namespace) -> Status:
    """`tipoff report`: draw everything again from the store of a run, without playing."""
    from sim.run import redraw

    _, paths = redraw(arguments.folder)
    print("\n".join(map(str, paths)))
    return Status.OK


def after_interrupt(words: Sequence[str]) -> str:
    """Return what to say after Ctrl-C: how to go on."""
    if words[:1] != ["run"]:
        return "stopped"
    return f"stopped; what was finished is stored. To go on: {shlex.join(['tipoff', *words])}"


def show_list(arguments: argparse.Namespace) -> Status:
    """`tipoff list`: games, strategies or experiments, with what there is to know about each."""
    registry = _registry(arguments.plugin)
    lines = {"games": _games, "strategies": _strategies, "experiments": _experiments}
    print("\n".join(lines[arguments.what](registry)))
    return Status.OK


def _games(registry: Registry) -> Iterator[str]:
    for game in registry.games.values():
        yield f"{game.name}: {game.title}, rules version {game.rules_version}"
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
        yield f"    {listing.game}, {listing.source}"
    for broken in registry.broken:
        yield f"broken: {broken}"


def _defaults(listing: Listing) -> str:
    known = parameters(listing.cls).values()
    return ", ".join(f"{parameter.name}={parameter.default}" for parameter in known)


def _experiments(registry: Registry) -> Iterator[str]:
    from sim.experiments import question, shipped

    for name, path in shipped():
        yield f"{name}: {question(path)}"


def watch(arguments: argparse.Namespace) -> Status:
    """`tipoff watch`: one game turn by turn."""
    from sim.game import Dice
    from sim.lanes import plain_player
    from sim.settings import params_of, rules_of

    registry = _registry(arguments.plugin)
    game = registry.game(arguments.game)
    listing = registry.strategy(game.name, arguments.strategy)
    params = params_of(listing, _settings("--set", arguments.set))
    rules = rules_of(game, _settings("--rules", arguments.rules))
    player = plain_player(listing.cls(**params))
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
        "params": params,
    }
    print(json.dumps(about | part.game_record(rules, dice, arguments.deal, player)))
    return Status.OK


def duel(arguments: argparse.Namespace) -> Status:
    """`tipoff duel`: where two strategies part, on one deal or on those that tell them apart."""
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

    registry = _registry(arguments.plugin)
    game = registry.game(arguments.game)
    rules = rules_of(game, _settings("--rules", arguments.rules))
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
    given = _settings("--rules", arguments.rules)
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


def moves(arguments: argparse.Namespace) -> Status:
    """`tipoff moves`: every legal move of a typed position, or of one a line of standard input."""
    from sim.settings import rules_of

    game = discover().game(arguments.game)
    rules, part = rules_of(game, _settings("--rules", arguments.rules)), game.part("watch")
    for grid, hand, where in _positions(arguments):
        try:
            found = part.position_moves(grid, hand, rules)
        except BadInput as error:
            raise BadInput(f"{where}{error}") from None
        text = json.dumps(found) if arguments.json else part.position_text(found)
        print(text, flush=True)  # whoever feeds standard input may wait for the answer
    return Status.OK


def _positions(arguments: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """Yield grid, hand and where they stand, for error messages."""
    if not arguments.stdin:
        if arguments.grid is None or arguments.hand is None:
            raise BadInput("give --grid and --hand, or --stdin")
        yield arguments.grid, arguments.hand, ""
        return
    if arguments.grid is not None or arguments.hand is not None:
        raise BadInput("give --grid and --hand, or --stdin, but not both")
    for number, line in enumerate(sys.stdin or (), start=1):
        if line.strip():
            grid, bar, hand = line.partition("|")
            if not bar:
                raise BadInput(f"standard input, line {number}: expected GRID | HAND")
            yield grid, hand, f"standard input, line {number}: "


def _settings(option: str, words: Sequence[str]) -> dict[str, Any]:
    """Return NAME=VALUE words as a mapping, values read as in a config."""
    from sim.yaml_lines import scalar

    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise BadInput(f"{option}: expected NAME=VALUE, got '{word}'")
        if name in found:
            raise BadInput(f"{option}: {name} is given twice")
        try:
            found[name] = scalar(value)
        except ValueError as error:
            raise BadInput(f"{option}: {name}: {error}") from None
    return found


def _registry(plugins: Sequence[Path]) -> Registry:
    registry = discover()
    for path in plugins:
        registry.add_plugin(path)
    return registry
