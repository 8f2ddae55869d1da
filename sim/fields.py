"""The kinds of values that a config holds, and how its JSON Schema describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    Strict,
    Tag,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

MAX_DEALS = 10**10
MAX_SEED = 2**63 - 1
MAX_WORKERS = 4096
MAX_LABEL = 80  # characters

# Tags of the forms of a value; a NUL, with which they begin, cannot stand in a key of the file.
_ONE, _SEVERAL, _NAMED = "\0one", "\0several", "\0named"


@dataclass(frozen=True)
class OrText:
    """In the JSON Schema, also allows text: editors read `1_000_000` or a bare name as text."""

    pattern: str

    def __get_pydantic_json_schema__(
        self, core: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"anyOf": [handler(core), {"type": "string", "pattern": self.pattern}]}


@dataclass(frozen=True)
class OrOne:
    """In the JSON Schema, also allows an item of the list by itself."""

    def __get_pydantic_json_schema__(
        self, core: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        schema = handler(core)
        return {"anyOf": [schema, schema["items"]]}


def _at_least_one(value: object) -> object:
    return (value,) if isinstance(value, bool | int | float | str) else value


def _scalar(value: object) -> object:
    if not isinstance(value, bool | int | float | str):
        raise PydanticCustomError("scalar", "expected a number, true, false or text")
    return value


def _printable(value: str) -> str:
    if not value.isprintable() or value != value.strip():
        raise PydanticCustomError("line", "expected one printable line without blanks around it")
    return value


def _given(value: object) -> object:
    if value is None:
        raise PydanticCustomError("given", "expected a value; remove the key if none is meant")
    return value


def _form(value: object) -> str:
    return _SEVERAL if isinstance(value, list | tuple) else _form_of_one(value)


def _form_of_one(value: object) -> str:
    names_one = isinstance(value, BaseModel) or (isinstance(value, dict) and "use" in value)
    return _NAMED if names_one else _ONE


GIVEN = BeforeValidator(_given)  # None is the default of a key, but cannot be written
UNDERSCORED = OrText("^[0-9]+(_[0-9]+)+$")
Deals = Annotated[int, Field(ge=1, le=MAX_DEALS), UNDERSCORED]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), UNDERSCORED]
Workers = Annotated[int, Field(ge=1, le=MAX_WORKERS)]
Line = Annotated[str, Field(min_length=1, max_length=MAX_LABEL), AfterValidator(_printable)]
FileName = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_printable)]
Folder = Annotated[str, Field(pattern="^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$")]
Seats = Annotated[int, Field(ge=1, le=100)]
_T = TypeVar("_T")
Several = Annotated[
    Annotated[tuple[_T, ...], Strict(False), Field(min_length=1)],
    BeforeValidator(_at_least_one),
    OrOne(),
]
"""One value or a list of them, as a tuple."""
Scalar = Annotated[
    bool | int | float | str,
    PlainValidator(_scalar),
    WithJsonSchema({"type": ["boolean", "number", "string"]}),
]


class Naming(BaseModel):
    """A strategy with its parameters, as the value of a parameter of another strategy."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Scalar]

    use: Line = Field(description="Name of a strategy that scores its moves.")


_Value = Annotated[
    Annotated[Scalar, Tag(_ONE)] | Annotated[Naming, Tag(_NAMED)], Discriminator(_form_of_one)
]
Setting = Annotated[
    Annotated[Scalar, Tag(_ONE)]
    | Annotated[Naming, Tag(_NAMED)]
    | Annotated[tuple[_Value, ...], Strict(False), Field(min_length=1), Tag(_SEVERAL)],
    Discriminator(_form),
]
"""A value of a rule or parameter, or several of them: an axis or a sweep."""
