"""`python -m sim` is the command `tipoff`."""

from sim.cli import main

if __name__ == "__main__":  # not again in workers that are spawned
    raise SystemExit(main())
