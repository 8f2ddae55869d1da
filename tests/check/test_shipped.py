"""Every shipped strategy, of every game, goes through the checks that `tipoff check` makes."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sim.check import check_file
from sim.check.model import Finding, Mark
from sim.check.reach import workers
from sim.check.subject import Effort, Subject, effort_of
from sim.check.suite import CHECKS, examine
from sim.registry import Listing, discover
from sim.strategy import contract

FOUND = discover()  # strategies of games for several have conformance tests of their own
SHIPPED = [one for one in FOUND.listings.values() if not FOUND.game(one.game).for_several]
NAMES = [f"{listing.game}/{listing.name}" for listing in SHIPPED]
IN_PROCESS = tuple(check for check in CHECKS if check not in ("workers", "speed"))


@pytest.mark.parametrize("listing", SHIPPED, ids=NAMES)
def test_a_shipped_strategy_is_fit(listing: Listing) -> None:
    """With fewer deals than the command takes; all of them in the slow suite."""
    scores = contract(listing.cls) == "score"
    effort = Effort({}, 10) if scores else replace(effort_of(listing), deals=2)
    subject = Subject(discover(), listing, effort)
    said = [one for one in examine(subject, IN_PROCESS) if isinstance(one, Finding)]
    assert [str(one) for one in said if one.verdict.mark is not Mark.OK] == []
    assert [one.check for one in said] == list(IN_PROCESS)


def test_a_shipped_strategy_reaches_workers() -> None:
    verdict = workers(Subject(discover(), SHIPPED[0], Effort({}, 10)))
    assert verdict.mark is Mark.OK, verdict


@pytest.mark.slow
@pytest.mark.parametrize("listing", SHIPPED, ids=NAMES)
def test_a_shipped_strategy_passes_the_command_where_it_stands(listing: Listing) -> None:
    said = list(check_file(Path(sys.modules[listing.origin.module].__file__ or "")))
    assert [str(one) for one in said if one.verdict.mark is not Mark.OK] == []
    assert contract(listing.cls) == "choose" or "5,000 deals" in next(
        one.verdict.seen for one in said if one.check == "finishes"
    )
