"""The sentences of the verdict, made from the numbers."""

from __future__ import annotations

from dataclasses import replace

from sim.report.document import Bullets, Paragraph
from sim.report.verdict import MOST_SENTENCES, verdict
from sim.results import Results
from tests.report.make import EASY, HARD, field, make_entry, make_results, without_pairs


def sentences(results: Results) -> list[str]:
    """Every sentence, variant by variant."""
    found: list[str] = []
    for block in verdict(results):
        match block:
            case Paragraph():
                found.append("".join(block.text))
            case Bullets():
                found += ["".join(item) for item in block.items]
    return found


def test_gains_ties_and_losses_from_the_largest_gain_down() -> None:
    rates = {"plain": 0.34, "saver": 0.448, "twin": 0.3402, "waster": 0.29, "better": 0.36}
    results = make_results([make_entry(label, rate) for label, rate in rates.items()])
    assert sentences(results) == [
        "At 1 joker (easy), saver wins most: 44.8 % of 1,000,000 deals (44.7 to 44.9 %), "
        "8.8 points (8.6 to 9.0) more than the next, better.",
        "saver gains 10.8 points (10.6 to 11.0) over plain at 1 joker (easy).",
        "better gains 2.0 points (1.9 to 2.1) over plain at 1 joker (easy).",
        "twin cannot be told apart from plain at 1 joker (easy): the difference is 0.0 points "
        "(−0.1 to +0.2).",
        "waster loses 5.0 points (4.9 to 5.1) against plain at 1 joker (easy).",
    ]


def test_each_variant_has_its_own_verdict() -> None:
    entries = [
        make_entry(label, rate, variant)
        for variant, rates in ((EASY, (0.3, 0.4)), (HARD, (0.3, 0.2)))
        for label, rate in zip("ab", rates, strict=True)
    ]
    found = sentences(make_results(entries))
    assert [sentence.split(" ")[-3] for sentence in found if " wins " in sentence] == ["the"] * 2
    assert "b gains 10.0 points (9.8 to 10.2) over a at 1 joker (easy)." in found
    assert "b loses 10.0 points (9.9 to 10.1) against a at 2 jokers (hard)." in found


def test_those_that_share_the_first_place_are_named_together() -> None:
    results = make_results([make_entry("a", 0.30), make_entry("b", 0.3001), make_entry("c", 0.2)])
    assert sentences(results)[0] == (
        "At 1 joker (easy), b and a share the first place: no two of them can be told apart, and "
        "nobody is separated above them. The highest win rate is that of b, 30.0 % of 1,000,000 "
        "deals (29.9 to 30.1 %)."
    )


def test_of_many_the_most_telling_are_told_and_the_rest_summed_up() -> None:
    found = sentences(field(40, two=False, deals=20_000, spread=0.1))
    assert "and 2 others share the first place" in found[0]
    gains = [sentence for sentence in found if " gain" in sentence]
    assert len(gains) == MOST_SENTENCES
    assert (
        gains[-1]
        == "22 others gain between 1.2 and 6.5 points over Clear most cards at " + EASY[0] + "."
    )
    ties = [sentence for sentence in found if "told apart from" in sentence]
    assert ties[-1] == f"4 others cannot be told apart from Clear most cards at {EASY[0]} either."
    assert "loses" in found[-1]


def test_many_losses_end_with_the_largest() -> None:
    rates = [0.4, *(0.3 - 0.01 * i for i in range(8))]
    found = sentences(make_results([make_entry(f"e{i}", rate) for i, rate in enumerate(rates)]))
    assert found[1].startswith("4 others lose between 10.0 and 13.0 points against e0")
    assert [sentence.split()[0] for sentence in found[2:]] == ["e5", "e6", "e7", "e8"]


def test_a_clairvoyant_winner_is_said_to_be_one() -> None:
    entries = [make_entry("a", 0.3), replace(make_entry("b", 0.4), clairvoyant=True)]
    assert "b (sees hidden cards) wins most" in sentences(make_results(entries))[0]


def test_a_single_entry_and_one_without_pairs_still_have_a_sentence() -> None:
    alone = "At 1 joker (easy), Random move wins 3.00 % of 1,000,000 deals (2.96 to 3.04 %)."
    assert sentences(field(1, two=False)) == [alone]
    assert len(sentences(without_pairs(field(3)))) == 2


def test_without_the_baseline_only_the_best_is_told() -> None:
    results = make_results([make_entry("a", 0.3), make_entry("b", 0.2)], baseline="nobody")
    (best,) = sentences(results)
    assert best.startswith("At 1 joker (easy), a wins most")
