"""`tipoff export`: the outcome of every deal of a run, as a table for other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from sim.commands.arguments import folder
from sim.errors import BadInput, Status

STDOUT = "-"


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "export",
        help="write the outcome of every deal of a run as CSV or Parquet",
        description="One row a deal and entry: rules, label, deal and the game's columns.",
        allow_abbrev=False,
    )
    verb.add_argument("folder", type=folder, help="a run folder, such as reports/beginner_tips")
    kind = verb.add_mutually_exclusive_group()
    for name in ("csv", "parquet"):
        kind.add_argument(f"--{name}", dest="kind", action="store_const", const=name)
    verb.add_argument(
        "--out",
        metavar="FILE",
        help="the file (default: outcomes.csv or outcomes.parquet in the folder); - prints CSV",
    )
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.export import FORMATS, opened, write_csv

    if not arguments.kind:
        raise BadInput("expected --csv or --parquet")
    if arguments.out == "":
        raise BadInput("--out: expected a file, got nothing")
    if arguments.out == STDOUT and arguments.kind != "csv":
        raise BadInput("--out -: only CSV can be printed; give a file")
    with opened(arguments.folder) as found:
        if arguments.out == STDOUT:
            write_csv(found, sys.stdout)
            return Status.OK
        path = Path(arguments.out or arguments.folder / f"outcomes.{arguments.kind}")
        FORMATS[arguments.kind](found, path)
    print(path)
    return Status.OK
