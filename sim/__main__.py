"""`python -m sim` is the command `tipoff`."""

from sim.cli import main

raise SystemExit(main())
