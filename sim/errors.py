"""What can go wrong, and the exit status each kind of trouble ends with.

Every error a user can cause is a `TipoffError`; the command line prints its message and leaves
with its status. Anything else that escapes is a fault of ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import IntEnum


class Status(IntEnum):
    """Exit status of every command."""

    OK = 0
    FAILED = 1  # a strategy, worker, check or verification failed
    BAD_INPUT = 2  # nothing was played, nothing was written
    STORE_DAMAGED = 3  # the store is incomplete or damaged
    INTERRUPTED = 130  # Ctrl-C


class TipoffError(Exception):
    """Base of all errors that are reported to the user as one message."""

    status = Status.FAILED


class BadInput(TipoffError):
    """The user asked for something that cannot be: a wrong key, name, value or file."""

    status = Status.BAD_INPUT


class StrategyFailed(TipoffError):
    """A strategy raised, or returned a score that is not a finite number."""


class WorkerFailed(TipoffError):
    """A worker process died again and again on the same block."""


class StoreDamaged(TipoffError):
    """The store of a run folder is missing, incomplete or cannot be read."""

    status = Status.STORE_DAMAGED


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the known word nearest to `word`, or what there is."""
    choices = sorted(known)
    by_lower = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.55)
    if near:
        return f"; did you mean '{by_lower[near[0]]}'?"
    return f"; known: {', '.join(choices)}" if choices else ""


def printable(text: str) -> str:
    """Return a text of unknown origin as one line that no terminal takes for a command."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
