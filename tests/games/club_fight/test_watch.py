"""`tipoff watch` and `tipoff moves`: the JSON that others read, against the naive twin."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from sim.cli import main
from sim.games.club_fight import slow
from tests.perft.vectors import Moves, Vector, divide, load

EXAMPLE = ["--grid", "6H 9S 2D / AD Jk TD / KD 4H 6S", "--hand", "3C 6C QC KC"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out


def candidate(move: dict[str, Any]) -> slow.Candidate:
    return frozenset(move["clubs"]), frozenset(move["cells"])


@pytest.mark.parametrize(
    ("strategy", "rules"),
    [("all-tips", []), ("random", ["jokers=2"]), ("all-clear-hoarder", ["all_clear=true"])],
)
def test_a_watched_game_is_the_twins(
    strategy: str, rules: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["watch", "club_fight", strategy, "--deal", "7", "--seed", "11", "--json"]
    game = json.loads(run(capsys, *words, *(["--rules", *rules] if rules else [])))
    assert list(game) == [
        *("game", "rules", "seed", "deal", "strategy", "params"),
        *("grid_deck", "clubs_deck", "turns", "won", "leftover"),
    ]
    assert (game["game"], game["seed"], game["deal"]) == ("club_fight", 11, 7)
    assert (game["grid_deck"], game["clubs_deck"]) == slow.deal(11, 7, game["rules"]["jokers"])
    twin = slow.Game(game["grid_deck"], game["clubs_deck"], game["rules"]["all_clear"])
    for number, turn in enumerate(game["turns"], start=1):
        assert list(turn) == ["turn", "grid", "hand", "blocked", "move", "score", "candidates"]
        assert (turn["turn"], turn["grid"]) == (number, twin.grid)
        assert sorted(turn["hand"]) == sorted(twin.hand)
        assert set(turn["blocked"]) == slow.blocked(twin.grid)
        moves, chosen = twin.actions(), candidate(turn["move"])
        assert turn["candidates"] == len(moves)
        assert set(turn["move"]["actions"]) == moves[chosen]
        assert turn["move"]["cards"] == [twin.grid[cell] for cell in turn["move"]["cells"]]
        twin.play(chosen)
    assert twin.over
    assert (game["won"], game["leftover"]) == (twin.won, twin.left)


def test_parameters_of_a_watched_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", "club_fight", "joker-first", "--set", "weight=1", "--json"]
    assert json.loads(run(capsys, *words))["params"] == {"weight": 1.0}


def test_a_game_for_reading(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "watch", "club_fight", "all-tips", "--deal", "3")
    assert text.startswith("Turn 1   40 cards left, 31 of them in the deck\n")
    assert "  blocked  " in text
    assert text.rstrip().splitlines()[-1].startswith(("Won: ", "Lost: "))


def test_moves_of_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "moves", "club_fight", *EXAMPLE, "--json"))
    assert list(found) == ["grid", "hand", "blocked", "moves"]
    assert (found["blocked"], found["hand"]) == (["line"], ["3C", "6C", "QC", "KC"])
    assert {
        "clubs": ["3C"],
        "cells": [2, 3],
        "cards": ["2D", "AD"],
        "actions": ["sum", "down", "run"],
    } in found["moves"]
    text = run(capsys, "moves", "club_fight", *EXAMPLE)
    assert text.startswith("blocked: line\n")
    assert text.endswith("52 moves\n")


@pytest.mark.parametrize(
    "vector", [pytest.param(vector, id=vector.id) for vector in load() if vector.clubs]
)
def test_every_vector_of_the_rules(vector: Vector, capsys: pytest.CaptureFixture[str]) -> None:
    """The engine through `tipoff moves`, club by club, with a divide on failure."""
    grid = " ".join(card or "--" for card in vector.grid)
    found = {}
    for ranks in vector.clubs:
        hand = " ".join(f"{rank}C" for rank in ranks.split())
        words = ["moves", "club_fight", "--grid", grid, "--hand", hand, "--json"]
        option = ["--rules", f"all_clear={str(vector.all_clear).lower()}"]
        moves = json.loads(run(capsys, *words, *option))["moves"]
        actions = {candidate(move): move["actions"] for move in moves}
        found[ranks] = Moves.found(vector.grid, actions)
    difference = divide(vector.clubs, found)
    assert not difference, difference


def test_positions_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "6H -- -- -- -- -- -- -- -- | 6C\n\n6h 9s 2d ad jk 10d kd 4h 6s | 3c\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    out = run(capsys, "moves", "club_fight", "--stdin", "--json")
    first, second = map(json.loads, out.splitlines())
    assert first["grid"] == ["6H", *[None] * 8]
    assert [move["actions"] for move in first["moves"]] == [["match", "sum", "any", "line"]]
    assert len(second["moves"]) == 12


@pytest.mark.parametrize(
    ("grid", "hand", "message"),
    [
        ("6H 6H 2D AD Jk TD KD 4H 6S", "3C", "6H stands twice"),
        ("6C 9S 2D AD Jk TD KD 4H 6S", "3C", "6C cannot lie in the grid"),
        ("Jk Jk Jk AD 2S TD KD 4H 6S", "3C", "3 jokers"),
        ("6H 9X 2D AD Jk TD KD 4H 6S", "3C", "'9X' is not a card"),
        ("6H 9S 2D AD Jk TD KD 4H 6S 7S", "3C", "nine cells"),
        ("6H 9S / 2D AD Jk TD / KD 4H 6S", "3C", "three rows of three"),
        ("-- -- -- -- -- -- -- -- --", "3C", "no card lies"),
        ("6H 9S 2D AD Jk TD KD 4H 6S", "", "one to four clubs; got 0"),
        ("6H 9S 2D AD Jk TD KD 4H 6S", "AC 2C 3C 4C 5C", "one to four clubs; got 5"),
        ("6H 9S 2D AD Jk TD KD 4H 6S", "3C 3C", "3C stands twice in hand"),
        ("6H 9S 2D AD Jk TD KD 4H 6S", "3H", "only clubs are held"),
    ],
)
def test_impossible_positions_are_refused(
    grid: str, hand: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["moves", "club_fight", "--grid", grid, "--hand", hand]) == 2
    assert message in capsys.readouterr().err


def test_a_bad_line_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for second in ("6H 9S", "6H | 3C"):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"6H {'-- ' * 8} | 6C\n{second}\n"))
        assert main(["moves", "club_fight", "--stdin"]) == 2
        assert "standard input, line 2: " in capsys.readouterr().err
