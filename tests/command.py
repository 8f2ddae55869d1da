"""The command line inside the test process: what `tipoff ...` prints and returns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main

HEAD = "experiment: tiny\ngame: club_fight\ndeals: 1000\nseed: 7\n"
CONFIG = HEAD + "strategies: [greedy-most-cards, {use: joker-first, weight: 1}]\n"


@dataclass(frozen=True)
class Said:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def digest(self) -> str:
        return re.findall(r"digest ([0-9a-f]{64})", self.out)[0]

    @property
    def games(self) -> tuple[int, int]:
        """Games played now, and games that were in the store."""
        played, reused = re.findall(r"([\d,]+) games played(?:, ([\d,]+) were)?", self.out)[0]
        return int(played.replace(",", "")), int(reused.replace(",", "") or 0)


Tipoff = Callable[..., Said]


def tipoff_in(capsys: pytest.CaptureFixture[str]) -> Tipoff:
    """Return a function that runs a command in this process."""

    def tipoff(*words: object) -> Said:
        capsys.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as leave:  # argparse
            status = int(leave.code or 0)
        return Said(int(status), *capsys.readouterr())

    return tipoff


def without_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports consist of results.json only: drawing takes a second or two."""
    monkeypatch.setattr("sim.report.write.write_report", write_results)


def write_results(results: Any, folder: Path, *_: object) -> list[Path]:
    path = folder / "results.json"
    path.write_text(results.to_json(), encoding="utf-8")
    return [path]


def config(folder: Path, text: str = CONFIG, name: str = "tiny.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def results(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))
