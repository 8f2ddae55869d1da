"""`tipoff merge`: put the shards of a run together, and report as if it had never been cut."""

from __future__ import annotations

import argparse
from typing import Any

from sim.commands.arguments import folder
from sim.errors import Status


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("merge", help="put shards together", allow_abbrev=False)
    verb.add_argument("shards", nargs="+", type=folder, metavar="DIR", help="folders of shards")
    verb.add_argument(
        "--out", metavar="DIR", type=folder, help="folder (default: reports/<experiment>)"
    )
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.commands.run import show
    from sim.merge import merge
    from sim.run import Options

    show(merge(arguments.shards, Options(config="", out=arguments.out)))
    return Status.OK
