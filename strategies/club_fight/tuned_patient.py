"""Club Fight: the weights of `patient` that win most."""

from __future__ import annotations

from strategies.club_fight._patient import PatientScore


class TunedPatient(PatientScore):
    """Weigh everything on the table and what the rest of your hand could do, as it wins most.

    Source: `tipoff tune club_fight/tuned_patient`; its search and its check on fresh deals stand in
    `reports/tuned_patient/tuned.yaml`.
    Assumption: as `patient`; one set of weights for both levels.
    """

    joker: float = 12.94
    ace: float = 5.58
    low: float = 5.8
    middle: float = 7.57
    high: float = 6.02
    king: float = 7.15
    hearts: float = -5.0
    spades: float = -1.2
    diamonds: float = -3.33
    brink: float = -2.67
    club_a: float = 8.04
    club_2: float = 3.3
    club_3: float = 4.06
    club_4: float = 0.83
    club_5: float = -1.46
    club_6: float = -5.04
    club_7: float = -18.28
    club_8: float = -10.76
    club_9: float = -6.32
    club_10: float = -3.66
    club_j: float = -2.92
    club_q: float = -1.06
    club_k: float = -3.07
    fade: float = 0.78
    pace: float = 5.41
    hurry: float = 1.14
    most: float = 3.04
    total: float = 1.17
    able: float = -1.02
    end_most: float = 4.37
    end_total: float = 1.62
    end_able: float = 0.11
    last: float = 14.93
    coming: float = 0.65
