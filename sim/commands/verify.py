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
    from sim.receipts import Receipts
    from sim.results import Results
    from sim.verify import Replayed

ALL_AGREE = "its numbers agree with each other"
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
        default=20,
        metavar="N",
        help="leaves of 50,000 deals to play (default: 20)",
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
    from sim.audit import faults
    from sim.folder import RESULTS
    from sim.receipts import read, receipts_of

    path = arguments.path / RESULTS if os.path.isdir(arguments.path) else arguments.path
    results = read(path)
    receipts = receipts_of(results, registry_of(arguments.plugin))
    wrong = [*faults(results), *receipts.faults]
    _say(f"{path}: {_size(results)}; digest {results.digest}")
    _say(*_listed(wrong))
    _say(ALL_AGREE if not wrong else "what stands on these numbers was not looked at")
    with _store_beside(path, receipts) as cells:
        found = _replay(arguments, receipts)
        _tell(receipts, found, cells)
    problems = len(wrong) + len(found.faults) + len(found.differing)
    if problems:
        raise NotProved(f"{path} is not proved: {_problems(wrong + found.faults, found)}")
    return Status.OK


def _size(results: Results) -> str:
    leaves = sum(len(entry.leaves) for entry in results.entries)
    return f"{len(results.entries)} entries, {leaves} leaves"


@contextmanager
def _store_beside(path: Path, receipts: Receipts) -> Iterator[Cells | None]:
    """Open the store that lies beside the results, if there is one, and check it."""
    from sim.cast import say
    from sim.cells import Cells
    from sim.errors import StoreDamaged
    from sim.folder import store_path

    store = store_path(path.parent)
    if not store.is_file():
        yield None
        return
    try:
        cells = Cells(store, receipts.game)
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


def _replay(arguments: argparse.Namespace, receipts: Receipts) -> Replayed:
    from sim.verify import Replayed, replay
    from sim.workers import cores

    seed = secrets.randbelow(SEEDS) if arguments.seed is None else arguments.seed
    leaves = receipts.choose(None if arguments.all else arguments.sample, seed)
    total = len(receipts.leaves())
    if not leaves:
        return Replayed()
    how = f", chosen by --seed {seed}" if len(leaves) < total else ""
    _say(f"playing {len(leaves)} of {total} leaves again{how}")
    return replay(receipts, leaves, arguments.workers or cores())


def _tell(receipts: Receipts, found: Replayed, cells: Cells | None) -> None:
    from sim.causes import explained

    for number in sorted(found.differing):
        _say(*explained(receipts, found.differing[number], cells))
    _say(*_listed(found.faults))
    _say(
        f"{found.matching} of {found.leaves} leaves match; {found.games:,} games in "
        f"{found.seconds:.1f} s, after {found.compiling:.1f} s of compiling"
    )


def _listed(faults: Sequence[str]) -> Iterator[str]:
    yield from (f"- {fault}" for fault in faults[:MOST_LINES])
    if len(faults) > MOST_LINES:
        yield f"- and {len(faults) - MOST_LINES} more"


def _problems(faults: list[str], found: Replayed) -> str:
    parts = (
        [f"{len(faults)} statements are wrong" if len(faults) > 1 else faults[0]] if faults else []
    )
    if differing := found.leaves - found.matching:
        parts.append(f"{differing} of {found.leaves} leaves differ")
    return printable("; ".join(parts))


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line), flush=True)
