"""Does it look outside? Python itself tells of every file, socket and process it opens.

The text was read before (`sim.hygiene`); this is the second net, for what a text can hide. An event
counts if a function of the strategy's file, or of one beside it, is what led to it.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numba

from sim.check.model import Verdict, failed, ok
from sim.check.subject import Subject

DEALS = 20
SECONDS = 1.0

# Audit events, as https://docs.python.org/3/library/audit_events.html lists them.
_EVENTS = """
    builtins.input ctypes. fcntl. ftplib. glob. http. imaplib. mmap. open os. pathlib. poplib. pty.
    shutil. signal. smtplib. socket. sqlite3. subprocess. tempfile. time. urllib. webbrowser.
"""
EVENTS = tuple(_EVENTS.split())  # or what they begin with
OF_OTHERS = ("<frozen importlib", os.path.dirname(numba.__file__))  # importing, compiling


@dataclass
class Watch:
    """Notes what code in one folder opens, from now to the end of the process."""

    folder: str
    seen: dict[str, str] = field(default_factory=dict)  # place -> event

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Hear of an event."""
        if event.startswith(EVENTS) and (place := self._place()):
            about = f" {arguments[0]!r}" if arguments and isinstance(arguments[0], str) else ""
            self.seen.setdefault(place, event + about)

    def _place(self) -> str:
        """Return file:line of the function of the folder that led here, or ""."""
        frame: FrameType | None = sys._getframe(2)
        while frame:
            file = frame.f_code.co_filename
            if file.startswith(OF_OTHERS):
                return ""
            if os.path.dirname(file) == self.folder:
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return ""


_watches: dict[str, Watch] = {}


def watch(file: Path) -> Watch:
    """Watch what a file and those beside it open; an audit hook cannot be taken away again."""
    folder = str(file.parent)
    if folder not in _watches:
        _watches[folder] = Watch(folder)
        sys.addaudithook(_watches[folder])
    return _watches[folder]


def outside(subject: Subject) -> Verdict:
    """Return whether it opened anything, now or at any time before, its import included."""
    noted = watch(Path(subject.file))
    amount = subject.amount(DEALS, subject.plain, SECONDS)
    for rules in subject.variants:
        subject.play(subject.plain, rules, 0, amount.deals)
    if not noted.seen:
        return ok("opens no file, socket or process")
    place, event = next(iter(noted.seen.items()))
    return failed(
        f"Python reports '{event}'",
        "a strategy that knows the view and the move, and nothing else",
        place,
        "write what it needs into the file itself, as numbers or tuples",
    )
