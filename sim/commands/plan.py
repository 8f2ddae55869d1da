"""`tipoff plan`: what an experiment will cost and buy, without playing it."""

from __future__ import annotations

import argparse
from typing import Any

from sim.commands.arguments import plugin_option, registry_of, workers
from sim.errors import Status


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser("plan", help="say what an experiment will cost and buy")
    verb.add_argument("config", help="as for `tipoff run`")
    verb.add_argument("--deals", metavar="N", help="deals per strategy and rules variant")
    verb.add_argument("--workers", metavar="N", type=workers, help="processes")
    plugin_option(verb)
    verb.set_defaults(call=call)


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim import config, forecast, table_forecast
    from sim.cast import cast_of
    from sim.experiments import find
    from sim.plan import make
    from sim.workers import cores

    registry = registry_of(arguments.plugin)
    wanted = make(config.load(find(arguments.config)), registry, arguments.deals)
    workers = arguments.workers or wanted.workers or cores()
    cast = cast_of(wanted, require_compiled=False)
    if wanted.tournament:
        print("\n".join(table_forecast.told(cast, workers)))
        return Status.OK
    found = forecast.forecast(cast, workers)
    print("\n".join(forecast.text(found, workers)))
    return Status.OK
