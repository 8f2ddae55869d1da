"""The shipped notebook in a real Jupyter kernel; `python -m tests.notebook` refreshes it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[1] / "docs" / "compare_a_tip.ipynb"
ORIGIN = re.compile(r"^seed .*", re.DOTALL | re.MULTILINE)  # with versions, below the table


def read() -> Any:
    """Return the notebook as it is committed."""
    import nbformat

    return nbformat.read(PATH, as_version=4)


def executed(folder: Path) -> Any:
    """Return the notebook with the outputs of a run in the folder."""
    from nbclient import NotebookClient

    book = read()
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(book, timeout=600, kernel_name="python3", resources=resources)
    client.record_timing = False
    client.execute()
    return book


def outputs(book: Any) -> list[Any]:
    """Return the outputs of all cells."""
    return [output for cell in book.cells for output in cell.get("outputs", ())]


def texts(book: Any) -> list[str]:
    """Return what the cells print and show, without versions."""
    found = [one.get("text") or one.data["text/plain"] for one in outputs(book)]
    return [ORIGIN.sub("", text) for text in found]


def main() -> None:
    """Play the notebook again and put its outputs in its place."""
    import nbformat

    book = executed(PATH.parent)
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book.metadata = {"kernelspec": spec}
    nbformat.validate(book)
    nbformat.write(book, PATH)


if __name__ == "__main__":
    main()
