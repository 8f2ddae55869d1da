"""Ctrl-C and SIGTERM: raised as `KeyboardInterrupt`, never lost, and once is enough.

Python raises where it stands, also where nobody can catch: in the middle of an import, which may
turn it into another error, or in a callback, whose exceptions are printed and forgotten. In an
import the process is left at once, for the store is whole at any time and workers end with their
parent; out of a callback it is raised again a moment later. Little is imported, for this must be
there first.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType

INTERRUPTED = 130  # as in `sim.errors.Status`, which is not imported yet
SIGNALS = (signal.SIGINT, signal.SIGTERM)
SAME = 1.0  # seconds within which a second signal is the first again: some send both, or to a group


class Interrupts:
    """While it is entered, both signals raise KeyboardInterrupt in the command of some words."""

    def __init__(self, words: Sequence[str], last: bool) -> None:
        """Note what to say.

        Args:
            words: the command, to tell how to go on.
            last: the process ends with this: from then on both signals are ignored.
        """
        self._words, self._last = words, last
        self._came = -SAME

    def __enter__(self) -> None:
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._ignored
        found = {number: signal.getsignal(number) for number in SIGNALS}
        # What `nohup` and its like ignore stays ignored.
        self._before = {key: old for key, old in found.items() if old != signal.SIG_IGN}
        for number in self._before:
            signal.signal(number, self._interrupt)

    def __exit__(self, *_: object) -> None:
        for number, old in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._last else old)
        sys.unraisablehook = self._hook

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        before, self._came = self._came, time.monotonic()
        if self._came - before < SAME:
            return
        if _importing(frame):
            os.write(2, f"{farewell(self._words)}\n".encode(errors="backslashreplace"))
            os._exit(INTERRUPTED)
        raise KeyboardInterrupt

    def _ignored(self, report: sys.UnraisableHookArgs) -> None:
        """Raise an interrupt again that came inside a callback, where it can only be printed."""
        if not isinstance(report.exc_value, KeyboardInterrupt):
            self._hook(report)
            return
        import threading
        from _thread import interrupt_main

        self._came = -SAME
        threading.Timer(0.01, interrupt_main).start()


def farewell(words: Sequence[str]) -> str:
    """Return what to say after an interrupt: how to go on."""
    if list(words[:1]) not in (["run"], ["tune"]):
        return "stopped"
    return f"stopped; what was finished is stored. To go on: {shlex.join(['tipoff', *words])}"


def _importing(frame: FrameType | None) -> bool:
    """Return whether an import goes on; what modules compile meanwhile belongs to it."""
    while frame:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
