"""`summary.csv` and the table in the terminal."""

from __future__ import annotations

import csv
import io

from sim.report import tables
from sim.report.versus import against
from tests.report.make import EASY, HARD, field, make_entry, make_results, sweep

INTERVAL = ["95", "%", "interval"]

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
        assert (int(row["seed"]), row["run_digest"]) == (results.seed, results.digest)
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


def test_csv_holds_ranks_and_differences_from_the_baseline() -> None:
    results = field(5)
    rows = list(csv.DictReader(io.StringIO(tables.summary_csv(results))))
    found = against(results, results.baseline)
    for row, entry in zip(rows, results.entries, strict=True):
        assert (int(row["rank_low"]), int(row["rank_high"])) == entry.rank
        pair = found.get((entry.variant, entry.label))
        names = ("difference", "difference_low", "difference_high", "p_holm")
        if pair is None:
            assert [row[name] for name in names] == [""] * 4
        else:
            numbers = (pair.difference, pair.low, pair.high, pair.p_holm)
            assert tuple(float(row[name]) for name in names) == numbers


def test_csv_of_a_single_entry_has_the_same_columns() -> None:
    one, five = (tables.summary_csv(field(count)).splitlines()[0].split(",") for count in (1, 5))
    assert one == five


# --- Terminal ---


def test_the_terminal_table_is_aligned_sorted_and_narrow() -> None:
    results = field(12)
    text = tables.terminal(results)
    assert all(len(line) <= 80 for line in text.splitlines())
    first = text.split("\n\n")[0].splitlines()
    assert first[0] == f"{EASY[0]}, the same 1,000,000 deals"
    rows = [line.rsplit("–", 1)[0].rsplit("  ", 1)[0] for line in first[2:] if "–" in line]
    rates = [float(row.split()[-1]) for row in rows]
    assert rates == sorted(rates, reverse=True)
    assert len(rates) == 12
    assert HARD[0] in text


def test_the_terminal_has_ranks_and_gains_and_says_what_they_mean() -> None:
    results = field(3, two=False, deals=4_000, spread=0.04)
    lines = tables.terminal(results).splitlines()
    assert lines[1].split() == ["rank", "won", "%", *INTERVAL, "gain", *INTERVAL, "left"]
    rows = [" ".join(line.split()) for line in lines[2:6]]
    assert rows[0].startswith("Random move 1–2 34.7 33.2–36.2 +2.7 +1.2 to +4.2 ")
    assert rows[1].startswith("High clubs first 1–3 33.3 31.8–34.9 = +1.3 −0.1 to +2.8 ")
    assert rows[2].startswith("Clear most cards 2–3 32.0 30.5–33.5 baseline ")
    assert "Holm over all pairs of a table" in " ".join(lines)


def test_the_terminal_shows_a_single_entry_without_ranks() -> None:
    first, *_, last = tables.terminal(field(1, two=False)).split("\n\n")
    _, head, row = first.splitlines()
    assert head.split() == ["won", "%", *INTERVAL, "left", *INTERVAL]
    assert "Random move (baseline)  3.000" in row
    assert last.startswith("seed")


def test_a_long_label_stands_whole_on_its_own_line() -> None:
    long = "a strategy that is called by every word of the advice that it follows, one by one"
    lines = tables.terminal(make_results([make_entry(long, 0.2), make_entry("b", 0.1)])).split("\n")
    at = next(i for i, line in enumerate(lines) if long in line)
    assert lines[at].strip() == long
    assert lines[at + 1].split()[:2] == ["1", "20.00"]
    assert len(lines[at + 1]) == len(lines[at + 2])


def test_the_terminal_says_where_the_numbers_come_from() -> None:
    results = field(1)
    last = tables.terminal(results).rstrip().split("\n\n")[-1].replace("\n", " ")
    assert f"seed {results.seed}" in last
    assert results.digest[:12] in last
    assert "tipoff 0.1.0" in last
