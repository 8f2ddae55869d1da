"""The command line: what a user types, turned into calls; every error becomes one message.

Heavy imports wait until a command needs them, so that `tipoff --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import sim
from sim import commands
from sim.errors import Status, TipoffError, did_you_mean

START_METHODS = ("fork", "forkserver", "spawn")


class Parser(argparse.ArgumentParser):
    """An argument parser that suggests the nearest name for a wrong choice or option."""

    def error(self, message: str) -> NoReturn:
        """Print one message and leave with the status of bad input."""
        self.exit(Status.BAD_INPUT, f"{self.prog}: {message}\ntry `{self.prog} --help`\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; what is left over is an error here, where the options are known."""
        found, rest = super().parse_known_args(args, namespace)
        if rest and rest[0].startswith("-"):
            name = rest[0].partition("=")[0]
            self.error(f"unknown option {name}{did_you_mean(name, self._option_string_actions)}")
        if rest:
            self.error(f"unexpected argument '{rest[0]}'")
        return found, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"unknown '{value}'{hint}")


def parser() -> Parser:
    """Return the parser of the whole command."""
    top = Parser(prog="tipoff", description=sim.__doc__, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"tipoff {sim.__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    for add in (_run, _plan, _report, _list, _watch, _duel, _moves):
        add(verbs)
    return top


def _run(verbs: Any) -> None:
    verb = verbs.add_parser(
        "run", help="play an experiment and write its charts", allow_abbrev=False
    )
    verb.add_argument(
        "config", help="a YAML file, or a shipped experiment such as club_fight/beginner_tips"
    )
    verb.add_argument("--deals", metavar="N", help="deals per strategy and rules variant")
    verb.add_argument("--seed", metavar="S", help="another seed than the config's")
    verb.add_argument(
        "--workers", metavar="N", type=_workers, help="processes (default: all cores)"
    )
    verb.add_argument(
        "--out", metavar="DIR", type=_folder, help="folder (default: reports/<experiment>)"
    )
    _plugin(verb)
    verb.add_argument(
        "--start-method", choices=START_METHODS, default="", help="how processes start"
    )
    verb.add_argument(
        "--require-compiled", action="store_true", help="refuse plain-Python strategies"
    )
    verb.add_argument("--yes", action="store_true", help="do not ask before a long run")
    verb.set_defaults(call=commands.run)


def _plan(verbs: Any) -> None:
    verb = verbs.add_parser("plan", help="say what an experiment will cost and buy")
    verb.add_argument("config", help="as for `tipoff run`")
    verb.add_argument("--deals", metavar="N", help="deals per strategy and rules variant")
    verb.add_argument("--workers", metavar="N", type=_workers, help="processes")
    _plugin(verb)
    verb.set_defaults(call=commands.plan)


def _report(verbs: Any) -> None:
    verb = verbs.add_parser("report", help="draw a run's report again, without playing")
    verb.add_argument("folder", type=_folder, help="a run folder, such as reports/beginner_tips")
    verb.set_defaults(call=commands.report)


def _list(verbs: Any) -> None:
    verb = verbs.add_parser("list", help="show what there is", allow_abbrev=False)
    verb.add_argument("what", choices=("games", "strategies", "experiments"))
    _plugin(verb)
    verb.set_defaults(call=commands.show_list)


def _watch(verbs: Any) -> None:
    verb = verbs.add_parser("watch", help="show one game turn by turn", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("strategy")
    verb.add_argument("--deal", type=_natural, default=0, metavar="K", help="number of the deal")
    verb.add_argument("--seed", type=_natural, default=2024, metavar="S")
    verb.add_argument("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    _rules(verb)
    _plugin(verb)
    verb.set_defaults(call=commands.watch)


def _duel(verbs: Any) -> None:
    verb = verbs.add_parser("duel", help="show where two strategies part", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("one", metavar="A", help="a strategy, or with --config a label")
    verb.add_argument("other", metavar="B")
    verb.add_argument("--config", help="take both, rules and seed from an experiment")
    verb.add_argument("--deal", type=_natural, metavar="K", help="show one deal")
    verb.add_argument("--deals", type=_positive, default=10_000, metavar="N", help="deals searched")
    verb.add_argument("--top", type=_positive, default=10, metavar="N", help="swings listed")
    verb.add_argument("--seed", type=_natural, default=2024, metavar="S")
    _rules(verb)
    _plugin(verb)
    verb.set_defaults(call=commands.duel)


def _moves(verbs: Any) -> None:
    verb = verbs.add_parser("moves", help="list the legal moves of a position", allow_abbrev=False)
    verb.add_argument("game")
    verb.add_argument("--grid", metavar="CARDS", help='such as "6H 9S 2D / AD Jk TD / KD 4H 6S"')
    verb.add_argument("--hand", metavar="CLUBS", help='such as "3C 6C QC KC"')
    verb.add_argument("--stdin", action="store_true", help="read a line `GRID | HAND` a position")
    _rules(verb)
    verb.set_defaults(call=commands.moves)


def _rules(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--rules", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    verb.add_argument("--json", action="store_true", help="print JSON")


def _plugin(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="strategies of your own",
    )


def _folder(text: str) -> Path:
    if not text:  # an unset variable of a shell, say: never write into the working folder
        raise argparse.ArgumentTypeError("expected a folder, got nothing")
    return Path(text)


def _workers(text: str) -> int:
    from sim.config import MAX_WORKERS  # pydantic: only if it is needed

    number = _natural(text)
    if not 1 <= number <= MAX_WORKERS:
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 1 to {MAX_WORKERS}, got {text}"
        )
    return number


def _positive(text: str) -> int:
    number = _natural(text)
    if number == 0:
        raise argparse.ArgumentTypeError("expected a whole number from 1 up, got 0")
    return number


def _natural(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2^63 - 1, got {text}")
    return number


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = list(sys.argv[1:] if words is None else words)
    signal.signal(signal.SIGTERM, _interrupt)  # ends like Ctrl-C: workers stopped, store closed
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):  # a dash must not end a run on an ASCII terminal
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = parser().parse_args(given)
        status: int = arguments.call(arguments)
        sys.stdout.flush()
    except TipoffError as error:
        print(f"tipoff: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print(commands.after_interrupt(given), file=sys.stderr)
        return Status.INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Status.OK
    return status
