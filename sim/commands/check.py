"""`tipoff check`: is a file of strategies fit for a big run?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sim.check import Finding
    from sim.check.model import Began


def add(verbs: Any) -> None:
    """Describe its arguments."""
    verb = verbs.add_parser(
        "check", help="examine strategies of your own before a big run", allow_abbrev=False
    )
    verb.add_argument("file", type=Path, metavar="FILE", help="strategies of your own")
    verb.add_argument("--game", default="", help="the game of strategies that do not say")
    verb.add_argument(
        "--limit", type=seconds, metavar="S", default=60.0, help="seconds a check may take (60)"
    )
    verb.add_argument("--json", action="store_true", help="print JSON")
    verb.set_defaults(call=call)


def seconds(text: str) -> float:
    """Read a time."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 86_400:
        raise argparse.ArgumentTypeError(f"expected seconds, above 0 and up to a day, got {text}")
    return found


def call(arguments: argparse.Namespace) -> Status:
    """Do it."""
    from sim.check import check_file
    from sim.registry import discover

    if arguments.game:
        discover().game(arguments.game)
    found = check_file(arguments.file, arguments.game, arguments.limit, _now)
    findings = list(found) if arguments.json else _shown(found, arguments.file)
    wrong = sum(finding.failed for finding in findings)
    if arguments.json:
        about = {"file": str(arguments.file), "fit": not wrong}
        print(json.dumps({**about, "findings": [finding.record() for finding in findings]}))
    else:
        print(f"{_counted(wrong)} failed" if wrong else "all checks passed")
    return Status.FAILED if wrong else Status.OK


def _shown(findings: Iterable[Finding], file: Path) -> list[Finding]:
    """Print the findings as they come; return them."""
    from sim.check.text import lines

    seen: list[Finding] = []

    def noted() -> Iterator[Finding]:
        for finding in findings:
            _now(None)
            seen.append(finding)
            yield finding

    for line in lines(noted()):
        if len(seen) == 1:
            print(file)
        print(line, flush=True)
    return seen


def _counted(number: int) -> str:
    return "1 check" if number == 1 else f"{number} checks"


def _now(began: Began | None) -> None:
    """Show on a terminal what is being done; it is wiped when it is done."""
    if sys.stderr.isatty():
        text = f"  ...     {began.check}" if began else ""
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
