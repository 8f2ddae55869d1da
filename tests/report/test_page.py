"""`report.html` and `report.md`: one content, two forms."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest

from sim.report.as_html import html
from sim.report.as_markdown import escaped, markdown
from sim.report.document import Code, Document, Image, Literal, Paragraph, Section
from sim.report.page import page
from sim.report.versus import SAME
from sim.results import Results
from tests.report.make import EASY, HARD, PNG, field, make_entry, make_results, without_pairs

COMMAND = "tipoff run configs/club_fight/beginner_tips.yaml"
IMAGES = (
    Image("differences.png", "Differences.", "Forest plot."),
    Image("win rate 1.png", "Win rates.", "Dot plot."),
)
VOID = {"meta", "link", "img", "br", "hr"}
NASTY = (
    "a|b *c* [d](e) <script>alert(1)</script> `g`\n## \"h\" 'i' & _j_ k_l <!-- </table> &amp; $m$"
)


def document(results: Results) -> Document:
    return page(results, IMAGES, COMMAND, "")


def text_of(results: Results) -> str:
    return markdown(document(results))


def html_of(results: Results) -> str:
    return html(document(results), {image.file: PNG for image in IMAGES})


@cache
def parsed(results_of: int) -> Seen:
    return read(html_of(field(results_of)))


class Seen(HTMLParser):
    """A page as a parser sees it: every tag closed, its attributes and its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[list[str]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("th", "td"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.texts.append(" ")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("th", "td"):
            self.cells[-1][-1] += data
        if "style" not in self.open:
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).replace("\xa0", " ").split())


def read(text: str) -> Seen:
    seen = Seen()
    seen.feed(text)
    seen.close()
    assert seen.open == []
    return seen


def md_rows(text: str) -> list[list[str]]:
    """The cells of all tables, without the lines under the heads."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def without_escapes(text: str) -> str:
    return re.sub(r"\\([\\`*_<\[\]|#$~&.+=>-])", r"\1", text)


# --- One content ---


@pytest.mark.parametrize("count", [1, 3, 12])
def test_both_pages_hold_the_same_tables(count: int) -> None:
    in_text = [[without_escapes(cell) for cell in row] for row in md_rows(text_of(field(count)))]
    in_html = [[cell.replace("\xa0", " ") for cell in row] for row in parsed(count).cells]
    assert in_text == in_html
    assert len(in_text) >= 2 * (count + 1)


@pytest.mark.parametrize("count", [1, 3])
def test_both_pages_hold_the_same_numbers_in_the_same_order(count: int) -> None:
    def numbers(text: str) -> list[str]:
        return re.findall(r"[+−]?\d[\d,]*(?:\.\d+)?", text)

    source = without_escapes(text_of(field(count)))
    source = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", source)  # alternative texts
    assert numbers(source) == numbers(parsed(count).text)


def test_the_pages_name_every_label_variant_chart_and_origin() -> None:
    results = field(12)
    text, seen = text_of(results), parsed(12)
    for known in (
        *(entry.label for entry in results.entries),
        *results.variant_names(),
        str(results.seed),
        results.digest,
        "hashed",
        "numba 0.68.1",
        "pointwise",
        "overlapping intervals settle nothing",
        "66 at 1 joker (easy) and 66 at 2 jokers (hard)",
        COMMAND,
    ):
        assert known in text
        assert known in seen.text
    assert "](differences.png)" in text
    assert "](win%20rate%201.png)" in text


def test_sections_stand_in_reading_order_and_empty_ones_nowhere() -> None:
    titles = [section.title for section in document(field(3)).sections]
    assert titles == [
        "Verdict",
        "Results",
        "Charts",
        "What the rules change",
        "Method",
        "Play it again",
    ]
    single = [section.title for section in page(field(1, two=False), IMAGES[:1], "x", "").sections]
    assert single == ["Verdict", "Results", "Method", "Play it again"]


# --- Tables ---


def test_the_tables_are_sorted_by_win_rate_with_ranks_and_gains() -> None:
    entries = [make_entry(label, rate) for label, rate in (("a", 0.1), ("b", 0.3), ("c", 0.2))]
    head, *rows = md_rows(text_of(make_results([*entries, make_entry("d", 0.2001)])))
    assert head[:6] == [
        "strategy",
        "rank",
        "won, %",
        "95 % interval",
        "gain, points",
        "95 % interval",
    ]
    assert [row[:5] for row in rows] == [
        ["b", "1", "30.00", "29.91–30.09", "+20.00"],
        ["d", "2–3", "20.01", "19.93–20.09", "+10.01"],
        ["c", "2–3", "20.00", "19.92–20.08", "+10.00"],
        ["a (baseline)", "4", "10.00", "9.94–10.06", "–"],
    ]


def test_a_gain_that_is_not_separated_is_marked() -> None:
    rows = md_rows(text_of(make_results([make_entry("a", 0.3), make_entry("b", 0.3002)])))
    assert rows[1][4] == f"{SAME} +0.02"


def test_without_pairs_there_are_no_ranks_and_nothing_about_pairs() -> None:
    for results in (field(1, two=False), without_pairs(field(3))):
        text = text_of(results)
        assert md_rows(text)[0][:3] == ["strategy", "won, %", "95 % interval"]
        assert "Holm" not in text
        assert "What the rules change" not in text


def test_the_rules_are_compared_the_later_minus_the_earlier() -> None:
    text = text_of(field(3))
    assert f"### From {EASY[0]} to {HARD[0]}" in text
    row = md_rows(text)[-1]
    assert row[0] in [entry.label for entry in field(3).entries]
    assert row[1].startswith("−")


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "How often does this strategy win"), (3, "How often do these 3 strategies win")],
)
def test_the_question_is_one_sentence(count: int, words: str) -> None:
    question = text_of(field(count)).split("\n\n")[1]
    assert question.startswith(words)
    assert question.count("?") == 1
    assert question.endswith("?")


def test_pages_speak_of_the_game_and_experiment_of_the_results() -> None:
    results = replace(field(2), game="golf", experiment="walk")
    text = page(results, (), "tipoff run x", "")
    for form in (markdown(text), html(text, {})):
        assert "club" not in form.replace("clubs", "").lower()
    assert markdown(text).startswith("# walk\n")


def test_what_pairing_saved_is_said() -> None:
    assert re.search(r"would have needed \d\.\d to \d\.\d times as many deals", text_of(field(5)))


# --- HTML ---


def test_the_page_needs_nothing_else() -> None:
    text = html_of(field(3))
    assert not re.search(r"https?:|//\w|url\(|@import|<script|srcset|\bon\w+=", text)
    seen = parsed(3)
    sources = [
        value for _, attrs in seen.tags for name, value in attrs.items() if name in ("src", "href")
    ]
    assert len(sources) == len(IMAGES) + 1
    assert all((source or "").startswith("data:") for source in sources)


def test_the_page_can_be_read_by_every_reader() -> None:
    seen = parsed(3)
    assert seen.all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in seen.all(
        "meta"
    )
    assert len(seen.all("title")) == len(seen.all("h1")) == 1
    assert all(attrs["scope"] in ("col", "row") for attrs in seen.all("th"))
    assert [image["alt"] for image in seen.all("img")] == ["Forest plot.", "Dot plot."]
    assert {(image["width"], image["height"]) for image in seen.all("img")} == {("192", "96")}
    names = [attrs["id"] for attrs in seen.all("h3")]
    assert [attrs["aria-labelledby"] for attrs in seen.all("table")] == names
    assert len(set(names)) == len(names) == 3


# --- Escapes ---


def test_labels_cannot_break_the_pages() -> None:
    results = make_results([make_entry(NASTY, 0.2), make_entry("b", 0.3)])
    results = replace(results, experiment=NASTY, versions={NASTY: 1}, ties=NASTY)
    seen = read(html_of(results))
    assert {tag for tag, _ in seen.tags} == {tag for tag, _ in parsed(3).tags}
    flat = " ".join(NASTY.split())
    assert flat in seen.text
    rows = md_rows(text_of(results))
    assert {len(row) for row in rows} == {9}
    assert without_escapes(rows[2][0]) == f"{flat} (baseline)"
    outside = re.sub(r"``.*``", "", text_of(results))  # in them nothing means anything
    assert "<script" not in outside.replace("\\<script", "")
    assert '\n## "h"' not in text_of(results)


def test_markdown_is_escaped_where_it_means_something() -> None:
    assert escaped("a|b *c* [d](e) <f> `g`") == "a\\|b \\*c\\* \\[d\\](e) \\<f> \\`g\\`"
    assert escaped("x\n## h _i_ j_k") == "x \\#\\# h \\_i\\_ j_k"
    assert escaped("1. x") == "1. x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1. x", "1\\. x"), ("- x", "\\- x"), ("+1 x", "\\+1 x"), ("> x", "\\> x"), ("12 x", "12 x")],
)
def test_the_start_of_a_line_makes_no_list(text: str, shown: str) -> None:
    assert escaped(text, at_start=True) == shown


def test_typed_text_keeps_its_backticks() -> None:
    section = Section("s", (Paragraph(("see ", Literal("a`b"))), Code("x ``` y")))
    text = markdown(Document("t", (), (section,)))
    assert "see `` a`b ``" in text
    assert "````sh\nx ``` y\n````" in text
