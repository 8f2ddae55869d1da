"""`tipoff moves`: every legal move of a typed position, or of one a line of standard input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from sim.commands.arguments import rules_options, settings
from sim.errors import BadInput, Status
from sim.registry import discover

MAX_LINE = 1000  # characters of standard input


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("moves", help="list the legal moves of a position", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("--grid", metavar="CARDS", help='such as "6H 9S 2D / AD Jk TD / KD 4H 6S"')
    verb.add_argument("--hand", metavar="CLUBS", help='such as "3C 6C QC KC"')
    verb.add_argument("--stdin", action="store_true", help="read a line `GRID | HAND` a position")
    rules_options(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.settings import rules_of

    game = discover().game(arguments.game)
    game.alone("moves")
    rules, part = rules_of(game, settings("--rules", arguments.rules)), game.part("watch")
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
    for number, line in enumerate(_lines(), start=1):
        if len(line) > MAX_LINE:
            raise BadInput(f"standard input, line {number}: longer than {MAX_LINE} characters")
        if line.strip():
            grid, bar, hand = line.partition("|")
            if not bar:
                raise BadInput(f"standard input, line {number}: expected GRID | HAND")
            yield grid, hand, f"standard input, line {number}: "


def _lines() -> Iterator[str]:
    """Yield the lines of standard input, and no more of one than it takes to refuse it."""
    while line := sys.stdin.readline(MAX_LINE + 1) if sys.stdin else "":
        yield line
