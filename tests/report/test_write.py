"""A folder of results: complete, whole files, nothing stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.report import style, tables
from sim.report.write import write_report
from sim.results import Results
from tests.report.make import PNG, field, make_entry, make_results, sweep
from tests.report.make_counts import with_counts

PAGES = ["report.html", "report.md"]
FIXED = [*PAGES, "differences.png", "win_rate.png", "pairs.png", "leftover.png"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the heads of charts only: drawing them takes a while and is tested elsewhere."""
    monkeypatch.setattr(style, "png", lambda draw: PNG)


def test_a_report_is_written_whole(tmp_path: Path) -> None:
    results = sweep([1, 2], [3, 4], two=False)
    folder = tmp_path / "reports" / "new"
    paths = write_report(results, folder, "tipoff run x.yaml")
    sweeps = ["sweep_tips_weight.png", "sweep_tips_other.png"]
    assert [path.name for path in paths] == [*FIXED, *sweeps, "summary.csv", "results.json"]
    assert names(folder) == sorted(path.name for path in paths)
    assert Results.read(folder / "results.json") == results
    assert (folder / "summary.csv").read_text(encoding="utf-8") == tables.summary_csv(results)
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert all(f"]({path.name})" in page for path in paths if path.suffix == ".png")
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in paths if path.suffix == ".png")


def test_results_survive_their_json() -> None:
    results = with_counts(sweep([0.1, 1 / 3, True]))
    assert Results.from_json(results.to_json()) == results


def test_counts_take_a_line_each_in_the_json() -> None:
    counted = with_counts(field(1, two=False))
    text, counts = counted.to_json(), counted.entries[0].counted.counts
    assert f'\n     "cleared": [{counts["cleared"][0]},{counts["cleared"][1]},0],\n' in text
    assert '\n   "rank": [1,1],\n' in text
    label = "a [\n1,\n2\n] b"  # a text is no list
    results = make_results([make_entry(label, 0.2)])
    assert Results.from_json(results.to_json()) == results


@pytest.mark.usefixtures("undrawn")
def test_stale_sweeps_go_and_other_files_stay(tmp_path: Path) -> None:
    write_report(with_counts(sweep([1, 2], two=False)), tmp_path, "x")
    assert (tmp_path / "pace.png").exists()
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "sweep_notes.txt").write_text("mine too")
    write_report(field(2, two=False), tmp_path, "x")
    kept = [*FIXED, "summary.csv", "results.json", "notes.txt", "sweep_notes.txt"]
    assert names(tmp_path) == sorted(kept)


@pytest.mark.usefixtures("undrawn")
def test_a_file_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    paths = write_report(field(2, two=False), tmp_path, "x")
    before = {path: path.stat().st_ino for path in paths}
    write_report(field(2, two=False), tmp_path, "another command")
    changed = [path.name for path in paths if path.stat().st_ino != before[path]]
    assert changed == PAGES


@pytest.mark.usefixtures("undrawn")
def test_a_single_entry_is_compared_with_nobody(tmp_path: Path) -> None:
    write_report(field(2), tmp_path, "x")
    paths = write_report(field(1), tmp_path, "x")
    assert [path.name for path in paths] == [
        *(name for name in FIXED if name not in ("differences.png", "pairs.png")),
        "summary.csv",
        "results.json",
    ]
    assert names(tmp_path) == sorted(path.name for path in paths)


@pytest.mark.usefixtures("undrawn")
def test_the_question_leads_the_pages(tmp_path: Path) -> None:
    question = "Is <this> so?"
    pages = write_report(field(1), tmp_path, "x", question)[:2]
    html, text = (page.read_text(encoding="utf-8") for page in pages)
    assert '<p class="lead">Is &lt;this&gt; so?</p>' in html
    assert text.split("\n\n")[1] == "Is \\<this> so?"


def test_a_failure_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = tmp_path / "win_rate.png"
    chart.write_bytes(b"old")
    monkeypatch.setattr(style, "png", lambda draw: b"new")

    def fail(source: Path, target: Path) -> None:
        if target == chart:
            raise OSError("disk full")

    monkeypatch.setattr("sim.report.write.os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_report(field(1), tmp_path, "x")
    assert chart.read_bytes() == b"old"
    assert names(tmp_path) == ["win_rate.png"]


def test_no_entries_make_a_page_without_charts(tmp_path: Path) -> None:
    nothing = make_results(field(1).entries)
    nothing = Results(**{**vars(nothing), "entries": ()})
    paths = write_report(nothing, tmp_path, "x")
    assert [path.name for path in paths] == [*PAGES, "summary.csv", "results.json"]
