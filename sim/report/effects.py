"""`effects.png`: what each tip of a factorial design does, and each two beyond that."""

from __future__ import annotations

from matplotlib.figure import Figure

from sim.report.forest import PITCH, Part, forest
from sim.report.rows import stacked
from sim.report.tips import alone, together, variants
from sim.report.wording import deals_text
from sim.results import Results


def draw(results: Results) -> Figure:
    """Draw the effects on the win rate: single tips, largest gain on top, then interactions."""
    return forest(
        results,
        [_part(results, variant) for variant in variants(results)],
        title=f"What each tip does to the win rate on {deals_text(results.entries)}",
        subtitle="Each tip: win rate with it minus without it, over all settings of the others. "
        "Two together: what they bring beyond the sum of both. Bar, where wider than the dot: "
        "95\u00a0% interval. Hollow dot and “=”: not separated from nothing (Holm over all effects "
        "of the panel).",
        axis_label="effect on the win rate (percentage points)",
    )


def _part(results: Results, variant: str) -> Part:
    first, second = alone(results, variant), together(results, variant)
    headings = {0: "each tip"} | ({len(first): "two together"} if second else {})
    tips = [*first, *second]
    return stacked(variant, [tip.name for tip in tips], PITCH, headings), tips
