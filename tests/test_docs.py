"""What the documents say is there: links, files, commands, code."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

import sim
from sim.commands.line import parser
from sim.experiments import find, find_search

ROOT = Path(__file__).parents[1]
README, ARCHITECTURE, CHANGELOG = (
    ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")
)
DOCUMENTS = (README, ARCHITECTURE, CHANGELOG, *sorted((ROOT / "docs").glob("*.md")))

FENCE = re.compile(r"^(`{3,}|~{3,})([^\n]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
LINK = re.compile(
    r"\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)=\"([^\"]+)", re.MULTILINE
)
# Paths of the machine a file was written on, put so that this file holds none.
MACHINE = re.compile(r"(?<![\w.~-])/(?:root|work|home/\w+|Users/\w+|tmp/bash_jobs)\b[./]")


def fences(path: Path) -> Iterator[tuple[str, str]]:
    """Yield language and text of each fenced block."""
    for _, language, text in FENCE.findall(path.read_text(encoding="utf-8")):
        yield language.strip().lower(), text


def prose(path: Path) -> str:
    """Return a document without its fenced blocks."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def spans(path: Path) -> list[str]:
    """Return what stands in backticks in the prose."""
    return [" ".join(text.split()) for _, text in SPAN.findall(prose(path))]


def links(path: Path) -> list[str]:
    return ["".join(found) for found in LINK.findall(SPAN.sub("", prose(path)))]


def anchors(path: Path) -> set[str]:
    """Return the anchors GitHub makes of a document's headings."""
    headings = re.findall(r"^#+\s+(.+?)\s*#*$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problems_of_links(path: Path) -> Iterator[str]:
    for link in links(path):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue  # to elsewhere: the tests use no network
        name, _, anchor = unquote(link).partition("#")
        target = (path.parent / name).resolve() if name else path
        if name and not (target.exists() and target.is_relative_to(ROOT)):
            yield f"{path.name}: {link} is not there"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{path.name}: {link} has no such heading"


def problems_of_paths(path: Path) -> Iterator[str]:
    """Find paths in backticks that do not exist; `<name>` and `*` stand for anything."""
    tops = {child.name for child in ROOT.iterdir()}
    for span in spans(path):
        for word in span.split():
            pattern = re.sub(r"<[^>]+>", "*", word).strip("/")
            is_path = re.fullmatch(r"[\w.*-]+(/[\w.*-]+)+", pattern)
            ours = pattern.split("/")[0] in tops or pattern.endswith(".py")
            if is_path and ours and not any(ROOT.glob(pattern)):
                yield f"{path.name}: `{word}` is not there"


def commands(path: Path) -> Iterator[str]:
    """Yield the commands of the console blocks, continued lines joined."""
    for language, text in fences(path):
        if language == "console":
            for line in text.replace("\\\n", " ").splitlines():
                if line.startswith("$ "):
                    yield line.removeprefix("$ ")


def words_of(command: str) -> list[str]:
    """Return the words of a command up to a pipe, a redirection or a second command."""
    words = shlex.split(command, comments=True)
    ends = [i for i, word in enumerate(words) if re.fullmatch(r"\||&&|;|\d?>>?|<", word)]
    return words[: ends[0]] if ends else words


def committed() -> list[Path]:
    """Return the files under version control, or, in an unpacked archive, all there are."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        done = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        found = [ROOT / name for name in done.stdout.split("\0") if name]
    else:
        found = list(ROOT.rglob("*"))
    hidden = re.compile(r"^\.(?!ci|git)|__pycache__")
    return [
        path
        for path in found
        if path.is_file() and not any(map(hidden.search, path.relative_to(ROOT).parts))
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_images_exist(path: Path) -> None:
    assert list(problems_of_links(path)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_are_mentioned_exist(path: Path) -> None:
    assert list(problems_of_paths(path)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_make_has_the_targets_that_are_mentioned(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    code = "\n".join([*spans(path), *(text for _, text in fences(path))])
    assert set(re.findall(r"^(?:\$ )?make ([a-z][\w-]*)", code, re.MULTILINE)) <= targets


def test_the_code_of_the_readme_runs(tmp_path: Path) -> None:
    """All Python blocks, one after the other, as a reader would type them; answers are right."""
    blocks = [block for language, block in fences(README) if language == "python"]
    assert any(">>> " in block for block in blocks)
    shown = [block if ">>> " in block else as_typed(block) for block in blocks]
    (tmp_path / "readme.txt").write_text("\n\n".join(shown), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "doctest", "readme.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def as_typed(code: str) -> str:
    """Return code with prompts, a statement each."""
    lines = code.splitlines()
    found = []
    for node in ast.parse(code).body:
        first, *rest = lines[node.lineno - 1 : node.end_lineno]
        found += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
    return "\n".join([*found, ""])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_can_be_typed(path: Path) -> None:
    for command in commands(path):
        program, *words = words_of(command)
        if program != "tipoff":
            continue
        try:
            arguments = parser().parse_args(words)
        except SystemExit as end:
            assert end.code == 0, command  # --help and --version leave, too
            continue
        config = Path(getattr(arguments, "config", None) or "")
        if config.parts[:1] == ("configs",):
            assert (ROOT / config).is_file(), command
        elif len(config.parts) == 2 and not config.suffix:
            look_up = find_search if arguments.verb == "tune" else find
            assert look_up(str(config)).is_file(), command


def test_the_readme_shows_how_to_run_something() -> None:
    assert any(command.startswith("tipoff run ") for command in commands(README))


def test_every_module_has_its_room_in_the_architecture() -> None:
    mentioned = set(spans(ARCHITECTURE))
    modules = {f"sim/{path.name}" for path in (ROOT / "sim").glob("[!_]*.py")}
    folders = {f"sim/{path.parent.name}/" for path in (ROOT / "sim").glob("*/__init__.py")}
    folders -= {"sim/games/"}
    folders |= {f"sim/games/{path.parent.name}/" for path in (ROOT / "sim/games").glob("*/view.py")}
    assert modules | folders <= mentioned


def test_the_changelog_knows_this_version() -> None:
    headings = re.findall(r"^## (\S+)", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert sim.__version__ in headings


def test_no_committed_file_knows_a_machine() -> None:
    wrong = []
    for path in committed():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        if found := MACHINE.search(text):
            line = text.count("\n", 0, found.start()) + 1
            wrong.append(f"{path.relative_to(ROOT)}:{line}: {found[0]}")
    assert wrong == []


# --- The checks themselves find what they are for ---

SAMPLE = """# A sample of it all

See [here](missing.md), ![chart](reports/none.png), [there](#not-a-heading),
[top](#a-sample-of-it-all) and <img src="gone.png">, `sim/no_such.py`, `sim/bits.py`,
`sim/games/<game>/view.py`, `a/b.py`, `club_fight/beginner_tips`, [web](https://example.org),
[ref][r] and `[no](link)`.

[r]: lost.md

```console
$ tipoff run club_fight/beginner_tips --deals 1000 \\
    --workers 2 | head  # not `sim/in_a_fence.py`
output
```
"""


def test_the_checks_find_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "sample.md"
    path.write_text(SAMPLE, encoding="utf-8")
    found = [problem.split()[1] for problem in problems_of_links(path)]
    assert found == ["missing.md", "reports/none.png", "#not-a-heading", "gone.png", "lost.md"]
    found = [problem.split()[1] for problem in problems_of_paths(path)]
    assert found == ["`sim/no_such.py`", "`a/b.py`"]
    (command,) = commands(path)
    assert words_of(command)[-2:] == ["--workers", "2"]
    for part in ("root", "work", "home/me", "tmp/bash_jobs"):
        assert MACHINE.search(f"see /{part}/x")
        assert not MACHINE.search(f"a/{part}/x https://example.org/{part}/x ~/{part}/x sim/work.py")
