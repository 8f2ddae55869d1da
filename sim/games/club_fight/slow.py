"""The naive twin of Club Fight: the rules read aloud, slow and plain, to check the fast engine by.

Nothing is generated cleverly: every non-empty set of lying cards is held against every rule, club
by club, and the rule, quoted in its docstring, says yes or no. Nothing of the project is imported,
so the two share no mistake. Cards are text such as ``TD``, ``AC`` or ``Jk``, an empty cell is None.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

Deck: TypeAlias = list[str]  # index 0 is the top
Grid: TypeAlias = list[str | None]  # nine cells in reading order
Cells: TypeAlias = frozenset[int]
Candidate: TypeAlias = tuple[frozenset[str], Cells]  # clubs spent, cells cleared

RANKS, JOKER = "A23456789TJQK", "Jk"
VALUE = {rank + suit: n for suit in "HSDC" for n, rank in enumerate(RANKS, 1)}  # no joker in it
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}]


class Table(NamedTuple):
    """What every rule is asked about, beside a club of value v and the cells it would clear."""

    lying: Cells  # where a card lies
    numbers: dict[int, int]  # cell -> value; "a joker has no suit and no value", hence no entry


def subsets(cells: Cells) -> list[Cells]:
    """Every non-empty set of these cells."""
    return [frozenset(s) for n in range(1, len(cells) + 1) for s in combinations(cells, n)]


def is_match(v: int, cells: Cells, table: Table) -> bool:
    """Match: "all numbered cards of value v"."""
    return cells == {cell for cell, n in table.numbers.items() if n == v}


def is_sum(v: int, cells: Cells, table: Table) -> bool:
    """Sum: "any set of numbered cards whose values add up to exactly v"."""
    return cells <= table.numbers.keys() and sum(table.numbers[cell] for cell in cells) == v


def is_any(v: int, cells: Cells, table: Table) -> bool:
    """Any: "exactly one card, joker or not"."""
    return len(cells) == 1


def is_line(v: int, cells: Cells, table: Table) -> bool:
    """Line: "every card in one row or column that contains ... a numbered card of value v"."""
    whole = any(cells == line & table.lying for line in LINES)
    return whole and any(table.numbers.get(cell) == v for cell in cells)


def is_down(v: int, cells: Cells, table: Table) -> bool:
    """Up/Down: "2 <= v <= 7: all numbered cards with value < v"."""
    return 2 <= v <= 7 and cells == {cell for cell, n in table.numbers.items() if n < v}


def is_up(v: int, cells: Cells, table: Table) -> bool:
    """Up/Down: "7 <= v <= 12: all numbered cards with value > v"."""
    return 7 <= v <= 12 and cells == {cell for cell, n in table.numbers.items() if n > v}


def is_run(v: int, cells: Cells, table: Table) -> bool:
    """Run: "pairwise different values, none equal to v", with v "consecutive integers"."""
    return cells <= table.numbers.keys() and consecutive([v, *(table.numbers[c] for c in cells)])


def is_all_clear(clubs: tuple[str, ...], cells: Cells, table: Table) -> bool:
    """All Clear: "three clubs of the hand with consecutive values", "the whole grid"."""
    return cells == table.lying and consecutive([VALUE[club] for club in clubs])


def consecutive(values: list[int]) -> bool:
    """Whether these are consecutive integers, each of them once ("K-A do not connect")."""
    return sorted(values) == list(range(min(values), min(values) + len(values)))


Rule: TypeAlias = Callable[[int, Cells, Table], bool]
ONE_CLUB: dict[str, Rule] = {"match": is_match, "sum": is_sum, "any": is_any, "line": is_line}
ONE_CLUB |= {"down": is_down, "up": is_up, "run": is_run}
BLOCK_OF = {"line": "line", "down": "updown", "up": "updown", "run": "run"}
BLOCKING_SUIT = {"line": "D", "updown": "S", "run": "H"}


def blocked(grid: Grid) -> set[str]:
    """Blocks: "`line` if >= 3 diamonds, `updown` if >= 3 spades, `run` if >= 3 hearts"."""
    suits = [card[-1] for card in grid if card]
    return {block for block, suit in BLOCKING_SUIT.items() if suits.count(suit) >= 3}


def actions(grid: Grid, hand: list[str], all_clear: bool = False) -> dict[Candidate, set[str]]:
    """Every distinct effect (clubs spent, cells cleared), with the kinds of action allowing it."""
    lying = frozenset(cell for cell, card in enumerate(grid) if card)
    numbers = {cell: VALUE[card] for cell, card in enumerate(grid) if card and card != JOKER}
    table, tries, blocks = Table(lying, numbers), subsets(lying), blocked(grid)
    free = {kind: rule for kind, rule in ONE_CLUB.items() if BLOCK_OF.get(kind) not in blocks}
    found: dict[Candidate, set[str]] = {}
    for club, cells in product(hand, tries):
        if kinds := {kind for kind, rule in free.items() if rule(VALUE[club], cells, table)}:
            found[frozenset({club}), cells] = kinds
    for clubs, cells in product(combinations(hand, 3), tries if all_clear else []):
        if is_all_clear(clubs, cells, table):
            found[frozenset(clubs), cells] = {"all_clear"}
    return found


@dataclass
class Game:
    """One game: from two shuffled decks, or in mid-play from everything that lies about."""

    grid_deck: Deck
    clubs_deck: Deck
    all_clear: bool = False
    grid: Grid = field(default_factory=lambda: [None] * 9)
    hand: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    turn: int = 0  # moves already made

    def __post_init__(self) -> None:
        """Set up: "deal 9 grid cards face up into cells 0..8", "draw 4 clubs to hand"."""
        self.grid_deck, self.clubs_deck = list(self.grid_deck), list(self.clubs_deck)
        self.grid, self.hand, self.discards = [*self.grid], [*self.hand], [*self.discards]
        self.refill_and_draw()

    @property
    def left(self) -> int:
        """What is left: "cards in grid + grid deck"."""
        return sum(card is not None for card in self.grid) + len(self.grid_deck)

    @property
    def won(self) -> bool:
        """Won: "grid empty AND grid deck empty"."""
        return self.left == 0

    @property
    def over(self) -> bool:
        """Won, or lost: "no club in hand (hence none in the deck)"."""
        return self.won or not self.hand

    def actions(self) -> dict[Candidate, set[str]]:
        """What may be done now: nothing once the game is over."""
        return {} if self.over else actions(self.grid, self.hand, self.all_clear)

    def play(self, candidate: Candidate) -> None:
        """One turn: club and cards "go to the discard pile", win test, refill, draw."""
        clubs, cells = candidate
        for club in sorted(clubs):
            self.discards.append(self.hand.pop(self.hand.index(club)))
        for cell in sorted(cells):
            card, self.grid[cell] = self.grid[cell], None
            assert card, f"no card lies in cell {cell}"
            self.discards.append(card)
        self.turn += 1
        if not self.won:
            self.refill_and_draw()

    def refill_and_draw(self) -> None:
        """Each "top card in the lowest-numbered empty cell"; clubs "until the hand holds 4"."""
        while self.grid_deck and None in self.grid:
            self.grid[self.grid.index(None)] = self.grid_deck.pop(0)
        while self.clubs_deck and len(self.hand) < 4:
            self.hand.append(self.clubs_deck.pop(0))


MASK = 2**64 - 1  # all integers below are 64 bits wide
ODD_STEP, ODD_DEAL = 0x9E3779B97F4A7C15, 0xA0761D6478BD642F
ODD_TURN, ODD_CANDIDATE = 0xD1342543DE82EF95, 0xFF51AFD7ED558CCD
GRID, CLUBS, TIES = 0x2545F4914F6CDD1D, 0x9FB21C651E98DF25, 0xC2B2AE3D27D4EB4F
Score: TypeAlias = Callable[[Game, Candidate], float]


def mix(z: int) -> int:
    """The finaliser of splitmix64: each bit of the input stirs every bit of the output."""
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def number(candidate: Candidate) -> int:
    """A candidate as an integer: bit i for each cell i, bit 9 + v for each club of value v."""
    clubs, cells = candidate
    return sum(1 << (9 + VALUE[club]) for club in clubs) + sum(1 << cell for cell in cells)


def tie_hash(key: int, turn: int, candidate: Candidate) -> int:
    """The rank of a candidate among its equals: as good as random, and the same for everybody."""
    return mix(mix(key + turn * ODD_TURN) + (number(candidate) + 1) * ODD_CANDIDATE)


def choose(game: Game, score: Score, key: int) -> Candidate:
    """The candidate of highest score; among equals the highest hash, then the larger number."""
    moves, turn = game.actions(), game.turn
    return max(moves, key=lambda m: (score(game, m), tie_hash(key, turn, m), number(m)))


def play_out(
    grid_deck: Deck, clubs_deck: Deck, score: Score, key: int, all_clear: bool = False
) -> Game:
    """The game at its end, every move chosen by the same score."""
    game = Game(grid_deck, clubs_deck, all_clear)
    while not game.over:
        game.play(choose(game, score, key))
    return game


def key_of(seed: int, purpose: int, deal_number: int) -> int:
    """The key of one deal for one purpose: the grid, the clubs or the ties (stream version 1)."""
    return mix(mix(mix(seed) ^ purpose) + deal_number * ODD_DEAL)


def tie_key(tie_seed: int, deal_number: int) -> int:
    """The key that breaks the ties of one deal."""
    return key_of(tie_seed, TIES, deal_number)


def stream(state: int) -> Iterator[int]:
    """The outputs of splitmix64 from this state."""
    while True:
        state = (state + ODD_STEP) & MASK
        yield mix(state)


def below(n: int, outputs: Iterator[int]) -> int:
    """A fair integer in 0..n-1 (Lemire 2019, "Fast random integer generation in an interval")."""
    threshold = (2**32 - n) % n  # so many of the 2^32 inputs are one too many
    products = (divmod((output >> 32) * n, 2**32) for output in outputs)
    return next(result for result, remainder in products if remainder >= threshold)


def shuffled(cards: Deck, key: int) -> Deck:
    """The cards in the order of this key: Fisher and Yates, from the end."""
    deck, outputs = list(cards), stream(key)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1, outputs)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def deal(seed: int, deal_number: int, jokers: int) -> tuple[Deck, Deck]:
    """The grid deck and the clubs deck of one deal; one joker means without the second of two."""
    cards = [rank + suit for suit in "HSD" for rank in RANKS] + [JOKER, "second"]
    order = shuffled(cards, key_of(seed, GRID, deal_number))
    grid_deck = [JOKER if card == "second" else card for card in order]
    if jokers == 1:
        del grid_deck[order.index("second")]
    return grid_deck, shuffled([r + "C" for r in RANKS], key_of(seed, CLUBS, deal_number))
