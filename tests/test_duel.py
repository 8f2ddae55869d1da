"""`tipoff duel`: the deals that separate two strategies, and the turn at which they part."""

from __future__ import annotations

import json

import pytest

from sim.cli import main
from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.games.club_fight.steps import new_counters, new_room
from sim.games.club_fight.turns import turns
from tests.conftest import MakePlayer

DUEL = ["duel", "club_fight", "all-tips", "greedy-most-cards"]


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> object:
    assert main([*DUEL, *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_swings_are_the_deals_furthest_apart(
    capsys: pytest.CaptureFixture[str], player: MakePlayer
) -> None:
    dice, names = Dice(9, 9), ("all-tips", "greedy-most-cards")
    a, b = (play_block(Rules(2), dice, 0, 500, player(n)).outcomes[0].astype(int) for n in names)
    found = answer(capsys, "--seed", "9", "--rules", "jokers=2", "--deals", "500", "--top", "500")
    assert isinstance(found, list)
    assert {one["deal"]: one["leftover"] for one in found} == {
        k: [a[k], b[k]] for k in range(500) if a[k] != b[k]
    }
    ranks = [((x == 0) != (y == 0), abs(x - y)) for x, y in (one["leftover"] for one in found)]
    assert ranks == sorted(ranks, reverse=True)


def test_up_to_the_parting_both_play_alike(
    capsys: pytest.CaptureFixture[str], player: MakePlayer
) -> None:
    for number in range(12):
        found = answer(capsys, "--seed", "4", "--deal", str(number))
        assert isinstance(found, dict)
        games = [
            list(turns(Rules(), Dice(4, 4), number, player(name), new_room(), new_counters()))
            for name in ("all-tips", "greedy-most-cards")
        ]
        moved = [[turn.moves[turn.chosen] for turn in game] for game in games]
        alike = [i for i, (x, y) in enumerate(zip(*moved, strict=False)) if x != y]
        assert found["turn"] == (alike[0] + 1 if alike else None)
        if alike:
            one, other = (game[alike[0]] for game in games)
            assert one.view == other.view
            scores = [choice["score"] for choice in found["moves"]]
            assert scores == [turn.scores[turn.chosen] for turn in (one, other)]
            assert all(choice["other"] <= choice["score"] for choice in found["moves"])


def test_a_strategy_never_parts_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "club_fight", "random", "random", "--deal", "3"]) == 0
    assert "both play the same game" in capsys.readouterr().out
    assert main(["duel", "club_fight", "random", "random", "--deals", "100"]) == 0


def test_labels_of_a_config(capsys: pytest.CaptureFixture[str]) -> None:
    config = ["--config", "club_fight/tip_strength", "--deals", "200", "--top", "2"]
    words = ["duel", "club_fight", "pace-keeper weight=0.1", "greedy-most-cards", *config]
    assert main(words) == 0
    assert "they part at turn" in capsys.readouterr().out
    words[2] = "pace-keeper wieght=0.1"
    assert main(words) == 2
    assert "did you mean 'pace-keeper weight=" in capsys.readouterr().err
