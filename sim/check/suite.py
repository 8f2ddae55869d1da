"""All checks of a strategy in order, and when there is no sense in going on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from sim.check.lanes import both_lanes, compiles
from sim.check.model import Began, Finding, Mark, Verdict, failed, ok, skipped
from sim.check.outside import outside
from sim.check.play import bounds, finishes, scores, view
from sim.check.reach import workers
from sim.check.repeats import any_order, twice
from sim.check.speed import speed
from sim.check.subject import Subject
from sim.errors import BadInput, TipoffError

Check = Callable[[Subject], Verdict]


def parameters(subject: Subject) -> Verdict:
    """Return whether its defaults, and what it declares for its checks, can be used."""
    try:
        params = subject.params
    except BadInput as error:
        return failed(str(error), "numbers of the type annotated", subject.place, "correct it")
    shown = ", ".join(f"{name}={value}" for name, value in params.items())
    return ok(shown or "it has none")


CHECKS: dict[str, Check] = {
    "parameters": parameters,
    "compiles": compiles,
    "finishes": finishes,
    "view": view,
    "scores": scores,
    "bounds": bounds,
    "both lanes": both_lanes,
    "outside": outside,
    "twice": twice,
    "any order": any_order,
    "workers": workers,
    "speed": speed,
}
# What fails here would fail all that come after, and say nothing new.
LAST = ("parameters", "finishes", "view", "scores", "bounds", "twice", "any order")


def examine(subject: Subject, checks: tuple[str, ...] = tuple(CHECKS)) -> Iterator[Began | Finding]:
    """Yield that a check begins, and what it found, one after the other."""
    name, over = subject.listing.name, ""
    for check in checks:
        yield Began(name, check, subject.place)
        verdict = skipped(f"'{over}' comes first") if over else _asked(CHECKS[check], subject)
        yield Finding(name, check, verdict)
        if verdict.mark is Mark.FAILED and check in LAST:
            over = check


def _asked(check: Check, subject: Subject) -> Verdict:
    """Return what a check says; what it did not expect is a fault of the strategy, too."""
    try:
        return check(subject)
    except TipoffError as error:
        return failed(str(error), "no error", subject.place)
    except (Exception, SystemExit) as error:  # whatever a strategy's author left in it
        what = f"{type(error).__name__}: {error}"
        return failed(what, "no error", place_of(error, subject.file))


def place_of(error: BaseException, file: str) -> str:
    """Return file:line of the deepest frame that lies in the file of a strategy or beside it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        f"{f.filename}:{f.lineno}" for f in frames if Path(f.filename).parent == Path(file).parent
    ]
    return own[-1] if own else file
