"""A set of deals in a file: numbers of deals of a seed, and why they were chosen.

    game: club_fight
    seed: 2024
    stream: 1
    about: the 1,000 most telling of 1,000,000 deals
    deals: [17, 254, 399]

An experiment plays exactly these with `deals: {file: telling.yaml}`. There, deal k of the set is
what deal k of a seed is elsewhere: blocks, leaves and digests count in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError

from sim import yaml_lines
from sim.config import problem
from sim.deals import STREAM_VERSION
from sim.fields import MAX_DEALS, Line, Seed, Setting
from sim.yaml_lines import Document, Problem, shown

MOST = 9_000  # deals of a set; what a config may hold is a little more

Number = Annotated[int, Field(ge=0, lt=MAX_DEALS)]


class _Text(BaseModel):
    """The file, key by key."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    game: Line
    seed: Seed
    stream: int
    about: str = ""
    chosen: dict[str, Setting] = {}  # where it comes from, for the reader
    deals: Annotated[tuple[Number, ...], Strict(False)] = Field(min_length=1, max_length=MOST)


@dataclass(frozen=True)
class DealSet:
    """Deals of a seed, in the order in which they are played."""

    game: str
    seed: int
    numbers: tuple[int, ...]
    about: str = ""
    chosen: Mapping[str, Any] | None = None

    @property
    def digest(self) -> str:
        """Return a hash of the deals: their order counts, what is said about them does not."""
        return sha256(f"{self.seed} {self.numbers}".encode()).hexdigest()


def read(path: Path) -> tuple[DealSet, Document]:
    """Read a set of deals; also return the document, to point into it.

    Raises:
        BadInput: naming file, line and column of everything that is wrong with it.
    """
    document = yaml_lines.read(path)
    if not isinstance(document.data, dict):
        message = "expected keys such as 'seed' and 'deals', got " + shown(document.data)
        raise document.error((), message)
    try:
        text = _Text.model_validate(document.data)
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise document.errors(problem(one, tuple(_Text.model_fields)) for one in found) from error
    if text.stream != STREAM_VERSION:
        message = f"stream: these are deals of stream {text.stream}; this is {STREAM_VERSION}"
        raise document.error(("stream",), message)
    _refuse_twins(text.deals, document)
    return DealSet(text.game, text.seed, text.deals, text.about, text.chosen), document


def _refuse_twins(numbers: tuple[int, ...], document: Document) -> None:
    places: dict[int, int] = {}
    problems = []
    for index, number in enumerate(numbers):
        if number in places:
            first = document.line(("deals", places[number]))
            message = f"deal {number} is given twice; first on line {first}"
            problems.append(Problem(("deals", index), message))
        places.setdefault(number, index)
    if problems:
        raise document.errors(problems)
