"""Choosing among scored moves: the highest score, and between equals a fair, repeatable tie-break.

On Club Fight the greedy player wins anything from 23 % to 39 % of easy deals by nothing but the
order in which equal moves are tried. So among equal scores the move with the highest hash of (deal
key, turn, candidate) is taken: uniform, independent of the order of enumeration, and common to all
strategies.

    h = mix(mix(key + turn x ODD_TURN) + (candidate + 1) x ODD_CANDIDATE)

`ties: first` takes the smallest candidate instead; it is there to show what an order does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.bits import lowest
from sim.deals import mix
from sim.jit import at, engine, float_bits

ODD_TURN = np.uint64(0xD1342543DE82EF95)
ODD_CANDIDATE = np.uint64(0xFF51AFD7ED558CCD)
NOT_FINITE = -1
LARGEST = 2**63 - 1
INFINITE = 0x7FF0000000000000  # `order` of infinity
WORD = 64  # bits of a mask


@engine
def turn_key(key: Any, turn: Any) -> Any:
    """Return the key (uint64) of one turn's tie-breaks; `turn` = moves already made in the deal."""
    return mix(key + np.uint64(turn) * ODD_TURN)


@engine
def tie_hash(key: Any, candidate: Any) -> Any:
    """Return the hash (uint64) of a candidate number in a turn."""
    return mix(key + np.uint64(candidate + 1) * ODD_CANDIDATE)


@engine
def order(score: Any) -> Any:
    """Return an int64 that orders scores as they are: LLVM compares those side by side.

    A negative zero equals zero; what is not a number lies beyond the infinities.
    """
    bits = float_bits(score + 0.0)
    return bits ^ (bits >> 63 & LARGEST)


@engine
def choose(scores: Any, numbers: Any, count: Any, key: Any, first: Any) -> Any:
    """Return the index of the move to take, or `NOT_FINITE` if any score is not a finite number.

    Args:
        scores: float64, the score of each move.
        numbers: int64, the candidate number of each move, all different.
        count: how many of them are in use, at least 1.
        key: of the turn, from `turn_key`.
        first: take the smallest candidate among equals instead of the highest hash.
    """
    worst, best = LARGEST, ~LARGEST
    for m in range(count):
        worst, best = min(worst, order(scores[m])), max(best, order(scores[m]))
    if best >= INFINITE or worst <= ~INFINITE:
        return NOT_FINITE
    chosen, top = -1, np.uint64(0)
    for start in range(0, count, WORD):
        ties = equal_to(best, scores, start, min(count - start, WORD))
        while ties:
            m = start + lowest(ties)
            ties &= ties - 1
            number = numbers[at(m)]
            rank = ~np.uint64(number) if first else tie_hash(key, number)
            ahead = rank > top
            if rank == top:  # hardly ever: different candidates have different hashes
                ahead = chosen < 0 or number > numbers[at(chosen)]
            chosen, top = m if ahead else chosen, rank if ahead else top
    return chosen


@engine
def equal_to(best: Any, scores: Any, start: Any, count: Any) -> Any:
    """Return the mask of the moves from `start` on, 64 at most, whose score is the best."""
    ties = 0
    for m in range(count):
        ties |= (order(scores[at(start + m)]) == best) << m
    return ties
