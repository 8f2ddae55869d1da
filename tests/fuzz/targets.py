"""What strangers may hand to Tipoff, and the code that reads it: bytes in, at worst a TipoffError.

A target returns whether the input was taken. Nothing is executed that an input holds: plug-ins are
looked at, not imported.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sim import config, deal_set, folder, plan, spelling, yaml_lines
from sim.commands.arguments import settings
from sim.errors import TipoffError
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.watch import position_moves, position_text
from sim.hygiene import faults, sources
from sim.registry import Registry, discover
from sim.schedule import Load, gaps
from sim.settings import params_of, rules_of
from sim.store import FILE_NAME, Store
from sim.tally import tally
from sim.tuning import config as tuning_config
from sim.tuning import plan as tuning_plan
from sim.tuning.state import FILE_NAME as STATE
from sim.tuning.state import State
from tests.fuzz.inputs import CONFIGS, DEALS, STAMP

Target = Callable[[bytes], bool]


@cache
def registry() -> Registry:
    return discover()


@cache
def scratch() -> Path:
    """A folder for files that are written again for each input; kept in memory where possible."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))


def tolerant(read: Callable[[bytes], object]) -> Target:
    def target(data: bytes) -> bool:
        try:
            read(data)
        except TipoffError as error:
            said = str(error)
            assert said and len(said) < 20_000, "a message that nobody can read"
            said.encode("utf-8", "backslashreplace")
            return False
        return True

    return target


def read_config(data: bytes) -> None:
    document = yaml_lines.parse(data, scratch() / "none.yaml")
    wanted = plan.make(config.check(document), registry())
    spelling.resolved(wanted)


def read_position(data: bytes) -> None:
    grid, _, hand = data.decode("utf-8", "backslashreplace").partition("|")
    position_text(position_moves(grid, hand, Rules()))


def read_settings(data: bytes) -> None:
    """As `watch ... --set A --rules B` reads them."""
    words = data.decode("utf-8", "surrogateescape").split("\n")
    params_of(registry().strategy("club_fight", "joker-first"), settings("--set", words[:1]))
    rules_of(GAME, settings("--rules", words[1:]))


def read_store(data: bytes) -> None:
    path = scratch() / FILE_NAME
    path.write_bytes(data)
    with Store(path, GAME) as store:
        folder.check_store(scratch(), _plan(), store)
        store.told("command")
        missing = gaps(store.coverage(STAMP), DEALS)
        load = Load(DEALS, missing, store.speed(STAMP))
        while load.gaps:
            load.take()
        store.counters(STAMP, DEALS)
        tally(store.outcomes(STAMP, DEALS))


def read_results(data: bytes) -> None:
    path = scratch() / folder.RESULTS
    path.write_bytes(data)
    (scratch() / FILE_NAME).unlink(missing_ok=True)
    folder.claim(scratch(), _plan())


def read_plugin(data: bytes) -> None:
    path = scratch() / "plugin.py"
    path.write_bytes(data)
    for _ in faults(path):
        pass


def read_deal_set(data: bytes) -> None:
    path = scratch() / "deals.yaml"
    path.write_bytes(data)
    spelling.dump_deals(deal_set.read(path)[0])


def read_search(data: bytes) -> None:
    document = yaml_lines.parse(data, scratch() / "none.yaml")
    tuning_plan.make(tuning_config.check(document), registry())


def read_state(data: bytes) -> None:
    """As a search finds what it measured before."""
    (scratch() / STATE).write_bytes(data)
    State(scratch(), {}).get("stage 1: seed 5, deals 0 to 9", [(1,), (2,)], 10)


def read_path(data: bytes) -> None:
    sources(Path(data.decode("utf-8", "surrogateescape")))


@cache
def _plan() -> plan.Plan:
    return plan.make(config.check(yaml_lines.parse(CONFIGS[0], Path("x.yaml"))), registry())


TARGETS: dict[str, Target] = {
    "config": tolerant(read_config),
    "position": tolerant(read_position),
    "--set and --rules": tolerant(read_settings),
    "store": tolerant(read_store),
    "results.json": tolerant(read_results),
    "plug-in": tolerant(read_plugin),
    "path of a plug-in": tolerant(read_path),
    "set of deals": tolerant(read_deal_set),
    "search": tolerant(read_search),
    "state of a search": tolerant(read_state),
}
