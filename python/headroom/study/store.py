"""The database of a study: one row for each run.

    runs      id, settings (a JSON object, in the order of --set), seed, share (of the duration: less than 1 for the first
              runs of a search), status, digest (of the scenario with these settings), path (of the result, relative to the study), exit_code, message (why it failed), tries, started
              (UTC), wall_s, cpu_s, summary (summary.json)
    study     key, value: what the study is of, what its file says of itself, which batch job is at work on it; `labels`, a
            JSON object {setting's key: {value: short name}} of values that are maps or lists; `expect`, of a sweep, what its
            scenario expects (expected.py)
    results   a view of `runs` with a column for each setting and for each number in the summaries

A run's status: pending (to be run), running, done, failed (it ran, and would fail again), killed (it was ended from
outside; runs again with the next start). A row changes in one transaction. Only the process that has the study's lock
(lock.py), or in a batch job the one that claimed the row, changes it. So after any kill a row has its old or its new
contents.

A single machine keeps a write-ahead log while it works, which need not wait for the disk at each row. Several machines
share SQLite's classical journal: the log needs memory that they do not share.
"""

import contextlib
import errno
import json
import os
import sqlite3
import time

from headroom.errors import InputError, Stopped
from headroom.study_runs import Run, damaged

_SCHEMA = """
create table if not exists study (key text primary key, value text);
create table if not exists runs (
  id integer primary key,
  settings text not null,
  seed integer not null,
  share real not null default 1,
  status text not null default 'pending' check (status in ('pending', 'running', 'done', 'failed', 'killed')),
  digest text not null,
  path text,
  exit_code integer,
  message text,
  tries integer not null default 0,
  started text,
  wall_s real,
  cpu_s real,
  summary text,
  unique (settings, seed)
);
create index if not exists runs_by_status on runs (status);
"""
_COLUMNS = "id, settings, seed, share, status, digest, path, exit_code, message, wall_s, cpu_s, summary"
# SQLite allows 2000 columns; `summary` also contains those that a view leaves out.
_MOST_COLUMNS = 1900


def _is_damage(error):
    """True if the database file is corrupt, as opposed to a disk error."""
    return not isinstance(error, sqlite3.OperationalError) or str(error).startswith(("no such", "malformed"))


def is_full(error):
    """True if the disk is full, as opposed to a folder that is missing or not writable."""
    full = ("database or disk is full", "disk I/O error")
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or str(error) in full


def mend(error):
    """Advice that prevents this error of the system or of SQLite from recurring in the same folder."""
    number, said = getattr(error, "errno", None), str(error)
    if number in (errno.EFBIG, errno.EIO) or said == "disk I/O error":  # SQLite does not report which
        return "check the space on the disk and the limit of file sizes (ulimit -f)"
    full = number in (errno.ENOSPC, errno.EDQUOT) or said == "database or disk is full"
    return "free the disk" if full else "check that the folder is writable"


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _require_own(folder):
    """InputError if the folder contains another program's files."""
    if not folder.is_dir() or (folder / "study.sqlite").exists():
        return
    # A study that was killed at its beginning or end may have left these.
    others = [name for name in sorted(os.listdir(folder)) if name not in (".lock", "study.sqlite-journal")]
    if others:
        raise InputError(f"{folder}: holds {others[0]} and no study.sqlite, so it is not a study, and is not replaced; give another --out")


class Store:
    """The open database. Methods raise Stopped if it can no longer be written."""

    def __init__(self, folder):
        self.folder = folder
        self.path = folder / "study.sqlite"
        self._made_folder, self._made = not folder.exists(), not self.path.exists()
        self._db = None
        _require_own(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The code begins transactions; a writer waits for another.
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=60)
            self._db.row_factory = sqlite3.Row
            tables = {name for (name,) in self._db.execute("select name from sqlite_master where type = 'table'")}
            if tables and not tables >= {"study", "runs"}:
                self._db.close()
                raise InputError(f"{self.path}: is another program's database, and is not replaced; give another --out")
            self._db.executescript(f"begin immediate; {_SCHEMA} commit;")
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.Error) and _is_damage(error):
                raise damaged(self.path, error) from error
            self.discard()
            if is_full(error):
                raise Stopped(f"{self.path}: cannot be written: {error}; {mend(error)}, or give another --out") from error
            raise InputError(f"{self.path}: the study cannot be kept there: {error}; give another --out") from error

    def _transaction(self, work):
        try:
            self._db.execute("begin immediate")
            try:
                result = work(self._db)
                self._db.execute("commit")
                return result
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise
        except sqlite3.Error as error:
            if _is_damage(error):
                raise damaged(self.path, error) from error
            kept = "finished runs are kept" if self._has_runs() else "no run was begun"
            raise Stopped(
                f"{self.path}: cannot be written: {error}; {kept}: {mend(error)}, then start the same command again"
            ) from error

    def _read(self, sql, values=()):
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise damaged(self.path, error) from error

    def get(self, key):
        rows = self._read("select value from study where key = ?", (key,))
        value = rows[0]["value"] if rows else None
        if not isinstance(value, (str, type(None))):
            raise damaged(self.path, f"{key} of the study")
        return value

    def put(self, key, value):
        self._transaction(lambda db: db.execute("insert or replace into study values (?, ?)", (key, value)))

    def plan(self, wanted, share=1):
        """Adds the missing ones of [(settings, seed, digest)], all with this share of the duration; returns the ids, in
        this order. InputError if a row belongs to another scenario."""

        def add(db):
            ids = []
            for settings, seed, digest in wanted:
                text = json.dumps(settings)
                row = db.execute(
                    "select id, digest from runs where settings = ? and seed = ?", (text, seed)
                ).fetchone()
                if row is None:
                    new = "insert into runs (settings, seed, share, digest) values (?, ?, ?, ?)"
                    ids.append(db.execute(new, (text, seed, share, digest)).lastrowid)
                elif row["digest"] == digest:
                    ids.append(row["id"])
                else:
                    raise InputError(
                        f"{self.folder}: the scenario has changed since this study began, so its runs do not "
                        "compare with new ones; give another --out, or remove the folder"
                    )
            return ids

        return self._transaction(add)

    def release(self):
        """Makes interrupted runs pending again. REQUIRES: no other process works on the study."""
        self._transaction(
            lambda db: db.execute("update runs set status = 'pending' where status in ('running', 'killed')")
        )

    def retry_failed(self):
        self._transaction(lambda db: db.execute("update runs set status = 'pending' where status = 'failed'"))

    def claim(self, run_id=None):
        """Sets a pending run, this one or the first, to running and returns it; None if it is not pending."""
        which = "id = ?" if run_id is not None else "? is null"

        def take(db):
            row = db.execute(
                f"select * from runs where status = 'pending' and {which} order by id limit 1", (run_id,)
            ).fetchone()
            if row is None:
                return None
            db.execute(
                "update runs set status = 'running', tries = tries + 1, started = ? where id = ?",
                (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), row["id"]),
            )
            return Run(row, self.path)

        return self._transaction(take)

    def finish(self, run_id, status, **columns):
        """Writes how a run ended: its status and any of path, exit_code, message, wall_s, cpu_s, summary."""
        columns["status"] = status
        assignments = ", ".join(f"{name} = ?" for name in columns)
        self._transaction(
            lambda db: db.execute(f"update runs set {assignments} where id = ?", (*columns.values(), run_id))
        )

    def runs(self, ids=None):
        """All runs, or those with these ids, by id."""
        found = [Run(row, self.path) for row in self._read(f"select {_COLUMNS} from runs order by id")]
        if ids is None:
            return found
        wanted = set(ids)
        return [run for run in found if run.id in wanted]

    def pending(self, ids):
        """Those of these that are pending, in their order."""
        found = {row["id"] for row in self._read("select id from runs where status = 'pending'")}
        return [run_id for run_id in ids if run_id in found]

    def counts(self):
        """{status: how many}."""
        rows = self._read("select status, count(*) as n from runs group by status")
        return {row["status"]: row["n"] for row in rows}

    def make_view(self):
        """The view `results`, with the current settings and metrics."""
        settings, metrics = {}, {}
        for run in self.runs():
            settings.update(dict.fromkeys(run.settings))
            metrics.update(dict.fromkeys(run.metrics()))
        plain = ["id", "seed", "status", "path", "wall_s", "cpu_s"]
        columns = [_quoted(name) for name in plain]
        taken = {name.lower() for name in plain}
        for source, names in (("settings", settings), ("summary", metrics)):
            for name in names:
                if len(columns) == _MOST_COLUMNS or name.lower() in taken:
                    continue
                taken.add(name.lower())
                # A setting's key contains dots; a metric's dots separate steps.
                steps = [name] if source == "settings" else name.split(".")
                path = "$" + "".join(f'."{step}"' for step in steps)
                text = path.replace("'", "''")
                columns.append(f"json_extract({source}, '{text}') as {_quoted(name)}")

        def make(db):
            db.execute("drop view if exists results")
            db.execute(f"create view results as select {', '.join(columns)} from runs")

        self._transaction(make)

    def keep_alone(self):
        """Until share(), only processes of this machine open it. REQUIRES: the study's lock."""
        self._journal("wal")
        # After a loss of power the last rows may have their old contents; they run again.
        self._db.execute("pragma synchronous = normal")

    def share(self):
        """From here on other machines may open it."""
        self._journal("delete")
        self._db.execute("pragma synchronous = full")

    def _journal(self, mode):
        try:
            (now,) = self._db.execute(f"pragma journal_mode = {mode}").fetchone()
        except sqlite3.Error as error:
            if _is_damage(error):
                raise damaged(self.path, error) from error
            raise Stopped(f"{self.path}: cannot be written: {error}") from error
        if now != mode:
            raise Stopped(f"{self.path}: another program has it open; close that program, then start the same command again")

    def discard(self):
        """Removes a study that began with this object and ended without a planned run. Returns whether it did."""
        if not self._made or (self._db is not None and self._has_runs()):
            return False
        if self._db is not None:
            self._db.close()
        for name in [self.path.name + end for end in ("", "-journal", "-wal", "-shm")] + [".lock"]:
            with contextlib.suppress(OSError):  # the first error is the one to report
                (self.folder / name).unlink()
        if self._made_folder:
            with contextlib.suppress(OSError):  # another program has put files there
                self.folder.rmdir()
        return True

    def _has_runs(self):
        try:
            return bool(self._db.execute("select 1 from runs limit 1").fetchall())
        except sqlite3.Error:
            return False

    def close(self):
        """Leaves one file, which can be read in a read-only folder."""
        with contextlib.suppress(sqlite3.Error):  # then the log remains beside it, and is read with it
            self._db.execute("pragma journal_mode = delete")
        self._db.close()


def readable_path(run):
    """The place of a run's result, below the study."""
    said = ",".join(f"{key.rpartition('.')[2]}={value}" for key, value in run.settings.items())
    kept = "".join(c if c.isalnum() or c in "._-=,%" else "_" for c in said)[:80]
    return os.path.join("runs", "-".join(part for part in (f"{run.id:05d}", kept, f"seed-{run.seed}") if part))
