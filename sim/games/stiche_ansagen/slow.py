"""The naive twin of Stiche ansagen: the rules read aloud, slow and plain, to check the engine by.

Cards are as printed, text such as ``TD`` or ``JS``, and stay so; of a round nothing is kept that
follows from who played what. Nothing of the project is imported, so the two share no mistake.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

Card: TypeAlias = str
Candidate: TypeAlias = int | Card  # a bid, or a card to play

PACK = [rank + suit for suit in "HSDC" for rank in "A23456789TJQK"]
HIGH_TO_LOW = "AKQJT98765432"
SISTER = {"S": "C", "C": "S", "H": "D", "D": "H"}  # "the other suit of the same colour"


class Options(NamedTuple):
    """What the rules leave open."""

    hook: bool = False
    wrong_zero: str = "mirror"  # or "per_trick"
    left_bower_follows: str = "trump"  # or "printed"
    max_hand: int = 10
    packs: int = 1
    first_dealer: int = 0
    bowers: bool = True


def hand_sizes(options: Options, seats: int) -> list[int]:
    """Rounds: "1, 2, ..., m, m, m-1, ..., 1", where one more card than is dealt must be there."""
    m = min(options.max_hand, (52 * options.packs - 1) // seats)
    return [*range(1, m + 1), *range(m, 0, -1)]


def is_bower(card: Card, trump: str, options: Options) -> bool:
    """Bowers: "jack of T (right bower), jack of T' (left bower)"."""
    return options.bowers and card in ("J" + trump, "J" + SISTER[trump])


def order(suit: str, trump: str, options: Options) -> list[Card]:
    """Card order of a suit, high to low; the bowers lead that of trumps and are in no other."""
    plain = [rank + suit for rank in HIGH_TO_LOW]
    rest = [card for card in plain if not is_bower(card, trump, options)]
    bowers = ["J" + trump, "J" + SISTER[trump]] if options.bowers and suit == trump else []
    return bowers + rest


def effective_suit(card: Card, trump: str, options: Options) -> str:
    """Suit: "effective_suit(jack of T') = T; otherwise the printed suit"; or always printed."""
    if is_bower(card, trump, options) and options.left_bower_follows == "trump":
        return trump
    return card[1]


def legal_bids(cards: int, said: Sequence[int], seats: int, options: Options) -> list[int]:
    """Bids: "an integer 0..k"; by the hook "the dealer may not make the bids sum to k"."""
    bids = list(range(cards + 1))
    if options.hook and len(said) == seats - 1:
        return [bid for bid in bids if sum(said) + bid != cards]
    return bids


def legal_cards(
    hand: Sequence[Card], trick: Sequence[Card], trump: str, options: Options
) -> list[Card]:
    """Play: "at least one card with effective_suit = led must play one of those; otherwise any"."""
    held = sorted(set(hand), key=number)
    if not trick:
        return held
    led = effective_suit(trick[0], trump, options)
    following = [card for card in held if effective_suit(card, trump, options) == led]
    return following or held


def winner(trick: Sequence[Card], trump: str, options: Options) -> int:
    """Winner: "the highest trump, else the highest card" of the suit led; of equals the first."""
    for suit in (trump, effective_suit(trick[0], trump, options)):
        for card in order(suit, trump, options):
            if card in trick:
                return trick.index(card)
    raise AssertionError("nobody followed the first card, not even itself")


def points(bid: int, won: int, options: Options) -> int:
    """Scoring: the four cases of the table; a wrong zero may cost "10 per trick won" instead."""
    if won == bid:
        return 10 * bid if bid >= 1 else 5
    if bid >= 1:
        return -10 * bid
    return -10 * won if options.wrong_zero == "per_trick" else -5


def number(candidate: Candidate) -> int:
    """A candidate as an integer: the bid, or "13 x suit + value - 1"."""
    return candidate if isinstance(candidate, int) else PACK.index(candidate)


@dataclass
class Trick:
    """Cards in order of play, one a seat from the leader on."""

    leader: int
    cards: list[Card] = field(default_factory=list)


@dataclass
class Round:
    """One round: what was dealt, what was said, what was played."""

    options: Options
    number: int  # 1, 2, ...
    dealer: int
    hands: list[list[Card]]  # by seat, as dealt
    trump_card: Card
    said: list[int] = field(default_factory=list)  # bids from forehand on
    tricks: list[Trick] = field(default_factory=list)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def cards(self) -> int:
        """Cards dealt to each, the tricks of the round."""
        return len(self.hands[0])

    @property
    def trump(self) -> str:
        """Trump: "turn up the next card: its suit is trump"."""
        return self.trump_card[1]

    def bid_of(self, seat: int) -> int | None:
        """What a seat said, if it has."""
        place = (seat - self.dealer - 1) % self.seats
        return self.said[place] if place < len(self.said) else None

    @property
    def finished(self) -> list[Trick]:
        """Tricks to which all have played."""
        return [trick for trick in self.tricks if len(trick.cards) == self.seats]

    @property
    def trick(self) -> Trick:
        """The trick in play, perhaps without a card: "the winner of a trick leads"."""
        finished = self.finished
        if len(finished) < len(self.tricks):
            return self.tricks[-1]
        forehand = (self.dealer + 1) % self.seats
        return Trick(self.winner_of(finished[-1]) if finished else forehand)

    @property
    def bidding(self) -> bool:
        """Whether bids are still to come."""
        return len(self.said) < self.seats

    @property
    def over(self) -> bool:
        """Whether all tricks are played."""
        return len(self.finished) == self.cards

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        if self.bidding:
            return (self.dealer + 1 + len(self.said)) % self.seats
        return (self.trick.leader + len(self.trick.cards)) % self.seats

    def winner_of(self, trick: Trick) -> int:
        """The seat that has the best card of a trick so far."""
        return (trick.leader + winner(trick.cards, self.trump, self.options)) % self.seats

    def won(self, seat: int) -> int:
        """How many tricks a seat has won."""
        return [self.winner_of(trick) for trick in self.finished].count(seat)

    def played(self, seat: int) -> list[Card]:
        """What a seat has played."""
        turns = [(trick, (seat - trick.leader) % self.seats) for trick in self.tricks]
        return [trick.cards[turn] for trick, turn in turns if turn < len(trick.cards)]

    def hand(self, seat: int) -> list[Card]:
        """What a seat still holds."""
        held = list(self.hands[seat])
        for card in self.played(seat):
            held.remove(card)
        return held

    def candidates(self) -> list[Candidate]:
        """What the seat may do whose turn it is: bids, or cards by number, equal ones once."""
        if self.bidding:
            return [*legal_bids(self.cards, self.said, self.seats, self.options)]
        return [*legal_cards(self.hand(self.seat), self.trick.cards, self.trump, self.options)]

    def do(self, candidate: Candidate) -> None:
        """Say the bid, or play the card."""
        if isinstance(candidate, int):
            self.said.append(candidate)
            return
        trick = self.trick
        if not trick.cards:
            self.tricks.append(trick)
        trick.cards.append(candidate)

    def points(self, seat: int) -> int:
        """What the round brought to a seat."""
        bid = self.bid_of(seat)
        assert bid is not None, "nobody has bid there"
        return points(bid, self.won(seat), self.options)

    def record(self) -> dict[str, Any]:
        """The round when it is over, as `tipoff watch --json` writes it."""
        everybody = range(self.seats)
        return {
            "round": self.number,
            "dealer": self.dealer,
            "trump_card": self.trump_card,
            "hands": self.hands,
            "bids": [self.bid_of(seat) for seat in everybody],
            "tricks": [vars(trick) | {"winner": self.winner_of(trick)} for trick in self.tricks],
            "won": [self.won(seat) for seat in everybody],
            "points": [self.points(seat) for seat in everybody],
        }
