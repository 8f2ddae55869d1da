"""Every check finds the fault it is there for, and no other check is misled by it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.check.model import Finding, Mark
from sim.check.outside import watch
from sim.check.subject import DICE, Subject
from sim.check.suite import CHECKS, examine
from sim.game import Block
from sim.games.club_fight import Rules
from sim.games.club_fight.steps import new_counters, new_room
from sim.games.club_fight.turns import turns
from sim.games.club_fight.view import View
from sim.registry import discover
from tests.check.plants import PLAIN, PLANTS, Plant, scoring
from tests.plugins import HEAD_LINES, UNCOMPILED, forget, greedy, write

BUT_WORKERS = tuple(check for check in CHECKS if check not in ("workers", "speed"))


@pytest.fixture(autouse=True)
def _plugins_are_forgotten() -> Iterator[None]:
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        if name.startswith("tipoff_plugin_"):
            del sys.modules[name]


def opening(deal: int) -> View:
    """What is seen first in a deal that checks play."""
    return next(turns(Rules(), DICE, deal, greedy(), new_room(), new_counters())).view


def filled_in(body: str) -> str:
    """A plant with the cards of deals that it is told by."""
    cards = opening(900).grid
    facts = {"FIRST": opening(0).hand, "SECOND": opening(1).hand}
    facts |= {"CARD_0": cards[0], "CARD_1": cards[1]}
    for name, value in facts.items():
        body = body.replace(name, str(value))
    return body


def examined(folder: Path, body: str, checks: tuple[str, ...] = BUT_WORKERS) -> dict[str, Finding]:
    """What each check finds on a plug-in."""
    path = write(folder, body)
    forget()
    watch(path)
    registry = discover()
    (listing,) = registry.add_plugin(path)
    said = examine(Subject(registry, listing), checks)
    return {finding.check: finding for finding in said if isinstance(finding, Finding)}


def one_a_check() -> Iterator[Any]:
    """All plants; those of a check that had one before are left to the slow suite."""
    seen: set[str] = set()
    for name, plant in PLANTS.items():
        marks = [pytest.mark.slow] if plant.check in seen else []
        seen.add(plant.check)
        yield pytest.param(plant, id=name, marks=marks)


@pytest.mark.parametrize("plant", list(one_a_check()))
def test_a_fault_fails_the_check_it_is_for(plant: Plant, tmp_path: Path) -> None:
    checks = tuple(CHECKS) if plant.check == "workers" else BUT_WORKERS
    found = examined(tmp_path, filled_in(plant.body), checks)
    assert [check for check, finding in found.items() if finding.failed] == [plant.check]
    verdict = found[plant.check].verdict
    assert plant.seen in verdict.seen
    place = f"{tmp_path / 'mine.py'}:{HEAD_LINES + plant.line}" if plant.line else ""
    assert verdict.place == place
    assert verdict.expected and (verdict.advice or plant.check == "finishes")


def test_every_check_has_a_plant() -> None:
    by_text = {"compiles", "speed"}  # never fail
    assert {plant.check for plant in PLANTS.values()} == set(CHECKS) - by_text


def test_what_cannot_be_compiled_is_noted_and_examined_all_the_same(tmp_path: Path) -> None:
    found = examined(
        tmp_path, UNCOMPILED.replace("weight:", "check = {'deals': 6}\n        weight:")
    )
    noted = found["compiles"].verdict
    assert noted.mark is Mark.NOTE and noted.place == f"{tmp_path / 'mine.py'}:{HEAD_LINES + 6}"
    assert "UnsupportedError: The use of yield in a closure is unsupported." in noted.seen
    assert found["both lanes"].verdict.mark is Mark.SKIPPED
    others = {c: f.verdict.mark for c, f in found.items() if c not in ("compiles", "both lanes")}
    assert set(others.values()) == {Mark.OK}, others


def test_the_honest_pass_every_check(tmp_path: Path) -> None:
    found = examined(tmp_path, scoring("return self.weight * move.cleared"), tuple(CHECKS))
    assert [str(finding) for finding in found.values() if finding.verdict.mark is not Mark.OK] == []
    assert "6 deals instead of 5,000 (as it declares) of each of 4 rules" in str(found["finishes"])


def test_the_slow_are_asked_for_less_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    real = Subject.block

    def block(self: Subject, player: object, rules: object, first: int, deals: int) -> Block:
        played.append(deals)
        return real(self, player, rules, first, deals)  # type: ignore[arg-type]

    monkeypatch.setattr(Subject, "block", block)
    monkeypatch.setattr(Subject, "_measured", lambda *_: 0.1)  # seconds a deal
    found = examined(tmp_path, scoring(PLAIN, "return cards", few=False))
    assert "15 deals instead of 5,000 (it is slow) of each of 4 rules" in str(found["finishes"])
    assert "2 deals instead of 200 (it is slow)" in str(found["twice"])
    assert not any(finding.failed for finding in found.values())
    assert max(played) == 15


def test_a_declaration_sets_parameters_for_the_checks_alone(tmp_path: Path) -> None:
    body = scoring("assert self.weight < 1.0", "return move.cleared * self.weight")
    assert examined(tmp_path, body, ("finishes",))["finishes"].failed
    few = body.replace("'deals': 6", "'deals': 6, 'params': {'weight': 0.5}")
    found = examined(tmp_path, few)
    assert not any(finding.failed for finding in found.values())
    assert found["parameters"].verdict.seen == "weight=0.5"


@pytest.mark.parametrize(
    ("declared", "complaint"),
    [
        ("3", "check: expected a mapping with 'params' and 'deals', got 3"),
        ("{'params': 3}", "check: params: expected a mapping of parameters, got 3"),
        ("{'deals': 0}", "check: deals: expected a whole number from 1 up, got 0"),
        ("{'deals': True}", "check: deals: expected a whole number from 1 up, got True"),
        ("{'params': {'weight': 'x'}}", "weight: expected"),
    ],
)
def test_a_declaration_that_cannot_be(declared: str, complaint: str, tmp_path: Path) -> None:
    body = scoring("return 0.0").replace("{'deals': 6}", declared)
    verdict = examined(tmp_path, body, ("parameters",))["parameters"].verdict
    assert verdict.mark is Mark.FAILED and complaint in verdict.seen
