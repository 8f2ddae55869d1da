"""The compiled engine against the naive twin: candidates, actions, blocks, and whole games."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from sim.cards import card_text
from sim.game import Dice
from sim.games.club_fight import Rules, slow
from sim.games.club_fight.play import play_block
from sim.games.club_fight.rules import GRID_SIZE
from sim.games.club_fight.steps import new_counters, new_room
from sim.games.club_fight.text import club_text
from sim.games.club_fight.turns import turns
from sim.games.club_fight.view import Move
from sim.games.club_fight.watch import position_moves
from sim.lanes import Player

SEED = 20_26
POSITIONS, GAMES = 2_000, 300
PACK = [rank + suit for suit in "HSD" for rank in slow.RANKS] + [slow.JOKER, slow.JOKER]


def random_position(dice: random.Random) -> tuple[slow.Grid, list[str]]:
    """A grid with now and then some holes, and a hand; small values are often doubled."""
    cards: slow.Grid = list(dice.sample(PACK, 9))
    if dice.random() < 0.3:  # few values: many sums, runs and matches
        ranks = dice.choice(["A2345", "56789", "9TJQK"])
        near = [card for card in PACK[:-2] if card[0] in ranks]
        cards = list(dice.sample([*near, *PACK[-2:]], 9))
    for cell in dice.sample(range(9), dice.choice([0, 0, 0, 2, 4, 6, 8])):
        cards[cell] = None
    clubs = dice.sample([rank + "C" for rank in slow.RANKS], dice.choice([1, 2, 3, 4, 4, 4]))
    return cards, clubs


def as_text(grid: slow.Grid) -> str:
    """The grid in the notation of `tipoff moves`."""
    return " ".join(card or "--" for card in grid)


@pytest.mark.parametrize("all_clear", [False, True])
def test_candidates_and_actions_of_random_positions(all_clear: bool) -> None:
    dice = random.Random(SEED + all_clear)
    for _ in range(POSITIONS // 2):
        grid, hand = random_position(dice)
        found = position_moves(as_text(grid), " ".join(hand), Rules(all_clear=all_clear))
        listed = [(frozenset(move["clubs"]), frozenset(move["cells"])) for move in found["moves"]]
        assert len(set(listed)) == len(listed), f"listed twice: {as_text(grid)} | {hand}"
        actions = [set(move["actions"]) for move in found["moves"]]
        expected = slow.actions(grid, hand, all_clear)
        assert dict(zip(listed, actions, strict=True)) == expected, f"{as_text(grid)} | {hand}"
        assert set(found["blocked"]) == slow.blocked(grid)


def twin_of(move: Move) -> slow.Candidate:
    """A move of the engine as the twin writes it."""
    clubs = frozenset(club_text(value) for value in range(1, 14) if move.clubs >> value & 1)
    return clubs, frozenset(cell for cell in range(9) if move.cells >> cell & 1)


SCORES: dict[str, Callable[[slow.Game, slow.Candidate], float]] = {
    "random": lambda game, move: 0.0,
    "greedy-most-cards": lambda game, move: float(len(move[1])),
    "joker-first": lambda game, move: (
        len(move[1]) + 100.0 * sum(game.grid[cell] == slow.JOKER for cell in move[1])
    ),
}
VARIANTS = [Rules(1), Rules(2), Rules(1, True), Rules(2, True)]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
@pytest.mark.parametrize("name", SCORES)
def test_whole_games_agree_move_by_move(
    name: str, rules: Rules, player: Callable[..., Player]
) -> None:
    dice, played = Dice(SEED, SEED + 1), player(name)
    count = GAMES // (len(SCORES) * len(VARIANTS))
    block = play_block(rules, dice, 0, count, played)
    for number in range(count):
        grid_deck, clubs_deck = slow.deal(SEED, number, rules.jokers)
        twin = slow.Game(grid_deck, clubs_deck, rules.all_clear)
        key, room = slow.tie_key(SEED + 1, number), new_room()
        for turn in turns(rules, dice, number, played, room, new_counters()):
            assert [card_text(card) for card in turn.view.grid] == [c or "--" for c in twin.grid]
            if number % 5 == 0:  # the twin is slow, and random positions compare them too
                assert {twin_of(move) for move in turn.moves} == set(twin.actions())
            assert turn.view.grid_deck == len(twin.grid_deck)
            assert turn.view.clubs_deck == len(twin.clubs_deck)
            chosen = slow.choose(twin, SCORES[name], key)
            assert twin_of(turn.moves[turn.chosen]) == chosen
            twin.play(chosen)
        assert twin.over
        assert block.outcomes[:, number].tolist() == [twin.left, twin.turn]


def test_deals_are_those_of_the_twin(player: Callable[..., Player]) -> None:
    room, played = new_room(), player("random")
    for seed, number in [(0, 0), (2024, 1), (2**63 - 1, 2**33 + 7)]:
        for jokers in (1, 2):
            next(turns(Rules(jokers), Dice(seed, 0), number, played, room, new_counters()))
            deck = [card_text(c) for c in room.table.grid_deck[: room.table.now[GRID_SIZE]]]
            clubs = [club_text(int(value)) for value in room.table.clubs_deck]
            assert (deck, clubs) == slow.deal(seed, number, jokers)


def test_hashed_ties_are_as_good_as_truly_random_ones(player: Callable[..., Player]) -> None:
    """Greedy with fair random ties wins 33.77 % and leaves 2.51 (hand-written loop, 200,000)."""
    block = play_block(Rules(1), Dice(77, 78), 0, 200_000, player("greedy-most-cards"))
    left = block.outcomes[0].astype(float)
    error = left.std() / np.sqrt(left.size)
    assert abs(left.mean() - 2.51062) < 4 * np.hypot(error, 0.00626)
    wins = float((left == 0).mean())
    assert abs(wins - 0.337705) < 4 * np.hypot(0.001057, 0.001057)
