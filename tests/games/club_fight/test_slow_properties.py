"""What must hold in every game of the naive twin, whoever plays it and however badly."""

from collections import Counter
from random import Random
from typing import TypeAlias

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sim.games.club_fight.slow import RANKS, Candidate, Game, Grid, actions, blocked, deal

Moves: TypeAlias = dict[Candidate, set[str]]

HEARTS_SPADES_DIAMONDS = [rank + suit for suit in "HSD" for rank in RANKS]
CLUBS = [rank + "C" for rank in RANKS]
TAKE_JOKERS = {"any", "line", "all_clear"}
BARRED = {"line": {"line"}, "updown": {"up", "down"}, "run": {"run"}}
SUIT = {"line": "D", "updown": "S", "run": "H"}


def grids() -> st.SearchStrategy[Grid]:
    """Any nine cells, holes among them, more jokers than the game has."""
    cards = st.lists(st.sampled_from(HEARTS_SPADES_DIAMONDS), unique=True, min_size=9, max_size=9)
    masks = st.lists(st.sampled_from(["card"] * 3 + ["hole", "joker"]), min_size=9, max_size=9)
    other = {"hole": None, "joker": "Jk"}
    return st.builds(
        lambda nine, mask: [other.get(m, c) for c, m in zip(nine, mask, strict=True)], cards, masks
    )


def cards_are_conserved(game: Game, jokers: int) -> None:
    lying = [card for card in game.grid if card]
    everywhere = [*lying, *game.grid_deck, *game.hand, *game.clubs_deck, *game.discards]
    whole = [*HEARTS_SPADES_DIAMONDS, *CLUBS, *["Jk"] * jokers]
    assert Counter(everywhere) == Counter(whole)


def holes_only_when_the_deck_is_empty(game: Game) -> None:
    assert None not in game.grid or not game.grid_deck


def hand_is_full_while_clubs_last(game: Game) -> None:
    assert len(game.hand) == 4 or not game.clubs_deck
    if not game.all_clear:
        assert len(game.hand) == min(4, 13 - game.turn)


def a_legal_action_exists(game: Game, moves: Moves) -> None:
    """Any club may take any single card."""
    for club in game.hand:
        for cell, card in enumerate(game.grid):
            assert not card or "any" in moves[frozenset({club}), frozenset({cell})]


def only_some_actions_take_jokers(game: Game, moves: Moves) -> None:
    for (_, cells), kinds in moves.items():
        assert kinds <= TAKE_JOKERS or all(game.grid[cell] != "Jk" for cell in cells)


def no_blocked_action_is_on_offer(game: Game, moves: Moves) -> None:
    barred = set().union(*(BARRED[block] for block in blocked(game.grid)))
    assert not any(kinds & barred for kinds in moves.values())


def play_at_random(game: Game, moves: Moves, random: Random) -> None:
    """One random turn, after which nothing has moved but what the move took."""
    before, club_count = list(game.grid), len(game.hand) + len(game.clubs_deck)
    clubs, cells = random.choice(list(moves))
    game.play((clubs, cells))
    assert len(game.hand) + len(game.clubs_deck) == club_count - len(clubs)
    assert len(clubs) == (3 if moves[clubs, cells] == {"all_clear"} else 1)
    assert all(game.grid[cell] == before[cell] for cell in range(9) if cell not in cells)


@settings(max_examples=30, deadline=None, phases=(Phase.reuse, Phase.generate))
@given(
    seed=st.integers(0, 2**63 - 1),
    number=st.integers(0, 2**40),
    jokers=st.sampled_from([1, 2]),
    all_clear=st.booleans(),
)
def test_whole_games(seed: int, number: int, jokers: int, all_clear: bool) -> None:
    game, random = Game(*deal(seed, number, jokers), all_clear), Random(seed ^ number)
    while not game.over:
        cards_are_conserved(game, jokers)
        holes_only_when_the_deck_is_empty(game)
        hand_is_full_while_clubs_last(game)
        moves = game.actions()
        a_legal_action_exists(game, moves)
        only_some_actions_take_jokers(game, moves)
        no_blocked_action_is_on_offer(game, moves)
        play_at_random(game, moves, random)
    cards_are_conserved(game, jokers)
    assert game.turn <= 13
    assert game.won == (not any(game.grid) and not game.grid_deck)
    assert game.won or not (game.hand or game.clubs_deck)


@given(grids())
def test_blocks_follow_the_suits(grid: Grid) -> None:
    suits = Counter(card[-1] for card in grid if card)
    assert blocked(grid) == {block for block, suit in SUIT.items() if suits[suit] >= 3}


@settings(max_examples=60, deadline=None)
@given(grids(), st.sampled_from(CLUBS))
def test_a_blocked_action_is_nowhere_on_offer(grid: Grid, club: str) -> None:
    offered = set().union(*actions(grid, [club]).values())
    for block in blocked(grid):
        assert not offered & BARRED[block]


@settings(max_examples=60, deadline=None)
@given(grids(), st.sampled_from(CLUBS))
def test_match_and_up_and_down_leave_no_choice(grid: Grid, club: str) -> None:
    kinds = Counter(kind for allowed in actions(grid, [club]).values() for kind in allowed)
    assert max(kinds["match"], kinds["up"], kinds["down"]) <= 1
    assert kinds["line"] <= 6


@settings(max_examples=30, deadline=None)
@given(grids(), st.sampled_from(CLUBS))
def test_rows_and_columns_are_alike(grid: Grid, club: str) -> None:
    """Turning the grid over its diagonal turns every action with it and changes nothing else."""
    turned = [grid[3 * (cell % 3) + cell // 3] for cell in range(9)]
    over = {
        (clubs, frozenset(3 * (cell % 3) + cell // 3 for cell in cells)): kinds
        for (clubs, cells), kinds in actions(grid, [club]).items()
    }
    assert actions(turned, [club]) == over


@settings(max_examples=30, deadline=None)
@given(grids(), st.lists(st.sampled_from(CLUBS), unique=True, min_size=1, max_size=4))
def test_a_hand_may_do_what_its_clubs_may_do(grid: Grid, hand: list[str]) -> None:
    """Without All Clear the clubs of a hand do not help one another."""
    one_by_one = [actions(grid, [club]) for club in hand]
    assert actions(grid, hand) == {move: kinds for a in one_by_one for move, kinds in a.items()}
