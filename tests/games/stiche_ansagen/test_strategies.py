"""The shipped strategies on hands worked out by eye, and both lanes on positions of real games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.room import new_room
from sim.games.stiche_ansagen.turns import decisions
from sim.games.stiche_ansagen.view import (
    NO_BID,
    NOBODY,
    SUITS,
    TRUMP,
    Bid,
    BidView,
    Play,
    PlayView,
)
from sim.lanes import Player, compiled_player
from sim.registry import Registry

WHOLE = ("aces-and-trumps", "always-zero")
BIDS = ("sum-of-chances", "risk-aware", "seat-aware")
PLAYS = ("cheapest-winner-highest-loser", "void-maker", "spoiler", "bower-timing")
CLASSES: dict[str, tuple[Any, Any]] = {"bid": (BidView, Bid), "play": (PlayView, Play)}
RANKS = {"J": 11, "Q": 12, "K": 13, "A": 14, "L": 15, "R": 16}
ALL = sum(1 << rank for rank in range(2, 17))


def rank(word: str) -> int:
    """A rank as it is written here: 2 to 10, J, Q, K, A, and the bowers L and R."""
    return RANKS.get(word) or int(word)


def masks(hand: str) -> list[int]:
    """A hand of four suits, trumps first, each a comma apart: "R A, , K 2, 7"."""
    return [sum(1 << rank(word) for word in suit.split()) for suit in hand.split(",")]


def bid_view(hand: str, **changes: Any) -> BidView:
    """A first bid among four, as many cards as are held."""
    held = masks(hand)
    none = [0] * 6
    cards = sum(mask.bit_count() for mask in held)
    bids = [NO_BID] * 4 + [0, 0]
    numbers: Any = (2, cards, 4, 0, bids, none, 1, 20, 1, 1, 0, 0)
    return BidView(held, [0] * 4, *numbers)._replace(**changes)  # type: ignore[arg-type]


def play_view(hand: str, bid: int, won: int = 0, trick: str = "", **changes: Any) -> PlayView:
    """A turn among four, all cards that are not held unseen; `trick` is "suit rank, ...".

    The best card of the trick is its first, unless `changes` say so.
    """
    held = masks(hand)
    cards = sum(mask.bit_count() for mask in held)
    laid = [(int(s), rank(r)) for s, r in (card.split() for card in trick.split(",") if card)]
    first = laid[0] if laid else (0, 0)
    view = PlayView(
        hand=held,  # type: ignore[arg-type]
        twins=[0] * 4,  # type: ignore[arg-type]
        unseen=[ALL & ~mask for mask in held],  # type: ignore[arg-type]
        shown=[0] * 24,  # type: ignore[arg-type]
        voids=[0] * 6,  # type: ignore[arg-type]
        bids=[bid, 1, 1, 1, 0, 0],  # type: ignore[arg-type]
        won=[won, 0, 0, 0, 0, 0],  # type: ignore[arg-type]
        points=[0] * 6,  # type: ignore[arg-type]
        trick_suits=[s for s, _ in laid] + [0] * (6 - len(laid)),  # type: ignore[arg-type]
        trick_ranks=[r for _, r in laid] + [0] * (6 - len(laid)),  # type: ignore[arg-type]
        place=len(laid),
        led=first[0] if laid else NOBODY,
        winner=4 - len(laid) if laid else NOBODY,
        best_suit=first[0],
        best_rank=first[1],
        turned_up=2,
        cards=cards + won,
        left=cards,
        seats=4,
        dealer=0,
        round=10,
        rounds=20,
        bowers=1,
        packs=1,
        printed=0,
        per_trick=0,
    )
    return view._replace(**changes)


def candidates(view: PlayView) -> list[Play]:
    """The cards that may be played."""
    follow = view.led >= 0 and view.hand[view.led]
    suits = [view.led] if follow else range(SUITS)
    found = []
    for suit in suits:
        for r in range(2, 17):
            if view.hand[suit] >> r & 1:
                above = r > view.best_rank if suit == view.best_suit else suit == TRUMP
                found.append(Play(suit, r, int(above or view.led < 0)))
    return found


@pytest.fixture
def played(registry: Registry) -> Any:
    """The card a strategy plays, as "suit rank"; a tie is an error."""

    def ask(name: str, view: PlayView, **params: Any) -> tuple[int, int]:
        strategy: Any = registry.strategy("stiche_ansagen", name).cls(**params)
        ranked = sorted(candidates(view), key=lambda move: -strategy.play(view, move))
        best = [m for m in ranked if strategy.play(view, m) == strategy.play(view, ranked[0])]
        assert len(best) == 1, best
        return best[0].suit, best[0].rank

    return ask


@pytest.fixture
def said(registry: Registry) -> Any:
    """The bid of a strategy."""

    def ask(name: str, view: BidView) -> int:
        strategy: Any = registry.strategy("stiche_ansagen", name).cls()
        return max(range(view.cards + 1), key=lambda tricks: strategy.bid(view, Bid(tricks)))

    return ask


# ---- bids


def test_parts_have_what_they_are_for_and_nothing_else(registry: Registry) -> None:
    known = registry.strategies("stiche_ansagen")
    assert set(known) == {*WHOLE, *BIDS, *PLAYS}
    for name, listing in known.items():
        has = [decision for decision in CLASSES if hasattr(listing.cls, decision)]
        assert has == [
            d for d in CLASSES if name in {"bid": WHOLE + BIDS, "play": WHOLE + PLAYS}[d]
        ]


def test_aces_and_trumps_counts_them(said: Any) -> None:
    assert said("aces-and-trumps", bid_view("3 2, A 5, A K Q, 4 6 8")) == 4
    assert said("aces-and-trumps", bid_view("3 2, , ,")) == 2
    twins = bid_view("3, , A,", twins=[0, 0, 1 << 14, 0], cards=3)
    assert said("aces-and-trumps", twins) == 3


def test_always_zero(said: Any) -> None:
    assert said("always-zero", bid_view("R L A K, A, A, A")) == 0


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("R L A K Q, 2 3, 4 5, 6", 1 + 0.95 + 0.85 + 0.7 + 0.55),  # a single card adds nothing
        ("2 9 10, 2 3, 4 5, 6 7 8", 0.15 + 0.5 + 0.5),
        ("2 9 10, 2 3 4 5, 6 7 8,", 0.25 + 0.6 + 0.6),  # a void
        ("2, A K, K 5, K 3 4 5 6", 0.15 + 0.6 + 0.9),
        ("2, A, K, 2 3 4 5 6 7 8", 0.15 + 0.2 + 0.6),  # a bare king is worth nothing
    ],
)
def test_expected_tricks(registry: Registry, hand: str, expected: float) -> None:
    strategy: Any = registry.strategy("stiche_ansagen", "sum-of-chances").cls()
    view = bid_view(hand)
    assert view.cards == 10
    assert strategy.expected(view) == pytest.approx(expected)


def test_short_hands_and_many_players_lower_the_chances(registry: Registry) -> None:
    strategy: Any = registry.strategy("stiche_ansagen", "sum-of-chances").cls()
    assert strategy.expected(bid_view("A, , ,")) == pytest.approx(0.85 * 0.595)
    assert strategy.expected(bid_view("R L, , ,")) == pytest.approx(1.95)  # bowers excepted
    for seats, ace in zip(range(2, 7), (0.8, 0.7, 0.6, 0.5, 0.4), strict=True):
        view = bid_view("2, A 2 3, 2 3 4, 2 3 4", seats=seats)
        assert strategy.expected(view) == pytest.approx(0.15 + ace)


def test_halves_are_rounded_up(said: Any) -> None:
    assert said("sum-of-chances", bid_view("9, 2 3 4, 2 3 4, 2 3 4")) == 1
    assert said("sum-of-chances", bid_view("8, 2 3 4, 2 3 4, 2 3 4")) == 0


def test_seat_aware_listens(said: Any) -> None:
    hand = "R 9, 2 3, 2 3 4, 2 3 4"  # 1 + .5
    assert said("seat-aware", bid_view(hand)) == 2
    # The share of three is 7.5 of 10 tricks; the slack is one.
    for sum_of, change in ((6, 1), (7, 0), (8, 0), (9, -1), (0, 1)):
        view = bid_view(hand, place=3, bids=[NO_BID, sum_of, 0, 0, 0, 0])
        assert said("seat-aware", view) == 2 + change, sum_of
    none = bid_view("2, 2 3 4, 2 3 4, 2 3 4", place=3, bids=[NO_BID, 10, 0, 0, 0, 0])
    assert said("seat-aware", none) == 0


def test_risk_aware_knows_the_odds(registry: Registry, said: Any) -> None:
    strategy: Any = registry.strategy("stiche_ansagen", "risk-aware").cls()
    view = bid_view("R K, A 2 3, 2 3 4, 4 5")  # chances 1, .7, .6
    exactly = [strategy.exactly(view, tricks) for tricks in range(5)]
    assert exactly == pytest.approx([0, 0.12, 0.46, 0.42, 0])
    assert strategy.bid(view, Bid(2)) == pytest.approx(20 * (2 * 0.46 - 1))
    assert said("risk-aware", view) == 2  # -1.6 points; the zero costs 5
    zero = bid_view("K, 2 3 4, 2 3 4, 2 3 4")
    assert strategy.bid(zero, Bid(0)) == pytest.approx(5 * (2 * 0.3 - 1))
    assert strategy.bid(zero._replace(per_trick=1), Bid(0)) == pytest.approx(5 * 0.3 - 10 * 0.7)


# ---- cards


SOUND = "cheapest-winner-highest-loser"


@pytest.mark.parametrize("name", [*PLAYS, "always-zero"])
def test_who_plays_last_wins_cheaply(name: str, played: Any) -> None:
    view = play_view("3 9, 4 Q A, 5, 6", 2, trick="1 10, 1 2, 1 3")
    assert played(name, view) == (1, 12)
    ruff = play_view("3 9, , 5, 6 7", 1, trick="1 10, 1 2, 1 3")
    assert played(name, ruff) == (0, 3)
    hopeless = play_view("3 9, 4 8, 5, 6", 2, trick="1 10, 1 2, 1 3")
    assert played(name, hopeless) == (1, 4)


def test_the_bid_made_the_highest_loser_goes(played: Any) -> None:
    view = play_view("3 9, 4 8 Q, 5, 6", 0, trick="1 10")
    assert played(SOUND, view) == (1, 8)
    assert played("aces-and-trumps", view) == (1, 4)  # which only knows what is unlikely to win
    forced = play_view("3 9, Q A, 5, 6", 0, trick="1 10, 1 2, 1 3")
    assert played(SOUND, forced) == (1, 14)
    hoping = play_view("3 9, Q A, 5, 6", 0, trick="1 10")
    assert played(SOUND, hoping) == (1, 12)
    lead = play_view("R 9, K A, 2 3, 6", 0)
    assert played(SOUND, lead) == (2, 3)  # as often beaten as the two beside it, but higher


def test_before_others_the_safest_winner(played: Any) -> None:
    view = play_view("3 9, 4 Q A, 5, 6", 2, trick="1 10")
    assert played(SOUND, view) == (1, 14)
    ruffed = view._replace(voids=[0, 0, 2, 0, 0, 0])  # type: ignore[arg-type]
    assert played(SOUND, ruffed) == (1, 4)
    no_trumps = ruffed._replace(voids=[0, 0, 3, 0, 0, 0])  # type: ignore[arg-type]
    assert played(SOUND, no_trumps) == (1, 14)
    passed = view._replace(voids=[0, 0, 0, 2, 0, 0])  # type: ignore[arg-type]  # he played
    assert played(SOUND, passed) == (1, 14)


def test_void_maker_discards_from_the_shortest_suit(played: Any) -> None:
    made = play_view("9, , 5 8, J Q A 2", 0, trick="1 10")
    assert played("void-maker", made) == (2, 8)
    assert played(SOUND, made) == (3, 14)
    missing = play_view("9, , 5 8, 2 3 4", 1, trick="1 10, 0 10", best_suit=0, best_rank=10)
    assert played("void-maker", missing) == (2, 5)
    assert played(SOUND, missing) == (3, 2)
    wins = missing._replace(best_rank=8)
    assert played("void-maker", wins) == (0, 9)
    no_trump = replace_hand(missing, ", , 5 8, 2 3 4")
    assert played("void-maker", no_trump) == (3, 2)
    follows = play_view("9, 3 4, 5, 6 7", 0, trick="1 10")
    assert played("void-maker", follows) == (1, 4)


def replace_hand(view: PlayView, hand: str) -> PlayView:
    """The same view with other cards in hand."""
    return view._replace(hand=masks(hand))  # type: ignore[arg-type]


def test_spoiler_leaves_and_takes(played: Any) -> None:
    lost = play_view("3, 4 8 K, 5, 6", 1, won=2, trick="1 10, 1 2, 1 3")
    assert lost.winner == 1
    full = lost._replace(bids=[1, 0, 1, 1, 0, 0])  # type: ignore[arg-type]  # who wins has his bid
    needy = lost._replace(bids=[1, 1, 0, 0, 0, 0])  # type: ignore[arg-type]
    gone = lost._replace(bids=[1, 9, 0, 0, 0, 0])  # type: ignore[arg-type]
    assert played("spoiler", full) == (1, 8)
    assert played("spoiler", needy) == (1, 13)
    assert played("spoiler", gone) == (1, 8)
    for view in (full, needy, gone):
        assert played(SOUND, view) == (1, 8)


def test_spoiler_minds_the_leader(played: Any) -> None:
    view = play_view("3, 4 8 K, 5, 6", 1, won=2, trick="1 10, 1 2")
    view = view._replace(bids=[1, 1, 0, 0, 0, 0])  # type: ignore[arg-type]  # 1 to come, 2 wins
    ahead, behind = ([0, *p, 0, 0, 0] for p in ((9, 0), (0, 9)))
    assert played("spoiler", view._replace(points=ahead)) == (1, 13)  # type: ignore[arg-type]
    assert played("spoiler", view._replace(points=behind)) == (1, 8)  # type: ignore[arg-type]


def test_spoiler_ducks_on_where_each_trick_costs(played: Any) -> None:
    view = play_view("3, 4 8 K, 5, 6", 0, won=1, trick="1 10, 1 2, 1 3")
    view = view._replace(bids=[0, 1, 0, 0, 0, 0])  # type: ignore[arg-type]
    assert played("spoiler", view) == (1, 13)
    assert played("spoiler", view._replace(per_trick=1)) == (1, 8)


def test_bower_timing(played: Any) -> None:
    assert played("bower-timing", play_view("R L 3, A, 5, 6", 2)) == (0, 16)
    assert played("bower-timing", play_view("R A 3, A, 5, 6", 2)) == (0, 16)
    kept = play_view("R L 3, A, 5, 6", 1)
    assert played("bower-timing", kept) not in {(0, 16), (0, 15), (1, 14)}
    under = play_view("R 3, 4, 5, 6", 1, trick="0 10")
    assert played("bower-timing", under) == (0, 3)
    last = play_view("R, , ,", 1, trick="1 10")
    assert played("bower-timing", last) == (0, 16)
    equal = play_view("R 3, 4, 5, 6", 1, trick="0 R")  # the other one, of two packs
    assert played("bower-timing", equal) == (0, 3)


# ---- both lanes

VARIANTS = [
    Rules(),
    Rules(bowers=False, hook=True),
    Rules(packs=2, max_hand=12, wrong_zero="per_trick"),
    Rules(left_bower_follows="printed", first_dealer=1),
]


@pytest.fixture(scope="module")
def compiled(registry: Registry) -> dict[str, list[Player]]:
    """By decision, every strategy that can be asked for it."""
    return {
        decision: [
            compiled_player(found.cls(), *classes, found.origin.closure(), decision)
            for found in registry.strategies("stiche_ansagen").values()
            if hasattr(found.cls, decision)
        ]
        for decision, classes in CLASSES.items()
    }


def test_all_are_compiled(compiled: dict[str, list[Player]]) -> None:
    for players in compiled.values():
        assert [(p.strategy.name, p.reason) for p in players if not p.is_compiled] == []


@pytest.mark.parametrize(
    ("rules", "seats"), list(zip(VARIANTS, (4, 6, 3, 2), strict=True)), ids=str
)
def test_scores_are_the_same_compiled(
    rules: Rules, seats: int, compiled: dict[str, list[Player]]
) -> None:
    bidders, players = (
        [replace(player, score_all=None) for player in compiled[decision]] for decision in CLASSES
    )
    seated = [(bidders[seat % len(bidders)], players[seat % len(players)]) for seat in range(seats)]
    seen = 0
    for one in decisions(rules, Dice(5, 6), 3, seated, new_room()):
        decision = "bid" if isinstance(one.view, BidView) else "play"
        for player in compiled[decision]:
            method: Any = getattr(player.strategy, decision)
            plain = [float(method(one.view, move)) for move in one.moves]
            assert scores_of(player, one.view, one.moves) == plain, (player.strategy.name, one)
            seen += 1
    assert seen > 1000


def scores_of(player: Player, view: Any, moves: Any) -> list[float]:
    """What the compiled loop says."""
    arrays = [np.array(part, np.int64) if isinstance(part, list) else part for part in view]
    table = np.ascontiguousarray(np.array(moves, np.int64).T)
    scores = np.zeros(len(moves))
    player.score_all(player.weights, type(view)(*arrays), table, len(moves), scores)
    found: list[float] = scores.tolist()
    return found
