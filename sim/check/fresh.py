"""A fresh process that imports a file and examines it: it may hang or die, and is outlived.

Python's watchdog ends a check that takes too long: it is a thread of C, so that even compiled code
cannot hold it up, and it writes down where Python was.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from sim.check.model import Began, Finding, Verdict, failed, ok
from sim.check.outside import watch
from sim.check.subject import Subject
from sim.check.suite import examine
from sim.errors import BadInput
from sim.registry import Listing, NoStrategy, Paths, Registry, discover, look_in
from sim.workers import PR_SET_PDEATHSIG

PATIENCE = {"compiles": 5, "workers": 5, "speed": 5}  # compile or start processes: times the limit


@dataclass(frozen=True)
class Request:
    """What a fresh process is to examine."""

    file: Path
    game: str  # for strategies that do not say; "" if they must
    limit: float  # seconds a check may take
    paths: Paths
    skip: frozenset[str] = frozenset()  # strategies already done
    trace: Path = Path(os.devnull)  # where it writes down where it was when it died


@dataclass(frozen=True)
class Found:
    """The file was imported, and holds these strategies."""

    names: tuple[str, ...]
    finding: Finding


@dataclass(frozen=True)
class Ended:
    """The process ended before it was done: what there is to say about that."""

    exitcode: int
    trace: str
    limit: float

    def verdict(self, began: Began, folder: Path) -> Verdict:
        """Return it as the end of the check that had begun."""
        place = self._place(folder) or began.place
        if "Timeout" in self.trace:
            seconds = self.limit * PATIENCE.get(began.check, 1)
            return failed(
                f"not done after {seconds:g} seconds",
                "an answer in microseconds",
                place,
                "look for a loop that does not end; if it is only slow, declare `check` or raise "
                "--limit",
            )
        how = f"exit code {self.exitcode}"
        if self.exitcode < 0:
            with suppress(ValueError):
                how = signal.Signals(-self.exitcode).name
        return failed(f"it ended its process ({how})", "a score", place, "call no exit, raise")

    def _place(self, folder: Path) -> str:
        """Return the innermost place that Python was at in a file of the folder, or ""."""
        for file, line in re.findall(r'File "([^"]+)", line (\d+)', self.trace):
            if Path(file).parent == folder:
                return f"{file}:{line}"
        return ""


Message = Began | Finding | Found | BadInput | Ended


# The main module is not imported again, as multiprocessing would: a script need not be guarded.
CODE = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from sim.check.fresh import serve
serve(pickle.load(sys.stdin.buffer))
"""


def ask(request: Request) -> Iterator[Message]:
    """Yield what a fresh process finds; if it dies, `Ended` comes last."""
    with tempfile.TemporaryDirectory(prefix="tipoff-") as home:
        trace = Path(home) / "trace"
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the parent, which ends it
        )
        try:
            yield from _messages(process, replace(request, trace=trace))
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]


def _messages(process: subprocess.Popen[bytes], request: Request) -> Iterator[Message]:
    assert process.stdin and process.stdout
    try:
        pickle.dump(sys.path, process.stdin)
        pickle.dump(request, process.stdin)
        process.stdin.flush()  # left open: its end tells the process that we are gone
        while (message := pickle.load(process.stdout)) is not None:
            yield message
    except (EOFError, OSError, pickle.UnpicklingError):
        code, trace = process.wait(), request.trace
        text = trace.read_text(errors="replace") if trace.exists() else ""
        yield Ended(code, text, request.limit)


def serve(request: Request) -> None:
    """Live as the fresh process: None is sent when all is done."""
    _end_with_parent()
    out = os.fdopen(os.dup(1), "wb")
    _silence()
    look_in(request.paths)
    with request.trace.open("w") as file:
        faulthandler.enable(file)
        for message in _examine(request):
            if isinstance(message, Began):
                seconds = request.limit * PATIENCE.get(message.check, 1)
                faulthandler.dump_traceback_later(seconds, exit=True, file=file)
            _send(message, out)
        faulthandler.cancel_dump_traceback_later()
        _send(None, out)


def _send(message: Message | None, out: BinaryIO) -> None:
    pickle.dump(message, out)
    out.flush()


def _end_with_parent() -> None:
    """See to it that this process does not outlive its parent, not even in compiled code."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = os.dup(0)

    def outwait() -> None:
        while os.read(parent, 1):
            pass
        os._exit(1)

    threading.Thread(target=outwait, daemon=True).start()


def _silence() -> None:
    """Let a strategy print and ask into the void: the terminal is the checklist's."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _examine(request: Request) -> Iterator[Message]:
    yield Began("", "imports")
    registry = discover()
    watch(request.file)
    try:
        listings = listed(registry, request.file, request.game)
    except NoStrategy as error:
        yield error
        return
    except BadInput as error:
        yield Finding("", "imports", _refused(str(error)))
        return
    try:
        for listing in listings:
            registry.game(listing.game).alone("check")
    except BadInput as error:
        yield Finding("", "imports", failed(str(error), "a strategy of such a game"))
        return
    names = tuple(listing.name for listing in listings)
    games = ", ".join({registry.game(listing.game).title: "" for listing in listings})
    yield Found(names, Finding("", "imports", ok(f"{games}: {', '.join(names)}")))
    for listing in listings:
        if listing.name not in request.skip:
            yield from examine(Subject(registry, listing))


def listed(registry: Registry, file: Path, game: str) -> list[Listing]:
    """Return the strategies of a file: those of a plug-in, or a built-in one where it stands."""
    built_in = [
        listing
        for listing in registry.listings.values()
        if Path(getattr(sys.modules[listing.origin.module], "__file__", None) or "") == file
    ]
    return built_in or registry.add_plugin(file, game)


def _refused(message: str) -> Verdict:
    found = re.match(r"(.+?\.py(?::\d+)?): (.*)", message, re.DOTALL)
    what, place = (found[2], found[1]) if found else (message, "")
    return failed(what, "a file that can be imported", place)
