"""Finding games, strategies and experiments: what is in its place is found, no list to edit.

Strategies come from three places: the folder `strategies/<game>/`, the entry-point group
`tipoff.strategies` of installed packages, and plug-in files a config or `--plugin` names.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import sim.games
import strategies
from sim.decisions import check
from sim.errors import BadInput, did_you_mean
from sim.game import Game
from sim.hygiene import faults, sources
from sim.source import closure_hash
from sim.strategy import Strategy, advice

ENTRY_POINTS = "tipoff.strategies"
Paths = tuple[list[str], list[str]]


class NoStrategy(BadInput):
    """A file that was to hold strategies of one's own holds none."""


@dataclass(frozen=True)
class Origin:
    """Where a strategy class can be loaded from again, in this process or in a worker."""

    module: str
    name: str  # of the class in the module
    file: str | None = None  # set for a plug-in file, which has no importable module

    def load(self) -> type[Strategy]:
        """Import the class."""
        module = load_file(Path(self.file)) if self.file else importlib.import_module(self.module)
        found: type[Strategy] = getattr(module, self.name)
        return found

    def closure(self) -> str:
        """Return the hash of the source of the class and of all it depends on."""
        return closure_hash(self.load())


@dataclass(frozen=True)
class Listing:
    """A strategy that can be played: its class, its game, and where it comes from."""

    game: str
    cls: type[Strategy]
    origin: Origin
    source: str  # "built-in", or the plug-in file or installed package it comes from
    among: Registry | None = field(default=None, compare=False, repr=False)  # its like, by name

    @property
    def name(self) -> str:
        """Name in configs and tables."""
        return self.cls.name

    @property
    def advice(self) -> str:
        """First sentence of its docstring."""
        return advice(self.cls)


@dataclass
class Registry:
    """All games and strategies that this process knows."""

    games: dict[str, Game]
    listings: dict[tuple[str, str], Listing] = field(default_factory=dict)  # by game and name
    broken: list[str] = field(default_factory=list)  # entry points that could not be loaded

    def game(self, name: str) -> Game:
        """Return the game called `name`, or raise BadInput with the nearest name."""
        if name not in self.games:
            raise BadInput(f"unknown game '{name}'{did_you_mean(name, self.games)}")
        return self.games[name]

    def strategies(self, game: str) -> dict[str, Listing]:
        """Return the strategies of a game by name, built-in ones first."""
        return {name: found for (of, name), found in self.listings.items() if of == game}

    def strategy(self, game: str, name: str) -> Listing:
        """Return the strategy called `name`, or raise BadInput with the nearest name."""
        known = self.strategies(game)
        if name not in known:
            raise BadInput(f"unknown strategy '{name}'{did_you_mean(name, known)}")
        return known[name]

    def add(self, listing: Listing) -> Listing:
        """Add a strategy and return it; a name already taken by another one is refused."""
        taken = self.listings.get((listing.game, listing.name))
        if taken and taken.origin != listing.origin:
            raise BadInput(
                f"strategy '{listing.name}' of {listing.source} is refused: "
                f"{_who(taken)} already has that name"
            )
        known = replace(listing, among=self)
        self.listings[listing.game, listing.name] = known
        return known

    def add_plugin(self, path: Path, game: str = "") -> list[Listing]:
        """Load a plug-in file and add its strategies; return them.

        Raises:
            BadInput: if the file is missing, does not import, holds no strategy of a known game, or
                takes a name that is taken; the message names file, line and reason.
        """
        path = sources(path)[0]
        found = list(_listings(_import_plugin(path, self.games), str(path), game, str(path)))
        if not found:
            raise NoStrategy(f"{path}: holds no strategy; expected a class derived from Strategy")
        for listing in found:
            if listing.game not in self.games:
                raise BadInput(
                    f"{path}: strategy '{listing.name}' does not say which game it plays; "
                    "annotate the view of its score method, `view: View`"
                )
        return [self.add(listing) for listing in found]


def discover() -> Registry:
    """Return a registry of everything installed."""
    registry = Registry({game.name: game for game in _games()})
    for name in registry.games:
        for module in _strategy_modules(name):
            for listing in _listings(module, "built-in", name, None):
                registry.add(listing)
    _add_entry_points(registry)
    return registry


def where_to_look() -> Paths:
    """Return where this process looks for games and strategies."""
    return list(sim.games.__path__), list(strategies.__path__)


def look_in(paths: Paths) -> None:
    """Look for games and strategies where another process does."""
    sim.games.__path__[:], strategies.__path__[:] = paths


def load_file(path: Path) -> ModuleType:
    """Import a file under a name derived from its path, the same in every process.

    Modules beside the file can be imported by it, as in a script.
    """
    name = f"tipoff_plugin_{path.stem}_{sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if not spec or not spec.loader:
        raise ImportError("expected a Python file, *.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before = set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(path.parent))
        _forget_beside(path.parent, set(sys.modules) - before)
    return module


def _forget_beside(folder: Path, names: set[str]) -> None:
    """Take helpers out of sys.modules: another plug-in may have one of the same name."""
    for name in names:
        if Path(getattr(sys.modules[name], "__file__", None) or "").parent == folder:
            del sys.modules[name]


def _games() -> Iterator[Game]:
    for found in pkgutil.iter_modules(sim.games.__path__):
        if found.ispkg:
            yield importlib.import_module(f"sim.games.{found.name}").GAME


def _strategy_modules(game: str) -> Iterator[ModuleType]:
    for folder in strategies.__path__:
        for found in pkgutil.iter_modules([str(Path(folder) / game)]):
            if not found.name.startswith("_"):
                yield importlib.import_module(f"strategies.{game}.{found.name}")


def _listings(module: ModuleType, source: str, game: str, file: str | None) -> Iterator[Listing]:
    for value in list(vars(module).values()):
        own = isinstance(value, type) and value.__module__ == module.__name__
        if own and issubclass(value, Strategy) and not value.__name__.startswith("_"):
            origin = Origin(module.__name__, value.__name__, file)
            yield Listing(game_of(value) or game, value, origin, source)


def game_of(strategy: type[Strategy]) -> str:
    """Return the game a class says it plays: by `game`, or by the module of its View."""
    if strategy.game:
        return strategy.game
    for method in [method for base in strategy.__mro__ for method in vars(base).values()]:
        hints = get_type_hints(method) if callable(method) and hasattr(method, "__code__") else {}
        parts = getattr(hints.get("view"), "__module__", "").split(".")
        if parts[:2] == ["sim", "games"]:
            return parts[2]
    return ""


def _import_plugin(path: Path, games: Mapping[str, Game]) -> ModuleType:
    if fault := next(faults(path), None):
        raise BadInput(str(fault))
    try:
        module = load_file(path)
        for listing in _listings(module, str(path), "", None):
            check(listing.cls, games.get(game_of(listing.cls)))
            _check_name(module, listing.cls)
    except (Exception, SystemExit) as error:
        raise BadInput(f"{_where(path, error)}: {type(error).__name__}: {error}") from error
    return module


def _check_name(module: ModuleType, cls: type[Strategy]) -> None:
    """Raise TypeError if a worker, which is told names only, would not find the class."""
    if getattr(module, cls.__name__, None) is not cls:
        raise TypeError(
            f"the class '{cls.__name__}' cannot be found under its own name, so no worker could "
            f"load it; write `class {cls.__name__}(Strategy):` at the top level of the file"
        )


def _where(path: Path, error: BaseException) -> str:
    """Return file:line of the deepest frame of `error` that lies in the plug-in file."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f"{path}:{lines[-1]}" if lines else str(path)


def _add_entry_points(registry: Registry) -> None:
    """Add strategies of installed packages; a broken one is noted and stops nobody."""
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            cls = point.load()
            check(cls, registry.games.get(game_of(cls)))
            origin = Origin(cls.__module__, cls.__name__)
            registry.add(Listing(game_of(cls), cls, origin, f"entry point {point.value}"))
        except Exception as error:  # whatever a stranger's package does on import
            registry.broken.append(f"{point.name} ({point.value}): {type(error).__name__}: {error}")


def _who(listing: Listing) -> str:
    return "a built-in strategy" if listing.source == "built-in" else listing.source


def plugin_paths(names: Sequence[str], folder: Path) -> list[Path]:
    """Return plug-in names of a config as paths, relative ones from the config's folder."""
    return [folder / name for name in names]
