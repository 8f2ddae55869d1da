"""How long to play: a number of deals, or until the comparisons are sure enough.

    deals: {until: {half_width: 0.001, of: difference}, at_most: 20_000_000}
    deals: {until: {ranked: true, margin: 0.001}, at_most: 20_000_000}
    deals: {file: telling.yaml}          # exactly these, see `sim.deal_set`

Played is in rounds of a fixed number of deals; after each it is decided who plays on. What the
targets mean in numbers is the business of `sim.stats.sequence`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from sim.fields import MAX_DEALS, UNDERSCORED, Deals, FileName
from sim.yaml_lines import Loc

FEWEST = 1_000  # deals of a round: the bounds say nothing before
HALF_WIDTH, RANKED = "\0half_width", "\0ranked"  # tags
NUMBER, UNTIL, FILE = "\0number", "\0until", "\0file"

Rate = Annotated[float, Field(gt=0, lt=1)]
_STRICT = ConfigDict(extra="forbid", frozen=True, strict=True)


class HalfWidth(BaseModel):
    """Until every difference from the baseline's win rate is known to within so much."""

    model_config = _STRICT

    half_width: Rate = Field(description="Of the bounds, as a rate: 0.001 is 0.1 points.")
    of: Literal["difference"] = Field(description="The difference from the baseline's win rate.")

    def __str__(self) -> str:
        """Return the target in words."""
        known = f"known to ±{100 * self.half_width:g} points"
        return f"every difference from the baseline is {known}, but for those clearly worse"


class Ranked(BaseModel):
    """Until every pair is separated, or known to differ by less than a margin."""

    model_config = _STRICT

    ranked: Literal[True]
    margin: Rate = Field(description="A difference of win rates too small to matter, as a rate.")

    def __str__(self) -> str:
        """Return the target in words."""
        apart = f"known to differ by less than {100 * self.margin:g} points"
        return f"every two entries are separated or {apart}"


def _which(value: object) -> str:
    ranked = isinstance(value, Ranked) or (isinstance(value, Mapping) and "ranked" in value)
    return RANKED if ranked else HALF_WIDTH


class Until(BaseModel):
    """Play round by round until a target is met, or so many deals are played."""

    model_config = _STRICT

    until: Annotated[
        Annotated[HalfWidth, Tag(HALF_WIDTH)] | Annotated[Ranked, Tag(RANKED)],
        Discriminator(_which),
    ] = Field(description="What is to be known; clearly worse entries stop early.")
    at_most: Deals = Field(description="Deals per strategy and rules variant at which to give up.")
    round: Annotated[int, Field(ge=FEWEST, le=MAX_DEALS), UNDERSCORED] = Field(
        default=50_000, description="Deals between two looks at the results."
    )

    @model_validator(mode="after")
    def _one_round_at_least(self) -> Self:
        if self.at_most < self.round:
            message = f"at_most: expected at least one round of {self.round:_} deals, got "
            raise PydanticCustomError("too_short_for_a_round", message + f"{self.at_most:_}")
        return self

    def looks(self) -> range:
        """Return after how many deals it is decided, but for the last time, after `at_most`."""
        return range(self.round, self.at_most, self.round)


class FromFile(BaseModel):
    """Play exactly the deals of a set."""

    model_config = _STRICT

    file: FileName = Field(description="A set of deals, YAML, relative to this file.")


def _form(value: object) -> str:
    if isinstance(value, FromFile) or (isinstance(value, Mapping) and "file" in value):
        return FILE
    return UNTIL if isinstance(value, Until | Mapping) else NUMBER


HowLong = Annotated[
    Annotated[Deals, Tag(NUMBER)] | Annotated[Until, Tag(UNTIL)] | Annotated[FromFile, Tag(FILE)],
    Discriminator(_form),
]
"""A number of deals, a target, or a set of deals."""


def keys_of(loc: Loc) -> tuple[str, ...]:
    """Return the keys that a mapping at this place of a config may have; none if it is not here."""
    if loc == ("deals",):
        return (*Until.model_fields, *FromFile.model_fields)
    if loc == ("deals", "until"):
        return (*HalfWidth.model_fields, *Ranked.model_fields)
    return ()
