"""The architecture as a test: who may import whom, what stays light, how long things may be."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import sim
from sim.jit import compiled_sources
from sim.registry import discover

ROOT = Path(__file__).parents[1]

# Lowest first. A module imports from its own line and from those above it; `*` is any package or
# module there. `sim` and `sim.games` are nothing but names that everybody may import.
LAYERS = (
    ("sim", "sim.games", "sim.interrupts"),
    (
        "sim.errors",
        "sim.say",
        "sim.files",
        "sim.cards",
        "sim.bits",
        "sim.noise",
        "sim.strategy",
        "sim.seat_bytes",
    ),
    (
        "sim.jit",
        "sim.deals",
        "sim.choose",
        "sim.unbind",
        "sim.autojit",
        "sim.lanes",
        "sim.choosing",
    ),
    ("sim.game", "sim.decisions", "sim.seating"),
    ("sim.games.*",),
    (
        "sim.memory",
        "sim.bytecode",
        "sim.source",
        "sim.hygiene",
        "sim.registry",
        "sim.typed",
        "sim.policy",
    ),
    ("sim.holder", "sim.database", "sim.stats.gram"),
    (
        "sim.counts",
        "sim.count_store",
        "sim.schedule",
        "sim.shards",
        "sim.store",
        "sim.work",
        "sim.table_work",
        "sim.workers",
        "sim.backend",
        "sim.parcel",
        "sim.remote",
        "sim.dask_client",
        "sim.cluster",
    ),
    (
        "sim.excerpt",
        "sim.yaml_lines",
        "sim.fields",
        "sim.until",
        "sim.config",
        "sim.naming",
        "sim.settings",
        "sim.deal_set",
        "sim.named",
        "sim.roles",
        "sim.misfits",
        "sim.cell",
        "sim.lineups",
        "sim.entrants",
        "sim.draw",
        "sim.spelling",
        "sim.plan",
    ),
    ("sim.tally", "sim.cells"),
    ("sim.stats", "sim.stats.*"),
    ("sim.results_text", "sim.results", "sim.standings", "sim.published"),
    (
        "sim.compare",
        "sim.counted",
        "sim.sums",
        "sim.ladder",
        "sim.table_sums",
        "sim.audit",
        "sim.audit.*",
    ),
    ("sim.rounds",),
    ("sim.judge", "sim.ranking"),
    ("sim.report", "sim.report.*"),
    (
        "sim.folder",
        "sim.progress",
        "sim.table_progress",
        "sim.experiments",
        "sim.duel",
        "sim.cast",
        "sim.playing",
        "sim.counting",
        "sim.prospect",
        "sim.fresh",
        "sim.run",
        "sim.merge",
        "sim.forecast",
        "sim.table_forecast",
        "sim.template",
        "sim.export",
        "sim.receipts",
        "sim.verify",
        "sim.table_verify",
        "sim.recount",
        "sim.causes",
        "sim.reuse",
        "sim.luck",
        "sim.seated",
    ),
    ("sim.tuning", "sim.tuning.*"),
    ("sim.given", "sim.played", "sim.api"),
    ("sim.check", "sim.check.*"),
    ("sim.commands", "sim.commands.*", "sim.cli", "sim.__main__"),
)
# Where the names of the Python API live, which `sim` hands on.
LAZY = set(sim._HOMES.values())
# Stricter than their place: these know nothing of the project but what is named.
NARROW = {
    "sim.strategy": (),  # its text is part of every stamp
    "sim.bits": (),
    "sim.stats.*": ("sim.stats.*",),
    "sim.results": ("sim.results_text",),
    "sim.standings": ("sim.results_text",),
    # Results in, files out.
    "sim.report.*": (
        "sim.report",
        "sim.report.*",
        "sim.results",
        "sim.standings",
        "sim.published",
    ),
    "sim.games.*.slow": (),  # the twin shares no mistake with the engine
    "sim.games.*.slow_game": ("sim.games.*.slow",),
}
# What a strategy may import, beside the view of its game, the games it may imagine (`sampled`) and
# underscore modules beside it; who declares that it is clairvoyant may also know hidden cards.
OPEN_TO_STRATEGIES = {"__future__", "math", "sim.strategy"}

# Imported by compiled modules, but for what they do in Python.
NEVER_COMPILED = {"sim.errors", "sim.game"}

MOST_LINES = 300  # of a file
LONGEST = 60  # lines of a function
MEDIAN, P90 = 9, 35
LONGER: dict[str, str] = {}  # "file:function" of a kernel that may be longer, and why


@dataclass(frozen=True)
class Module:
    """A source file of the project."""

    path: Path
    name: str  # dotted
    text: str
    tree: ast.Module

    @property
    def file(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@cache
def modules(top: str) -> tuple[Module, ...]:
    return tuple(_module(path) for path in sorted((ROOT / top).rglob("*.py")))


def _module(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    text = path.read_text(encoding="utf-8")
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(path, name, text, ast.parse(text))


def known() -> set[str]:
    return {module.name for top in ("sim", "strategies") for module in modules(top)}


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of every module imported, also inside functions."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module.file}:{node.lineno}: relative import"
            assert node.module
            if module.name == "sim" and node.module in LAZY:
                continue  # looked up when it is asked for
            names = {f"{node.module}.{alias.name}" for alias in node.names} & known()
            yield from ((node.lineno, name) for name in names or {node.module})


def matches(name: str, pattern: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), name) is not None


def layer(name: str) -> int:
    """Return the place of a module; of several patterns the most exact one counts."""
    found = [
        (len(pattern), place)
        for place, patterns in enumerate(LAYERS)
        for pattern in patterns
        if matches(name, pattern)
    ]
    assert found, f"{name} has no place in LAYERS"
    return max(found)[1]


def of_project(name: str) -> bool:
    return name.split(".")[0] in ("sim", "strategies")


# --- Who imports whom ---


def test_every_module_has_a_place_and_every_place_a_module() -> None:
    names = {module.name for module in modules("sim")}
    assert all(layer(name) >= 0 for name in names)
    for pattern in (pattern for patterns in LAYERS for pattern in patterns):
        assert any(matches(name, pattern) for name in names), f"{pattern} is no module"


def test_imports_go_down() -> None:
    wrong = [
        f"{module.file}:{line}: {module.name} imports {name} of a higher layer"
        for module in modules("sim")
        for line, name in imports(module)
        if name.split(".")[0] == "sim" and layer(name) > layer(module.name)
    ]
    assert wrong == []


def test_nothing_but_the_registry_and_the_stamp_knows_the_strategies() -> None:
    users = {
        module.name
        for module in modules("sim")
        for _, name in imports(module)
        if name.split(".")[0] == "strategies"
    }
    assert users == {"sim.registry", "sim.source"}


def test_pure_modules_know_only_what_they_are_given() -> None:
    wrong = [
        f"{module.file}:{line}: {module.name} imports {name}"
        for module in modules("sim")
        for pattern, allowed in NARROW.items()
        if matches(module.name, pattern)
        for line, name in imports(module)
        if of_project(name) and not any(matches(name, one) for one in allowed)
    ]
    assert wrong == []


def test_a_game_knows_no_other_game() -> None:
    wrong = [
        f"{module.file}:{line}: imports {name}"
        for module in modules("sim")
        if module.name.startswith("sim.games.")
        for line, name in imports(module)
        if name.startswith("sim.games.") and name.split(".")[2] != module.name.split(".")[2]
    ]
    assert wrong == []


def test_only_a_game_knows_a_game() -> None:
    wrong = [
        f"{module.file}:{line}: imports {name}"
        for module in modules("sim")
        if not module.name.startswith("sim.games.")
        for line, name in imports(module)
        if name.startswith("sim.games.")
    ]
    assert wrong == []


def test_strategies_import_next_to_nothing() -> None:
    wrong = []
    for module in modules("strategies"):
        package = module.name.rpartition(".")[0]
        game = f"sim.games.{package.rpartition('.')[2]}"
        open_to_it = OPEN_TO_STRATEGIES | {f"{game}.view", f"{game}.sampled"}
        if "    clairvoyant = True\n" in module.text:
            open_to_it |= {f"{game}.hidden", f"{game}.open_cards"}
        for line, name in imports(module):
            beside = name.startswith(f"{package}._") and name in known()
            if name not in open_to_it and not beside:
                wrong.append(f"{module.file}:{line}: imports {name}")
    assert wrong == []


def test_the_cache_of_compiled_code_depends_on_all_that_is_compiled() -> None:
    """numba does not notice an edited helper in another file; the name of its folder must."""
    by_name = {module.name: module for module in modules("sim")}
    waiting = [
        module.name
        for module in by_name.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.module == "sim.jit"
    ]
    found: set[str] = set()
    while waiting:
        if (name := waiting.pop()) not in found and name not in NEVER_COMPILED:
            found.add(name)
            waiting += [used for _, used in imports(by_name[name]) if used in by_name]
    assert {"sim.choose", "sim.cards", "sim.games.club_fight.rules"} <= found
    assert {by_name[name].path for name in found} <= set(compiled_sources())


# --- What stays light ---


def loaded_by(code: str, *names: str) -> list[str]:
    """Return which of some modules a fresh Python has loaded after running the code."""
    script = (
        f"import sys\n{code}\nprint(*[n for n in {names!r} if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.split()


def test_what_a_worker_imports_is_light() -> None:
    heavy = ("matplotlib", "scipy.stats", "pydantic", "sim.plan", "sim.report")
    assert loaded_by("import sim.work, sim.workers", *heavy, "numba") == ["numba"]


def test_the_package_itself_is_light() -> None:
    assert loaded_by("import sim; dir(sim); sim.__all__", *LAZY, "numpy", "numba", "yaml") == []
    assert loaded_by("import sim; sim.TipoffError; sim.Strategy", "numpy", "numba", "yaml") == []
    assert loaded_by("from sim import load", "matplotlib", "scipy.stats") == []


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"]])
def test_help_is_light(words: list[str]) -> None:
    code = f"from sim.cli import main\ntry: main({words!r})\nexcept SystemExit: pass"
    assert loaded_by(code, "numba", "matplotlib", "scipy", "pydantic", "multiprocess") == []


@pytest.mark.parametrize("what", ["games", "strategies", "experiments"])
def test_lists_are_light(what: str) -> None:
    code = f"from sim.cli import main\nassert main(['list', {what!r}]) == 0"
    assert loaded_by(code, "numba", "matplotlib", "scipy", "pydantic", "multiprocess") == []


# --- No game by name ---


def test_no_shared_code_names_a_game() -> None:
    """Prose may give an example; names, keys and messages may not, and reports not even that."""
    wrong = []
    for module in modules("sim"):
        if module.name.startswith("sim.games."):
            continue
        pure = module.name.startswith(("sim.report", "sim.stats", "sim.commands"))
        for line, word in _prose(module) if pure else _words(module):
            wrong += [f"{module.file}:{line}: {word!r}" for game in _games() if game.search(word)]
    assert wrong == []


@cache
def _games() -> list[re.Pattern[str]]:
    """Return what finds the name or title of each game; a path to a config may hold it."""
    return [
        re.compile(rf"\b({game.name}(?!/\w)|{game.title}|{game.title.replace(' ', '')})\b", re.I)
        for game in discover().games.values()
    ]


def _prose(module: Module) -> Iterator[tuple[int, str]]:
    yield from enumerate(module.text.splitlines(), start=1)


def _words(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every name and string, docstrings left out."""
    docs = {id(doc) for doc in _docstrings(module.tree)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value
        for name in ("id", "attr", "name", "arg", "module"):
            word = getattr(node, name, None)
            if isinstance(word, str):
                yield getattr(node, "lineno", 0), word


def _docstrings(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of all strings that stand alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


# --- How long things may be ---


def functions(top: str) -> Iterator[tuple[Module, ast.FunctionDef]]:
    for module in modules(top):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef):
                yield module, node


def length(node: ast.FunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_are_short() -> None:
    long = [
        f"{module.file}: {len(module.text.splitlines())} lines"
        for top in ("sim", "strategies")
        for module in modules(top)
        if len(module.text.splitlines()) >= MOST_LINES
    ]
    assert long == []


def test_functions_are_short() -> None:
    long = {
        f"{module.file}:{node.name}": length(node)
        for top in ("sim", "strategies")
        for module, node in functions(top)
        if length(node) > LONGEST
    }
    assert {name: lines for name, lines in long.items() if name not in LONGER} == {}
    assert set(LONGER) <= set(long), "an exception that is needed no more"


def test_most_functions_are_very_short() -> None:
    lengths = [length(node) for top in ("sim", "strategies") for _, node in functions(top)]
    assert statistics.median(lengths) <= MEDIAN
    assert statistics.quantiles(lengths, n=10)[-1] <= P90


# --- What is said of them; ruff sees to it that public names have docstrings at all ---


Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def documented(module: Module) -> Iterator[tuple[str, Documented]]:
    yield module.file, module.tree
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield f"{module.file}:{node.lineno}: {node.name}", node


def test_docstrings_start_with_a_sentence() -> None:
    wrong = []
    for top in ("sim", "strategies"):
        for module in modules(top):
            for where, node in documented(module):
                text = ast.get_docstring(node)
                if text is not None and not re.search(r"[.:?!]\W*$", text.split("\n\n")[0]):
                    wrong.append(f"{where}: {text.splitlines()[0]!r}")
    assert wrong == []


def test_shared_tip_code_is_documented_too() -> None:
    """Ruff takes a module whose name starts with an underscore for private, and looks away."""
    wrong = [
        where
        for top in ("sim", "strategies")
        for module in modules(top)
        if module.path.name.startswith("_")
        for where, node in documented(module)
        if not ast.get_docstring(node) and not getattr(node, "name", "").startswith("_")
    ]
    assert wrong == []
