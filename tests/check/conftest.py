"""What the fresh processes of `tipoff check` find compiled on disk."""

from __future__ import annotations

import pytest

from sim.check.subject import Effort, Subject
from sim.registry import Registry


@pytest.fixture(scope="session", autouse=True)
def engine(registry: Registry) -> None:
    """Compile the engine, so that no check's time limit is spent on that."""
    subject = Subject(registry, registry.strategy("club_fight", "greedy-most-cards"), Effort({}, 2))
    for player in (subject.player, subject.bounded):
        subject.play(player, subject.variants[0], 0, 1)
