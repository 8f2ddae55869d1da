"""Does it remember? The same deals twice in a row, and each alone in another order."""

from __future__ import annotations

from sim.check.model import Verdict, failed, ok
from sim.check.subject import Subject

TWICE, ALONE = 200, 40  # deals of every rules variant
SECONDS = 1.0  # to play them once

EXPECTED = "a deal that depends on its number, the rules and the seed alone"
ADVICE = (
    "a strategy may remember nothing from move to move: look for lists, dicts, sets, iterators or "
    "attributes that are made once and changed by score or what it calls"
)


def twice(subject: Subject) -> Verdict:
    """Return whether the same deals give the same games again."""
    for player in reversed(subject.lanes):
        amount = subject.amount(TWICE, player, SECONDS)
        for rules in subject.variants:
            one, two = (subject.play(player, rules, 0, amount.deals) for _ in range(2))
            if (apart := (one != two).any(axis=0)).any():
                deal = int(apart.argmax())
                seen = f"deal {deal} ends otherwise the second time ({player.lane}) [{rules}]"
                return failed(seen, EXPECTED, subject.place, ADVICE)
    return ok(f"{amount}, the same games again")


def any_order(subject: Subject) -> Verdict:
    """Return whether a deal is the same alone as after others, whatever their order."""
    for player in reversed(subject.lanes):
        amount = subject.amount(ALONE, player, SECONDS)
        for rules in subject.variants:
            row = subject.play(player, rules, 0, amount.deals)
            for deal in reversed(range(amount.deals)):
                if (subject.play(player, rules, deal, 1)[:, 0] != row[:, deal]).any():
                    seen = f"deal {deal} ends otherwise after other deals ({player.lane}) [{rules}]"
                    return failed(seen, EXPECTED, subject.place, ADVICE)
    return ok(f"{amount}, each alone and backwards, the same games")
