"""The text of a search: a YAML file checked key by key, with errors that point into it.

    tune: tuned_easy
    game: club_fight
    rules: {jokers: 1}
    strategy: {use: linear, fade: 0}            # what is given stays as it is
    search:
      joker: {from: -2, to: 8}                  # a range
      club_7: [-2, -1, 0]                       # a list of choices
    method: cma
    seed: 5
    fresh_seed: 6

`cma` and `optuna` play generations of candidates; all of a generation meet the same deals, the next
one others. `all` plays every combination. `stages` then compare the best on more and more new
deals, and the winner is played once more on the deals of the fresh seed: chosen on none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Strict,
    Tag,
    ValidationError,
)
from pydantic_core import PydanticCustomError

from sim import yaml_lines
from sim.config import problem
from sim.fields import (
    GIVEN,
    UNDERSCORED,
    Deals,
    FileName,
    Folder,
    Line,
    Scalar,
    Seed,
    Setting,
    Workers,
)
from sim.yaml_lines import Document, Loc, shown

MAX_GENERATIONS = 100_000
MAX_CANDIDATES = 10_000  # of a generation
RANGE, CHOICES = "\0range", "\0choices"  # tags


def _number(value: object) -> object:
    """Let a whole number stay whole: which it must be is the business of its parameter."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number", "expected a number")
    return value


Number = Annotated[float | int, PlainValidator(_number)]
Count = Annotated[int, Field(ge=1, le=MAX_CANDIDATES), UNDERSCORED]


class Fixed(BaseModel):
    """The strategy whose parameters are searched, with those that stay as they are."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Scalar]

    use: Line

    @property
    def settings(self) -> Mapping[str, Any]:
        """The parameters that are given."""
        return self.model_extra or {}


class Range(BaseModel):
    """Numbers from one to another, both included; where `cma` begins is in between."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    least: Number = Field(alias="from")
    most: Number = Field(alias="to")
    start: Annotated[Number | None, GIVEN] = None


class Stage(BaseModel):
    """The best so far meet on so many new deals; so many of them go on."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    deals: Deals
    keep: Count


def _form(value: object) -> str:
    return CHOICES if isinstance(value, list | tuple) else RANGE


def _named(value: object) -> object:
    return {"use": value} if isinstance(value, str) else value


Space = Annotated[
    Annotated[Range, Tag(RANGE)]
    | Annotated[tuple[Scalar, ...], Strict(False), Field(min_length=1), Tag(CHOICES)],
    Discriminator(_form),
]
"""Where a parameter is searched: a range of numbers, or a list of choices."""


class Tuning(BaseModel):
    """A search for the parameters of one strategy that win most."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    tune: Folder
    game: Line
    rules: dict[str, Setting] = {}
    strategy: Annotated[Fixed, BeforeValidator(_named)]
    search: dict[str, Space] = Field(min_length=1)
    method: Literal["cma", "optuna", "all"]
    seed: Seed
    fresh_seed: Seed
    at_most: Annotated[Count | None, GIVEN] = None  # parameters that are not 0
    generations: Annotated[int, Field(ge=1, le=MAX_GENERATIONS), UNDERSCORED] = 200
    candidates: Count = 20
    deals: Deals = 5_000
    leftover_first: Annotated[int, Field(ge=0, le=MAX_GENERATIONS), UNDERSCORED] = 0
    stages: Annotated[tuple[Stage, ...], Strict(False)] = (Stage(deals=50_000, keep=1),)
    fresh_deals: Deals = 1_000_000
    digits: Annotated[int, Field(ge=0, le=17)] = 3
    plugins: Annotated[tuple[FileName, ...], Strict(False)] = ()
    workers: Annotated[Workers | None, GIVEN] = None


@dataclass(frozen=True)
class TuneConfig:
    """A search and the document it was read from, for errors that are found later."""

    wanted: Tuning
    document: Document


def load(path: Path) -> TuneConfig:
    """Read the config of a search.

    Raises:
        BadInput: naming file, line and column of everything that is wrong with it.
    """
    return check(yaml_lines.read(path))


def check(document: Document) -> TuneConfig:
    """Return the search a document describes. Errors as for `load`."""
    if not isinstance(document.data, dict):
        message = "expected keys such as 'tune' and 'game', got "
        raise document.error((), message + shown(document.data))
    try:
        return TuneConfig(Tuning.model_validate(document.data), document)
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise document.errors(
            problem(one, keys_of(_plain(one["loc"])[:-1])) for one in found
        ) from error


def _plain(loc: Loc) -> Loc:
    return tuple(part for part in loc if not str(part).startswith("\0"))


def keys_of(loc: Loc) -> tuple[str, ...]:
    """Return the keys that a mapping at this place may have; none if any may stand there."""
    match loc:
        case ():
            return tuple(Tuning.model_fields)
        case ("search", _):
            return ("from", "to", "start")
        case ("stages", _):
            return tuple(Stage.model_fields)
    return ()
