"""What must hold in every game of the naive twin, whoever plays it and however badly."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.games.stiche_ansagen.slow import PACK, Options, Round, effective_suit, points
from sim.games.stiche_ansagen.slow_game import Game, new_game

options = st.builds(
    Options,
    hook=st.booleans(),
    wrong_zero=st.sampled_from(["mirror", "per_trick"]),
    left_bower_follows=st.sampled_from(["trump", "printed"]),
    max_hand=st.integers(1, 25),
    packs=st.sampled_from([1, 2]),
    first_dealer=st.sampled_from([0, 1]),
    bowers=st.booleans(),
)


def dealt_once(one: Round) -> None:
    """No card comes more often than the packs have it, and the rest is what is missing."""
    cards = Counter([one.trump_card, *(card for hand in one.hands for card in hand)])
    assert not cards - Counter(PACK * one.options.packs)
    assert {len(hand) for hand in one.hands} == {one.cards}
    assert one.cards <= min(one.options.max_hand, (52 * one.options.packs - 1) // one.seats)


def a_candidate_exists(one: Round) -> None:
    """Even the dealer under the hook may say something, and a card can always be played."""
    candidates = one.candidates()
    assert candidates
    assert len(set(candidates)) == len(candidates)
    if not one.bidding:
        assert set(candidates) <= set(one.hand(one.seat))


def followed(one: Round) -> None:
    """Who did not follow had no card of the suit led until the end of the round."""
    for trick in one.tricks:
        suits = [effective_suit(card, one.trump, one.options) for card in trick.cards]
        for turn in (turn for turn, suit in enumerate(suits) if suit != suits[0]):
            seat = (trick.leader + turn) % one.seats
            later = one.tricks[one.tricks.index(trick) :]
            held = [other.cards[(seat - other.leader) % one.seats] for other in later]
            assert suits[0] not in [effective_suit(c, one.trump, one.options) for c in held]


def at_the_end(one: Round) -> None:
    everybody = range(one.seats)
    assert sum(one.won(seat) for seat in everybody) == one.cards
    for seat in everybody:
        assert sorted(one.played(seat)) == sorted(one.hands[seat])
        assert abs(one.points(seat)) <= 10 * one.cards
    for before, after in zip(one.tricks, one.tricks[1:], strict=False):
        assert after.leader == one.winner_of(before)
    assert one.tricks[0].leader == (one.dealer + 1) % one.seats
    if one.options.hook:
        assert sum(one.said) != one.cards
    followed(one)


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 6), st.integers(0, 2**63 - 1), st.randoms(use_true_random=False))
def test_games(options: Options, seats: int, seed: int, dice: Random) -> None:
    options = options._replace(max_hand=min(options.max_hand, 4))
    game = new_game(options, seed, 3, seats)
    assert game.rounds[0].dealer == options.first_dealer
    while not game.over:
        a_candidate_exists(game.round)
        game.do(dice.choice(game.round.candidates()))
    for one in game.rounds:
        dealt_once(one)
        at_the_end(one)
    assert [one.cards for one in game.rounds] == game.sizes
    assert game.decisions == sum(seats * (one.cards + 1) for one in game.rounds)
    assert game.totals == [sum(one.points(seat) for one in game.rounds) for seat in range(seats)]


@settings(max_examples=60, deadline=None)
@given(options, st.integers(2, 6), st.integers(0, 2**63 - 1), st.integers(0, 2**40))
def test_the_largest_hands_can_be_dealt(options: Options, seats: int, seed: int, deal: int) -> None:
    game = Game(options, seats, seed + deal)
    for _ in game.sizes[1:]:
        game.deal()
    for one in game.rounds:
        dealt_once(one)


@given(options, st.integers(0, 51), st.integers(0, 51))
def test_points(options: Options, bid: int, won: int) -> None:
    found = points(bid, won, options)
    assert (found > 0) == (bid == won)
    assert abs(found) <= max(5, 10 * max(bid, won))
    if bid:
        assert abs(found) == 10 * bid
