"""`tipoff tune`: search the parameters of a strategy for those that win most."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sim.commands.arguments import folder, plugin_option, registry_of, workers
from sim.errors import Status


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "tune",
        help="search the parameters of a strategy for those that win most",
        description="Ctrl-C loses a second of work at most; the same command goes on.",
        allow_abbrev=False,
    )
    verb.add_argument(
        "config", help="a YAML file, or a shipped search such as club_fight/tuned_easy"
    )
    verb.add_argument("--workers", metavar="N", type=workers, help="processes (default: all cores)")
    verb.add_argument("--out", metavar="DIR", type=folder, help="folder (default: reports/<tune>)")
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.experiments import find_search
    from sim.folder import command
    from sim.tuning import config, plan, result, search

    wanted = plan.make(config.load(find_search(arguments.config)), registry_of(arguments.plugin))
    out = arguments.out or Path("reports") / wanted.wanted.tune
    result.claim(out)
    found = search.find(wanted, out, arguments.workers)
    words = ["tipoff", "tune", arguments.config]
    for path in arguments.plugin:
        words += ["--plugin", path]
    words += ["--out", arguments.out] if arguments.out else []
    path = result.write(found, out, command(*words))
    print("\n".join(result.lines(found)))
    print(path)
    return Status.OK
