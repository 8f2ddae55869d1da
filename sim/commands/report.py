"""`tipoff report`: draw everything again from the store of a run, without playing."""

from __future__ import annotations

import argparse
from typing import Any

from sim.commands.arguments import folder
from sim.errors import Status


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("report", help="draw a run's report again, without playing")
    verb.add_argument("folder", type=folder, help="a run folder, such as reports/beginner_tips")
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.run import redraw

    _, paths = redraw(arguments.folder)
    print("\n".join(map(str, paths)))
    return Status.OK
