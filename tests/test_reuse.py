"""Adding to a finished run: only what is missing is played, and the summary says what and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sim import work
from sim.game import Game
from tests.command import CONFIG, HEAD, Said, Tipoff, config, results, tipoff_in, without_charts
from tests.plugins import GREEDY, reading_anew, write

FOLDER = Path("reports/tiny")
MINE = HEAD + "plugins: [mine.py]\nstrategies: [greedy-most-cards, mine]\n"
HELPED = """
    import _mine
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return move.cleared * _mine.SIGN
    """


@pytest.fixture
def tipoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> Tipoff:
    without_charts(monkeypatch)
    return reading_anew(tipoff_in(capsys))


@pytest.fixture
def really_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file to which every worker writes the deals it plays: (first, count) a line."""
    log, part = tmp_path / "played.log", Game.part

    class Counting:
        def __init__(self, play: object) -> None:
            self._play = play

        def __getattr__(self, name: str) -> object:
            found = getattr(self._play, name)
            if name != "play_block":
                return found

            def play_block(
                rules: object, dice: object, first: int, count: int, who: object
            ) -> object:
                with log.open("a") as file:
                    file.write(f"{first} {count}\n")
                return found(rules, dice, first, count, who)

            return play_block

    monkeypatch.setattr(
        work.Game,
        "part",
        lambda game, name: Counting(part(game, name)) if name == "play" else part(game, name),
    )
    return log


def counted(log: Path) -> int:
    """Return how many games workers have played since this was asked last."""
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return sum(int(line.split()[1]) for line in lines)


def cells(said: Said) -> str:
    """Return what the summary says of the cells."""
    return "".join(re.findall(r"^cells: (.*)$", said.out, re.MULTILINE))


def test_a_first_run_says_nothing_of_cells(tipoff: Tipoff, really_played: Path) -> None:
    said = tipoff("run", config(Path()), "--start-method", "fork")
    assert cells(said) == "" and counted(really_played) == said.games[0] == 2000


FORK = ("--start-method", "fork", "--workers", 2)


def check_added(
    tipoff: Tipoff, log: Path, played: int, reused: int, told: str, *words: object
) -> None:
    """Run again: so much is really played, and all is as if played in one go."""
    counted(log)
    said = tipoff("run", "tiny.yaml", *FORK, *words)
    assert (said.status, said.games) == (0, (played, reused)), said
    assert counted(log) == played
    assert cells(said) == told
    whole = tipoff("run", "tiny.yaml", *FORK, *words, "--out", "whole")
    assert whole.games == (played + reused, 0) and whole.digest == said.digest
    one, other = (results(folder) for folder in (FOLDER, Path("whole")))
    assert one == other
    again = tipoff("run", "tiny.yaml", *FORK, *words)
    assert again.games[0] == 0 and cells(again) == f"{len(one['entries'])} reused"


def test_more_deals(tipoff: Tipoff, really_played: Path) -> None:
    tipoff("run", config(Path()), "--deals", 333)
    check_added(tipoff, really_played, 2000 - 666, 666, "2 extended")


def test_another_strategy(tipoff: Tipoff, really_played: Path) -> None:
    tipoff("run", config(Path()))
    config(Path(), CONFIG.replace("[", "[random, "))
    check_added(tipoff, really_played, 1000, 2000, "2 reused, 1 new")


def test_another_rules_variant(tipoff: Tipoff, really_played: Path) -> None:
    tipoff("run", config(Path()))
    config(Path(), CONFIG + "rules: {jokers: [1, 2]}\n")
    check_added(tipoff, really_played, 2000, 2000, "2 reused, 2 new")


def test_an_edited_strategy(tipoff: Tipoff, really_played: Path) -> None:
    write(Path(), GREEDY)
    tipoff("run", config(Path(), MINE))
    write(Path(), GREEDY.replace("move.cleared", "-move.cleared"))
    told = "1 reused, 1 replayed because its source changed (mine)"
    check_added(tipoff, really_played, 1000, 1000, told)


def test_an_edited_helper(tipoff: Tipoff, really_played: Path) -> None:
    write(Path(), HELPED, _mine="SIGN = 1.0\n")
    tipoff("run", config(Path(), MINE))
    write(Path(), HELPED, _mine="SIGN = -1.0\n")
    told = "1 reused, 1 replayed because its source changed (mine)"
    check_added(tipoff, really_played, 1000, 1000, told)


def test_all_at_once(tipoff: Tipoff, really_played: Path) -> None:
    write(Path(), GREEDY)
    tipoff("run", config(Path(), MINE.replace("mine]", "{use: random, deals: 500}, mine]")))
    write(Path(), GREEDY + "# a comment is a change, too\n")
    config(Path(), MINE.replace("mine]", "random, mine, joker-first]"))
    told = "1 reused, 1 extended, 1 new, 1 replayed because its source changed (mine)"
    check_added(tipoff, really_played, 2500, 1500, told)


def test_other_weights_are_new(tipoff: Tipoff) -> None:
    tipoff("run", config(Path()))
    said = tipoff("run", config(Path(), CONFIG.replace("weight: 1", "weight: 2")))
    assert cells(said) == "1 reused, 1 new"


def test_a_fresh_seed_has_cells_of_its_own(tipoff: Tipoff) -> None:
    sweep = HEAD + "strategies: [random, {use: joker-first, weight: [0, 1]}]\n"
    tipoff("run", config(Path(), sweep))
    said = tipoff("run", config(Path(), sweep + "fresh_seed: 8\n"))
    assert cells(said) == "3 reused, 2 new" and said.games == (2000, 3000)
    assert cells(tipoff("run", "tiny.yaml")) == "5 reused"


def test_a_target_that_was_met_plays_nothing_again(tipoff: Tipoff) -> None:
    until = "{until: {half_width: 0.05, of: difference}, at_most: 40_000, round: 2_000}"
    tipoff("run", config(Path(), CONFIG.replace("1000", until)))
    assert cells(tipoff("run", "tiny.yaml")) == "2 reused"
    config(Path(), CONFIG.replace("1000", until.replace("0.05", "0.015")))
    assert cells(tipoff("run", "tiny.yaml")) == "2 extended"


def test_many_replayed_cells_are_not_all_named(tipoff: Tipoff) -> None:
    sweep = MINE.replace("mine]", "{use: mine, weight: [1, 2, 3, 4, 5, 6, 7]}]")
    write(Path(), GREEDY)
    tipoff("run", config(Path(), sweep), "--deals", 100)
    write(Path(), GREEDY + "# edited\n")
    said = tipoff("run", "tiny.yaml", "--deals", 100)
    names = ", ".join(f"mine weight={weight}" for weight in range(1, 6))
    assert cells(said) == (f"1 reused, 7 replayed because its source changed ({names} and 2 more)")


@pytest.mark.parametrize(
    ("game", "told"),
    [({"rules_version": 2}, "the rules of the game changed"), ({}, "the stream of deals changed")],
)
def test_other_versions(
    game: dict[str, int], told: str, tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim import reuse
    from sim.games import club_fight

    tipoff("run", config(Path()))
    for name, value in game.items():
        monkeypatch.setitem(vars(club_fight.GAME), name, value)
    if not game:
        monkeypatch.setattr(work, "STREAM_VERSION", 2)
        monkeypatch.setattr(reuse, "STREAM_VERSION", 2)
    said = tipoff("run", "tiny.yaml", *FORK)
    names = "greedy-most-cards, joker-first weight=1"
    assert cells(said) == f"2 replayed because {told} ({names})"
    assert said.games == (2000, 0)


# ---- entries that leave a report


def test_entries_that_leave_the_report_are_named(tipoff: Tipoff) -> None:
    tipoff("run", config(Path(), CONFIG + "rules: {jokers: [1, 2]}\n"))
    said = tipoff("run", config(Path(), HEAD + "strategies: [greedy-most-cards]\n"))
    assert said.status == 0 and said.games == (0, 1000)
    assert said.err == (
        "warning: reports/tiny shows entries that are no longer in the config; the new report will "
        "not have them: 'joker-first weight=1' under 1 joker (easy), 'greedy-most-cards' under 2 "
        "jokers (hard), 'joker-first weight=1' under 2 jokers (hard)\n"
    )
    assert tipoff("run", "tiny.yaml").err == "", "they are gone now"


def test_a_redrawn_report_names_them_too(tipoff: Tipoff) -> None:
    tipoff("run", config(Path()))
    config(FOLDER, HEAD + "strategies: [greedy-most-cards]\n", "config.yaml")
    said = tipoff("report", FOLDER)
    assert said.status == 0 and "not have them: 'joker-first weight=1' under " in said.err


def test_they_are_named_even_if_the_run_then_stops(
    tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    tipoff("run", config(Path()))
    before = (FOLDER / "results.json").read_bytes()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.playing.Playing.play", stop)
    said = tipoff("run", config(Path(), HEAD + "strategies: [greedy-most-cards]\n"))
    assert said.status == 130 and "warning: reports/tiny shows entries" in said.err
    assert (FOLDER / "results.json").read_bytes() == before


def test_a_new_label_is_no_loss(tipoff: Tipoff) -> None:
    tipoff("run", config(Path()))
    renamed = CONFIG.replace("weight: 1", "weight: 1, label: jokers")
    assert tipoff("run", config(Path(), renamed)).err == ""


def test_only_some_are_named(tipoff: Tipoff) -> None:
    weights = ", ".join(map(str, range(1, 10)))
    many = HEAD + f"strategies: [random, {{use: joker-first, weight: [{weights}]}}]\n"
    tipoff("run", config(Path(), many), "--deals", 100)
    said = tipoff("run", config(Path(), HEAD + "strategies: [random]\n"), "--deals", 100)
    assert "weight=5' under 1 joker (easy) and 4 more\n" in said.err and "=6" not in said.err
