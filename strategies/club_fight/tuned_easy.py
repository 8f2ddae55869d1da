"""Club Fight: the weights of `linear` that win most with one joker."""

from __future__ import annotations

from strategies.club_fight._linear import LinearScore


class TunedEasy(LinearScore):
    """Weigh everything on the table, as it wins most with one joker.

    Source: `tipoff tune club_fight/tuned_easy`; its search and its check on fresh deals stand in
    `reports/tuned_easy/tuned.yaml`.
    Assumption: as `linear`; only the ratios of its weights matter.
    """

    joker: float = 39.27
    ace: float = 8.78
    low: float = 12.09
    middle: float = 19.8
    high: float = 14.17
    king: float = 16.51
    hearts: float = -22.89
    spades: float = -22.06
    diamonds: float = -12.08
    brink: float = -8.64
    club_a: float = 28.4
    club_2: float = 23.52
    club_3: float = 19.48
    club_4: float = 15.88
    club_5: float = 6.17
    club_6: float = -5.75
    club_7: float = -49.73
    club_8: float = -37.95
    club_9: float = -18.2
    club_10: float = -4.03
    club_j: float = -3.0
    club_q: float = -4.14
    club_k: float = -5.1
    fade: float = 0.7
    pace: float = 5.29
    hurry: float = -3.9
