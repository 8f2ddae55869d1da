"""The shipped notebook: played by a real Jupyter kernel, it shows what is committed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.notebook import PATH, executed, outputs, read, texts


def committed() -> Any:
    return json.loads(PATH.read_text(encoding="utf-8"))


def test_the_outputs_are_of_one_run_from_top_to_bottom() -> None:
    cells = [cell for cell in committed()["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = [output["output_type"] for cell in cells for output in cell["outputs"]]
    assert set(kinds) == {"stream", "execute_result"}
    names = [output["name"] for cell in cells for output in cell["outputs"] if "name" in output]
    assert set(names) == {"stdout"}, "nothing went wrong"


@pytest.mark.slow
def test_a_real_kernel_shows_the_same_numbers(tmp_path: Path) -> None:
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    played = executed(tmp_path)
    found = texts(played)
    assert found == texts(read())
    table = "\n".join(found)
    rank, rate = re.findall(r"tidy-hearts +(\S+) +([\d.]+) ", table)[0]
    assert (rank, rate) == ("3", "39.7")
    points, low, high = map(float, re.findall(r"[+−-]\d+\.\d\d", table)[:3])
    assert low < points < high and abs(points - 6.43) < 0.005
    pictures = [one for one in outputs(played) if "image/png" in one.get("data", {})]
    assert len(pictures) == 1
    assert list(tmp_path.iterdir()) == [], "it leaves nothing behind"
