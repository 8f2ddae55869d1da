"""The ratios measured last time, committed, and which of today's fell behind them.

Only ratios of two things measured in turn in one run are compared: absolute times are those of a
machine and an hour.
"""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "performance" / "figures.json"
DROP = 0.10  # said loudly


def load() -> dict[str, float]:
    """Return the committed ratios by name; higher is better for all of them."""
    found: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))["ratios"]
    return found


def save(machine: str, ratios: dict[str, float]) -> None:
    """Write new ratios over the old ones; those not measured now stay."""
    merged = {name: round(ratio, 3) for name, ratio in ({**load(), **ratios}).items()}
    text = json.dumps({"measured": machine, "ratios": merged}, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8")


def drops(before: dict[str, float], now: dict[str, float]) -> list[str]:
    """Return a line for each ratio that is more than `DROP` below what it was."""
    return [
        f"{name}: {ratio:.2f}, was {before[name]:.2f} ({ratio / before[name] - 1:+.0%})"
        for name, ratio in now.items()
        if name in before and ratio < (1 - DROP) * before[name]
    ]
