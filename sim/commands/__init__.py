"""One command a module: `add` describes its arguments, `call` does it and returns the status.

Heavy imports wait inside `call`, so that `tipoff --help` answers at once.
"""

from sim.commands import duel, list, moves, plan, report, run, store, verify, watch

COMMANDS = (run, plan, report, verify, store, list, watch, duel, moves)  # in the order of the help
