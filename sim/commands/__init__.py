"""One command a module: `add` describes its arguments, `call` does it and returns the status.

Heavy imports wait inside `call`, so that `tipoff --help` answers at once.
"""

from sim.commands import check, duel, list, moves, new, plan, report, run, watch

COMMANDS = (run, plan, report, new, check, list, watch, duel, moves)  # in the order of the help
