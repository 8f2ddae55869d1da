"""What a config names and does not hold: its game, its plug-ins, a set of deals."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sim.config import Config
from sim.deal_set import DealSet
from sim.deal_set import read as read_deals
from sim.errors import BadInput
from sim.game import Game
from sim.hygiene import sources
from sim.registry import Registry, plugin_paths
from sim.say import say
from sim.until import FromFile
from sim.yaml_lines import Document, Problem


def game_of(name: str, document: Document, registry: Registry) -> Game:
    """Return the game that a document names under `game`.

    Raises:
        BadInput: if there is none of that name, or it cannot be played yet.
    """
    try:
        game = registry.game(name)
    except BadInput as error:
        raise document.error(("game",), str(error)) from None
    return game


def add_plugins(names: Sequence[str], game: str, document: Document, registry: Registry) -> None:
    """Add the plug-ins that a document names under `plugins`; it is said which files these are.

    Raises:
        BadInput: naming those that cannot be loaded.
    """
    problems: list[Problem] = []
    for index, path in enumerate(plugin_paths(names, document.path.parent)):
        try:
            say(f"loading strategies from {', '.join(map(str, sources(path)))}")
            registry.add_plugin(path, game)
        except BadInput as error:
            problems.append(Problem(("plugins", index), f"plug-in {names[index]}: {error}"))
    if problems:
        raise document.errors(problems)


def deal_set_of(config: Config, seed: int, deals: int | str | None) -> DealSet | None:
    """Return the set of deals that a config names, or None if it names none.

    Args:
        config: the config.
        seed: that is played.
        deals: a number of deals that is to replace those of the config.

    Raises:
        BadInput: if the set cannot be read, or is not of this game and seed; naming both places.
    """
    wanted, document = config.experiment, config.document
    if not isinstance(wanted.deals, FromFile):
        return None
    name, loc = wanted.deals.file, ("deals", "file")
    if deals is not None:
        raise BadInput(f"--deals: {document.path} plays the deals of {name}, not a number of them")
    if wanted.fresh_seed is not None:
        message = f"fresh_seed: the deals of {name} belong to one seed; there are no fresh ones"
        raise document.error(("fresh_seed",), message)
    path = document.path.parent / name
    if not os.path.isfile(path):  # never raises, however long the name
        raise document.error(loc, f"file: there is no set of deals {path}")
    found, source = read_deals(path)
    for key, has, plays in (("game", found.game, wanted.game), ("seed", found.seed, seed)):
        if has != plays:
            place = f"{source.path}:{source.line((key,))}"
            message = f"file: {place}: these are deals of {key} {has}; the experiment has {plays}"
            raise document.error(loc, message)
    return found
