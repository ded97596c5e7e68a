"""The runs of a study, as rows of its database (study/store.py describes it)."""

import json
import math
from pathlib import Path

from headroom.errors import InputError
from headroom.metrics import flatten


def damaged(path, why):
    """The InputError for a database that Headroom did not write in this form."""
    return InputError(f"{path}: is damaged ({why}); give another --out, or remove the folder")


class _Metrics(dict):
    """{path: number} of a summary; percentiles by size of message (pooled.py), which it does not contain, are computed
    on request."""

    def __init__(self, numbers, run):
        super().__init__(numbers)
        self._run = run

    def get(self, path, default=None):
        if path not in self and ".by_size." in path:
            self[path] = self._run.by_size(path)
        return super().get(path, default)


class Run:
    """One row of the database at `path`, as planned; `id` names it. InputError if it is damaged; `metrics` raises it
    too."""

    def __init__(self, row, path):
        self._source = path
        self.id, self.seed = row["id"], row["seed"]
        self.settings = self._object("settings", row["settings"])
        if not isinstance(self.seed, int) or any(isinstance(value, (dict, list)) for value in self.settings.values()):
            raise damaged(path, f"seed or settings of run {self.id}")
        self.status, self.path, self.message = row["status"], row["path"], row["message"]
        self.digest = row["digest"]
        if not all(isinstance(text, (str, type(None))) for text in (self.path, self.message, self.digest)):
            raise damaged(path, f"run {self.id}")
        self.share = row["share"] if "share" in row.keys() else None  # of the duration; None in an older study
        self.exit_code, self.wall_s, self.cpu_s = row["exit_code"], row["wall_s"], row["cpu_s"]
        self._summary, self._metrics, self._values = row["summary"], None, {}

    def metrics(self):
        """{path: number} of its summary; empty if it left none."""
        if self._metrics is None:
            self._metrics = _Metrics(flatten(self._object("summary", self._summary)) if self._summary else {}, self)
            if not all(number is None or math.isfinite(number) for number in self._metrics.values()):
                raise damaged(self._source, f"summary of run {self.id}")
        return self._metrics

    def values(self, wanted):
        """(values, which are lower bounds) of its messages or operations, `of` a pooled.Percentile; None without all of
        their lines."""
        from headroom.pooled import values_of
        from headroom.result import Run as Result

        key = (wanted.workload, wanted.kind, wanted.column, wanted.size)
        if key not in self._values:
            folder = Path(self._source).parent / self.path if self.path else None
            measured = folder is not None and (folder / "messages.csv").is_file()
            self._values[key] = values_of(Result(folder, self._object("summary", self._summary)), wanted) if measured else None
        return self._values[key]

    def forget_values(self):
        """For a study with many runs, the messages of all would not fit into memory."""
        self._values.clear()

    def by_size(self, path):
        """A percentile of its messages of some sizes; None without any."""
        from headroom.pooled import of_one, percentile

        wanted = percentile(path)
        if wanted is None or f"messages.{wanted.workload}.offered" not in self.metrics():
            return None
        found = self.values(wanted)
        if found is None:
            raise InputError(f"{path}: messages.csv has not a line for each message; set observe.messages to all")
        return of_one(*found, wanted)

    def _object(self, column, text):
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise damaged(self._source, f"{column} of run {self.id}")
        return found
