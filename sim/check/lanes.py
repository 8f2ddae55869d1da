"""Does it compile, and do both lanes play alike? Every score is compared, not only the games."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.check.listening import listening
from sim.check.model import Mark, Verdict, failed, ok, skipped
from sim.check.play import split
from sim.check.subject import Subject
from sim.errors import StrategyFailed

DEALS = 200  # of every rules variant
SECONDS = 5.0

SAME = "the same score to the bit in both lanes"
ADVICE = (
    "whole numbers of compiled code have 64 bits and wrap around beyond 2**63: keep them small, or "
    "use floats; write no order of sums, no sets and no types that the two could read differently"
)


def compiles(subject: Subject) -> Verdict:
    """Return whether it compiles, or why not and where."""
    player, _ = subject.player, subject.bounded
    if player.is_compiled:
        return ok("it plays at full speed")
    found = re.fullmatch(r"(.*) \(([^()]*:\d+)\)", player.reason, re.DOTALL)
    why, place = (found[1], found[2]) if found else (player.reason, subject.place)
    return Verdict(
        Mark.NOTE,
        f"it cannot be compiled, and plays in plain Python, about a hundred times slower: {why}",
        "numbers, tuples of numbers, loops, math, and the functions of the view",
        place,
        "rewrite that line, or live with it: the results are the same",
    )


def both_lanes(subject: Subject) -> Verdict:
    """Return whether compiled and plain Python give every move the same score."""
    if not subject.player.is_compiled:
        return skipped("it plays in plain Python only")
    amount = subject.amount(DEALS, subject.plain, SECONDS)
    for rules in subject.variants:
        for deal in range(amount.deals):
            if wrong := _difference(subject, rules, deal):
                return failed(f"deal {deal}, {wrong} [{rules}]", SAME, subject.place, ADVICE)
    what = "choice the same" if subject.player.chooses else "score the same to the bit"
    return ok(f"{amount}, every {what}")


def _difference(subject: Subject, rules: Any, deal: int) -> str:
    """Return where the lanes part on one deal, or ""."""
    if subject.player.chooses:
        return _ends_apart(subject, rules, deal)
    listener = _Listener(subject)
    try:
        slow = subject.play(listening(subject, listener.score), rules, deal, 1)
    except StrategyFailed as error:
        what = re.sub(r"^deal \d+, ", "", split(str(error), subject)[0])
        return f"{what}; compiled, it plays on"
    listener.compare()
    fast = subject.play(subject.player, rules, deal, 1)
    return listener.difference or _apart(subject, fast, slow)


def _ends_apart(subject: Subject, rules: Any, deal: int) -> str:
    """Return how the lanes end apart, of a strategy that chooses: it has no scores to compare."""
    fast, slow = (subject.block(player, rules, deal, 1) for player in subject.lanes)
    same = all(np.array_equal(fast.counters[name], slow.counters[name]) for name in fast.counters)
    return _apart(subject, fast.outcomes, slow.outcomes) or ("" if same else "they move apart")


def _apart(subject: Subject, fast: Any, slow: Any) -> str:
    if fast.tolist() == slow.tolist():
        return ""
    names = subject.game.columns
    ends = (dict(zip(names, end[:, 0].tolist(), strict=True)) for end in (fast, slow))
    return "compiled ends with {}, plain Python with {}".format(*ends)


@dataclass
class _Listener:
    """Hears every score of plain Python, and asks the compiled loop for the same."""

    subject: Subject
    turn: int = 0
    difference: str = ""
    view: Any = None
    moves: list[Any] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def score(self, view: Any, move: Any) -> float:
        """Score a move as the strategy does."""
        if view is not self.view:
            self.compare()
            self.view, self.moves, self.scores = view, [], []
            self.turn += 1
        found = float(self.subject.plain.strategy.score(view, move))  # type: ignore[attr-defined]
        self.moves.append(move)
        self.scores.append(found)
        return found

    def compare(self) -> None:
        """Compare the scores of a whole turn."""
        if self.difference or not self.moves:
            return
        for move, fast, slow in zip(self.moves, self._compiled(), self.scores, strict=True):
            if fast != slow:
                self.difference = (
                    f"turn {self.turn}: compiled scores {fast!r}, plain Python {slow!r} for {move}"
                )
                return

    def _compiled(self) -> list[float]:
        moves = np.ascontiguousarray(np.array(self.moves, np.int64).T)
        scores, player = np.zeros(len(self.moves)), self.subject.player
        view = type(self.view)(*map(_as_compiled, self.view))
        player.score_all(player.weights, view, moves, len(self.moves), scores)
        found: list[float] = scores.tolist()
        return found


def _as_compiled(part: Any) -> Any:
    """Return a field of a view as compiled code gets it: an int, or an array."""
    return part if isinstance(part, int) else np.array(part, np.int64)
