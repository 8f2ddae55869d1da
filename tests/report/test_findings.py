"""The page of answers: every number of it stands in a committed results.json."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sim.ladder import ladder_of
from sim.report.findings import REFERENCE, fill
from sim.report.versus import against
from sim.results import Results
from tests.report.make import make_entry, make_results

REPORTS = Path(__file__).parents[2] / "reports"
TEMPLATE = (REPORTS / "FINDINGS.template.md").read_text(encoding="utf-8")


def test_the_committed_page_is_fresh() -> None:
    assert fill(TEMPLATE, REPORTS) == (REPORTS / "FINDINGS.md").read_text(encoding="utf-8")


def test_the_text_itself_holds_no_percentage() -> None:
    """A number typed by hand would grow old unnoticed."""
    bare = REFERENCE.sub("", TEMPLATE)
    assert "%" not in bare
    assert not any(char.isdigit() for char in bare.replace("19 times out of 20", ""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    entries = [
        make_entry(f"tip weight={w}", rate, strategy="tip", params={"weight": w}, swept=("weight",))
        for w, rate in ((0.0, 0.3), (0.5, 0.41), (1.0, 0.2))
    ]
    again = make_entry("tip weight=0.5", 0.4, strategy="tip", params={"weight": 0.5})
    fresh = make_results([make_entry("base", 0.3), again])
    made = make_results([make_entry("base", 0.3), *entries])
    rungs = ladder_of(made, "tip weight=1.0", "tip weight=0.5")
    results = replace(made, fresh=fresh, ladder=rungs)
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "results.json").write_text(results.to_json(), encoding="utf-8")
    return tmp_path


def test_fields(folder: Path) -> None:
    variant = Results.read(folder / "small" / "results.json").variant_names()[0]

    def ask(label: str, what: str) -> str:
        return fill(f"<{{{{small / {variant} / {label} / {what}}}}}>", folder)

    assert ask("base", "won").startswith("<30.0 % (")
    assert ask("tip", "best").startswith("<0.5")
    assert ask("tip", "range") == "<0.5>"
    assert ask("tip", "best gain").startswith("<+10.0 (+"), "on the fresh deals"
    assert ask("tip weight=0.5", "gain").startswith("<+11.0 (+")
    assert ask("base", "way").startswith("<47.6 % (47.")
    with pytest.raises(KeyError):
        ask("nobody", "won")
    with pytest.raises(KeyError):
        ask("base", "worth")


def test_the_readme_tells_the_same() -> None:
    """The headline of the README is typed by hand, and checked here."""
    results = Results.read(REPORTS / "beginner_tips" / "results.json")
    text = (REPORTS.parent / "README.md").read_text(encoding="utf-8").split("## Install")[0]
    gains = against(results, results.baseline)
    for label in ("save-middle-clubs", "weak-clubs-early", "joker-first", "pace-keeper"):
        assert f"{abs(100 * gains['1 joker (easy)', label].difference):.1f}" in text, label
    rates = {entry.label: entry for entry in results.of_variant("1 joker (easy)")}
    for label in ("all-tips", "greedy-most-cards"):
        assert f"{100 * rates[label].win_rate:.1f} %" in text, label
