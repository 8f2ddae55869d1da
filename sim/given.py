"""An experiment as Python code gives it: a path, a shipped name, the text of a config, a mapping.

Whatever it is becomes the text of a config, so that one reader checks it and errors show a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sim import config
from sim.config import Config
from sim.errors import BadInput
from sim.experiments import find
from sim.spelling import Dumper
from sim.strategy import Strategy
from sim.yaml_lines import MAX_DEPTH, parse, shown

Given = str | Path | Mapping[str, Any]
TEXT, MAPPING = Path("<text>"), Path("<mapping>")  # in place of a path in errors


def config_of(given: Given) -> Config:
    """Return the config that is meant; text of more than one line is that of a config itself.

    Raises:
        BadInput: naming file (or `<text>`, `<mapping>`), line and column of what is wrong.
    """
    match given:
        case Path():
            return config.load(find(str(given)))
        case str() if "\n" in given or given.lstrip().startswith("{"):
            return config.check(parse(given.encode("utf-8", "surrogatepass"), TEXT))
        case str():
            return config.load(find(given))
        case Mapping():
            return config.check(parse(_text(given).encode("utf-8", "surrogatepass"), MAPPING))
    raise BadInput(f"expected a path, a name, the text of a config or a mapping, got {given!r}")


def classes_in(given: Given) -> list[type[Strategy]]:
    """Return the strategies that stand in a mapping as classes in place of their names."""
    if not isinstance(given, Mapping):
        return []
    entries = given.get("strategies")
    entries = entries if isinstance(entries, list | tuple) else [entries]
    used = [entry.get("use") if isinstance(entry, Mapping) else entry for entry in entries]
    return [value for value in used if isinstance(value, type) and issubclass(value, Strategy)]


def _text(given: Mapping[str, Any]) -> str:
    text: str = yaml.dump(
        _plain(given), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100
    )
    return text


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a value as YAML can write it: no arrays, and names in place of classes."""
    if depth > MAX_DEPTH:
        raise BadInput(f"{MAPPING}: nested more than {MAX_DEPTH} deep")
    match value:
        case Mapping():
            return {_key(key): _plain(item, depth + 1) for key, item in value.items()}
        case list() | tuple() | range():
            return [_plain(item, depth + 1) for item in value]
        case np.ndarray() | np.generic():
            return _plain(value.tolist())
        case Path():
            return str(value)
        case None | bool():
            return value
        case int() | float() | str():  # what is derived of them, YAML does not know
            return next(kind(value) for kind in (int, float, str) if isinstance(value, kind))
    if isinstance(value, type) and issubclass(value, Strategy):
        return value.name
    raise BadInput(f"{MAPPING}: expected numbers, text, lists and mappings, got {shown(value)}")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise BadInput(f"{MAPPING}: expected keys that are text, got {shown(key)}")
    return key
