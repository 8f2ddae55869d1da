"""Is a strategy fit for a big run? One file a check, asked in a fresh process, within a time limit.

    from sim.check import check_file

    for finding in check_file(Path("my_tips.py")):
        print(finding)

A strategy that takes long may say so, and is then checked with less:

    class LookAhead(Strategy):
        check = {"params": {"depth": 1}, "deals": 50}  # both may be left out
"""

from sim.check.file import check_file
from sim.check.model import Finding, Mark

__all__ = ["Finding", "Mark", "check_file"]
