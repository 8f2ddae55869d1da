"""The test vectors of Club Fight, and the table that says where an engine departs from them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Grid: TypeAlias = list[str | None]
Cards: TypeAlias = tuple[str, ...]  # a set of cards, sorted by name
Candidate: TypeAlias = tuple[frozenset[str], frozenset[int]]  # clubs spent, cells cleared

FILE = Path(__file__).with_name("club_fight.json")
KINDS = ("any", "match", "sum", "line", "down", "up", "run", "all_clear")


def grid_of(text: str) -> Grid:
    """A grid from its text: cards in reading order, rows parted by ``/``, ``--`` for a hole."""
    return [None if card == "--" else card for card in text.split() if card != "/"]


def sets_of(texts: Mapping[str, list[str]]) -> dict[str, list[Cards]]:
    """Sets of cards by kind, from their texts."""
    return {kind: sorted(tuple(sorted(s.split())) for s in sets) for kind, sets in texts.items()}


@dataclass(frozen=True)
class Moves:
    """What one club may do: as found (all of it), or as expected (as much as the source says)."""

    counts: dict[str, int]  # moves by kind, their total, and the distinct sets
    sets: dict[str, list[Cards]]  # all sets of a kind
    some: dict[str, list[Cards]] = field(default_factory=dict)  # a few sets of a kind
    never: dict[str, list[Cards]] = field(default_factory=dict)  # cards together in none of a kind

    @classmethod
    def expected(cls, data: Mapping[str, Any]) -> "Moves":
        """Read from the data file; where it lists all sets it need not count them."""
        sets, some, never = (sets_of(data.get(name, {})) for name in ("sets", "some", "never"))
        listed = {kind: len(every) for kind, every in sets.items()}
        return cls(listed | data["counts"], sets, some, never)

    @classmethod
    def found(cls, grid: Grid, actions: Mapping[Candidate, Iterable[str]]) -> "Moves":
        """Counted from an engine's answer: each candidate with the kinds that allow it."""
        sets: dict[str, list[Cards]] = {kind: [] for kind in KINDS}
        for (_, cells), kinds in actions.items():
            for kind in kinds:
                sets[kind].append(tuple(sorted(str(grid[cell]) for cell in cells)))
        counts = {kind: len(every) for kind, every in sets.items()}
        counts |= {"total": sum(counts.values()), "distinct": len(actions)}
        return cls(counts, {kind: sorted(every) for kind, every in sets.items()})


@dataclass(frozen=True)
class Play:
    """A position, the move made in it, and what comes of it."""

    grid: Grid
    hand: list[str]
    grid_deck: list[str]
    clubs_deck: list[str]
    move: Candidate
    kinds: set[str]  # all kinds that allow the move
    after: dict[str, Any]  # grid, hand, left, over, won

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Play":
        """Read from the data file."""
        grid, after = grid_of(data["grid"]), dict(data["after"])
        cells = frozenset(grid.index(card) for card in data["clear"].split())
        return cls(
            grid=grid,
            hand=data["hand"].split(),
            grid_deck=data["grid_deck"].split(),
            clubs_deck=data["clubs_deck"].split(),
            move=(frozenset(data["spend"].split()), cells),
            kinds=set(data["kinds"]),
            after=after | {"grid": grid_of(after["grid"]), "hand": after["hand"].split()},
        )


@dataclass(frozen=True)
class Vector:
    """One vector: a position with what the clubs may do in it, or plays, or both."""

    id: str
    all_clear: bool
    grid: Grid
    suits: dict[str, int]  # as far as the source counts them
    blocks: set[str] | None  # None where the source is silent
    clubs: dict[str, Moves]  # by rank, or by the ranks of a hand: "A 2 3"
    plays: list[Play]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Vector":
        """Read from the data file."""
        return cls(
            id=data["id"],
            all_clear=data.get("all_clear", False),
            grid=grid_of(data.get("grid", "")),
            suits=data.get("suits", {}),
            blocks=set(data["blocks"]) if "blocks" in data else None,
            clubs={hand: Moves.expected(moves) for hand, moves in data.get("clubs", {}).items()},
            plays=[Play.read(play) for play in data.get("plays", [])],
        )


def load() -> list[Vector]:
    """Every vector of the data file."""
    return [Vector.read(vector) for vector in json.loads(FILE.read_text())["vectors"]]


def yardsticks() -> dict[str, Any]:
    """What simulations of the source measured: near, not exact."""
    return dict(json.loads(FILE.read_text())["yardsticks"])


def divide(expected: Mapping[str, Moves], found: Mapping[str, Moves]) -> str:
    """Where two counts of moves differ, club by club and kind by kind; empty where they agree.

    Named after the command of chess engines that splits a wrong total into its parts.
    """
    rows = [row for club in expected for row in differences(club, expected[club], found[club])]
    head = f"{'club':<9}{'kind':<11}{'expected':>8}{'found':>7}  sets"
    return "\n".join(["the moves differ", head, *rows]) if rows else ""


def differences(club: str, expected: Moves, found: Moves) -> Iterator[str]:
    """One row for each kind of action about which the two disagree."""
    for kind in dict.fromkeys([*expected.counts, *expected.some, *expected.never]):
        has = found.counts[kind]
        wants = expected.counts.get(kind, has)
        notes = quarrels(kind, expected, found)
        if notes or wants != has:
            yield f"{club:<9}{kind:<11}{wants:>8}{has:>7}  {', '.join(notes)}"


def quarrels(kind: str, expected: Moves, found: Moves) -> list[str]:
    """The sets about which the two disagree, in words."""
    has = found.sets.get(kind, [])
    all_of, some, never = (e.get(kind) for e in (expected.sets, expected.some, expected.never))
    missing = [s for s in dict.fromkeys([*(all_of or []), *(some or [])]) if s not in has]
    extra = [s for s in has if all_of is not None and s not in all_of]
    extra += [s for s in has for banned in never or [] if set(banned) <= set(s)]
    named = {"missing": missing, "not allowed": extra}
    return [f"{name} {show(sets)}" for name, sets in named.items() if sets]


def show(sets: Iterable[Cards]) -> str:
    """Sets of cards in braces."""
    return " ".join("{" + " ".join(s) + "}" for s in sets)
