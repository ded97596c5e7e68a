"""The runs of a study, as rows of its database (study/store.py says what is in it)."""

import json
import math

from headroom.errors import InputError
from headroom.metrics import flatten


def damaged(path, why):
    """The InputError for a database that nobody wrote like this."""
    return InputError(f"{path}: is damaged ({why}); give another --out, or remove the folder")


class Run:
    """One row of the database at `path`, as planned; `id` names it. InputError where it is damaged, by `metrics` too."""

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
        self.exit_code, self.wall_s, self.cpu_s = row["exit_code"], row["wall_s"], row["cpu_s"]
        self._summary, self._metrics = row["summary"], None

    def metrics(self):
        """{path: number} of its summary; empty where it left none."""
        if self._metrics is None:
            self._metrics = flatten(self._object("summary", self._summary)) if self._summary else {}
            if not all(number is None or math.isfinite(number) for number in self._metrics.values()):
                raise damaged(self._source, f"summary of run {self.id}")
        return self._metrics

    def _object(self, column, text):
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise damaged(self._source, f"{column} of run {self.id}")
        return found
