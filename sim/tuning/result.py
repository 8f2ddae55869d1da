"""The values a search found as a YAML file, with everything they owe their standing to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from sim.errors import BadInput
from sim.folder import whole
from sim.judge import versions
from sim.settings import text
from sim.spelling import Dumper
from sim.stats.intervals import wilson
from sim.tuning.methods import ALL
from sim.tuning.search import Checked, Found, identity
from sim.tuning.state import FILE_NAME as STATE

RESULT = "tuned.yaml"
HEAD = (
    "# Written by `tipoff tune`. What stands under `entry` may stand under `strategies` of any\n"
    "# experiment; the rest says where it comes from.\n"
)


def claim(folder: Path) -> None:
    """Make the folder if need be.

    Raises:
        BadInput: if it cannot be written, or a result would be overwritten that is not our own.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}") from error
    if (folder / RESULT).exists() and not (folder / STATE).exists():
        raise BadInput(
            f"{folder / RESULT} would be overwritten: its search cannot be gone on with, for "
            f"{STATE} is not there; give another folder with --out DIR"
        )


def write(found: Found, folder: Path, command: str) -> Path:
    """Write the file; return its path."""
    path = folder / RESULT
    with whole(path) as draft:
        draft.write_text(HEAD + dump(found, command), encoding="utf-8")
    return path


def dump(found: Found, command: str) -> str:
    """Return the text of the file."""
    written: str = yaml.dump(
        content(found, command),
        Dumper=Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=100,
    )
    return written


def content(found: Found, command: str) -> dict[str, Any]:
    """Return what the file says."""
    wanted = found.search.wanted
    label = wanted.tune.replace("_", "-")
    return {
        "entry": {"use": found.search.listing.name, "label": label, **_values(found, found.best)},
        "checked": {"seed": wanted.fresh_seed, **_score(found, found.best)},
        "defaults": {"seed": wanted.fresh_seed, **_score(found, found.unchanged)},
        "last_stage": [
            {**_values(found, one), **_score(found, one)} for one in found.last_stage[:10]
        ],
        "search": {
            "command": command,
            "game": wanted.game,
            "rules": [str(rules) for rules in found.search.variants],
            "method": wanted.method,
            "seed": wanted.seed,
            **_effort(found),
            "source": identity(found.search)["source of the strategy"],
            "versions": _versions(found),
        },
    }


def lines(found: Found) -> list[str]:
    """Return what the terminal shows: the values, and what they are worth."""
    values = ", ".join(
        f"{name} {text(value)}" for name, value in _values(found, found.best).items()
    )
    return [
        f"{found.search.listing.name}: {values}",
        f"{_told(found.best)} on {found.best.games:,} games of seed "
        f"{found.search.wanted.fresh_seed}, none of them used in the search",
        f"{_told(found.unchanged)} with the defaults",
    ]


def _values(found: Found, checked: Checked) -> dict[str, Any]:
    """Return the parameters that were searched, and the others that are not at their default."""
    unset = {name: one.default for name, one in found.search.parameters.items()}
    searched = {dimension.name for dimension in found.search.dimensions}
    params = found.search.params(checked.candidate)
    told = {name for name, value in params.items() if name in searched or value != unset[name]}
    return {name: value for name, value in params.items() if name in told}


def _score(found: Found, checked: Checked) -> dict[str, Any]:
    low, high = wilson(checked.wins, checked.games)
    return {
        "deals": checked.games // len(found.search.variants),
        "games": checked.games,
        "wins": checked.wins,
        "win_rate": round(checked.wins / checked.games, 6),
        "interval": [round(low, 6), round(high, 6)],
        "leftover_mean": round(checked.left / checked.games, 4),
    }


def _told(checked: Checked) -> str:
    low, high = (100 * end for end in wilson(checked.wins, checked.games))
    return f"{100 * checked.wins / checked.games:.2f} % won ({low:.2f} to {high:.2f})"


def _effort(found: Found) -> dict[str, Any]:
    wanted = found.search.wanted
    by_generations = ("generations", "candidates", "deals", "leftover_first")
    own = {} if wanted.method == ALL else {key: getattr(wanted, key) for key in by_generations}
    stages = [{"deals": stage.deals, "keep": stage.keep} for stage in wanted.stages]
    return {**own, "contenders": found.contenders, "stages": stages}


def _versions(found: Found) -> dict[str, Any]:
    known = identity(found.search)
    method = found.search.wanted.method
    library = {} if method == ALL else {str(method): known[f"version of {method}"]}
    return {**versions(found.search.game.rules_version), **library}
