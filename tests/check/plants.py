"""Bad strategies, each with one fault, and the check that must find it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plant:
    """The body of a plug-in, the check that fails, what it says, and the line of the fault."""

    body: str
    check: str
    seen: str
    line: int | None  # below the usual head; None if no line can be told


def scoring(*lines: str, head: str = "", few: bool = True) -> str:
    """A strategy whose score has these lines; they begin on the last line of the head plus 6."""
    body = "\n".join(f"        {line}" for line in lines)
    deals = "{'deals': 6}" if few else "{}"
    return (
        f"{head}\nclass Mine(Strategy):\n    weight: float = 1.0\n    check = {deals}\n"
        f"    def score(self, view: View, move: Move) -> float:\n{body}\n"
    )


RARE = "if view.turn == 0 and view.grid[0] == CARD_0 and view.grid[1] == CARD_1:"  # 1 in 1,500
PLAIN = "cards = sum(1.0 for _ in range(move.cleared))"  # cannot be compiled
ONCE = "if view.turn == 0 and view.hand & 2 and move.cells == 1: "
MODULES = "getattr(statistics, 'sys').modules"  # no text tells what this reaches
BOX = "BOX = [0, 0]\n"  # reached under another name, which no text tells

PLANTS = {
    "a default that is no number": Plant(
        "import math\nclass Mine(Strategy):\n    weight: float = math.nan\n"
        "    def score(self, view: View, move: Move) -> float:\n        return 0.0\n",
        "parameters",
        "mine: a parameter is not usable: expected a finite number, got nan",
        4,
    ),
    "a declaration with a typo": Plant(
        scoring("return 0.0").replace("'deals'", "'daels'"),
        "parameters",
        "check: unknown key 'daels'; did you mean 'deals'?",
        5,
    ),
    "a declaration with an unknown parameter": Plant(
        scoring("return 0.0").replace("'deals': 6", "'params': {'wieght': 1.0}"),
        "parameters",
        "mine has no parameter 'wieght'; did you mean 'weight'?",
        5,
    ),
    "raises on one rare deal": Plant(
        scoring(RARE, "    raise ValueError('I give up')", "return move.cleared", few=False),
        "finishes",
        "turn 1: ValueError: I give up [1 joker (easy)]",
        7,
    ),
    "divides by zero on one rare deal": Plant(
        scoring(RARE, "    return 1 / (view.turn * 2)", "return move.cleared", few=False),
        "finishes",
        "turn 1: ZeroDivisionError: ",
        7,
    ),
    "returns no number": Plant(
        scoring("return 'many'"), "finishes", "deal 0, turn 1: ValueError: could not convert", 5
    ),
    "ends its process": Plant(
        scoring(PLAIN, "if view.turn == 3:", "    exit(7)", "return cards"),
        "finishes",
        "SystemExit: 7",
        8,
    ),
    "not a number on one rare deal": Plant(
        scoring(RARE, "    return math.nan", "return move.cleared", few=False),
        "scores",
        "returned the score nan, which is not a finite number",
        5,
    ),
    "beyond the end of an array": Plant(
        scoring("return view.grid[7 + (view.turn == 5) * 2]"),
        "bounds",
        "deal 0, turn 6: IndexError: list index out of range",
        6,
    ),
    "beyond the end of an array on one rare deal": Plant(
        scoring(RARE, "    return view.grid[move.cleared + 9]", "return move.cleared", few=False),
        "bounds",
        "turn 1: IndexError: index is out of bounds [1 joker (easy)]",
        7,
    ),
    "beyond the end of a tuple, in plain Python": Plant(
        scoring(PLAIN, "return (1, 2, 3)[view.turn]"), "bounds", "turn 4: IndexError: tuple", 7
    ),
    "whole numbers beyond 64 bits": Plant(
        scoring("return (move.clubs << 52) % 1_000_003"),
        "both lanes",
        "compiled scores ",
        5,
    ),
    "changes the view": Plant(
        scoring(
            "return spoil(view.grid)", head="def spoil(grid):\n    grid[0] = 7\n    return 1.0\n"
        ),
        "view",
        "it changes the view it is given",
        8,
    ),
    "reads a file": Plant(
        scoring(
            PLAIN,
            ONCE + "np.fromfile(__file__, np.uint8, 1)",
            "return cards",
            head="import numpy as np\n",
        ),
        "outside",
        "Python reports 'open ",
        8,
    ),
    "reads a file when it is imported": Plant(
        scoring(
            "return move.cleared", head="import numpy as np\nX = np.fromfile(__file__, np.uint8)\n"
        ),
        "outside",
        "Python reports 'open ",
        2,
    ),
    "opens a socket": Plant(
        scoring(
            PLAIN,
            ONCE + f"{MODULES}['socket'].socket().close()",
            "return cards",
            head="import statistics\n",
        ),
        "outside",
        "Python reports 'socket.__new__'",
        8,
    ),
    "starts a process": Plant(
        scoring(
            PLAIN,
            ONCE + f"{MODULES}['subprocess'].run(['true'])",
            "return cards",
            head="import statistics\n",
        ),
        "outside",
        "Python reports 'subprocess.Popen",
        8,
    ),
    "counts its moves": Plant(
        scoring(
            PLAIN,
            "return cards if count(BOX) % 3 else -cards",
            head=f"{BOX}def count(box):\n    box[0] += 1\n    return box[0]\n",
        ),
        "twice",
        "ends otherwise the second time (plain)",
        9,
    ),
    "rolls hidden dice": Plant(
        scoring(
            PLAIN,
            "return cards * getattr(statistics, 'random').random()",
            head="import statistics\n",
        ),
        "twice",
        "ends otherwise the second time (plain)",
        6,
    ),
    "looks at the clock in secret": Plant(
        scoring(
            PLAIN,
            f"clock = {MODULES}['time'].perf_counter_ns()",
            "return cards * (clock // 64 % 3)",
            head="import statistics\n",
        ),
        "twice",
        "ends otherwise the second time (plain)",
        6,
    ),
    "remembers the deal before": Plant(
        scoring(
            PLAIN,
            "return -cards if view.turn == 0 and odd(BOX, view) else cards",
            head=f"{BOX}def odd(box, view):\n    if view.hand != box[1]:\n"
            "        box[:] = box[1], view.hand\n"
            "    return box[1] == SECOND and box[0] != FIRST\n",
        ),
        "any order",
        "deal 1 ends otherwise after other deals (plain)",
        10,
    ),
    "depends on the order of a set": Plant(
        scoring(
            PLAIN,
            "return cards * ORDER[move.cells % 30]",
            head="ORDER = [int(name) for name in {str(number) for number in range(30)}]\n",
        ),
        "workers",
        "a worker started by spawn plays other games than this process",
        None,
    ),
}
