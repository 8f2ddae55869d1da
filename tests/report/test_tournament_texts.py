"""What a page, a terminal and a CSV file say of a tournament."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from itertools import combinations
from pathlib import Path

import pytest

from sim.report import style
from sim.report.as_markdown import markdown
from sim.report.findings import fill
from sim.report.tournament.page import page
from sim.report.tournament.pictures import pictures
from sim.report.tournament.tables import summary_csv, terminal
from sim.report.tournament.verdict import best
from sim.report.write import write_report, write_standings
from sim.standings import Standings
from tests.report.make import PNG, field
from tests.report.make_standings import (
    FOUR,
    by_rank,
    make_standing,
    make_standings,
    several,
    with_circle,
)


def text_of(made: Standings) -> str:
    images = [one.image for one in pictures(made)]
    return markdown(page(made, images, "tipoff run x.yaml", "Which bid?"))


def three(means: tuple[float, float, float], **changes: object) -> Standings:
    entries = [make_standing(label, mean) for label, mean in zip("abc", means, strict=True)]
    return make_standings(entries, **changes)  # type: ignore[arg-type]


# --- Verdict ---


def test_who_is_separated_above_all_is_best() -> None:
    assert best(three((9, 7, 1)), FOUR.words) == (
        "At 4 players, with the hook, a is best, separated above every other: 9.0 points a game "
        "(8.6 to 9.4), 2.0 points a game (1.7 to 2.3) better than the next, b."
    )


def test_who_cannot_be_told_apart_shares_the_first_place() -> None:
    text = best(three((9, 8.99, 1)), FOUR.words)
    assert "a and b share the first place" in text
    assert "is best," not in text


def test_nobody_is_best_in_a_circle() -> None:
    assert "nobody is best" in best(with_circle(), FOUR.words)


def test_who_never_met_the_others_is_not_best() -> None:
    """`a` beats `b`, but nothing is known of `a` and `c`, and `b` is above `c`."""
    text = best(three((9, 7, 1), against={("a", "c"): None}), FOUR.words)
    assert "nobody is separated above a, but it is not separated from all others" in text


def test_without_pairs_nothing_is_ranked() -> None:
    never = dict.fromkeys(combinations("abc", 2))
    text = best(three((9, 7, 1), against=never), FOUR.words)
    assert "no two can be compared" in text


def test_one_entry_has_its_points_and_no_rank() -> None:
    made = several(1, (FOUR,))
    assert best(made, FOUR.words).endswith("risk-aware has 32.0 points a game (31.6 to 32.4).")
    assert "share the first place" not in text_of(made)
    assert "place" not in terminal(made).split("\n")[1]


def test_ranks_are_told_where_there_are_no_points() -> None:
    text = text_of(by_rank(several(3, (FOUR,))))
    assert "a mean rank of" in text
    assert "points a game" not in text
    assert "points at each seat" not in text
    assert "ranks a game" in text


def test_hidden_cards_are_told_everywhere() -> None:
    made = make_standings([make_standing("seer", 9, clairvoyant=True), make_standing("b", 1)])
    assert "seer (sees hidden cards) is best" in text_of(made)
    assert "seer (baseline, sees hidden cards)" in text_of(made)
    assert "sees hidden cards" in terminal(made)


def test_a_pair_is_told_the_same_from_both_sides() -> None:
    made = three((9, 7, 1), baseline="b")
    (pair,) = [one for one in made.pairs if (one.a, one.b) == ("b", "c")]
    uneven = replace(pair, low=5.0, high=6.5)
    made = replace(made, pairs=tuple(uneven if one is pair else one for one in made.pairs))
    text = text_of(made)
    assert "c is behind b at 4 players, with the hook by 6.0 points a game (5.0 to 6.5)." in text
    assert "−6.0 | −6.5 to −5.0" in text


# --- Page ---


def test_the_page_names_the_circle_beside_ratings_and_the_pairs_stand_before() -> None:
    text = text_of(with_circle())
    ratings = text.split("## Ratings")[1].split("## Seats")[0]
    assert "a above b above c above a" in ratings
    assert "1 game with an average player" in ratings
    assert "400 resamples" in ratings
    assert "| C c | +2.0 | −1.0 |  | +7.0 |" in text.split("## Ratings")[0]
    assert "circle" not in text_of(several(3))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "every set of entries that fills a table"),
        ({"tournament": "against_field", "field": ("b",)}, "at a time against copies of b"),
        ({"tournament": "against_field", "field": ("b", "c")}, "at a time against b and c"),
        ({"tournament": "lineups"}, "as the config names them"),
    ],
)
def test_the_method_says_who_sat_together(changes: dict[str, object], words: str) -> None:
    made = replace(several(3), **changes)  # type: ignore[arg-type]
    text = text_of(made)
    assert words in text
    assert ("in the line-up of each" in text) == (made.tournament == "against_field")
    assert made.digest in text


def test_a_page_holds_all_numbers_of_an_entry() -> None:
    made = several(3, (FOUR,))
    (row,) = [line for line in text_of(made).splitlines() if line.startswith("| count-sure-")][:1]
    entry = made.entries[1]
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    assert cells[1] == "2"
    assert cells[2] == f"{entry.points_mean:.2f}"
    assert cells[6] == f"{100 * entry.first_share:.2f}"
    assert cells[-1] == f"{entry.games:,}"


# --- Terminal and CSV ---


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_the_terminal_has_eighty_columns(count: int) -> None:
    made = several(count, (FOUR,))
    long = replace(made.entries[0], label="x" * 70)
    renamed = tuple(replace(one, label=long.label) for one in made.ratings[:1])
    made = replace(made, entries=(long, *made.entries[1:]), ratings=(*renamed, *made.ratings[1:]))
    for each in (made, by_rank(made), with_circle()):
        assert max(map(len, terminal(each).splitlines())) <= 80
    assert "x" * 70 in terminal(made)


def test_the_csv_holds_every_number_unrounded() -> None:
    made = several(3)
    rows = list(csv.DictReader(StringIO(summary_csv(made))))
    assert len(rows) == len(made.entries)
    for row, entry in zip(rows, made.entries, strict=True):
        assert (row["label"], row["rules.hook"]) == (entry.label, "true")
        assert int(row["seats"]) == entry.seats
        assert float(row["points_low"]) == entry.points_low
        assert float(row["seat_2_high"]) == entry.seat_highs[2]
        assert row["parts"] == f"bid={entry.label}(risk=0.5);play=void-maker()"
        assert row["run_digest"] == made.digest
        assert (row["difference"] == "") == (entry.label == made.baseline)
        assert (row["seat_4"] == "") == (entry.seats < 5)


# --- The folder ---


def test_a_folder_is_written_whole_and_what_is_stale_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(style, "png", lambda draw: PNG)
    made = several(3)
    paths = write_standings(made, tmp_path, "tipoff run x.yaml")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in paths)
    assert Standings.read(tmp_path / "results.json") == made
    assert (tmp_path / "players.png").is_file()
    write_standings(by_rank(made), tmp_path, "tipoff run x.yaml")
    left = {path.name for path in tmp_path.glob("*.png")}
    assert left == {"places.png", "pairs.png", "ratings.png"}
    write_report(field(2), tmp_path, "tipoff run x.yaml")
    assert not {"places.png", "ratings.png"} & {path.name for path in tmp_path.iterdir()}


def test_an_odd_label_is_only_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "png", lambda draw: PNG)
    label = "<b>|`x`$_*"
    made = make_standings([make_standing(label, 3), make_standing("b", 1)])
    write_standings(made, tmp_path, "x")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<b>" not in html
    assert "&lt;b&gt;|`x`$_*" in html
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    widths = {line.count("|") - line.count("\\|") for line in text.splitlines() if "games" in line}
    rows = [line for line in text.splitlines() if line.startswith("| \\<b>")]
    assert rows
    assert {row.count("|") - row.count("\\|") for row in rows[:1]} <= widths


# --- Findings ---


def test_findings_speak_of_tournaments(tmp_path: Path) -> None:
    made = several(3, (FOUR,))
    (tmp_path / "bids").mkdir()
    (tmp_path / "bids" / "results.json").write_text(made.to_json(), encoding="utf-8")

    def ask(label: str, what: str) -> str:
        return fill(f"<{{{{bids / {FOUR.words} / {label} / {what}}}}}>", tmp_path)

    assert ask("risk-aware", "points") == "<32.0 (31.6–32.4)>"
    assert ask("risk-aware", "first") == "<33.0 % (32.8–33.2)>"
    assert ask("risk-aware", "rank") == "<1.97 (1.95–1.98)>"
    assert ask("risk-aware", "rating") == "<128 (126–130)>"
    assert ask("risk-aware", "lead").startswith("<+")
    for label, what in (("nobody", "points"), ("risk-aware", "won"), (made.baseline, "lead")):
        with pytest.raises(KeyError):
            ask(label, what)
