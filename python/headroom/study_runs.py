"""The runs of a study, as rows of its database (study/store.py describes it)."""

import json
import math
from pathlib import Path

from headroom import program
from headroom.errors import InputError
from headroom.metrics import flatten


def damaged(path, why):
    """The InputError for a database that Headroom did not write in this form."""
    return InputError(f"{path}: is damaged ({why}); give another --out, or remove the folder")


class _Metrics(dict):
    """{path: number} of a summary. It does not contain percentiles by size of message, nor whether they are lower bounds:
    the program computes them on request."""

    def __init__(self, numbers, run):
        super().__init__(numbers)
        self._run = run

    def get(self, path, default=None):
        if path not in self and ".by_size." in path:
            head, _, last = path.replace(".censored.", ".").rpartition(".")
            self[f"{head}.{last}"], self[f"{head}.censored.{last}"] = self._run.by_size(f"{head}.{last}")
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
        self._summary, self._metrics = row["summary"], None

    def metrics(self):
        """{path: number} of its summary; empty if it left none."""
        if self._metrics is None:
            self._metrics = _Metrics(flatten(self._object("summary", self._summary)) if self._summary else {}, self)
            if not all(number is None or math.isfinite(number) for number in self._metrics.values()):
                raise damaged(self._source, f"summary of run {self.id}")
        return self._metrics

    @property
    def folder(self):
        """Its result; None if it left no messages."""
        folder = self.path and Path(self._source).parent / self.path
        return str(folder) if folder and (folder / "messages.csv").is_file() else None

    def by_size(self, path):
        """(a percentile of its messages of some sizes, whether it is a lower bound); None for both without any."""
        if f"messages.{path.split('.')[1]}.offered" not in self.metrics() or self.folder is None:
            return None, None
        (found,) = program.compare_points([{"metric": path, "to": {str(self.seed): {"value": None, "dir": self.folder}}}])
        if found is None:
            raise InputError(f"{path}: messages.csv has not a line for each message; set observe.messages to all")
        return found["mean"], int(found["censored"])

    def _object(self, column, text):
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise damaged(self._source, f"{column} of run {self.id}")
        return found
