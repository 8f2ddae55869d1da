"""`differences.png`: every entry against the baseline on the same deals, one panel a variant."""

from __future__ import annotations

from matplotlib.figure import Figure

from sim.report.forest import PITCH, Part, forest
from sim.report.rows import panel
from sim.report.versus import against
from sim.report.wording import deals_text, interval
from sim.results import Results


def draw(results: Results) -> Figure:
    """Draw the paired difference of win rates of every entry from the baseline, best on top."""
    return forest(
        results,
        _parts(results),
        title=f"Win rate against {results.baseline} on {deals_text(results.entries)}",
        subtitle=f"Right of the line: wins more than {results.baseline}. Bar, where wider than the "
        f"dot: paired {interval(results)}. Hollow dot and “=”: not separated (Holm over all pairs "
        "of the panel).",
        axis_label="difference of win rates (percentage points)",
    )


def _parts(results: Results) -> list[Part]:
    """Return the rows of each variant with what is drawn in them."""
    found = against(results, results.baseline)
    parts: list[Part] = []
    for variant in results.variant_names():
        entries = [e for e in results.of_variant(variant) if (variant, e.label) in found]
        entries.sort(key=lambda entry: -found[variant, entry.label].difference)
        if entries:
            pairs = [found[variant, entry.label] for entry in entries]
            parts.append((panel(results, variant, entries, PITCH), pairs))
    return parts
