"""One command a module: `add` describes its arguments, `call` does it and returns the status.

Heavy imports wait inside `call`, so that `tipoff --help` answers at once.
"""

from sim.commands import (
    check,
    duel,
    export,
    list,
    luck,
    merge,
    moves,
    new,
    plan,
    report,
    run,
    store,
    tune,
    verify,
    watch,
)

# In the order of the help.
COMMANDS = (
    run,
    plan,
    report,
    luck,
    tune,
    new,
    check,
    verify,
    store,
    merge,
    export,
    list,
    watch,
    duel,
    moves,
)
