"""The command line as a whole: what a user types, turned into a call; every error is one message.

Heavy imports wait until a command needs them, so that `tipoff --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, NoReturn

import sim
from sim.commands import COMMANDS
from sim.errors import Status, TipoffError, did_you_mean


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
    for command in COMMANDS:
        command.add(verbs)
    return top


def answer(words: Sequence[str]) -> int:
    """Do what the words ask for; return the exit status, errors told on standard error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):  # a dash must not end a run on an ASCII terminal
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = parser().parse_args(words)
        status: int = arguments.call(arguments)
        sys.stdout.flush()
    except TipoffError as error:
        print(f"tipoff: {error}", file=sys.stderr)
        return error.status
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        _drop_output()
        return Status.OK
    except OSError as error:  # such as a full disk, where nobody knew what to say
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"tipoff: {where}{error.strerror or error}", file=sys.stderr)
        return Status.FAILED
    return status


def _drop_output() -> None:
    """Drop what is still to be written to standard output, or Python tries again at its end."""
    with suppress(AttributeError, OSError):  # no real file stands there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
