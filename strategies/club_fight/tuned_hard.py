"""Club Fight: the weights of `linear` that win most with two jokers."""

from __future__ import annotations

from strategies.club_fight._linear import LinearScore


class TunedHard(LinearScore):
    """Weigh everything on the table, as it wins most with two jokers.

    Source: `tipoff tune club_fight/tuned_hard`; its search and its check on fresh deals stand in
    `reports/tuned_hard/tuned.yaml`.
    Assumption: as `linear`; only the ratios of its weights matter.
    """

    joker: float = 38.96
    ace: float = 9.45
    low: float = 14.09
    middle: float = 20.0
    high: float = 14.83
    king: float = 18.74
    hearts: float = -17.75
    spades: float = -16.22
    diamonds: float = -8.76
    brink: float = -7.03
    club_a: float = 27.62
    club_2: float = 22.61
    club_3: float = 15.94
    club_4: float = 10.51
    club_5: float = 0.28
    club_6: float = -7.86
    club_7: float = -47.76
    club_8: float = -26.14
    club_9: float = -14.52
    club_10: float = -5.31
    club_j: float = -2.0
    club_q: float = -2.22
    club_k: float = -7.12
    fade: float = 0.57
    pace: float = 8.73
    hurry: float = -5.35
