"""`tipoff run`: play an experiment, write its report, print a table and the paths."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from sim.commands.arguments import folder, plugin_option, workers
from sim.errors import Status

if TYPE_CHECKING:
    from sim.run import Finished, Options

START_METHODS = ("fork", "forkserver", "spawn")
BACKENDS = ("processes", "dask")


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "run", help="play an experiment and write its charts", allow_abbrev=False
    )
    verb.add_argument(
        "config", help="a YAML file, or a shipped experiment such as club_fight/beginner_tips"
    )
    verb.add_argument("--deals", metavar="N", help="deals per strategy and rules variant")
    verb.add_argument("--seed", metavar="S", help="another seed than the config's")
    verb.add_argument("--workers", metavar="N", type=workers, help="processes (default: all cores)")
    verb.add_argument(
        "--out", metavar="DIR", type=folder, help="folder (default: reports/<experiment>)"
    )
    plugin_option(verb)
    verb.add_argument(
        "--start-method", choices=START_METHODS, default="", help="how processes start"
    )
    verb.add_argument(
        "--backend", choices=BACKENDS, default=BACKENDS[0], help="who plays (default: processes)"
    )
    verb.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        default="",
        help="of a Dask cluster, such as tcp://HOST:8786 (default: a cluster on this machine)",
    )
    verb.add_argument(
        "--require-compiled", action="store_true", help="refuse plain-Python strategies"
    )
    verb.add_argument("--shard", metavar="I/N", help="play only part I of N, for `tipoff merge`")
    verb.add_argument("--yes", action="store_true", help="do not ask before a long run")
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.backend import Backend
    from sim.run import Options, run

    options = Options(
        config=arguments.config,
        deals=arguments.deals,
        seed=arguments.seed,
        workers=arguments.workers,
        out=arguments.out,
        plugins=tuple(arguments.plugin),
        backend=Backend(arguments.backend, arguments.scheduler, arguments.start_method),
        require_compiled=arguments.require_compiled,
        yes=arguments.yes,
    )
    if arguments.shard:
        _shard(options, arguments.shard)
    else:
        show(run(options))
    return Status.OK


def _shard(options: Options, text: str) -> None:
    from sim.run import run_shard
    from sim.shards import Shard

    done = run_shard(options, shard := Shard.read(text))
    reused = f", {done.reused:,} were there already" if done.reused else ""
    print(f"shard {shard}: {done.played:,} games played{reused}, stored in {done.folder}")
    print("when all shards are played: tipoff merge DIR...")


def show(finished: Finished) -> None:
    """Print the table of a run, what was played, and the paths of its report."""
    from sim.report.tables import terminal
    from sim.report.tournament import tables as of_tournament
    from sim.standings import Standings

    found = finished.results
    print(of_tournament.terminal(found) if isinstance(found, Standings) else terminal(found))
    reused = f", {finished.reused:,} were there already" if finished.reused else ""
    print(f"{finished.played:,} games played{reused}; engine time {finished.engine_seconds:.1f} s")
    if finished.found:
        print(finished.found)
    for path in finished.paths:
        print(path)
