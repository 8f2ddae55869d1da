"""`summary.csv`, `report.md` and the table in the terminal."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from sim.report import tables
from sim.results import Results
from tests.report.make import EASY, HARD, field, make_entry, make_results, sweep

COMMAND = "tipoff run configs/club_fight/beginner_tips.yaml"


def page(results: Results) -> str:
    return tables.markdown(results, ["win_rate.png", "leftover.png"], COMMAND)


# --- summary.csv ---


def test_csv_gives_every_number_back_to_the_bit() -> None:
    results = sweep([0.1, 1 / 3], [True, False])
    rows = list(csv.DictReader(io.StringIO(tables.summary_csv(results))))
    assert len(rows) == len(results.entries)
    for row, entry in zip(rows, results.entries, strict=True):
        for name in ("win_rate", "leftover_mean", "leftover_low", "leftover_high", "turns_mean"):
            assert float(row[name]) == getattr(entry, name)
        assert float(row["win_rate_low"]) == entry.win_rate_low
        assert float(row["win_rate_high"]) == entry.win_rate_high
        assert (int(row["deals"]), int(row["wins"])) == (entry.deals, entry.wins)
        texts = (row["label"], row["strategy"], row["digest"])
        assert texts == (entry.label, entry.strategy, entry.digest)
        assert int(row["rules.jokers"]) == entry.rules["jokers"]
        assert row["rules.all_clear"] == "false"
        other = str(entry.params["other"]).lower()
        assert row["params"] == f"weight={entry.params['weight']!r};other={other}"


def test_csv_survives_awkward_labels_and_options_that_differ() -> None:
    label = 'say "stop", then\nstop; $'
    entries = [make_entry(label, 0.2), make_entry("b", 0.3, ("other", {"deals": 3}))]
    rows = list(csv.DictReader(io.StringIO(tables.summary_csv(make_results(entries)))))
    assert rows[0]["label"] == label
    assert [row["rules.deals"] for row in rows] == ["", "3"]
    assert [row["deals"] for row in rows] == ["1000000", "1000000"]


# --- report.md ---


def test_the_page_names_every_label_variant_chart_and_origin() -> None:
    results = field(12)
    text = page(results)
    assert all(entry.label in text for entry in results.entries)
    assert all(f"## {variant}" in text for variant in results.variant_names())
    assert "](win_rate.png)" in text
    assert "](leftover.png)" in text
    for origin in (str(results.seed), results.digest, "`hashed`", "numba 0.68.1", COMMAND):
        assert origin in text
    assert "pointwise" in text
    assert "Overlapping intervals settle nothing" in text


def cells(text: str) -> list[list[str]]:
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in rows]


def test_the_tables_are_sorted_by_win_rate_and_bear_no_ranks() -> None:
    entries = [make_entry(label, rate) for label, rate in (("a", 0.1), ("b", 0.3), ("c", 0.2))]
    head, *rows = cells(page(make_results(entries)))
    assert head[:3] == ["strategy", "won, %", "95 % interval"]
    assert [row[:3] for row in rows] == [
        ["b", "30.00", "29.91–30.09"],
        ["c", "20.00", "19.92–20.08"],
        ["a (baseline)", "10.00", "9.94–10.06"],
    ]


def test_labels_cannot_break_the_page() -> None:
    awkward = "a|b *c* [d](e) <f> `g`\n## h _i_ j_k"
    text = page(make_results([make_entry(awkward, 0.2)]))
    row = cells(text.replace("\\|", "/"))[1]
    assert row[0] == "a/b \\*c\\* \\[d\\](e) \\<f> \\`g\\` \\#\\# h \\_i\\_ j_k (baseline)"
    assert len(row) == 6


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "How often does this strategy win"), (3, "How often do these 3 strategies win")],
)
def test_the_question_is_one_sentence(count: int, words: str) -> None:
    question = page(field(count)).split("\n\n")[1]
    assert question.startswith(words)
    assert question.count("?") == 1
    assert question.endswith("?")


def test_texts_speak_of_the_game_and_experiment_of_the_results() -> None:
    results = replace(field(2), game="golf", experiment="walk")
    for text in (page(results), tables.terminal(results), tables.summary_csv(results)):
        assert "club" not in text.replace("clubs", "").replace(COMMAND, "").lower()
    assert page(results).startswith("# walk\n")


# --- Terminal ---


def test_the_terminal_table_is_aligned_sorted_and_narrow() -> None:
    results = field(12)
    text = tables.terminal(results)
    assert all(len(line) <= 80 for line in text.splitlines())
    first = text.split("\n\n")[0].splitlines()
    assert first[0] == f"{EASY[0]}, the same 1,000,000 deals"
    assert len({len(line) for line in first[1:]}) == 1
    rates = [float(line[31:].split()[0]) for line in first[2:]]
    assert rates == sorted(rates, reverse=True)
    assert HARD[0] in text


def test_a_long_label_stands_whole_on_its_own_line() -> None:
    long = "a strategy that is called by every word of the advice that it follows, one by one"
    lines = tables.terminal(make_results([make_entry(long, 0.2), make_entry("b", 0.1)])).split("\n")
    at = next(i for i, line in enumerate(lines) if long in line)
    assert lines[at].strip() == f"{long} (baseline)"
    assert lines[at + 1].split()[0] == "20.00"
    assert len(lines[at + 1]) == len(lines[at + 2])


def test_the_terminal_says_where_the_numbers_come_from() -> None:
    results = field(1)
    last = tables.terminal(results).rstrip().split("\n\n")[-1].replace("\n", " ")
    assert f"seed {results.seed}" in last
    assert results.digest[:12] in last
    assert "tipoff 0.1.0" in last
