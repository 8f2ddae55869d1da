"""What the factors of a factorial design do, measured like differences of two entries."""

from __future__ import annotations

from dataclasses import dataclass

from sim.results import SEPARATED, Additive, Effect, Results

CHART = "effects.png"


@dataclass(frozen=True)
class Tip:
    """What one tip does, or two of them beyond what each does."""

    names: tuple[str, ...]
    difference: float
    low: float
    high: float
    p_holm: float
    leftover_difference: float
    leftover_low: float
    leftover_high: float
    leftover_p_holm: float

    @property
    def name(self) -> str:
        """The tip, or both of them."""
        return " × ".join(self.names)

    @property
    def separated(self) -> bool:
        """Whether it is not nothing beyond doubt: adjusted p below 5 %."""
        return self.p_holm < SEPARATED


@dataclass(frozen=True)
class Gap:
    """What all tips bring together beyond the sum of what each brings alone."""

    difference: float
    low: float
    high: float

    @property
    def separated(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


def gap(check: Additive) -> Gap:
    """Return how far all tips together are from the sum of each alone."""
    return Gap(check.gap, check.low, check.high)


def variants(results: Results) -> list[str]:
    """Return the rules variants whose effects are known, in the order of the results."""
    return list(dict.fromkeys(effect.variant for effect in results.effects))


def alone(results: Results, variant: str) -> list[Tip]:
    """Return the main effects of a rules variant, the largest gain first."""
    return sorted(_of_size(results, variant, 1), key=lambda tip: -tip.difference)


def together(results: Results, variant: str) -> list[Tip]:
    """Return the interactions of a rules variant, the strongest first, whichever way it goes."""
    return sorted(_of_size(results, variant, 2), key=lambda tip: -abs(tip.difference))


def _of_size(results: Results, variant: str, size: int) -> list[Tip]:
    effects = [effect for effect in results.effects if effect.variant == variant]
    return [_tip(effect) for effect in effects if len(effect.tips) == size]


def _tip(effect: Effect) -> Tip:
    return Tip(
        names=effect.tips,
        difference=effect.effect,
        low=effect.low,
        high=effect.high,
        p_holm=effect.p_holm,
        leftover_difference=effect.leftover_effect,
        leftover_low=effect.leftover_low,
        leftover_high=effect.leftover_high,
        leftover_p_holm=effect.leftover_p_holm,
    )
