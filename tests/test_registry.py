"""Discovery, plug-ins, names, parameters."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sim.games
import strategies
from sim.errors import BadInput
from sim.games.club_fight.view import View
from sim.registry import ENTRY_POINTS, Listing, Origin, Registry, discover, load_file, plugin_paths
from sim.strategy import Parameter, Strategy, advice, kebab, parameters

ROOT = Path(__file__).parents[1]

HEAD = """
from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
"""
BODY = """
class {name}(Strategy):
    '''Take the first that comes. Or not.'''

    def score(self, view: View, move: Move) -> float:
        return 0.0
"""


@pytest.fixture(autouse=True)
def _forget_plugins() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("tipoff_plugin_"):
            del sys.modules[name]


@pytest.fixture
def fresh() -> Registry:
    """A registry of one's own to add to."""
    return discover()


def write(path: Path, *names: str, before: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before + HEAD + "".join(BODY.format(name=name) for name in names))
    return path


def refusal(registry: Registry, path: Path, game: str = "") -> str:
    known = dict(registry.listings)
    with pytest.raises(BadInput) as caught:
        registry.add_plugin(path, game)
    assert registry.listings == known
    return str(caught.value)


# --- What is in its place is found ---


def test_every_game_package_is_found_under_its_own_name(fresh: Registry) -> None:
    folders = [Path(folder) for folder in sim.games.__path__]
    packages = {path.parent.name for folder in folders for path in folder.glob("*/__init__.py")}
    assert set(fresh.games) == packages
    assert {game.name for game in fresh.games.values()} == packages


def test_every_card_keeps_the_contract(fresh: Registry) -> None:
    for game in fresh.games.values():
        assert str(game.rules()) and game.sources and game.decisions
        play, view = game.part("play"), game.part("view")
        if game.for_several:
            assert callable(play.play_games) and tuple(play.DECISIONS) == game.decisions
            for name, (seen, option) in play.DECISIONS.items():
                kinds = f"{name.title()}View", name.title()
                assert (seen, option) == tuple(getattr(view, kind) for kind in kinds)
        else:
            assert game.columns[:2] == ("leftover", "turns")
            assert 0 < game.worst < 256
            assert callable(play.play_block)
            assert play.VIEW is view.View and play.MOVE is view.Move
        with pytest.raises(BadInput, match=f"{game.title} has no module 'nothing'"):
            game.part("nothing")


def test_every_strategy_file_is_found(fresh: Registry) -> None:
    assert fresh.broken == []
    files = {
        f"strategies.{path.parent.name}.{path.stem}"
        for folder in strategies.__path__
        for path in Path(folder).glob("*/*.py")
        if not path.name.startswith("_")
    }
    built_in = [listing for listing in fresh.listings.values() if listing.source == "built-in"]
    assert {listing.origin.module for listing in built_in} == files
    assert len(built_in) == len(files)  # one class a file
    for (game, name), listing in fresh.listings.items():
        assert (listing.game, listing.name) == (game, name)
        assert listing.origin.load() is listing.cls
        assert listing.origin.module.rpartition(".")[2] == name.replace("-", "_")
        assert name == kebab(listing.cls.__name__)


def test_every_shipped_strategy_gives_advice_source_and_assumption(fresh: Registry) -> None:
    for listing in fresh.listings.values():
        doc = listing.cls.__doc__ or ""
        assert listing.advice.endswith(".") and "Source: " in doc and "Assumption: " in doc
        assert parameters(listing.cls).keys().isdisjoint({"use", "label", "deals"})


def test_shared_modules_are_not_listed(fresh: Registry) -> None:
    modules = {listing.origin.module for listing in fresh.listings.values()}
    assert not any(part.startswith("_") for name in modules for part in name.split("."))


def test_unknown_names_come_with_the_nearest_one(fresh: Registry) -> None:
    with pytest.raises(BadInput, match="unknown game 'clubfight'; did you mean 'club_fight'"):
        fresh.game("clubfight")
    with pytest.raises(BadInput, match="unknown strategy 'joker_frist'; did you mean 'joker-first"):
        fresh.strategy("club_fight", "joker_frist")
    with pytest.raises(BadInput, match=r"unknown strategy 'zzz'; known: all-clear-hoarder, "):
        fresh.strategy("club_fight", "zzz")
    assert fresh.strategies("no_game") == {}


# --- Plug-in files ---


def test_a_plugin_is_listed_with_its_file(fresh: Registry, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "TakeIt", "LeaveIt")
    added = fresh.add_plugin(path)
    assert [listing.name for listing in added] == ["take-it", "leave-it"]
    for listing in added:
        assert fresh.strategy("club_fight", listing.name) is listing
        assert listing.source == str(path)
        assert listing.origin.load() is listing.cls
    assert fresh.add_plugin(path) == added  # twice is once


def test_a_plugin_has_the_same_module_name_in_every_process(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "TakeIt")
    name = load_file(path).__name__
    assert name.startswith("tipoff_plugin_mine_") and load_file(path) is sys.modules[name]
    lines = (
        "import sys, pathlib, sim.registry",
        "print(sim.registry.load_file(pathlib.Path(sys.argv[1])).__name__)",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines), str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == name
    elsewhere = write(tmp_path / "other" / "mine.py", "TakeIt")
    assert load_file(elsewhere).__name__ != name


def test_a_class_no_worker_could_find_again_is_refused(fresh: Registry, tmp_path: Path) -> None:
    made = f"""
{HEAD}
def made():
    class Hidden(Strategy):
        def score(self, view: View, move: Move) -> float:
            return 0.0
    return Hidden
Mine = made()
"""
    path = tmp_path / "mine.py"
    path.write_text(made)
    said = refusal(fresh, path)
    assert "TypeError: the class 'Hidden' cannot be found under its own name" in said


def test_one_file_by_two_paths_is_one_plugin(fresh: Registry, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "TakeIt")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.py").symlink_to(path)
    added = fresh.add_plugin(path)
    assert fresh.add_plugin(tmp_path / "folder" / ".." / "mine.py") == added
    assert fresh.add_plugin(tmp_path / "link.py") == added


def test_a_plugin_may_use_modules_beside_it(fresh: Registry, tmp_path: Path) -> None:
    (tmp_path / "toy_helper_of_a_plugin.py").write_text("VALUE = 3.0\n")
    text = "from toy_helper_of_a_plugin import VALUE\n"
    (added,) = fresh.add_plugin(write(tmp_path / "mine.py", "TakeIt", before=text))
    assert vars(sys.modules[added.origin.module])["VALUE"] == 3.0
    assert str(tmp_path) not in sys.path


def test_two_plugins_may_have_helpers_of_one_name(fresh: Registry, tmp_path: Path) -> None:
    for number, name in enumerate(("First", "Second")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "toy_helper.py").write_text(f"VALUE = {number}\n")
        text = "from toy_helper import VALUE\n"
        (added,) = fresh.add_plugin(write(folder / "mine.py", name, before=text))
        assert vars(sys.modules[added.origin.module])["VALUE"] == number


def test_a_class_that_was_only_imported_is_not_listed(fresh: Registry, tmp_path: Path) -> None:
    text = "from strategies.club_fight.random import Random\n"
    added = fresh.add_plugin(write(tmp_path / "mine.py", "TakeIt", before=text))
    assert [listing.name for listing in added] == ["take-it"]


def test_a_plugin_says_its_game_by_its_view(fresh: Registry, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "TakeIt")
    (added,) = fresh.add_plugin(path, "another_game")  # that of the config does not count
    assert added.game == "club_fight"
    bare = write(tmp_path / "bare.py", "Bare")
    bare.write_text(bare.read_text().replace("view: View", "view"))
    assert "does not say which game it plays" in refusal(fresh, bare)
    (added,) = fresh.add_plugin(bare, "club_fight")
    assert added.game == "club_fight"
    named = write(tmp_path / "named.py", "Named")
    text = named.read_text().replace("view: View", "view").replace("or not.'''", "'''")
    named.write_text(text.replace("    def score", "    game = 'club_fight'\n\n    def score"))
    (added,) = fresh.add_plugin(named)
    assert added.game == "club_fight"


def test_a_name_that_is_taken_is_refused(fresh: Registry, tmp_path: Path) -> None:
    said = refusal(fresh, write(tmp_path / "mine.py", "JokerFirst"))
    assert "strategy 'joker-first' of" in said and "a built-in strategy already has" in said
    one, two = write(tmp_path / "one.py", "TakeIt"), write(tmp_path / "two.py", "TakeIt")
    fresh.add_plugin(one)
    assert f"strategy 'take-it' of {two} is refused: {one} already has" in refusal(fresh, two)


def test_a_broken_plugin_is_named_with_line_and_reason(fresh: Registry, tmp_path: Path) -> None:
    def said(text: str) -> str:
        path = tmp_path / f"broken_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        first, again = refusal(fresh, path), refusal(fresh, path)
        assert first == again
        return first.replace(str(path), "PLUGIN")

    assert said("x = 1\nx = 1 / 0\n") == "PLUGIN:2: ZeroDivisionError: division by zero"
    assert said("x = 1\ndef (\n").startswith("PLUGIN:2: SyntaxError: ")
    assert said("import no_such_module_at_all\n").startswith("PLUGIN:1: ModuleNotFoundError: ")
    assert said("x = 1\n") == "PLUGIN: holds no strategy; expected a class derived from Strategy"
    assert said("import random\n").startswith("PLUGIN:1: imports 'random'; a strategy must")
    wrong = HEAD + BODY.format(name="Wrong").replace("    def", "    size: str = 'x'\n\n    def")
    assert "TypeError: parameter 'size' must be annotated float, int or bool" in said(wrong)
    idle = HEAD + BODY.format(name="Idle").replace("def score", "def scores")
    assert "TypeError: Idle has no method score(self, view, move)" in said(idle)
    missing = tmp_path / "missing.py"
    assert refusal(fresh, missing) == f"{missing}: there is no such plug-in file"


def test_plugins_of_a_config_lie_relative_to_it() -> None:
    found = plugin_paths(["mine.py", "/other/its.py"], Path("configs"))
    assert found == [Path("configs/mine.py"), Path("/other/its.py")]


# --- Installed packages ---


def test_entry_points_are_added_and_broken_ones_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(group: str) -> list[importlib.metadata.EntryPoint]:
        assert group == ENTRY_POINTS
        values = {"fine": f"{__name__}:FromAPackage", "bad": f"{__name__}:NoSuchClass"}
        return [importlib.metadata.EntryPoint(name, value, group) for name, value in values.items()]

    monkeypatch.setattr(importlib.metadata, "entry_points", found)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[FromAPackage.__module__])
    registry = discover()
    assert registry.strategy("club_fight", "from-a-package").source.startswith("entry point ")
    (broken,) = registry.broken
    assert "bad (" in broken and "AttributeError" in broken


class FromAPackage(Strategy):
    """Stand for a strategy of an installed package."""

    def score(self, view: View, move: Any) -> float:
        return 0.0


# --- Parameters ---


class Every(Strategy):
    """Have a parameter of every type."""

    share: float = 0.5
    count: int = 3
    brave: bool = False
    clairvoyant = True  # no annotation, no parameter


class More(Every):
    """Have one more."""

    extra: float = 2.0


def test_annotated_fields_are_parameters_in_the_order_written() -> None:
    wanted = [
        Parameter("share", float, 0.5),
        Parameter("count", int, 3),
        Parameter("brave", bool, False),
    ]
    assert list(parameters(Every).values()) == wanted
    assert list(parameters(Every)) == ["share", "count", "brave"]
    assert list(parameters(More)) == ["share", "count", "brave", "extra"]
    assert Every.clairvoyant and More.clairvoyant and not Strategy.clairvoyant
    assert parameters(FromAPackage) == {}


def test_a_strategy_is_a_frozen_value() -> None:
    assert Every(count=4) == Every(0.5, 4, False) != Every()
    with pytest.raises(AttributeError):
        Every().share = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        Every(weight=1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["use", "label", "deals"])
def test_reserved_names_are_no_parameters(name: str) -> None:
    cls = type("Reserved", (Strategy,), {"__annotations__": {name: float}, name: 1.0})
    with pytest.raises(TypeError, match=f"'{name}' has a name that configs use for themselves"):
        parameters(cls)


@pytest.mark.parametrize("kind", [str, complex, list, float | None, "float | int"])
def test_other_types_are_no_parameters(kind: Any) -> None:
    cls = type("Odd", (Strategy,), {"__annotations__": {"size": kind}, "size": 1.0})
    with pytest.raises(TypeError, match="'size' must be annotated float, int or bool"):
        parameters(cls)


def test_a_parameter_needs_a_default() -> None:
    cls = type("Bare", (Strategy,), {"__annotations__": {"size": float}})
    with pytest.raises(TypeError, match="'size' needs a default value"):
        parameters(cls)


# --- Names and advice ---


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("JokerFirst", "joker-first"),
        ("Random", "random"),
        ("GreedyMostCards", "greedy-most-cards"),
        ("KISS", "kiss"),
        ("KISSFirst", "kiss-first"),
        ("Top3Cards", "top3-cards"),
        ("AStrategy", "a-strategy"),
        ("already_low", "already_low"),
    ],
)
def test_kebab(name: str, wanted: str) -> None:
    assert kebab(name) == wanted


def test_a_strategy_may_choose_its_name_and_passes_it_on_to_nobody() -> None:
    class Chosen(Strategy):
        """Have a name of its own."""

        name = "own-name"

    class HeirOfChosen(Chosen):
        """Have a name after its class again."""

    assert (Chosen.name, HeirOfChosen.name) == ("own-name", "heir-of-chosen")
    assert parameters(Chosen) == {}


@pytest.mark.parametrize(
    ("doc", "wanted"),
    [
        ("Clear jokers early. They stay.", "Clear jokers early."),
        ("Clear\n    jokers  early.\n\n    Source: x.", "Clear jokers early."),
        ("Is it 7.5 or more? Then stop.", "Is it 7.5 or more?"),
        ("Wait!", "Wait!"),
        ("No full stop\n\nand more.", "No full stop"),
        ("", ""),
        (None, ""),
    ],
)
def test_advice_is_the_first_sentence(doc: str | None, wanted: str) -> None:
    class Some(Strategy):
        pass

    Some.__doc__ = doc
    assert advice(Some) == wanted


def test_a_listing_shows_name_and_advice() -> None:
    listing = Listing("club_fight", Every, Origin(__name__, "Every"), "built-in")
    assert (listing.name, listing.advice) == ("every", "Have a parameter of every type.")
