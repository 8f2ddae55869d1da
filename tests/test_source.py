"""Stamps: an edit of anything a strategy depends on gives a new one, and nothing else does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sim.errors import StrategyFailed
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.registry import Listing, discover
from sim.schedule import Job
from sim.source import closure_hash, stamp
from sim.strategy import Strategy
from sim.work import Spec, player_of_blocks
from tests.plugins import DICE, GREEDY, in_plain_python, load, outcomes, player_of, write

WITH_HELPER = """
    from _first import tip
    class Mine(Strategy):
        def score(self, view: View, move: Move) -> float:
            return tip(view, move)
    """
FIRST = """
    from _second import sign
    def tip(view, move):
        return sign(move) * move.cleared
    """
SECOND = """
    def sign(move):
        return 1.0
    """


def stamp_of(listing: Listing, dice: Dice = DICE, rules: Rules = Rules()) -> str:  # noqa: B008
    return Spec(listing.origin, {}, rules).stamp(GAME, dice)


def test_an_edited_plugin_has_a_new_stamp(tmp_path: Path) -> None:
    before = stamp_of(load(tmp_path, GREEDY))
    assert stamp_of(load(tmp_path, GREEDY)) == before
    assert stamp_of(load(tmp_path, GREEDY.replace("* move", "+ move"))) != before
    assert stamp_of(load(tmp_path, GREEDY)) == before


@pytest.mark.parametrize("edited", ["_first", "_second"])
def test_an_edited_helper_counts_however_far_away(edited: str, tmp_path: Path) -> None:
    helpers = {"_first": FIRST, "_second": SECOND, "unused": "x = 1\n"}
    before = load(tmp_path, WITH_HELPER, **helpers)
    old_stamp, old_games = stamp_of(before), outcomes(player_of(before))
    helpers["unused"] = "x = 2\n"
    assert stamp_of(load(tmp_path, WITH_HELPER, **helpers)) == old_stamp
    helpers[edited] = helpers[edited].replace("return ", "return -1.0 * ")
    after = load(tmp_path, WITH_HELPER, **helpers)
    assert stamp_of(after) != old_stamp
    player = player_of(after)  # and what is compiled is not the old text
    assert player.lane == "compiled"
    assert outcomes(player) == outcomes(in_plain_python(player)) != old_games


def test_the_place_of_a_plugin_does_not_count(tmp_path: Path) -> None:
    stamps = set()
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        stamps.add(stamp_of(load(folder, WITH_HELPER, _first=FIRST, _second=SECOND)))
    assert len(stamps) == 1


def test_everything_that_decides_a_game_is_in_the_stamp(tmp_path: Path) -> None:
    listing = load(tmp_path, GREEDY)
    two = GREEDY + GREEDY.replace("Mine", "Other")
    both = load(tmp_path, two, name="two.py")
    first = Listing(both.game, both.cls, both.origin.__class__("", "Mine", both.origin.file), "")
    stamps = [
        stamp_of(listing),
        stamp_of(listing, rules=Rules(2)),
        stamp_of(listing, rules=Rules(1, True)),
        *(stamp_of(listing, dice) for dice in (Dice(6, 6), Dice(5, 5), Dice(5, 6, "first"))),
        *(Spec(listing.origin, {"weight": w}, Rules()).stamp(GAME, DICE) for w in (1.0, 1.5, -1.0)),
        stamp_of(first),
        stamp_of(both),
    ]
    assert len(set(stamps)) == len(stamps)


def test_stamps_are_canonical() -> None:
    assert stamp(a=1, b={"x": 1, "y": 2}) == stamp(b={"y": 2, "x": 1}, a=1)
    assert stamp(a="1") != stamp(a=1)


def test_installed_packages_do_not_count_wherever_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plug-in often stands in a project with its virtual environment inside."""
    packages = tmp_path / "venv" / "lib" / "site-packages"
    packages.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(packages))
    body = "from tipoff_test_installed import two\n" + GREEDY.replace("\n    ", "\n")
    stamps = set()
    for text in ("two = 2\n", "two = 1 + 1\n"):
        (packages / "tipoff_test_installed.py").write_text(text)
        monkeypatch.delitem(sys.modules, "tipoff_test_installed", raising=False)
        stamps.add(stamp_of(load(tmp_path, body)))
    assert len(stamps) == 1


PACKAGE = {
    "__init__.py": "",
    "tips.py": "one = 1.0\n",
    "deep/__init__.py": "",
    "deep/more.py": "from ..base import two\n",
    "base.py": "two = 2.0\n",
    "strats.py": (
        "from sim.games.club_fight.view import Move, View\n"
        "from sim.strategy import Strategy\n"
        "from . import tips\n"
        "from .deep.more import two\n"
        "class Packed(Strategy):\n"
        "    def score(self, view: View, move: Move) -> float:\n"
        "        return two * move.cleared\n"
    ),
}


@pytest.mark.parametrize("edited", ["tips.py", "deep/more.py", "base.py", "strats.py"])
def test_relative_imports_of_an_installed_package_count(
    edited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    folder, hashes = tmp_path / "tipoff_test_package", []
    (folder / "deep").mkdir(parents=True)
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    for extra in ("", "# edited\n"):
        (folder / edited).write_text(PACKAGE[edited] + extra)
        for name in [name for name in sys.modules if name.startswith(folder.name)]:
            monkeypatch.delitem(sys.modules, name)
        module = __import__(f"{folder.name}.strats").strats
        hashes.append(closure_hash(module.Packed))
    assert hashes[0] != hashes[1]


HASH = """
import sys
from pathlib import Path
from sim.registry import discover
from sim.source import closure_hash
print(closure_hash(discover().add_plugin(Path(sys.argv[1]))[-1].cls))
"""


def test_the_stamp_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Files of one name once came in the order of their paths' hashes."""
    names = [f"p{n}" for n in range(6)]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"x = '{name}'\n")
    imports = "".join(f"from {name} import x as {name}\n" for name in names)
    path = write(tmp_path, imports + GREEDY.replace("\n    ", "\n"))
    found = set()
    for seed in ("1", "2", "3"):
        command = [sys.executable, "-c", HASH, str(path)]
        env = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1


def test_a_file_edited_later_does_not_change_what_was_imported(tmp_path: Path) -> None:
    listing = load(tmp_path, GREEDY)
    before = stamp_of(listing)
    write(tmp_path, GREEDY.replace("* move", "+ move"))
    assert stamp_of(listing) == before


def test_a_worker_that_finds_another_text_refuses_to_play(tmp_path: Path) -> None:
    """A spawned worker imports the file anew: its blocks would stand under the old stamp."""
    listing = load(tmp_path, GREEDY)
    spec = Spec(listing.origin, {"weight": 1.0}, Rules())
    right = spec.stamp(GAME, DICE)
    assert player_of_blocks(GAME, DICE, [spec], [right])(Job(0, 0, 5)).seconds > 0
    edited = load(tmp_path, GREEDY.replace("* move", "+ move"))
    assert edited.origin == listing.origin
    with pytest.raises(StrategyFailed, match="'mine' was edited while it was being played; run"):
        player_of_blocks(GAME, DICE, [spec], [right])(Job(0, 0, 5))


# ---- classes without a file

TYPED = """
from sim.strategy import Strategy
LIMIT = 3
def tip(view):
    return view.hearts
class Typed(Strategy):
    weight: float = 1.0
    BONUS = 2
    def score(self, view, move):
        return self.BONUS + sum([tip(view) * n for n in (1, 2)]) + max(LIMIT, move.cleared)
"""


def typed_in(text: str, monkeypatch: pytest.MonkeyPatch) -> type[Strategy]:
    """A class as it is typed into an interpreter."""
    module = ModuleType("tipoff_test_typed_in")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(text, module.__dict__)
    found: type[Strategy] = module.Typed
    return found


def test_a_class_without_a_file_is_hashed_by_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    before = closure_hash(typed_in(TYPED, monkeypatch))
    assert closure_hash(typed_in("# typed again\n" + TYPED, monkeypatch)) == before
    edits = ["hearts|spades", "(1, 2)|(1, 3)", "* n|- n", "BONUS = 2|BONUS = 4", "= 3|= 2"]
    edits += ["max(|min(", "view.hearts|view.hearts + 1"]
    hashes = {closure_hash(typed_in(TYPED.replace(*e.split("|")), monkeypatch)) for e in edits}
    assert len(hashes | {before}) == len(edits) + 1


def test_every_shipped_strategy_has_a_hash_of_its_own() -> None:
    """Two share a file's text only if they share the file."""
    listings = discover().strategies("club_fight").values()
    assert len({closure_hash(listing.cls) for listing in listings}) == len(listings)
