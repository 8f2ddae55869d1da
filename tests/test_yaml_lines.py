"""The strict YAML reader: what it reads, what it refuses, and where its errors point."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import BadInput
from sim.yaml_lines import MAX_BYTES, MAX_VALUES, Document, Problem, parse, read, scalar, shown


def document(text: str | bytes) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return parse(data, Path("some.yaml"))


def refusal(text: str | bytes) -> list[str]:
    """Return the lines of the error that reading `text` ends with."""
    with pytest.raises(BadInput) as caught:
        document(text)
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("NO", "NO"),
        ("true", True),
        ("False", False),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("+7", 7),
        ("-3", -3),
        ("1_000_000", 1_000_000),
        ("1__0", "1__0"),
        ("_1", "_1"),
        ("1_", "1_"),
        ("12:30:00", "12:30:00"),
        ("2024-01-01", "2024-01-01"),
        ("0b11", "0b11"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1_0.2_5", 10.25),
        ("1.5e-3", 0.0015),
        ("1e400", math.inf),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
        ("nan", "nan"),
        ("inf", "inf"),
        ("~", None),
        ("", None),
        ("null", None),
        ("1e", "1e"),
        ("e1", "e1"),
        ("1,5", "1,5"),
        ("٣", "٣"),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    found = scalar(text)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("text", ["1e6", "1E6", "1.0e6", "1_000e3", "10e+5", "10000000e-1"])
def test_a_whole_number_in_scientific_notation_is_an_int(text: str) -> None:
    assert scalar(text) == 1_000_000 and type(scalar(text)) is int


def test_scientific_notation_is_an_int_only_if_a_float_holds_it_exactly() -> None:
    assert scalar("1e18") == 10**18 and type(scalar("1e18")) is int
    assert type(scalar("9.223372036854775807e18")) is float
    assert type(scalar("1e300")) is float


def test_a_float_that_happens_to_be_whole_stays_a_float() -> None:
    assert type(scalar("3.0")) is float


def test_nan_is_a_float() -> None:
    assert math.isnan(scalar(".nan"))


def test_quoted_scalars_are_text() -> None:
    assert document("[\"1\", '2', '', \"true\", 'yes']").data == ["1", "2", "", "true", "yes"]


def test_keys_are_text_whatever_they_look_like() -> None:
    assert document("{1: a, yes: b, 2.0: c, null: d}").data == {
        "1": "a",
        "yes": "b",
        "2.0": "c",
        "null": "d",
    }


def test_byte_order_mark_and_crlf_are_fine() -> None:
    found = document(b"\xef\xbb\xbfa: 1\r\nb: [2, x]\r\n")
    assert found.data == {"a": 1, "b": [2, "x"]}
    assert str(found.error(("b", 1), "no")) == "some.yaml:2:8: no\nb: [2, x]\n       ^"


EXAMPLE = """\
# a comment
deals: 10
strategies:
  - greedy
  - {use: "x", weight: [0.4, 0.8]}
"""


@pytest.mark.parametrize(
    ("loc", "at_key", "place"),
    [
        ((), False, "2:1"),
        (("deals",), False, "2:8"),
        (("deals",), True, "2:1"),
        (("strategies",), False, "4:3"),
        (("strategies",), True, "3:1"),
        (("strategies", 0), False, "4:5"),
        (("strategies", 1), False, "5:5"),
        (("strategies", 1, "weight"), True, "5:16"),
        (("strategies", 1, "weight"), False, "5:24"),
        (("strategies", 1, "weight", 1), False, "5:30"),
        (("strategies", 1, "deals"), True, "5:5"),  # not there: what holds it
        (("strategies", 0, "use"), False, "4:5"),
        (("seed",), True, "2:1"),
    ],
)
def test_errors_point_at_value_key_or_nearest_parent(
    loc: tuple[str | int, ...], at_key: bool, place: str
) -> None:
    error = document(EXAMPLE).error(loc, "wrong", at_key=at_key)
    assert str(error).startswith(f"some.yaml:{place}: wrong\n")


def test_an_error_shows_the_line_and_a_caret() -> None:
    assert str(document(EXAMPLE).error(("strategies", 1, "weight", 1), "wrong")) == (
        'some.yaml:5:30: wrong\n  - {use: "x", weight: [0.4, 0.8]}\n                             ^'
    )


def test_line_is_that_of_the_key() -> None:
    found = document(EXAMPLE)
    assert found.line(("strategies",)) == 3
    assert found.line(("strategies", 1)) == 5


def test_several_problems_are_listed_in_the_order_of_the_file() -> None:
    found = document("a: 1\nb: 2\n")
    error = found.errors([Problem(("b",), "second"), Problem(("a",), "first")])
    assert str(error).split("\n")[::3] == ["some.yaml:1:4: first", "some.yaml:2:4: second"]


def test_a_flood_of_problems_is_cut() -> None:
    lines = str(document("a: 1").errors([Problem(("a",), "no")] * 50)).split("\n")
    assert len(lines) == 61 and lines[-1] == "... and 30 more"


def test_the_caret_stands_below_wide_characters_and_tabs() -> None:
    assert refusal("a: 日本 b: c")[1:] == ["a: 日本 b: c", "         ^"]
    assert refusal("'a\tb': *x")[1:] == ["'a\tb': *x", "  \t    ^"]


def test_a_long_line_is_cut_around_the_caret() -> None:
    _, source, caret = refusal(f"a: {'x' * 500} b: c {'y' * 500}")
    assert len(source) <= 106 and source.startswith("...x") and source.endswith("y...")
    assert source[len(caret) - 1] == ":"


REFUSED = {
    "empty": (b"", "1:1: the file is empty"),
    "only a comment": (b"# nothing\n", "1:1: the file is empty"),
    "key twice": (b"a: 1\nb: 2\n'a': 3\n", "3:1: key 'a' is given twice; first on line 1"),
    "key twice, inner": (b"x: {a: 1, b: 2, a: 3}", "1:17: key 'a' is given twice; first on line 1"),
    "python tag": (b"a: !!python/name:os.x 1", "1:4: tags (!!python/name:os.x) are not allowed"),
    "own tag": (b"a:\n  - !x 1", "2:5: tags (!x) are not allowed"),
    "plain tag": (b"a: !!str 1", "1:4: tags (!!str) are not allowed"),
    "empty tag": (b"a: ! 1", "1:4: tags (!) are not allowed"),
    "tag on a key": (b"!!str a: 1", "1:1: tags (!!str) are not allowed"),
    "anchor": (b"a: &x 1\nb: *x", "1:4: anchors (&x) are not allowed"),
    "alias": (b"a: *x", "1:4: aliases (*x) are not allowed"),
    "merge key": (b"a:\n  <<: {b: 1}", "2:3: merge keys (<<) are not allowed"),
    "two documents": (b"a: 1\n---\nb: 2", "2:1: a second document begins here"),
    "list as key": (b"? [a]\n: b", "1:3: a key must be a word"),
    "not YAML": (b"a: b: c", "1:5: not YAML: mapping values are not allowed here"),
    "unclosed": (b"a: [1,\nb\n", "3:1: not YAML: expected ',' or ']'"),
    "tab": (b"\ta: 1", "1:1: not YAML: found character '\\t'"),
    "UTF-16": ("a: 1".encode("utf-16"), "1:1: not UTF-8 text: byte 0xff"),
    "Latin-1": ("a: 1\nb: ä".encode("latin-1"), "2:4: not UTF-8 text: byte 0xe4"),
    "Latin-1 after a byte-order mark": (b"\xef\xbb\xbf\xc3\xa4: 1\nb: \xe4", "2:4: not UTF-8 text"),
    "surrogate bytes": (b"a: \xed\xa0\x80", "1:4: not UTF-8 text"),
    "NUL": (b"a: 1\nb: \0", "2:4: not YAML: character U+0000 is not allowed"),
    "escape character": (b"a: \x1b[31m", "1:4: not YAML: character U+001B is not allowed"),
    "NUL, escaped": (b'a: "x\\0"', "1:4: character U+0000 is not allowed in text"),
    "NUL in a key": (b'"\\0": 1', "1:1: character U+0000 is not allowed in text"),
    "half a character": (b'a: "\\ud800"', "1:4: character U+D800 is not allowed in text"),
    "no such character": (b'a: "\\UFFFFFFFF"', "1:7: not YAML: a number out of range"),
    "beyond Unicode": (b'a: "\\U00110000"', "1:7: not YAML: a number out of range"),
    "huge version": (b"%YAML " + b"1" * 5000 + b".1\n---\na", "1:7: not YAML: a number out of"),
    "huge int": (b"a: " + b"9" * 5000, "1:4: a number of more than 100 characters"),
    "too large": (b"#" * (MAX_BYTES + 1), "1:1: the file is larger than 200_000 bytes"),
    "too many values": (
        b"[" + b"1," * MAX_VALUES + b"]",
        "1:20000: more than 10_000 values",
    ),
    "too deep": (b"[" * 21 + b"]" * 21, "1:21: nested more than 20 deep"),
    "bottomless": (b"[" * 100_000, "1:21: nested more than 20 deep"),
    "bottomless mapping": (b"{a: " * 50_000, "nested more than 20 deep"),
    "bottomless block": (b"- " * 50_000, "nested more than 20 deep"),
    "bottomless keys": (b"? " * 50_000, "a key must be a word"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_position_line_and_caret(name: str) -> None:
    data, message = REFUSED[name]
    lines = refusal(data)
    assert lines[0].startswith("some.yaml:") and message in lines[0]
    assert len(lines) == 3 and lines[2].strip() == "^"


def test_depth_20_is_fine() -> None:
    document(b"[" * 20 + b"]" * 20)


def test_a_file_of_exactly_the_limit_is_read() -> None:
    assert document(b"a: 1\n" + b"#" * (MAX_BYTES - 5)).data == {"a": 1}


def test_unprintable_characters_never_reach_the_terminal() -> None:
    assert "\x1b" not in "\n".join(refusal(b"a: \x1b[31m"))
    assert "\u202e" not in "\n".join(refusal("a: \u202eb: c: d"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml", tmp_path / "x\0y", tmp_path / ("n" * 300)):
        with pytest.raises(BadInput, match="cannot be read: "):
            read(path)


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 1")
    assert read(path).data == {"a": 1} and read(path).path == path


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        ([1], "a list"),
        ({}, "a mapping"),
        ("ten", "'ten'"),
        (1.5, "1.5"),
        ("x" * 99, "'" + "x" * 49 + "...'"),
        ("\x1b", r"'\x1b'"),
    ],
)
def test_values_are_shown_short_and_safe(value: object, text: str) -> None:
    assert shown(value) == text


WORDS = r"""a [ ] { } ' " \ &x *x ! !! << > # % ? 1e6 .nan \U ffffffff é @ ` 0x ~ null"""
SPACED = [": ", "- ", ", ", "\n", "  ", "|\n", "---\n", "...\n", "%YAML 9.9\n", "%TAG ! !\n"]
ODD = ["\0", "\t", "\r", "\ufeff", "\u2028", "\x85"]
PIECES = st.lists(st.sampled_from([*WORDS.split(), *SPACED, *ODD]), max_size=30)


@given(st.binary(max_size=60) | PIECES.map(lambda pieces: "".join(pieces).encode()))
@settings(max_examples=300, deadline=None, database=None)
def test_any_bytes_give_a_document_or_bad_input(data: bytes) -> None:
    try:
        found = document(data)
    except BadInput as error:
        assert str(error).startswith("some.yaml:") and len(str(error).split("\n")) == 3
    else:
        assert () in found.marks
