"""The SQLite file under a store: locked for one process, and data even if a stranger made it.

A file may say of itself what its tables are, and with views and triggers what happens when they are
read. So it is used only if it holds the very tables that are made here, and nothing else.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sim.errors import BadInput, StoreDamaged, TipoffError
from sim.holder import holder

LONGEST = 2**24  # bytes of a value or a row

SETTINGS = {
    "trusted_schema": "off",
    "cell_size_check": "on",
    "locking_mode": "exclusive",
    "journal_mode": "delete",
    "synchronous": "normal",
}

# What SQLite keeps in a file's header: that it is ours ("tipo"), and the version of the tables.
MARKS = {"application_id": 0x7469706F, "user_version": 1}

TABLES = (
    "create table meta (key text primary key, value text not null)",
    "create table cell (stamp text primary key, about text not null)",
    """create table block (
    stamp text not null, first integer not null, count integer not null,
    outcomes blob not null, counters blob not null, seconds real not null,
    primary key (stamp, first)
) without rowid""",
)


def opened(path: Path, read_only: bool = False) -> sqlite3.Connection:
    """Open or create the file of a store for this process alone, or with others to read it.

    Raises:
        BadInput: if another process holds it, or it cannot be written.
        StoreDamaged: if the file is no store.
    """
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise BadInput(f"{path} cannot be opened: it is not a file")
    try:
        db = _connected(path, read_only)
    except sqlite3.OperationalError as error:
        raise BadInput(f"{path} cannot be opened: {error}") from error
    try:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        if not read_only:
            _claim(db)
        _refuse_strange(db, path)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        db.close()
        raise _told(path, error) from error
    except BaseException:
        db.close()
        raise
    return db


def _connected(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(path, timeout=0, isolation_level=None)
    uri = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, timeout=0, isolation_level=None, uri=True)


def damaged(path: Path, why: object) -> StoreDamaged:
    """Return the error that says that a store is damaged."""
    return StoreDamaged(f"{path} is damaged ({why}); move it away and run the same command again")


def _claim(db: sqlite3.Connection) -> None:
    """Lock the file, and lay out a new one."""
    for name, value in SETTINGS.items():
        db.execute(f"pragma {name} = {value}")
    db.execute("begin exclusive")
    if not list(db.execute("select 1 from sqlite_master limit 1")):
        for name, mark in MARKS.items():
            db.execute(f"pragma {name} = {mark}")
        for statement in TABLES:
            db.execute(statement)
    db.execute("commit")


def _refuse_strange(db: sqlite3.Connection, path: Path) -> None:
    db.execute("pragma trusted_schema = off")
    marks = [db.execute(f"pragma {mark}").fetchone() for mark in MARKS]
    if marks != [(mark,) for mark in MARKS.values()] or not _holds_our_tables(db):
        raise StoreDamaged(
            f"{path} is no store of this version of tipoff; "
            "move it away, or give another folder with --out DIR"
        )


def _holds_our_tables(db: sqlite3.Connection) -> bool:
    """Return whether our tables are all there is, as SQLite writes them down."""
    most = len(TABLES) + 1  # no need to read more
    query = "select sql from sqlite_master where sql is not null limit ?"
    found = [sql for (sql,) in db.execute(query, [most])]
    return sorted(map(_words, found)) == sorted(map(_words, TABLES))


def _words(sql: object) -> str:
    return " ".join(str(sql).lower().split())


def _told(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> TipoffError:
    """Return the error a user is shown for one that opening a file ended with."""
    if not isinstance(error, sqlite3.OperationalError):
        return damaged(path, error)
    if "locked" not in str(error):
        return BadInput(f"{path} cannot be written: {error}")
    who = f": {found}" if (found := holder(path)) else ""
    return BadInput(f"{path} is in use by another run{who}; wait for it or stop it")
