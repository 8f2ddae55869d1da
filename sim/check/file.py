"""A file from its text to the last check: what is asked where, and what if a process dies."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from sim.check.fresh import Ended, Found, Request, ask
from sim.check.model import Began, Finding, Verdict, failed, ok, skipped
from sim.check.suite import CHECKS
from sim.errors import BadInput
from sim.hygiene import Fault, faults
from sim.registry import NoStrategy, where_to_look

LIMIT = 60.0  # seconds a check may take


def check_file(
    path: Path,
    game: str = "",
    limit: float = LIMIT,
    told: Callable[[Began], None] = lambda began: None,
) -> Iterator[Finding]:
    """Yield what every check finds on a file of strategies, one finding at a time.

    Args:
        path: the file.
        game: for strategies that do not say which game they play.
        limit: seconds a check may take; what compiles may take five times as long.
        told: called when a check begins.

    Raises:
        BadInput: if there is no such file, or it holds no strategy.
    """
    file = _resolved(path)
    findings = list(_of_the_text(file))
    yield from findings
    if not any(finding.failed for finding in findings):
        yield from _of_the_strategies(Request(file, game, limit, where_to_look()), told)


def _resolved(path: Path) -> Path:
    try:
        file = path.resolve(strict=True)
        file.open("rb").close()
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(f"{path}: there is no such file") from error
    if file.suffix != ".py":
        raise BadInput(f"{path}: expected a Python file, *.py")
    if not _may_hold_one(file.read_bytes()):  # a test, say
        raise NoStrategy(f"{path}: holds no strategy; expected a class derived from Strategy")
    return file


def _may_hold_one(text: bytes) -> bool:
    """Return whether it speaks of strategies, or some class has a base, from another file maybe."""
    if b"Strategy" in text:
        return True
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # it is told what is wrong with it
    return any(isinstance(node, ast.ClassDef) and node.bases for node in ast.walk(tree))


def _of_the_text(file: Path) -> Iterator[Finding]:
    """Yield what can be told without running any of it."""
    try:
        compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        place = f"{file}:{line}" if line else str(file)
        what = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
        yield Finding("", "reads", failed(what, "Python", place))
        return
    yield Finding("", "reads", ok("Python"))
    found = list(faults(file))
    if not found:
        yield Finding("", "habits", ok("no dice, clock, files, network or memory in the text"))
    for fault in found:
        yield Finding("", "habits", _habit(fault))


def _habit(fault: Fault) -> Verdict:
    return failed(f"it {fault.what}", "", fault.place, fault.why)


def _of_the_strategies(request: Request, told: Callable[[Began], None]) -> Iterator[Finding]:
    """Yield what fresh processes find: another one goes on after a strategy that ended its own."""
    names: tuple[str, ...] = ()
    began = Began("", "imports")
    for message in ask(request):
        match message:
            case Began():
                began = message
                told(message)
            case Found():
                names = message.names
                if not request.skip:
                    yield message.finding
            case BadInput():
                raise message
            case Ended():
                verdict = message.verdict(began, request.file.parent)
                yield Finding(began.strategy, began.check, verdict)
                yield from _not_reached(began)
                done = frozenset(names[: names.index(began.strategy) + 1]) if names else frozenset()
                if set(names) - done:
                    yield from _of_the_strategies(replace(request, skip=done), told)
            case _:
                yield message


def _not_reached(began: Began) -> Iterator[Finding]:
    """Yield the checks that come after the one in which a process ended."""
    names = list(CHECKS)
    for name in names[names.index(began.check) + 1 :] if began.check in CHECKS else []:
        yield Finding(began.strategy, name, skipped(f"'{began.check}' comes first"))
