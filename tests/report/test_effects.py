"""What each tip of a factorial design does: `effects.png`, its sentences and its tables."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sim.report import effects, style
from sim.report.as_html import html
from sim.report.as_markdown import markdown
from sim.report.document import Document, Image, Table
from sim.report.effects_told import MOST_TOGETHER, p_text, sentences
from sim.report.page import page
from sim.report.pictures import pictures
from sim.report.tips import alone, together
from sim.report.write import write_report
from sim.results import Results
from tests.report.drawn import drawn, flat, outside, overlaps, texts, with_gid
from tests.report.make import EASY, HARD, PNG, field
from tests.report.make_effects import (
    SIZES,
    factorial,
    lineups,
    make_additive,
    make_effect,
    told_of,
)
from tests.report.test_page import md_rows, read, without_escapes

LONG = ("never_spend_a_pair_before_the_deck_is_empty", "weight_of_the_highest_one=0.25", "c")


@cache
def results() -> Results:
    return factorial()


@cache
def figure() -> Figure:
    return drawn(lambda: effects.draw(results()))


@cache
def document() -> Document:
    return page(results(), [one.image for one in pictures(results())], "tipoff run x", "")


def labels(ax: Axes) -> list[str]:
    return [flat(text.get_text()) for text in ax.get_yticklabels()]


def lines(ax: Axes, gid: str) -> list[Line2D]:
    return [line for line in ax.get_lines() if line.get_gid() == gid]


def of_gid(gid: str) -> list[str]:
    return [flat(text.get_text()) for text in texts(figure()) if text.get_gid() == gid]


# --- Chart ---


def test_single_tips_stand_above_pairs_each_in_their_order() -> None:
    easy, hard = figure().axes
    assert labels(easy) == ["kind", "late", "fast", "fast × kind", "kind × late", "fast × late"]
    assert labels(hard) == ["fast", "late", "kind", "fast × kind", "kind × late", "fast × late"]
    assert [ax.get_title("left") for ax in (easy, hard)] == [EASY[0], HARD[0]]
    assert of_gid("group") == ["each tip", "two together"] * 2


def test_dots_and_intervals_are_those_of_the_effects() -> None:
    for ax, dots, variant in zip(
        figure().axes, with_gid(figure(), "dot"), results().variant_names(), strict=True
    ):
        tips = [*alone(results(), variant), *together(results(), variant)]
        assert [x for x, _ in dots] == pytest.approx([100 * tip.difference for tip in tips])
        assert [y for _, y in dots] == pytest.approx(list(ax.get_yticks()))
        low, high = ax.get_xlim()
        for bar, tip in zip(lines(ax, "interval"), tips, strict=True):
            assert list(bar.get_xdata()) == pytest.approx([100 * tip.low, 100 * tip.high])
            assert low < 100 * tip.low < 100 * tip.high < high
        assert low < 0 < high


def test_a_group_stands_apart_from_the_one_above() -> None:
    y = figure().axes[0].get_yticks()
    steps = [after - before for before, after in pairwise(y)]
    assert steps[2] > 1.5 * steps[0]
    assert steps[0] == pytest.approx(steps[1]) == pytest.approx(steps[4])


def test_what_is_not_separated_is_hollow_and_marked() -> None:
    marked = []
    for ax, variant in zip(figure().axes, results().variant_names(), strict=True):
        tips = [*alone(results(), variant), *together(results(), variant)]
        hollow = [dot.get_markerfacecolor() == "white" for dot in lines(ax, "dot")]
        assert hollow == [tip.p_holm >= 0.05 for tip in tips]
        marked += hollow
    assert 0 < sum(marked) < len(marked)
    assert [text.endswith(" =") for text in of_gid("number")[:6]] == marked[:6]


def test_a_separated_interval_does_not_do_without_the_adjusted_p() -> None:
    one = told_of(results(), [make_effect(("kind",), 0.05, p=0.05)])
    ax = drawn(lambda: effects.draw(one)).axes[0]
    assert [dot.get_markerfacecolor() for dot in lines(ax, "dot")] == ["white"]


def test_both_effects_stand_at_the_right_the_cards_left_smaller() -> None:
    found = [text for text in texts(figure()) if text.get_gid() == "number"]
    won, left = found[0], found[6]
    assert won.get_text() == "+5.2 (+4.2 to +6.2)"
    assert left.get_text() == "−0.5 (−0.7 to −0.4)"
    assert left.get_size() < won.get_size() == style.TEXT


def test_every_text_is_whole_and_by_itself() -> None:
    assert overlaps(figure()) == []
    assert outside(figure()) == []
    subtitle, title = of_gid("subtitle")[0], of_gid("title")[0]
    assert title == "What each tip does to the win rate on the same 5,000 deals"
    assert "Holm over all effects of the panel" in subtitle


def test_long_names_and_one_tip_leave_every_text_whole_and_by_itself() -> None:
    sizes = {(name,): 0.3 - 0.2 * i for i, name in enumerate(LONG)}
    wordy = factorial(sizes | dict.fromkeys(combinations(LONG, 2), 0.1))
    for one in (wordy, factorial({("kind",): 0.05})):
        seen = drawn(lambda one=one: effects.draw(one))
        assert overlaps(seen) == []
        assert outside(seen) == []


def test_the_chart_has_the_same_bytes_twice() -> None:
    first, second = (style.png(lambda: effects.draw(results())) for _ in range(2))
    assert first == second


# --- Sentences ---


def test_each_tip_has_its_sentence_then_the_strongest_pairs_then_the_sum() -> None:
    assert list(sentences(results(), EASY[0])) == [
        "At 1 joker (easy), kind adds 5.2 points on average (4.2 to 6.2) over whatever else is "
        "followed.",
        "At 1 joker (easy), the effect of late on the win rate cannot be told apart from nothing: "
        "+0.2 points (−0.8 to +1.2) on average.",
        "At 1 joker (easy), fast costs 3.0 points on average (2.0 to 4.0) over whatever else is "
        "followed.",
        "At 1 joker (easy), fast and kind together bring 4.1 points less than each alone would "
        "suggest (3.1 to 5.1).",
        "At 1 joker (easy), kind and late together bring 2.0 points more than each alone would "
        "suggest (1.0 to 3.0).",
        "At 1 joker (easy), all tips together win 46.7 %; all off plus the three effects alone "
        "would give 54.4 %: 7.7 points less than the sum (3.4 to 12.0).",
    ]


def test_a_sum_that_holds_is_said_to_be_in_doubt() -> None:
    assert list(sentences(results(), HARD[0]))[-1] == (
        "At 2 jokers (hard), all tips together win 46.7 %; all off plus the three effects alone "
        "would give 46.3 %, and the two cannot be told apart: a difference of +0.4 points (−3.1 "
        "to +3.9)."
    )


def test_tips_that_bring_more_than_their_sum_are_said_to() -> None:
    more = told_of(results(), results().effects, make_additive(0.05, 0.01))
    assert list(sentences(more, EASY[0]))[-1].endswith(
        "would give 41.7 %: 5.0 points more than the sum (4.0 to 6.0)."
    )


def test_of_many_pairs_the_strongest_are_told() -> None:
    names = "abcde"
    sizes = {(a, b): 0.02 + 0.001 * i for i, (a, b) in enumerate(combinations(names, 2))}
    many = told_of(results(), [make_effect(pair, size) for pair, size in sizes.items()])
    found = list(sentences(many, EASY[0]))
    assert len(found) == MOST_TOGETHER
    assert [sentence.split(", ")[1][:7] for sentence in found] == ["d and e", "c and e", "c and d"]


def test_without_a_separated_pair_that_is_said_and_a_single_tip_has_no_sum() -> None:
    found = [make_effect(("a",), 0.1), make_effect(("b",), 0.1), make_effect(("a", "b"), 0.001)]
    last = list(sentences(told_of(results(), found), EASY[0]))[-1]
    assert last == "At 1 joker (easy), no two tips can be told apart from simply adding up."
    single = told_of(results(), found[:1], make_additive(0.0, 0.0))
    assert len(list(sentences(single, EASY[0]))) == 1


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0, "< 0.001"), (0.0012, "0.001"), (0.0499, "0.0499"), (0.05, "0.050"), (1.0, "1.000")],
)
def test_a_p_value_stays_on_its_side(p: float, text: str) -> None:
    assert p_text(p) == text


# --- Page ---


def test_the_section_holds_sentences_chart_and_tables() -> None:
    names = [section.title for section in document().sections]
    assert names[:3] == ["Verdict", "What each tip does", "Results"]
    blocks = document().sections[1].blocks
    assert [b.file for b in blocks if isinstance(b, Image)] == ["effects.png"]
    easy, hard = (block for block in blocks if isinstance(block, Table))
    assert (easy.title, hard.title) == (f"Effects at {EASY[0]}", f"Effects at {HARD[0]}")
    assert len(easy.rows) == len(SIZES)
    assert easy.rows[0] == ("kind", "+5.2", "+4.2 to +6.2", "−0.5", "−0.7 to −0.4", "< 0.001")
    assert easy.rows[-1][:2] == ("fast × late", "= +0.4")
    assert easy.rows[-1][-1] == "0.400"


def test_all_other_charts_stand_below() -> None:
    shown = {
        s.title: [b.file for b in s.blocks if isinstance(b, Image)] for s in document().sections
    }
    assert shown["Verdict"] == []
    assert shown["Charts"] == ["differences.png", "win_rate.png", "pairs.png", "leftover.png"]


def test_both_pages_hold_the_same_numbers() -> None:
    text = markdown(document())
    seen = read(html(document(), {one.image.file: PNG for one in pictures(results())}))
    rows = [[without_escapes(cell) for cell in row] for row in md_rows(text)]
    assert rows == [[cell.replace("\xa0", " ") for cell in row] for row in seen.cells]
    plain = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", without_escapes(text))
    for sentence in sentences(results(), EASY[0]):
        assert sentence in plain
        assert sentence in seen.text


def test_the_method_names_effects_and_their_family() -> None:
    text = without_escapes(markdown(document()))
    assert "6 at 1 joker (easy) and 6 at 2 jokers (hard)); the effects on the cards left" in text
    assert "A main effect is" in text
    assert "An interaction of two tips is" in text
    assert "main effect" not in markdown(page(field(3), (), "x", ""))


def test_pages_speak_of_no_game() -> None:
    section = page(results(), (), "x", "").sections[1]
    text = markdown(Document("t", (), (section,))).lower()
    assert section.title == "What each tip does"
    assert not re.search(r"club|golf|queen", text)


# --- Files ---


def test_no_sweeps_are_drawn_and_stale_charts_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(style, "png", lambda draw: PNG)
    without = {path.name for path in write_report(lineups(), tmp_path, "x")}
    assert sum(name.startswith("sweep_") for name in without) == 3
    assert "effects.png" not in without
    paths = write_report(results(), tmp_path, "x")
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {path.name for path in paths}
    assert "effects.png" in found
    assert not any(name.startswith("sweep_") for name in found)
    write_report(field(2), tmp_path, "x")
    assert not (tmp_path / "effects.png").exists()


def test_effects_survive_their_json() -> None:
    assert Results.from_json(results().to_json()) == results()
