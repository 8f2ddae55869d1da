"""The best of every sweep once more, on deals of another seed: chosen on none of them."""

from __future__ import annotations

from dataclasses import replace

from sim.plan import Plan
from sim.report.strength import strengths
from sim.results import Results


def again(plan: Plan, results: Results) -> Plan | None:
    """Return the plan that plays the best of each sweep and the baseline on the fresh seed.

    None if the experiment names no fresh seed, or nothing of it is a sweep.
    """
    best = {(one.best.label, one.variant) for one in strengths(results)}
    whole = on_fresh_seed(plan)
    if whole is None or not best:
        return None
    wanted = best | {(plan.baseline, variant) for _, variant in best}
    cells = tuple(cell for cell in plan.cells if (cell.label, cell.variant) in wanted)
    return replace(whole, cells=cells, ladder=None)


def on_fresh_seed(plan: Plan) -> Plan | None:
    """Return a plan with all its cells on the fresh seed, or None if it names none."""
    if plan.fresh_seed is None:
        return None
    tie_seed = plan.fresh_seed if plan.tie_seed == plan.seed else plan.tie_seed
    return replace(plan, seed=plan.fresh_seed, tie_seed=tie_seed, fresh_seed=None, until=None)
