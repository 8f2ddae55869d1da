"""Tournaments of Stiche ansagen, from the command line: the same however they are played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.published import read
from sim.standings import Standings
from tests.toys import Said, tipoff

HEAD = """# Who bids best?
experiment: small
game: stiche_ansagen
deals: 40
seed: 11
"""
ENTRIES = """strategies:
  - aces-and-trumps
  - always-zero
  - {bid: sum-of-chances, play: [void-maker, spoiler]}
"""
FORKED = ("--start-method", "fork")


def run(folder: Path, text: str, *words: object) -> Said:
    folder.mkdir(exist_ok=True)
    config = folder / "small.yaml"
    config.write_text(text, encoding="utf-8")
    return tipoff("run", config, "--out", folder / "out", *FORKED, *words)


def played(folder: Path, text: str, *words: object) -> Standings:
    said = run(folder, text, *words)
    assert said.status == 0, said.err
    found = read(folder / "out" / "results.json")
    assert isinstance(found, Standings)
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Standings:
    """A round robin of four entries at three seats."""
    return played(tmp_path_factory.mktemp("whole"), HEAD + "seats: 3\n" + ENTRIES)


def test_every_set_of_three_plays_every_rotation(whole: Standings) -> None:
    labels = [entry.label for entry in whole.entries]
    assert labels[2:] == ["sum-of-chances + void-maker", "sum-of-chances + spoiler"]
    assert len({frozenset(table.members) for table in whole.lineups}) == len(whole.lineups) == 4
    for entry in whole.entries:
        assert entry.games == 40 * 3 * 3  # deals, line-ups, rotations
        assert entry.points_low <= entry.points_mean <= entry.points_high
        assert len(entry.seat_means) == 3
        assert sum(entry.seat_means) / 3 == pytest.approx(entry.points_mean)
    assert {(pair.a, pair.b) for pair in whole.pairs} == {
        (a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]
    }
    assert len(whole.ratings) == 4
    assert sum(one.rating for one in whole.ratings) == pytest.approx(0, abs=1e-3)


def test_neither_order_nor_workers_nor_shards_change_a_game(
    whole: Standings, tmp_path: Path
) -> None:
    lines = ENTRIES.splitlines()
    turned = "\n".join([lines[0], *reversed(lines[1:])]) + "\n"
    text = HEAD + "seats: 3\n" + turned
    again = played(tmp_path / "again", text, "--workers", 1)
    assert again.digest == whole.digest
    digests = {frozenset(table.members): table.leaves for table in whole.lineups}
    assert {frozenset(table.members): table.leaves for table in again.lineups} == digests
    means = {entry.label: entry.points_mean for entry in whole.entries}
    assert {entry.label: entry.points_mean for entry in again.entries} == means
    shards = [tmp_path / f"shard-{i}" for i in (1, 2)]
    for i, folder in enumerate(shards, start=1):
        assert run(folder, text, "--shard", f"{i}/2").status == 0
    said = tipoff("merge", *(folder / "out" for folder in shards), "--out", tmp_path / "merged")
    assert said.status == 0, said.err
    merged = read(tmp_path / "merged" / "results.json")
    assert merged == again


def test_a_run_goes_on_and_is_drawn_again(tmp_path: Path) -> None:
    text = HEAD + "lineups: [[aces-and-trumps, always-zero, always-zero]]\n" + ENTRIES
    first = played(tmp_path, text)
    assert [entry.label for entry in first.entries] == ["aces-and-trumps", "always-zero"]
    more = played(tmp_path, text, "--deals", 60)
    assert more.entries[0].deals == 60 and more.digest != first.digest
    table = (tmp_path / "out" / "summary.csv").read_bytes()
    said = tipoff("report", tmp_path / "out")
    assert said.status == 0, said.err
    assert (tmp_path / "out" / "summary.csv").read_bytes() == table
    said = run(tmp_path, text, "--deals", 50)
    assert said.status == 2 and "shows 'aces-and-trumps' over 60 deals" in said.err


def test_against_a_field_all_meet_the_same(tmp_path: Path) -> None:
    text = HEAD + "seats: 4\nfield: always-zero\n" + ENTRIES
    found = played(tmp_path, text)
    assert found.tournament == "against_field" and found.baseline == "always-zero"
    assert [table.members[1:] for table in found.lineups] == [("always-zero",) * 3] * 4
    alone = {entry.label: entry for entry in found.entries}["always-zero"]
    assert alone.first_share == pytest.approx(0.25)  # among its like


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("seats: 7", "small.yaml:6:8: seats: Stiche ansagen is for 2 to 6, not for 7"),
        ("seats: 3\nrules: {max_hand: 26}", "max_hand: hands of 26 cannot be dealt from 1 pack"),
        ("seats: 3\nrules: {max_hand: 0}", "expected 1 to 25"),
        ("seats: 3\nrules: {packs: 3}", "packs: expected 1 or 2, got 3"),
        ("seats: 3\nrules: {wrong_zero: none}", "expected 'mirror' or 'per_trick', got 'none'"),
        ("seats: 3\nrules: {first_dealer: 3}", "seat 3 is empty with 3 players; expected 0 to 2"),
        ("seats: [3, 3]", "small.yaml:6:12: seats: 3 stands twice in the list"),
        ("field: [always-zero, always-zero]\nseats: 4", "field: 2 labels; at 4 seats expected"),
        ("lineups: [[always-zero]]", "lineups: 1 labels; expected 2 to 6, one a seat"),
        ("seats: 3\nbaseline: nobody", "baseline: no entry has the label 'nobody'"),
    ],
)
def test_what_cannot_be_is_refused(lines: str, message: str, tmp_path: Path) -> None:
    said = run(tmp_path, HEAD + lines + "\n" + ENTRIES)
    assert said.status == 2 and message in said.err and "small.yaml:" in said.err
    assert not (tmp_path / "out").exists()


def test_watch_shows_a_line_up() -> None:
    names = ["aces-and-trumps", "sum-of-chances+spoiler", "always-zero"]
    words = ("watch", "stiche_ansagen", *names, "--deal", 3, "--seed", 5)
    game = json.loads(tipoff(*words, "--json").out)
    assert list(game) == ["game", "rules", "seed", "deal", "line_up", "rounds", "totals"]
    assert game["line_up"] == names and len(game["rounds"]) == 20
    for number, one in enumerate(game["rounds"], start=1):
        assert one["round"] == number and one["dealer"] == (number - 1) % 3
        assert sum(one["won"]) == len(one["tricks"]) == len(one["hands"][0])
        assert one["tricks"][0]["leader"] == (one["dealer"] + 1) % 3
        played = sorted(card for trick in one["tricks"] for card in trick["cards"])
        assert played == sorted(card for hand in one["hands"] for card in hand)
        assert one["trump_card"] not in played
    points = zip(*(one["points"] for one in game["rounds"]), strict=True)
    assert game["totals"] == [sum(own) for own in points]
    turned = json.loads(tipoff(*words, "--rotation", 1, "--json").out)
    assert turned["line_up"] == [names[2], *names[:2]]
    assert [one["hands"] for one in turned["rounds"]] == [one["hands"] for one in game["rounds"]]
    text = tipoff(*words).out
    assert f"First with {max(game['totals'])} points: " in text and "Round 20: " in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("watch", "stiche_ansagen", "always-zero"), "is for 2 to 6: give so many strategies"),
        (("watch", "stiche_ansagen", "spoiler", "always-zero"), "'spoiler' is a part"),
        (("watch", "stiche_ansagen", "spoiler+void-maker", "always-zero"), "no part with bid"),
        (("watch", "club_fight", "random", "random"), "Club Fight is played alone"),
        (("duel", "stiche_ansagen", "always-zero", "aces-and-trumps"), "duel is for games"),
        (("moves", "stiche_ansagen", "--stdin"), "moves is for games"),
    ],
)
def test_commands_say_what_they_want(words: tuple[str, ...], message: str) -> None:
    said = tipoff(*words)
    assert said.status == 2 and message in said.err


def test_plan_says_what_it_will_cost(tmp_path: Path) -> None:
    config = tmp_path / "small.yaml"
    config.write_text(HEAD + "seats: [3, 4]\n" + ENTRIES, encoding="utf-8")
    said = tipoff("plan", config)
    assert said.status == 0, said.err
    assert "3 players, house rules: 4 line-ups, 480 games" in said.out
    assert "640 games, about " in said.out
