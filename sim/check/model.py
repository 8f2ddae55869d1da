"""What a check says: a mark, what was seen, and if that is bad, what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Mark(StrEnum):
    """How a check ended."""

    OK = "ok"
    NOTE = "note"  # worth knowing, but no fault
    FAILED = "FAILED"
    SKIPPED = "skipped"  # could not be told


@dataclass(frozen=True)
class Verdict:
    """What one check found."""

    mark: Mark
    seen: str
    expected: str = ""
    place: str = ""  # file:line
    advice: str = ""


@dataclass(frozen=True)
class Finding:
    """What one check found on one strategy, or on the file as a whole."""

    strategy: str  # "" for the file
    check: str
    verdict: Verdict

    @property
    def failed(self) -> bool:
        """Return whether the strategy is not fit."""
        return self.verdict.mark is Mark.FAILED

    def record(self) -> dict[str, str]:
        """Return it as JSON shows it."""
        return {"strategy": self.strategy, "check": self.check, **asdict(self.verdict)}

    def __str__(self) -> str:
        about = [self.strategy, self.check, self.verdict.seen, self.verdict.place]
        return ": ".join(filter(None, about))


@dataclass(frozen=True)
class Began:
    """A check has begun; the fresh process says so, should it not live to tell the end."""

    strategy: str
    check: str
    place: str = ""  # of the score method, the best guess if it hangs


def ok(seen: str) -> Verdict:
    """Return that all is well."""
    return Verdict(Mark.OK, seen)


def skipped(why: str) -> Verdict:
    """Return that it could not be told, and why."""
    return Verdict(Mark.SKIPPED, why)


def failed(seen: str, expected: str = "", place: str = "", advice: str = "") -> Verdict:
    """Return what is wrong."""
    return Verdict(Mark.FAILED, seen, expected, place, advice)
