"""The text of an experiment: a YAML file checked key by key, with errors that point into it.

    experiment: beginner_tips
    game: club_fight
    deals: 1_000_000
    seed: 2024
    rules: {jokers: [1, 2]}
    strategies:
      - greedy-most-cards
      - {use: save-middle-clubs, weight: [0.4, 0.8, 1.6]}

Here stands what every experiment has in common. Whether the game knows the rule `jokers` and the
strategy the parameter `weight` is the business of `sim.plan`. `python -m sim.config` prints the
JSON Schema that editors use, committed as `configs/experiment.schema.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
)
from pydantic_core import ErrorDetails

from sim import yaml_lines
from sim.errors import did_you_mean
from sim.fields import (
    GIVEN,
    Deals,
    FileName,
    Folder,
    Line,
    OrText,
    Seats,
    Seed,
    Setting,
    Several,
    Workers,
)
from sim.until import HowLong, keys_of
from sim.yaml_lines import Document, Problem, shown


def _named(value: object) -> object:
    return {"use": value} if isinstance(value, str) else value


class Entry(BaseModel):
    """A strategy with its parameters; a list of values is a sweep, two lists are their product."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Setting]

    use: Annotated[Line | None, GIVEN] = Field(
        default=None,
        description="Name of the strategy, as `tipoff list strategies` shows it. Where a game has "
        "several decisions, their names may stand in its place, each with a strategy.",
    )
    label: Annotated[Line | None, GIVEN] = Field(
        default=None, description="Name in charts and tables; by default name and given values."
    )
    deals: Annotated[Deals | None, GIVEN] = Field(
        default=None, description="Play only so many of the experiment's deals, from the first on."
    )

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The parameters, or parts, as they are written: one value or several each."""
        return self.model_extra or {}


class Experiment(BaseModel):
    """An experiment: strategies that play the same seeded deals under the same rules."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    experiment: Folder = Field(
        description="Name of the experiment and its folder in reports/: letters, digits, _ and -."
    )
    game: Line = Field(description="Name of the game, as `tipoff list games` shows it.")
    deals: HowLong = Field(
        description="Deals per strategy and rules variant, such as 1e6; or until when to play."
    )
    seed: Seed = Field(description="Seed of the deals; deal k of a seed is always the same.")
    fresh_seed: Annotated[Seed | None, GIVEN] = Field(
        default=None, description="Seed of deals on which the best of each sweep is played again."
    )
    rules: dict[str, Setting] = Field(
        default={},
        description="Options of the rules; a list is an axis: every combination is played.",
    )
    strategies: Annotated[
        tuple[Annotated[Entry, BeforeValidator(_named), OrText(r"\S")], ...], Strict(False)
    ] = Field(min_length=1, description="Names of strategies, or mappings with `use`.")
    tournament: Annotated[Literal["round_robin", "against_field", "lineups"] | None, GIVEN] = Field(
        default=None,
        description="Who meets whom, where several play: every set of entries (`round_robin`), "
        "each against a `field`, or those who are named in `lineups`.",
    )
    seats: Annotated[Several[Seats] | None, GIVEN] = Field(
        default=None, description="How many play; a list is an axis."
    )
    field: Annotated[Several[Line] | None, GIVEN] = Field(
        default=None,
        description="Whom each entry meets: the label of one, of whom there are copies, or of all.",
    )
    lineups: Annotated[
        tuple[Annotated[tuple[Line, ...], Strict(False)], ...] | None, Strict(False), GIVEN
    ] = Field(default=None, min_length=1, description="Labels of those who sit together.")
    baseline: Annotated[Line | None, GIVEN] = Field(
        default=None,
        description="Label of the entry the others are compared with; by default the first.",
    )
    ladder: Annotated[tuple[Line, Line] | None, Strict(False), GIVEN] = Field(
        default=None,
        description="Labels of two entries, such as [random, look-ahead]: how far each of the "
        "others gets on the way from the first to the second.",
    )
    design: Annotated[Literal["factorial"] | None, GIVEN] = Field(
        default=None, description="`factorial`: each sweep of two values is a factor, off and on."
    )
    store: Annotated[Literal["deals", "counts"] | None, GIVEN] = Field(
        default=None,
        description="`counts`: keep sums for each range of deals, not every deal (`deals`).",
    )
    ties: Literal["hashed", "first"] = Field(
        default="hashed",
        description="Among equal scores: a fair choice by hash, or the first candidate.",
    )
    tie_seed: Annotated[Seed | None, GIVEN] = Field(
        default=None, description="Seed of the choice among equal scores; by default the seed."
    )
    plugins: Annotated[tuple[FileName, ...], Strict(False)] = Field(
        default=(), description="Python files with more strategies, relative to this file."
    )
    workers: Annotated[Workers | None, GIVEN] = Field(
        default=None, description="Processes that play; by default one per core."
    )

    @property
    def is_tournament(self) -> bool:
        """Return whether several play at once."""
        return any((self.tournament, self.seats, self.field, self.lineups))


@dataclass(frozen=True)
class Config:
    """An experiment and the document it was read from, for errors that are found later."""

    experiment: Experiment
    document: Document


def load(path: Path) -> Config:
    """Read the config of an experiment.

    Raises:
        BadInput: naming file, line and column of everything that is wrong with it.
    """
    return check(yaml_lines.read(path))


def check(document: Document) -> Config:
    """Return the experiment a document describes. Errors as for `load`."""
    if not isinstance(document.data, dict):
        message = "expected keys such as 'experiment' and 'game', got "
        raise document.error((), message + shown(document.data))
    try:
        found = Experiment.model_validate(document.data)
    except ValidationError as error:
        raise document.errors(map(problem, error.errors(include_url=False))) from error
    if not found.is_tournament and (nameless := _nameless(found)):
        raise document.errors(nameless)
    return Config(found, document)


def _nameless(found: Experiment) -> list[Problem]:
    """Return the entries that name no strategy, in an experiment where one plays alone."""
    return [
        Problem(("strategies", index, "use"), "missing key 'use'")
        for index, entry in enumerate(found.strategies)
        if entry.use is None
    ]


def json_schema() -> str:
    """Return the JSON Schema of an experiment, as `configs/experiment.schema.json` holds it."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **Experiment.model_json_schema(),
    }
    return json.dumps(_tidy(schema), indent=2, sort_keys=True) + "\n"


_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:_}",
    "int_type": "a whole number",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:_}",
    "literal_error": "{expected}",
    "model_type": "a mapping",
    "string_pattern_mismatch": "up to 64 letters, digits, _ and -",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "text",
    "string_type": "text",
    "tuple_type": "a list",
}


def words(error: ErrorDetails) -> str:
    """Return what pydantic found wrong with one value in plain words: "expected ..., got ..."."""
    value, kind = error["input"], error["type"]
    if kind == "too_short_for_a_round":
        return error["msg"]
    expected = _EXPECTED.get(kind, "").format(**error.get("ctx", {})).replace("True", "true")
    if kind == "model_type" and error["loc"][:1] == ("strategies",):
        expected = "the name of a strategy or a mapping with 'use'"
    message = f"expected {expected}" if expected else error["msg"]
    quotes = kind == "string_type" and isinstance(value, bool | int | float)
    return f"{message}, got {shown(value)}" + ("; put it in quotes" if quotes else "")


def problem(error: ErrorDetails, known: Collection[str] = ()) -> Problem:
    """Return what pydantic found wrong, and where; `known` keys, if not those of an experiment."""
    loc = tuple(part for part in error["loc"] if not str(part).startswith("\0"))
    name = shown(next((part for part in reversed(loc) if isinstance(part, str)), ""))[1:-1]
    if error["type"] == "missing":
        return Problem(loc, f"missing key '{name}'")
    if error["type"] == "extra_forbidden":
        hint = did_you_mean(name, known or keys_of(loc[:-1]) or Experiment.model_fields)
        return Problem(loc, f"unknown key '{name}'{hint}", at_key=True)
    if error["type"] == "too_short":
        purpose = "play" if loc == ("strategies",) else "sweep"
        return Problem(loc, f"{name}: the list is empty, nothing to {purpose}")
    return Problem(loc, f"{name}: {words(error)}")


def _tidy(schema: Any) -> Any:
    """Drop what says nothing or cannot be written: titles made from names, null and its default."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    idle = {"title"} if isinstance(schema.get("title"), str) else set()
    idle |= {"default"} if schema.get("default", 0) is None else set()
    return {key: _tidy(item) for key, item in schema.items() if key not in idle}


if __name__ == "__main__":
    sys.stdout.write(json_schema())
