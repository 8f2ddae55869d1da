"""A new strategy and its test, written from the template that stands in the folder of its game."""

from __future__ import annotations

import ast
import importlib.util
import keyword
import re
from importlib import import_module
from pathlib import Path
from string import Template

from sim.errors import BadInput
from sim.game import Game
from sim.registry import Registry
from sim.strategy import kebab

LONGEST = 30  # characters of a name
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")
EXPECTED = "expected small letters and digits in words joined by hyphens, such as 'save-aces'"


def write_new(name: str, game: Game, registry: Registry, folder: Path) -> list[Path]:
    """Write a strategy of this name and its test into a folder; return both paths.

    Raises:
        BadInput: if the name cannot be, the game has no template, or a file is there already.
    """
    cls = class_name(name)
    if name in registry.strategies(game.name):
        raise BadInput(f"'{name}': {game.title} has a built-in strategy of that name")
    module = name.replace("-", "_")
    texts = _texts(game, {"name": name, "module": module, "Class": cls})
    paths = [folder / f"{module}.py", folder / f"test_{module}.py"]
    if not folder.is_dir():
        raise BadInput(f"{folder}: there is no such folder")
    for path in paths:
        if path.exists():
            raise BadInput(f"{path} is there already; give another name or another folder")
    _refuse_taken(name, module)
    _refuse_clash(cls, name, texts)
    _write(dict(zip(paths, texts, strict=True)))
    return paths


def class_name(name: str) -> str:
    """Return the class of a strategy's name: `save-aces` is `SaveAces`.

    Raises:
        BadInput: if it is no name.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        near = re.sub(r"[^a-z0-9]+", "-", kebab(name)).strip("-")
        hint = f"; did you mean '{near}'?" if near != name and NAME.fullmatch(near) else ""
        most = f", at most {LONGEST} characters" if len(name) > LONGEST else ""
        raise BadInput(f"'{name}' is no name for a strategy: {EXPECTED}{most}{hint}")
    cls = "".join(word.capitalize() for word in name.split("-"))
    if kebab(cls) != name:
        raise BadInput(f"'{name}' would be listed as '{kebab(cls)}'; choose longer words")
    return cls


def has_template(game: Game) -> bool:
    """Return whether there is a template for new strategies of a game."""
    return _home(game).is_dir()


def _home(game: Game) -> Path:
    return Path(import_module(f"sim.games.{game.name}").__file__ or "").parent / "template"


def _texts(game: Game, names: dict[str, str]) -> list[str]:
    """Return the text of the strategy and that of its test."""
    home = _home(game)
    try:
        texts = [(home / f"{kind}.py.txt").read_text("utf-8") for kind in ("tip", "test_tip")]
    except OSError:
        raise BadInput(
            f"{game.title} has no template for new strategies; look at one of its own with "
            "`tipoff list strategies`"
        ) from None
    return [Template(text).substitute(names) for text in texts]


def _refuse_taken(name: str, module: str) -> None:
    if keyword.iskeyword(module) or module.startswith("test"):
        raise BadInput(f"'{name}': no strategy can stand in {module}.py; choose another name")
    if importlib.util.find_spec(module):
        raise BadInput(f"'{name}': there is a Python module {module} already, which it would hide")


def _refuse_clash(cls: str, name: str, texts: list[str]) -> None:
    """Refuse a class that would be called like something its file imports."""
    for node in ast.walk(ast.parse(texts[0])):
        if isinstance(node, ast.ImportFrom) and cls in {alias.name for alias in node.names}:
            raise BadInput(f"'{name}': its class would be called {cls}, as one of {node.module} is")


def _write(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror}") from None
