"""`tipoff verify`: play leaves of published results again, and compare."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import folder, natural, plugin_option, positive, registry_of, workers
from sim.errors import BadInput, Status, TipoffError, printable

if TYPE_CHECKING:
    from sim.cells import Cells
    from sim.game import Game
    from sim.receipts import Receipts
    from sim.standings import Standings
    from sim.verify import Replayed

ALL_AGREE = "its numbers agree with each other"
SAMPLE = 20  # leaves played
TABLES = 2  # ... of a tournament, whose games are a hundred times as long
MOST_LINES = 20  # faults listed
SEEDS = 1_000_000  # of the choice, if none is given: nobody can foretell it


class NotProved(TipoffError):
    """Results that do not agree with themselves, or with what was played again."""


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "verify", help="play parts of published results again and compare", allow_abbrev=False
    )
    verb.add_argument("path", type=folder, help="a run folder or a results.json")
    verb.add_argument(
        "--sample",
        type=positive,
        metavar="N",
        help="leaves to play: 50,000 deals of an entry each (default: 20), or of a run that keeps "
        "counts 200,000 deals of all entries (default: 1), or of a tournament 50,000 of a line-up "
        "(default: 2)",
    )
    verb.add_argument(
        "--seed", type=natural, metavar="S", help="chooses the leaves (default: by chance)"
    )
    verb.add_argument("--all", action="store_true", help="play every leaf")
    verb.add_argument("--workers", metavar="N", type=workers, help="processes (default: all cores)")
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim import table_verify
    from sim.audit import faults
    from sim.folder import RESULTS
    from sim.receipts import read, receipts_of

    path = arguments.path / RESULTS if os.path.isdir(arguments.path) else arguments.path
    if standings := table_verify.read(path):
        return _tournament(arguments, path, standings)
    results = read(path)
    parts = receipts_of(results, registry_of(arguments.plugin))
    wrong = [*faults(results), *(fault for part in parts for fault in part.faults)]
    _say(f"{path}: {_size(parts)}; digest {results.digest}")
    _say(*_listed(wrong))
    _say(ALL_AGREE if not wrong else "what stands on these numbers was not looked at")
    with _store_beside(path, parts[0].game) as cells:
        found = list(_replay(arguments, parts))
        for part, played in zip(parts, found, strict=True):
            _tell(part, played, cells)
    wrong += [fault for played in found for fault in played.faults]
    leaves, matching = (sum(getattr(one, name) for one in found) for name in ("leaves", "matching"))
    _say(f"{matching} of {leaves} leaves match; {_cost(found)}")
    if wrong or matching < leaves:
        raise NotProved(f"{path} is not proved: {_problems(wrong, leaves - matching)}")
    return Status.OK


def _tournament(arguments: argparse.Namespace, path: Path, found: Standings) -> Status:
    """Do it for the results of a tournament."""
    from sim.audit.standings import faults
    from sim.table_verify import chosen, leaves_of, replay
    from sim.workers import cores

    wrong, total = faults(found), len(leaves_of(found))
    _say(f"{path}: {len(found.lineups)} line-ups, {total} leaves; digest {found.digest}")
    _say(*_listed(wrong), ALL_AGREE if not wrong else "they do not agree with each other")
    seed = secrets.randbelow(SEEDS) if arguments.seed is None else arguments.seed
    leaves = chosen(found, None if arguments.all else arguments.sample or TABLES, seed)
    how = f", chosen by --seed {seed}" if len(leaves) < total else ""
    _say(f"playing {len(leaves)} of {total} leaves again{how}")
    done = replay(found, leaves, registry_of(arguments.plugin), arguments.workers or cores())
    _say(*_listed(done.differing))
    matching = done.leaves - len(done.differing)
    _say(f"{matching} of {done.leaves} leaves match; {done.games:,} games in {done.seconds:.1f} s")
    if wrong or done.differing:
        raise NotProved(f"{path} is not proved: {_problems(wrong, len(done.differing))}")
    return Status.OK


def _size(parts: Sequence[Receipts]) -> str:
    entries = [entry for part in parts for entry in part.results.entries]
    ranges = [part.results.counts.leaves for part in parts if part.results.counts]
    leaves = sum(map(len, [*ranges, *(entry.leaves for entry in entries)]))
    return f"{len(entries)} entries, {leaves} leaves"


def _cost(found: Sequence[Replayed]) -> str:
    games, seconds, compiling = (
        sum(getattr(one, name) for one in found) for name in ("games", "seconds", "compiling")
    )
    return f"{games:,} games in {seconds:.1f} s, after {compiling:.1f} s of compiling"


@contextmanager
def _store_beside(path: Path, game: Game) -> Iterator[Cells | None]:
    """Open the store that lies beside the results, if there is one, and check it."""
    from sim.cells import Cells
    from sim.errors import StoreDamaged
    from sim.folder import store_path
    from sim.say import say

    store = store_path(path.parent)
    if not store.is_file():
        yield None
        return
    try:
        cells = Cells(store, game)
    except BadInput as error:  # in use, or on a medium that cannot be written
        say(f"warning: {error}; going on without the store")
        yield None
        return
    with cells:
        for block in cells.damages():
            raise StoreDamaged(
                f"{store} is damaged (block {block.first}: {block.reason}); "
                f"`tipoff store {path.parent}` tells more"
            )
        yield cells


def _replay(arguments: argparse.Namespace, parts: Sequence[Receipts]) -> Iterator[Replayed]:
    """Yield what playing leaves of each part gives."""
    from sim import recount, verify
    from sim.receipts import choose
    from sim.workers import cores

    seed = secrets.randbelow(SEEDS) if arguments.seed is None else arguments.seed
    sample = arguments.sample or (1 if parts[0].results.counts else SAMPLE)
    chosen = choose(parts, None if arguments.all else sample, seed)
    leaves, total = sum(map(len, chosen)), sum(len(part.leaves()) for part in parts)
    how = f", chosen by --seed {seed}" if leaves < total else ""
    games = sum(part.games(own) for part, own in zip(parts, chosen, strict=True))
    cost = f": {games:,} games" if parts[0].results.counts else ""
    _say(f"playing {leaves} of {total} leaves again{how}{cost}")
    for part, own in zip(parts, chosen, strict=True):
        replay = recount.replay if part.results.counts else verify.replay
        yield replay(part, own, arguments.workers or cores()) if own else verify.Replayed()


def _tell(part: Receipts, found: Replayed, cells: Cells | None) -> None:
    """Tell of the leaves that differ, and of what the others do not bear out."""
    from sim.causes import explained, explained_range

    for leaf, here in found.ranges:
        _say(*explained_range(part, leaf, here))
    for number in sorted(found.differing):
        _say(*explained(part, found.differing[number], cells))
    _say(*_listed(found.faults))


def _listed(faults: Sequence[str]) -> Iterator[str]:
    yield from (f"- {fault}" for fault in faults[:MOST_LINES])
    if len(faults) > MOST_LINES:
        yield f"- and {len(faults) - MOST_LINES} more"


def _problems(faults: Sequence[str], differing: int) -> str:
    parts = list(faults) if len(faults) == 1 else [f"{len(faults)} statements are wrong"]
    if not faults:
        parts = []
    if differing:
        parts.append(f"{differing} leaves differ")
    return printable("; ".join(parts))


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line), flush=True)
