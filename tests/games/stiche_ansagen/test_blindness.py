"""Nobody sees hidden cards: they change hands, as far as what was shown allows, and no choice does.

The same test must fail for who does see them: for a planted player that looks at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.game import Dice
from sim.games.stiche_ansagen import Rules, turns
from sim.games.stiche_ansagen.room import Room, keys, new_room, options_of
from sim.games.stiche_ansagen.rules import CARDS, DEALER, ROUND, SEAT, TURNED_UP
from sim.games.stiche_ansagen.slow import PACK, Options, Round, effective_suit
from sim.games.stiche_ansagen.slow_views import masks, suit_number, twice, worth
from sim.games.stiche_ansagen.turns import Decision, decisions
from sim.games.stiche_ansagen.view import Bid
from sim.lanes import Player
from tests.conformance.stiche_ansagen import at_table, made_members, shipped_members

DICE = Dice(31, 32)
VARIANTS = (
    (Rules(), 5),
    (Rules(left_bower_follows="printed", hook=True), 3),
    (Rules(packs=2, max_hand=8), 4),
)
SWAPS, EVERY = 60, 7  # of every so many positions one is looked at
NOBODY = -1  # who holds the cards that were not dealt

Chooser = Callable[
    [Room, Any, int], int
]  # from the table, a view and how many candidates there are


class Hidden:
    """The cards that a seat does not see: where in the pack they lie, and who holds them."""

    def __init__(self, room: Room, rules: Rules, seats: int) -> None:
        now, deck = room.table.now, room.table.deck
        self.room, self.seats = room, seats
        self.pack = [PACK[int(card) % 52] for card in deck[: 52 * rules.packs]]
        self.dealt = seats * int(now[CARDS])
        options, turned_up = Options(**vars(rules)), self.pack[self.dealt]
        self.round = Round(options, int(now[ROUND]), int(now[DEALER]), [[]], turned_up)
        self.holders = self._holders()

    def _holders(self) -> dict[int, int]:
        """Who holds the card at each hidden place of the pack."""
        now, rest = self.room.table.now, range(self.dealt + 1, len(self.pack))
        found = dict.fromkeys(rest, NOBODY)
        for seat in range(self.seats):
            left = Counter(self.held(seat))
            for place in range((seat - int(now[DEALER]) - 1) % self.seats, self.dealt, self.seats):
                if left[self.pack[place]] and seat != now[SEAT]:
                    left[self.pack[place]] -= 1
                    found[place] = seat
        return found

    def held(self, seat: int) -> list[str]:
        """The cards in a hand, as the table has it."""
        table, cards = self.room.table, []
        for card in PACK:
            suit, rank = self.worth(card)
            copies = sum(int(part[seat, suit] >> rank & 1) for part in (table.hands, table.twins))
            cards += [card] * copies
        return cards

    def worth(self, card: str) -> tuple[int, int]:
        """Suit and rank of a card in the engine."""
        return worth(card, self.round)

    def may_hold(self, seat: int, card: str) -> bool:
        """Whether a seat may hold a card: not of a suit that it was seen not to follow."""
        if seat == NOBODY:
            return True
        suit = effective_suit(card, self.round.trump, self.round.options)
        return not self.room.table.voids[seat] >> suit_number(suit, self.round.trump) & 1

    def exchange(self, order: Random) -> int:
        """Have hidden cards change places; return how many have moved to another hand."""
        before, places = list(self.pack), sorted(self.holders)
        for _ in range(SWAPS if len(places) > 1 else 0):
            a, b = order.sample(places, 2)
            card_a, card_b = self.pack[a], self.pack[b]
            if self.may_hold(self.holders[a], card_b) and self.may_hold(self.holders[b], card_a):
                self.pack[a], self.pack[b] = card_b, card_a
        self._write()
        return sum(self.pack[place] != before[place] for place in places)

    def _write(self) -> None:
        """Put the cards on the table as they now lie."""
        table = self.room.table
        table.deck[: len(self.pack)] = [PACK.index(card) for card in self.pack]
        for seat in set(self.holders.values()) - {NOBODY}:
            hand = [self.pack[place] for place, holder in self.holders.items() if holder == seat]
            table.hands[seat], table.twins[seat] = (
                masks(cards, self.round) for cards in (hand, twice(hand))
            )


@contextmanager
def kept(room: Room) -> Iterator[None]:
    """Have the table at the end as it was."""
    before = [part.copy() for part in room.table]
    yield
    for part, old in zip(room.table, before, strict=True):
        part[...] = old


def arrays(view: Any) -> Any:
    """A view as compiled code takes it."""
    return type(view)(*(np.array(v, np.int64) if isinstance(v, list) else v for v in view))


def look(room: Room, rules: Rules, seats: int, bids: bool) -> tuple[Any, list[list[int]], int]:
    """What the seat sees whose turn it is, its candidates, and how many."""
    options = options_of(rules, seats)
    count = int(turns.open_decision(room, options))
    view = turns.bid_view(room, options) if bids else turns.play_view(room, options)
    return view, room.moves[: 1 if bids else 3, :count].tolist(), count


def chooser(player: Player) -> Chooser:
    """A compiled player as a function."""

    def choice(room: Room, view: Any, count: int) -> int:
        player.score_all(player.weights, arrays(view), room.moves, count, room.scores)
        return int(turns.pick_option(room, keys(DICE), 3, count))

    return choice


def peek(room: Room, view: Any, count: int) -> int:
    """Choose by what the next player holds."""
    other = (room.table.now[SEAT] + 1) % view.seats
    return int(room.table.hands[other].sum()) % count


def positions(rules: Rules, seats: int) -> Iterator[tuple[Room, Decision]]:
    """Some positions of a game: the table, and the decision that is due."""
    room, seated = new_room(), at_table(made_members(), seats)
    for number, decision in enumerate(decisions(rules, DICE, 3, seated, room)):
        if number % EVERY == 0:
            yield room, decision


def changes(choosers: dict[str, list[Chooser]], rules: Rules, seats: int) -> tuple[int, int]:
    """How many cards changed hands at the positions of a game, and how many choices changed."""
    order, moved, changed = Random(33), 0, 0
    for room, decision in positions(rules, seats):
        bids = isinstance(decision.moves[0], Bid)
        asked = choosers["bid" if bids else "play"]
        with kept(room):
            view, moves, count = look(room, rules, seats, bids)
            before = [choose(room, view, count) for choose in asked]
            moved += Hidden(room, rules, seats).exchange(order)
            assert look(room, rules, seats, bids) == (view, moves, count)
            after = [choose(room, view, count) for choose in asked]
            changed += sum(a != b for a, b in zip(before, after, strict=True))
    return moved, changed


@pytest.mark.parametrize(("rules", "seats"), VARIANTS, ids=str)
def test_no_choice_depends_on_hidden_cards(rules: Rules, seats: int) -> None:
    choosers: dict[str, list[Chooser]] = {"bid": [], "play": []}
    for member in shipped_members():
        for player in member:
            choosers[player.method].append(chooser(player))
    moved, changed = changes(choosers, rules, seats)
    assert moved > 500
    assert changed == 0


def test_who_looks_at_the_table_is_found() -> None:
    rules, seats = VARIANTS[0]
    _, changed = changes({"bid": [peek], "play": [peek]}, rules, seats)
    assert changed > 20


@pytest.mark.parametrize(("rules", "seats"), VARIANTS, ids=str)
def test_cards_that_change_hands_are_still_one_pack(rules: Rules, seats: int) -> None:
    order = Random(34)
    for room, _ in positions(rules, seats):
        with kept(room):
            own = int(room.table.now[SEAT])
            before = [Hidden(room, rules, seats).held(seat) for seat in range(seats)]
            Hidden(room, rules, seats).exchange(order)
            after = [Hidden(room, rules, seats).held(seat) for seat in range(seats)]
            assert [len(hand) for hand in after] == [len(hand) for hand in before]
            assert after[own] == before[own]
            deck = Counter(int(card) % 52 for card in room.table.deck[: 52 * rules.packs])
            assert set(deck.values()) == {rules.packs}


def test_a_turned_up_card_is_no_secret() -> None:
    """What is public stays as it is: the trump card, and the cards that were played."""
    rules, seats = VARIANTS[0]
    for room, _ in positions(rules, seats):
        public = "now", "out", "shown", "voids", "bids", "won", "points", "trick_ranks"
        with kept(room):
            before = [getattr(room.table, name).copy() for name in public]
            Hidden(room, rules, seats).exchange(Random(36))
            turned_up = PACK[int(room.table.deck[seats * int(room.table.now[CARDS])]) % 52]
            assert Hidden(room, rules, seats).worth(turned_up)[1] == room.table.now[TURNED_UP]
            for name, old in zip(public, before, strict=True):
                np.testing.assert_array_equal(getattr(room.table, name), old)
