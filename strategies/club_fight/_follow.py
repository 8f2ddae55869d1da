"""What the clubs that stay in hand could clear next, from the cards that a move leaves lying.

The refill is not known yet, so only the cards that lie are looked at: as a patient player would.
"""

from __future__ import annotations

from sim.games.club_fight.view import Move, View, lowest, popcount

BLOCK_AT = 3  # cards of one suit that block an action
KING = 13
CELLS = 9
VALUES = 0x3FFF  # mask of the values 1 to 13
EACH = 0x1111111111111111  # times a number of fifteen counts: their sum, in its top four bits


def follow(view: View, move: Move) -> tuple[int, int, int]:
    """Return what the clubs left could clear next: the most, all of them together, how many can.

    Each is taken by itself, on the cards that lie now; jokers go with their line. Sums of five
    cards or more, hardly ever the most, are not looked for.
    """
    lying = view.lying & ~move.cells
    hand = view.hand & ~move.clubs
    may_run = popcount(view.hearts & lying) < BLOCK_AT
    may_go = popcount(view.spades & lying) < BLOCK_AT
    may_line = popcount(view.diamonds & lying) < BLOCK_AT
    seen = lying & ~view.jokers
    counts = sah = one = two = three = four = 0
    rows = columns = 0  # values in each line, three times fourteen bits
    for cell in range(CELLS):
        numbered = seen >> cell & 1
        value = (view.grid[cell] + KING) % KING + 1
        bit = numbered << value
        counts += numbered << 4 * value
        sah |= numbered << 14 - value
        rows |= bit << cell // 3 * 14
        columns |= bit << cell % 3 * 14
        four |= (three << value) * numbered
        three |= (two << value) * numbered
        two |= (one << value) * numbered
        one |= bit
    # Which clubs find their value in a line, and how long the lines are; longest wins.
    three_in = two_in = 0
    for line in range(3 * may_line):
        row, column = popcount(lying >> 3 * line & 7), popcount(lying >> line & 0o111)
        in_row, in_column = rows >> 14 * line & VALUES, columns >> 14 * line & VALUES
        three_in |= in_row * (row == 3) | in_column * (column == 3)
        two_in |= in_row * (row == 2) | in_column * (column == 2)
    most = total = able = 0
    while hand:
        club = lowest(hand)
        hand &= hand - 1
        best = counts >> 4 * club & 15
        best = max(best, 4 * (four >> club & 1), 3 * ((three | three_in) >> club & 1))
        best = max(best, 2 * ((two | two_in) >> club & 1), int(lying > 0))
        if may_go and 2 <= club <= 7:
            best = max(best, (counts & (1 << 4 * club) - 1) * EACH >> 60 & 15)
        if may_go and 7 <= club <= 12:
            best = max(best, (counts >> 4 * club + 4) * EACH >> 60 & 15)
        if may_run:
            best = max(best, lowest(~(one >> club + 1)) + lowest(~(sah >> 15 - club)))
        most, total, able = max(most, best), total + best, able + (best >= 3)
    return most, total, able
