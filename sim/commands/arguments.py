"""Arguments that several commands have, and how they are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sim.errors import BadInput
from sim.registry import Registry, discover


def rules_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of commands that show one game."""
    verb.add_argument("--rules", nargs="+", action="extend", default=[], metavar="NAME=VALUE")
    verb.add_argument("--json", action="store_true", help="print JSON")


def plugin_option(verb: argparse.ArgumentParser) -> None:
    """Add `--plugin`."""
    verb.add_argument(
        "--plugin",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="strategies of your own",
    )


def registry_of(plugins: Sequence[Path]) -> Registry:
    """Return all games and strategies, plug-ins included."""
    registry = discover()
    for path in plugins:
        registry.add_plugin(path)
    return registry


def settings(option: str, words: Sequence[str]) -> dict[str, Any]:
    """Return NAME=VALUE words as a mapping, values read as in a config."""
    from sim.yaml_lines import scalar, shown

    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise BadInput(f"{option}: expected NAME=VALUE, got {shown(word)}")
        if name in found:
            raise BadInput(f"{option}: {shown(name)[1:-1]} is given twice")
        try:
            found[name] = scalar(value)
        except ValueError as error:
            raise BadInput(f"{option}: {shown(name)[1:-1]}: {error}") from None
    return found


def folder(text: str) -> Path:
    """Read a folder."""
    if not text:  # an unset variable of a shell, say: never write into the working folder
        raise argparse.ArgumentTypeError("expected a folder, got nothing")
    return Path(text)


def workers(text: str) -> int:
    """Read a number of processes."""
    from sim.fields import MAX_WORKERS  # pydantic: only if it is needed

    number = natural(text)
    if not 1 <= number <= MAX_WORKERS:
        raise argparse.ArgumentTypeError(
            f"expected a whole number from 1 to {MAX_WORKERS}, got {text}"
        )
    return number


def positive(text: str) -> int:
    """Read a whole number from 1 up."""
    number = natural(text)
    if number == 0:
        raise argparse.ArgumentTypeError("expected a whole number from 1 up, got 0")
    return number


def natural(text: str) -> int:
    """Read a whole number from 0 up."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 2^63 - 1, got {text}")
    return number
