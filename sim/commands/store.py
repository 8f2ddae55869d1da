"""`tipoff store`: what the store of a run holds, and dropping what is no longer used."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import folder, plugin_option, registry_of
from sim.errors import BadInput, Status, StoreDamaged, printable
from sim.registry import Registry

if TYPE_CHECKING:
    from sim.cells import Cells, Damage, Stored

SHORT = 12  # digits of a stamp


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("store", help="list what the store of a run holds", allow_abbrev=False)
    verb.add_argument("folder", type=folder, help="a run folder, such as reports/beginner_tips")
    what = verb.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print JSON")
    what.add_argument(
        "--prune",
        action="store_true",
        help="drop cells that are no longer in the folder's config, and damaged blocks",
    )
    verb.add_argument("--yes", action="store_true", help="do not ask before dropping")
    plugin_option(verb)
    verb.set_defaults(call=call)


@dataclass(frozen=True)
class Wanted:
    """What the config of the folder still wants of its store."""

    stamps: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()  # of all cells, on the seed on which the best play again
    reason: str = ""  # why that cannot be told

    def has(self, cell: Stored) -> bool | None:
        """Tell whether a cell is in the config, or counts are of it; None = not known."""
        if self.reason:
            return None
        best = bool(cell.members) and self.fresh.issuperset(cell.members)
        return cell.stamp in self.stamps or best


@dataclass(frozen=True)
class Shelf:
    """A store, opened and looked through."""

    path: Path
    cells: Cells
    stored: Sequence[Stored]
    damages: Sequence[Damage]
    wanted: Wanted

    @property
    def unused(self) -> list[Stored]:
        """Return the cells that are not in the config."""
        return [cell for cell in self.stored if self.wanted.has(cell) is False]

    def place(self, cell: Stored) -> str:
        """Return whether a cell is in the config; "older" if only what it was before an edit."""
        if (wanted := self.wanted.has(cell)) is not False:
            return "yes" if wanted else "?"
        newer = [other for other in self.stored if self.wanted.has(other)]
        same = any((cell.label, cell.variant) == (other.label, other.variant) for other in newer)
        return "older" if same else "no"

    @property
    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self.path.stat().st_size


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.cells import open_cells
    from sim.folder import CONFIG, command, store_path

    path, registry = store_path(arguments.folder), registry_of(arguments.plugin)
    with open_cells(path, registry.games) as cells:
        wanted = _wanted(arguments.folder, registry)
        shelf = Shelf(path, cells, cells.cells(), list(cells.damages()), wanted)
        if arguments.json:
            print(json.dumps(_as_json(shelf), indent=1))
        else:
            _say(*_table(shelf), *_remarks(shelf))
        if arguments.prune:
            return _prune(shelf, arguments)
    if shelf.damages:
        prune = command("tipoff", "store", arguments.folder, "--prune")
        again = command("tipoff", "run", arguments.folder / CONFIG, "--out", arguments.folder)
        raise StoreDamaged(
            f"{path}: {len(shelf.damages)} blocks are damaged; `{prune}` drops them, "
            f"then `{again}` plays them again"
        )
    return Status.OK


def _wanted(folder: Path, registry: Registry) -> Wanted:
    """Return the stamps of the folder's config; an unusable config wants nobody knows what."""
    from sim import config, plan
    from sim.cast import stamps_of
    from sim.counts import together
    from sim.folder import CONFIG
    from sim.fresh import on_fresh_seed

    try:
        if not (folder / CONFIG).is_file():
            raise BadInput(f"{folder / CONFIG} is missing")
        wanted = plan.make(config.load(folder / CONFIG), registry)
        fresh = on_fresh_seed(wanted)
        own, again = stamps_of(wanted), stamps_of(fresh) if fresh else []
        if wanted.counts:
            return Wanted(frozenset([together(own)]), frozenset(again))
        return Wanted(frozenset([*own, *again]))
    except BadInput as error:
        return Wanted(reason=str(error))


def _table(shelf: Shelf) -> Iterator[str]:
    """Yield the cells as lines of a table."""
    head = ("label", "rules", "stamp", "deals", "blocks", "bytes", "games/s", "in config")
    rows = [
        (
            printable(cell.label),
            printable(cell.variant),
            cell.stamp[:SHORT],
            *(f"{number:,}" for number in (cell.deals, cell.blocks, cell.bytes, int(cell.speed))),
            shelf.place(cell),
        )
        for cell in shelf.stored
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        left = [text.ljust(width) for text, width in zip(row[:3], widths[:3], strict=True)]
        right = [text.rjust(width) for text, width in zip(row[3:], widths[3:], strict=True)]
        yield "  ".join([*left, *right])


def _remarks(shelf: Shelf) -> Iterator[str]:
    """Yield what is to be said beside the table."""
    yield f"{shelf.path}: {len(shelf.stored)} cells, {shelf.size:,} bytes"
    if shelf.wanted.reason:
        yield f"what is in the config cannot be told: {shelf.wanted.reason}"
    for cell in shelf.stored:
        for first, count in cell.missing:
            yield f"missing: deals {first:,} to {first + count - 1:,} of {_name(cell)}"
    names = {cell.stamp: _name(cell) for cell in shelf.stored}
    for block in shelf.damages:
        yield f"damaged: block {block.first} of {names[block.stamp]}: {block.reason}"


def _name(cell: Stored) -> str:
    return f"'{cell.label}' under {cell.variant} ({cell.stamp[:SHORT]})"


def _as_json(shelf: Shelf) -> dict[str, Any]:
    return {
        "store": str(shelf.path),
        "game": shelf.cells.game.name,
        "bytes": shelf.size,
        "cells": [_plain(cell) | {"in_config": shelf.wanted.has(cell)} for cell in shelf.stored],
        "damaged": [asdict(block) for block in shelf.damages],
    }


def _plain(cell: Stored) -> dict[str, Any]:
    """Return a cell as JSON shows it: `members` only of counts."""
    return {name: value for name, value in asdict(cell).items() if name != "members" or value}


def _prune(shelf: Shelf, arguments: argparse.Namespace) -> Status:
    if shelf.wanted.reason:
        raise BadInput(f"what is no longer in the config cannot be told: {shelf.wanted.reason}")
    unused, damages = shelf.unused, shelf.damages
    if not unused and not damages:
        _say("nothing to drop")
        return Status.OK
    why = {"no": "no longer in the config", "older": "of an older version"}
    _say(*(f"{why[shelf.place(cell)]}: {_name(cell)}, {cell.deals:,} deals" for cell in unused))
    _confirm(arguments, f"drop {len(unused)} cells and {len(damages)} damaged blocks for ever?")
    before = shelf.size
    shelf.cells.drop((cell.stamp for cell in unused), damages)
    _say(
        f"dropped {len(unused)} cells and {len(damages)} damaged blocks; "
        f"{before:,} bytes before, {shelf.size:,} now"
    )
    return Status.OK


def _confirm(arguments: argparse.Namespace, question: str) -> None:
    """Ask whether to drop, unless that was said already.

    Raises:
        BadInput: if nobody is there to be asked.
        Declined: if the answer is no.
    """
    from sim.playing import Declined, agrees

    if arguments.yes:
        return
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadInput("nobody is there to be asked; to drop this, add --yes")
    if not agrees(question):
        raise Declined("nothing was dropped")


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line))
