"""Changes from one result to another, as `headroom compare` computes them."""

from functools import cached_property

import pandas as pd

from headroom import program
from headroom.errors import InputError

_COLUMNS = ["metric", "a", "b", "change_percent", "half_width_percent", "within_interval", "verdict"]


def _half_width(row):
    """The distance from the change to the farther end of its interval."""
    change, low, high = (row[f"{end}_percent"] for end in ("change", "low", "high"))
    return None if low is None else max(high - change, change - low)


class Comparison:
    """Compares result `a` with `b`. `settings`: the keys that differ, keyed as --set takes them. `changes`: the metrics
    that differ, with the change as a share of `a` and half the width of its 95 % interval. They state whether the
    change is within it, and have the verdict (docs/studies.md), which is empty without an interval. `equal`: how many
    metrics are the same."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        for result in (a, b):
            result.summary  # noqa: B018 - a damaged file is an error with its place
        self._found = program.compare(a.path, b.path)
        self.equal = self._found["equal"]
        rows = [{**row, "half_width_percent": _half_width(row), "verdict": row["verdict"] or ""} for row in self._found["changes"]]
        changes = pd.DataFrame(rows, columns=_COLUMNS).set_index("metric")
        shares = ["change_percent", "half_width_percent"]
        self.changes = changes.astype(dict.fromkeys(shares, float) | {"within_interval": bool})

    @cached_property
    def settings(self):
        rows = self._found["settings"]
        if rows is None:
            raise InputError(self._found["why_no_settings"])
        return pd.DataFrame(rows, columns=["setting", "a", "b"], dtype=object).set_index("setting")

    def __repr__(self):
        try:
            settings = self.settings.to_string() if len(self.settings) else "all settings are equal"
        except InputError as error:
            settings = f"settings are not compared: {error}"
        told = f"a  {self.a!r}\nb  {self.b!r}\n\n{settings}\n\n"
        return told + f"{self.changes.to_string()}\n\n{len(self.changes)} metrics changed, {self.equal} are equal"
