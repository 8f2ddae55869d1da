"""Values of rule options and strategy parameters: their types, their words, their combinations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim.errors import BadInput
from sim.games.club_fight import GAME
from sim.registry import Listing, Origin
from sim.settings import combinations, count, params_of, rules_of, rules_variants, settle, text
from sim.strategy import Strategy
from sim.yaml_lines import Problem, scalar


class Mixed(Strategy):
    """Have a parameter of every type."""

    share: float = 1  # an int by mistake: settled as the float it is annotated to be
    count: int = 3
    brave: bool = False


class Plain(Strategy):
    """Have no parameter."""


class Endless(Strategy):
    """Have a default that no parameter may have."""

    weight: float = math.inf


def listing(cls: type[Strategy]) -> Listing:
    return Listing("club_fight", cls, Origin(__name__, cls.__name__), "built-in")


def test_rules_are_set_and_the_rest_left_alone() -> None:
    assert rules_of(GAME, {}) == GAME.rules()
    assert rules_of(GAME, {"jokers": 2}) == GAME.rules(jokers=2)


def test_parameters_are_typed_as_they_are_annotated() -> None:
    found = params_of(listing(Mixed), {"count": 5})
    assert found == {"share": 1.0, "count": 5, "brave": False}
    assert [type(value) for value in found.values()] == [float, int, bool]


# What is set | the error.
REFUSED = """
jokers=0 | jokers: expected 1 or 2, got 0
jokers=3 | jokers: expected 1 or 2, got 3
jokers=true | jokers: expected 1 or 2, got true
jokers=1.0 | jokers: expected 1 or 2, got 1.0
jokers=two | jokers: expected 1 or 2, got 'two'
jokers=99999999999999999999999 | jokers: expected 1 or 2, got 99999999999999999999999
joker=1 | Club Fight has no rule 'joker'; did you mean 'jokers'?
zzz=1 | Club Fight has no rule 'zzz'; known: all_clear, jokers
all_clear=1 | all_clear: expected true or false, got 1
all_clear=on | all_clear: expected true or false, got 'on'
share=x | share: expected a number, got 'x'
share=true | share: expected a number, got true
share= | share: expected a number, got nothing
share=.nan | share: expected a finite number, got nan
share=-.inf | share: expected a finite number, got -inf
share=1e999 | share: expected a finite number, got inf
count=3.0 | count: expected a whole number, got 3.0
count=false | count: expected a whole number, got false
count=1e17 | count: expected at most 9_007_199_254_740_992, got 100000000000000000
count=-1e17 | count: expected at least -9_007_199_254_740_992, got -100000000000000000
brave=1 | brave: expected true or false, got 1
brave=yes | brave: expected true or false, got 'yes'
cuont=1 | mixed has no parameter 'cuont'; did you mean 'count'? (parameters: share, count, brave)
lable=x | mixed has no parameter 'lable'; did you mean 'label'? (parameters: share, count, brave)
zzz_=1 | mixed has no parameter 'zzz_' (parameters: share, count, brave)
"""


@pytest.mark.parametrize("case", REFUSED.strip().split("\n"))
def test_refused_in_plain_words(case: str) -> None:
    setting, message = case.split(" | ")
    name, _, value = setting.partition("=")
    with pytest.raises(BadInput) as caught:
        if "Club Fight" in message or name in ("jokers", "all_clear"):
            rules_of(GAME, {name: scalar(value)})
        else:
            params_of(listing(Mixed), {name: scalar(value)})
    assert str(caught.value) == message


def test_a_strategy_without_parameters_says_so() -> None:
    with pytest.raises(BadInput, match=r"plain has no parameter 'x' \(it takes no parameters\)"):
        params_of(listing(Plain), {"x": 1})


def test_a_default_must_be_finite_too() -> None:
    with pytest.raises(BadInput, match=r"endless: a parameter is not usable: expected a finite"):
        params_of(listing(Endless), {"weight": 1})


def test_options_that_do_not_go_together() -> None:
    @dataclass(frozen=True)
    class Strict:
        jokers: int = 1
        all_clear: bool = False

        def __post_init__(self) -> None:
            if self.all_clear and self.jokers == 2:
                raise ValueError("all_clear is for one joker")

    problems: list[Problem] = []
    given = {"jokers": (1, 2), "all_clear": True}
    assert rules_variants(replace(GAME, rules=Strict), given, problems) == []
    assert problems == [Problem(("rules",), "rules: all_clear is for one joker")]


def test_too_many_variants_are_not_even_made() -> None:
    @dataclass(frozen=True)
    class Wide:
        a: int = 0
        b: int = 0

    problems: list[Problem] = []
    given = {"a": tuple(range(200)), "b": tuple(range(200))}
    assert rules_variants(replace(GAME, rules=Wide), given, problems) == []
    assert problems == [Problem(("rules",), "rules: more than 10_000 combinations")]


def test_combinations_have_the_first_name_outermost() -> None:
    axes = {"a": (1, 2), "b": (3, 4)}
    found = [tuple(values.values()) for values in combinations(axes)]
    assert found == [(1, 3), (1, 4), (2, 3), (2, 4)] and count(axes) == 4
    assert list(combinations({})) == [{}] and count({}) == 1


def test_choices_keep_types_apart() -> None:
    assert settle(Literal["a", 1], 1) == 1
    with pytest.raises(ValueError, match="expected 'a' or 1, got true"):
        settle(Literal["a", 1], True)


def test_minus_zero_is_zero() -> None:
    assert math.copysign(1, settle(float, -0.0)) == 1


SHOWN = "1.0 1, 0.1 0.1, 3.25 3.25, 1e16 10000000000000000, 1e300 1e+300, 2 2, true true, x x"


@pytest.mark.parametrize("case", SHOWN.split(", "))
def test_values_in_labels(case: str) -> None:
    value, shown = case.split()
    assert text(scalar(value)) == shown


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=100, deadline=None, database=None)
def test_no_digit_of_a_float_is_lost_in_a_label(value: float) -> None:
    assert float(text(value)) == value


@given(
    st.sampled_from([float, int, bool, Literal[1, "x"]]), st.floats() | st.integers() | st.none()
)
@example(float, 2**53 + 1)
@settings(max_examples=200, deadline=None, database=None)
def test_settle_gives_the_annotated_type_or_an_error(kind: Any, value: Any) -> None:
    try:
        found = settle(kind, value)
    except ValueError as error:
        assert str(error).startswith("expected ")
    else:
        assert found == value and type(found) is (int if kind not in (float, bool) else kind)
