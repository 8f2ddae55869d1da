"""Club Fight: everything on the table, and what the rest of the hand could do next."""

from __future__ import annotations

from strategies.club_fight._patient import PatientScore


class Patient(PatientScore):
    """Before you move, see what the clubs you keep could do with the cards you leave.

    Source: none; the tips of the rules in numbers, and one look at the grid that a move leaves.
    Assumption: as `linear`; beside that count the cards that each club left in hand could clear
    next, by its best action. While the grid deck still refills the grid that counts otherwise than
    at the end. Suits are counted: which cards are still to come can be told from those seen.
    """
