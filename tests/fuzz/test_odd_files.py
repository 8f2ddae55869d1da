"""Files that are no files, have no end, or are written in odd ways: one message, and soon."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from sim.store import FILE_NAME
from tests.command import CONFIG, HEAD, Said, Tipoff, config
from tests.fuzz.inputs import BOMBS
from tests.plugins import GREEDY, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="makes pipes and links")

SECONDS = 30  # of waiting; processor time is measured in test_fuzz.py
PLUGIN = HEAD + "plugins: [{}]\nstrategies: [random]\n"


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Whoever waits for a pipe is woken up, and the test fails."""

    def wake(*_: object) -> NoReturn:
        raise RuntimeError(f"took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def no_end(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def large(path: Path) -> None:
    """A hundred megabytes, most of them a hole in the file."""
    path.write_bytes(CONFIG.encode())
    os.truncate(path, 100 * 2**20)


ODD = [pipe, no_end, folder, loop, large]


def refused(said: Said, *words: str) -> None:
    assert said.status in (2, 3) and said.out == "" and "Traceback" not in said.err, said
    assert any(word in said.err for word in words), said.err
    assert len(said.err) < 2000


@pytest.mark.parametrize("make", ODD)
def test_as_a_config(make: object, tipoff: Tipoff) -> None:
    make(Path("odd.yaml"))  # type: ignore[operator]
    said = tipoff("run", "odd.yaml")
    refused(said, "is not a file", "there is no config file", "larger than 200_000 bytes")


@pytest.mark.parametrize("how", ["config", "option"])
@pytest.mark.parametrize("make", ODD)
def test_as_a_plugin(make: object, how: str, tipoff: Tipoff) -> None:
    make(Path("odd.py"))  # type: ignore[operator]
    text = PLUGIN.format("odd.py") if how == "config" else CONFIG
    words = ["--plugin", "odd.py"] if how == "option" else []
    said = tipoff("run", config(Path(), text), *words)
    refused(said, "is not a file", "there is no such plug-in", "larger than 1_000_000 bytes")


@pytest.mark.parametrize("make", [pipe, no_end, folder, large])
def test_beside_a_plugin(make: object, tipoff: Tipoff) -> None:
    make(Path("helper.py"))  # type: ignore[operator]
    write(Path(), "import helper\n" + GREEDY.replace("    class", "class", 1).lstrip("\n"))
    said = tipoff("run", config(Path(), PLUGIN.format("mine.py")))
    refused(
        said, "helper.py: cannot be read: it is not", "helper.py: is larger than 1_000_000 bytes"
    )


@pytest.mark.parametrize("make", ODD)
def test_as_results(make: object, tipoff: Tipoff) -> None:
    Path("out").mkdir()
    make(Path("out/results.json"))  # type: ignore[operator]
    said = tipoff("run", config(Path()), "--out", "out")
    refused(said, "is not a results file of tipoff", "is larger than")


@pytest.mark.parametrize("make", [pipe, no_end, folder, loop])
def test_as_a_store(make: object, tipoff: Tipoff) -> None:
    Path("out").mkdir()
    make(Path("out") / FILE_NAME)  # type: ignore[operator]
    said = tipoff("run", config(Path()), "--out", "out")
    refused(said, "cannot be opened")


@pytest.mark.parametrize("make", [pipe, no_end, folder])
def test_as_the_config_of_a_run_folder(make: object, tipoff: Tipoff) -> None:
    Path("out").mkdir()
    make(Path("out/config.yaml"))  # type: ignore[operator]
    refused(tipoff("run", config(Path()), "--out", "out"), "is not of a run and would be")
    refused(tipoff("report", "out"), "is no run folder")


class Endless(io.TextIOBase):
    """Standard input that never ends its first line."""

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        assert size > 0, "a line without an end is asked for"
        return "x" * size


def test_standard_input_without_an_end(tipoff: Tipoff, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Endless())
    said = tipoff("moves", "club_fight", "--stdin")
    refused(said, "standard input, line 1: longer than 1000 characters")


ENCODED = {
    "utf-8-sig": 0,
    "utf-16": 2,
    "utf-32": 2,
    "utf-16-le": 2,
}


@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_other_encodings(encoding: str, ends: str, tipoff: Tipoff) -> None:
    """A byte-order mark and the line ends of any system are taken; UTF-16 is told as such."""
    Path("x.yaml").write_bytes(CONFIG.replace("\n", ends).encode(encoding))
    said = tipoff("plan", "x.yaml")
    if ENCODED[encoding] == 0:
        assert said.status == 0
    else:
        refused(said, "x.yaml:1:1: not UTF-8 text", "x.yaml:1:", "is not allowed")


@pytest.mark.parametrize("number", range(len(BOMBS) - 1))  # the last one is large, but right
def test_bombs(number: int, tipoff: Tipoff) -> None:
    Path("x.yaml").write_bytes(BOMBS[number])
    said = tipoff("plan", "x.yaml")
    assert said.status == 2 and "Traceback" not in said.err and len(said.err) < 40_000


# ---- code


MARK = "from pathlib import Path\nPath('ran').touch()\n"


def test_a_config_without_plugins_loads_nothing(tipoff: Tipoff) -> None:
    for name in ("sitecustomize.py", "conftest.py", "yaml.py", "random.py", "joker_first.py"):
        Path(name).write_text(MARK)
    said = tipoff("run", config(Path()))
    assert said.status == 0 and said.err == "" and not Path("ran").exists()


@pytest.mark.parametrize(
    "line",
    ["x: !!python/object/apply:os.mkdir [ran]", "name: !!python/name:os.mkdir", "? !!set {ran}"],
)
def test_tags_run_nothing(line: str, tipoff: Tipoff) -> None:
    said = tipoff("run", config(Path(), CONFIG + line + "\n"))
    refused(said, "are not allowed", "a key must be a word")
    assert not Path("ran").exists()


def test_a_config_with_plugins_says_which_files_it_loads(tipoff: Tipoff) -> None:
    body = "import helper\n" + GREEDY.replace("    class", "class", 1).lstrip("\n")
    write(Path(), body.replace("\n    ", "\n"), helper="import deeper", deeper="")
    said = tipoff("plan", config(Path(), PLUGIN.format("mine.py")))
    files = ", ".join(str(Path(f"{name}.py").resolve()) for name in ("mine", "helper", "deeper"))
    assert said.err.splitlines()[0] == f"loading strategies from {files}"
    assert said.status == 0, said.err


def test_it_says_so_before_anything_is_run(tipoff: Tipoff) -> None:
    Path("mine.py").write_text("import math\nprint('I ran')\n" + "1 / 0\n")
    said = tipoff("plan", config(Path(), PLUGIN.format("mine.py")))
    assert said.err.startswith("loading strategies from ") and said.out == "I ran\n"
    assert said.status == 2 and "ZeroDivisionError" in said.err
