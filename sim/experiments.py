"""Finding an experiment: a config file by its path, or a shipped one by its name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path

from sim.errors import BadInput, did_you_mean

PACKAGE = Path(__file__).parent


def shipped_folder() -> Path:
    """Return the folder of shipped configs: in the wheel inside the package, else beside it."""
    inside = PACKAGE / "configs"
    return inside if inside.is_dir() else PACKAGE.parent / "configs"


def shipped() -> Iterator[tuple[str, Path]]:
    """Yield name (`club_fight/beginner_tips`) and path of every shipped experiment."""
    for path in sorted(shipped_folder().glob("*/*.yaml")):
        yield f"{path.parent.name}/{path.stem}", path


def shipped_searches() -> Iterator[tuple[str, Path]]:
    """Yield name (`club_fight/tuned_easy`) and path of every shipped search of parameters."""
    for path in sorted(shipped_folder().glob("*/tune/*.yaml")):
        yield f"{path.parents[1].name}/{path.stem}", path


def find(name: str) -> Path:
    """Return the config file a user means: a path, or the name of a shipped experiment."""
    return _find(name, dict(shipped()), "experiment")


def find_search(name: str) -> Path:
    """Return the config file of a search: a path, or the name of a shipped one."""
    return _find(name, dict(shipped_searches()), "search")


def _find(name: str, known: Mapping[str, Path], kind: str) -> Path:
    path = Path(name)
    if os.path.isfile(name):  # unlike `Path.is_file` never raises, however long the name
        return path
    if name in known:
        return known[name]
    if os.path.exists(name):
        raise BadInput(f"{name} is not a file; expected a YAML config")
    hint = did_you_mean(name, known) if path.suffix not in (".yaml", ".yml") else ""
    raise BadInput(f"there is no config file and no shipped {kind} '{name}'{hint}")


def question(path: Path) -> str:
    """Return the comment at the top of a config, as one line: the question it answers."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    top = takewhile(lambda line: line.startswith("#"), lines)
    comments = [line.lstrip("# ").rstrip() for line in top]
    return " ".join(line for line in comments if not line.startswith("yaml-language-server"))
