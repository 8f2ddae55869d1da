"""`report.html` in a real browser: nothing missing, nothing wider than the window, no complaint."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sim.report.write import write_report
from sim.results import Results
from tests.report.make import field, wordy
from tests.report.make_counts import with_counts

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",  # so that the checks may look into the page
    "--enable-logging=stderr",  # with what is written to the console
    "--virtual-time-budget=20000",
    "--window-size=1400,900",
)
WIDTHS = (1280, 390)  # CSS pixels

# A page that shows the report in frames of these widths and writes down what it measures.
CHECKS = """<!doctype html><meta charset="utf-8"><title>checks</title>
<link rel="icon" href="data:,"><body><pre id="found"></pre><script>
const found = {};
function measure(frame) {
  const page = frame.contentDocument, root = page.documentElement;
  const outside = [...page.querySelectorAll("body *")].filter((one) => {
    const box = one.closest(".scroll, pre") ?? one;
    return box.getBoundingClientRect().right > frame.clientWidth + 0.5;
  });
  found[frame.width] = {
    wide: Math.max(root.scrollWidth, page.body.scrollWidth),
    outside: outside.map((one) => one.outerHTML.slice(0, 80)),
    images: [...page.images].map((image) => [image.complete, image.naturalWidth, image.width]),
    scrolling: [...page.querySelectorAll(".scroll")].map((a) => a.scrollWidth > a.clientWidth),
    size: parseFloat(frame.contentWindow.getComputedStyle(page.body).fontSize),
  };
  document.getElementById("found").textContent = JSON.stringify(found);
}
for (const width of WIDTHS) {
  const frame = document.createElement("iframe");
  frame.width = width;
  frame.height = 800;
  frame.style.border = "0";
  frame.onload = () => measure(frame);
  frame.src = "PAGE";
  document.body.append(frame);
}
</script>"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium in the path")


@dataclass(frozen=True)
class Look:
    """What the browser found."""

    by_width: dict[int, dict[str, Any]]
    console: list[str]


def look_at(page: Path, profile: Path) -> Look:
    checks = page.with_name("checks.html")
    text = CHECKS.replace("WIDTHS", str(list(WIDTHS))).replace("PAGE", page.name)
    checks.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [str(CHROMIUM), *FLAGS, f"--user-data-dir={profile}", "--dump-dom", checks.as_uri()],
        capture_output=True,
        text=True,
        timeout=50,
    )
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match, done.stderr
    found = json.loads(html.unescape(match[1]) or "{}")
    console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    return Look({int(width): one for width, one in found.items()}, console)


REPORTS = {
    "one": field(1),
    "many": with_counts(field(21, two=False, deals=4_000)),
    "wordy": with_counts(wordy()),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_loads_whole_fits_its_window_and_is_silent(name: str, tmp_path: Path) -> None:
    check(REPORTS[name], tmp_path)


def check(results: Results, tmp_path: Path) -> None:
    paths = write_report(results, tmp_path / "report", "tipoff run " + "x" * 300, "Why?")
    charts = [path for path in paths if path.suffix == ".png"]
    look = look_at(paths[0], tmp_path / "profile")
    assert look.console == []
    assert sorted(look.by_width) == sorted(WIDTHS)
    for width, found in look.by_width.items():
        assert found["wide"] <= width
        assert found["outside"] == []
        assert len(found["images"]) == len(charts)
        assert all(done and natural > 300 for done, natural, _ in found["images"])
        assert all(0 < shown <= width for _, _, shown in found["images"])
        assert found["size"] >= 16
    assert all(look.by_width[390]["scrolling"])


def test_the_checks_find_what_is_wrong(tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text(
        '<!doctype html><meta charset="utf-8"><div style="width:500px">wide</div>'
        '<img src="missing.png"><script>console.error("trouble")</script>'
    )
    look = look_at(page, tmp_path / "profile")
    assert look.by_width[390]["wide"] == 508  # with the margin of a page without style
    assert "wide" in look.by_width[390]["outside"][0]
    assert [natural for _, natural, _ in look.by_width[1280]["images"]] == [0]
    assert any("trouble" in line for line in look.console)
