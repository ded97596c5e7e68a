"""A study's folder, read without disturbing commands that work on it: settings, their runs, and the answer of
`tune`."""

import hashlib
import json
import sqlite3
from functools import cached_property
from pathlib import Path

from headroom.errors import InputError
from headroom.expected import read_expected
from headroom.format import parse_any
from headroom.labels import paths_of, read_labels
from headroom.metrics import default_metrics, require
from headroom.over_seeds import known_metrics, points_of
from headroom.study_runs import Run, damaged


def is_study(folder):
    return (Path(folder) / "study.sqlite").is_file()


def _done(point):
    return {seed for seed, run in point.runs.items() if run.status == "done"}


def _title(keys):
    """ "switches.0.ecn.[frontend,backend].kmin" of keys that differ in one word."""
    words = list(zip(*(key.split(".") for key in keys)))
    different = [parts for parts in words if len(set(parts)) > 1]
    if len({key.count(".") for key in keys}) > 1 or len(different) != 1:
        return " and ".join(keys)
    return ".".join(f"[{','.join(parts)}]" if parts in different else parts[0] for parts in words)


class Axis:
    """A varied key: its values in order, as numbers if all of them are. `names`: {value: short name} of those that are
    maps or lists. `also`: keys that have its value in every setting, and so have no axes of their own."""

    def __init__(self, key, texts, names=None, also=()):
        self.key = key
        self.also = list(also)
        together = [path for one in (key, *also) for path in paths_of(one)]
        self.title = _title(together) if len(together) > 1 else key
        numbers = {text: parse_any(text) for text in dict.fromkeys(texts)}
        self.numeric = all(n is not None for n in numbers.values())
        self.write = str  # text of a position on the axis
        if self.numeric:
            self.positions = {text: number for text, (number, _) in numbers.items()}
            self.texts = sorted(numbers, key=lambda t: self.positions[t])
            self.write = numbers[self.texts[-1]][1]
        else:
            self.texts = list(numbers)
            self.positions = {text: float(place) for place, text in enumerate(self.texts)}
        values = [self.positions[t] for t in self.texts]
        # Values that grow by factors have equal distances on a logarithmic axis.
        self.log = self.numeric and values[0] > 0 and values[-1] / values[0] >= 8
        self.names = {text: name for text, name in (names or {}).items() if text in self.positions}

    def label(self, text):
        """A value in the form of pictures and tables."""
        return self.names.get(text, text)

    @property
    def name(self):
        """The title's last words: "storage.kmin", or "burst.size"."""
        return ".".join(self.title.split(".")[-2:])


class Study:
    """`points`: settings with their full runs; `short`: those of a search that ran for a part of the duration."""

    def __init__(self, folder):
        self.path = Path(folder)
        self.name = self.path.resolve().name
        runs = self._read()
        self.answer = self._answer()
        self.is_search = self.answer is not None or self.about.get("command") == "tune"
        if self.is_search and any(run.share is None for run in runs):
            raise InputError(f"{self.path}: of an older version; start the same `tune` again with another --out")
        self.runs = runs
        self.points = points_of([run for run in runs if run.share in (None, 1)])
        self.short = points_of([run for run in runs if run.share not in (None, 1)])
        varied = {}
        for points, without in ((self.points, ()), (self.short, ("duration", "deadline"))):
            for key, value in ((k, v) for point in points for k, v in point.settings.items() if k not in without):
                varied.setdefault(key, []).append(str(value))
        labels = read_labels(self.about.get("labels"), self.path / "study.sqlite")
        self.expected = read_expected(self.about.get("expect"), self.path / "study.sqlite")
        alike = {}
        for key, texts in varied.items():
            if len(set(texts)) > 1:
                values = tuple(str(point.settings.get(key)) for point in self.points + self.short)
                alike.setdefault(values, []).append(key)
        self.axes = [Axis(key, varied[key], labels.get(key), also) for key, *also in alike.values()]
        self.asked = self._asked()
        self.metrics = self._metrics()

    def __repr__(self):
        done = sum(run.status == "done" for run in self.runs)
        return f"<Study {self.path}: {self.settings_count} settings, {done} of {len(self.runs)} runs done>"

    def table(self, name="settings", metrics=None):
        """Returns a DataFrame. "settings": a line for each setting with full runs, with the means of `metrics`
        (default: those that the study asks for, and tails, pauses, losses) and their 95 % intervals, in
        METRIC.half_width_95. "runs": a line for each run, with all of its metrics and the path of its result."""
        import pandas as pd

        if name not in ("settings", "runs"):
            raise InputError(f"{self.path}: has no table {name!r}; there are settings, runs")
        if name == "runs":
            rows = [{**r.settings, "seed": r.seed, "status": r.status, "path": r.path, **r.metrics()} for r in self.runs]
            return pd.DataFrame(rows)
        known = known_metrics(self.runs)
        for metric in metrics or []:
            require(metric, known)
        rows = []
        for point in self.points:
            row = {**point.settings, "seeds": len(point.counted())}
            for metric in metrics or dict.fromkeys(self.asked + default_metrics(known)):
                found = point.interval(metric)
                row[metric] = found and found.mean
                row[f"{metric}.half_width_95"] = found and found.half_width
            rows.append(row)
        return pd.DataFrame(rows)

    def _read(self):
        path = self.path / "study.sqlite"
        try:
            db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
            db.row_factory = sqlite3.Row
            runs = [Run(row, path) for row in db.execute("select * from runs order by id")]
            self.about = dict(db.execute("select key, value from study"))
            db.close()
        except (sqlite3.Error, KeyError, IndexError, ValueError) as error:
            raise InputError(f"{path}: cannot be read as a study: {error}") from error
        if not all(isinstance(value, (str, type(None))) for value in self.about.values()):
            raise damaged(path, "the table with the study's settings")
        if not any(run.status == "done" for run in runs):
            raise InputError(f"{self.path}: no run of this study is finished yet; start its sweep again")
        return runs

    def _answer(self):
        path = self.path / "study.json"
        if not path.is_file():
            return None
        try:
            data = path.read_bytes()
            answer = json.loads(data)
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: damaged ({error}); start the same `tune` again with --force") from error
        if self.about.get("answer", "") not in ("", hashlib.sha256(data).hexdigest()):
            raise InputError(f"{path}: is not an answer of `tune`; start the same `tune` again with --force")
        if not isinstance(answer, dict) or "baseline_constraints" not in answer:
            raise InputError(f"{path}: of an older version; start the same `tune` again")
        return answer

    def _asked(self):
        """The objectives of a search, or the metrics of a sweep's --metric."""
        if self.answer is not None:
            return [objective["metric"] for objective in self.answer.get("objectives", [])]
        try:
            asked = json.loads(self.about.get("metrics") or "[]")
        except ValueError:
            asked = None
        if not isinstance(asked, list) or not all(isinstance(metric, str) for metric in asked):
            raise damaged(self.path / "study.sqlite", "metrics of the study")
        return asked

    @cached_property
    def metrics_known(self):
        """Every metric that a finished run has."""
        return known_metrics([run for run in self.runs if run.status == "done"])

    def _metrics(self):
        """The drawn metrics: those that the study asks for, then tails, pauses, losses, if they differ anywhere."""
        found = []
        for metric in dict.fromkeys(self.asked + default_metrics(self.metrics_known)):
            values = {value for point in self.points for value in point.by_seed(metric).values()}
            if metric in self.asked or len(values) > 1:
                found.append(metric)
        return found

    @cached_property
    def compared_seeds(self):
        """The seeds over which settings are compared: for a search those of the search, for a sweep those that the most
        runs share. Another set of seeds has other arrivals."""
        sets = [_done(point) for point in self.points]
        searched = set((self.answer or {}).get("seeds", []))
        if searched and sum(searched <= done for done in sets) > 1:
            return sorted(searched)
        return sorted(max(sets, key=lambda s: ((len(s) - 1) * sum(s <= other for other in sets), len(s)), default=[]))

    @property
    def compared(self):
        """[Point] of the settings that ran with all of `compared_seeds`, with only these runs."""
        seeds = set(self.compared_seeds)
        return [point.of_seeds(seeds) for point in self.points if seeds <= _done(point)]

    @property
    def apart(self):
        """[Point] of the others that have a result."""
        seeds = set(self.compared_seeds)
        return [point for point in self.points if _done(point) and not seeds <= _done(point)]

    def sign(self, metric):
        """1 if less is better."""
        goals = {o["metric"]: o["goal"] for o in (self.answer or {}).get("objectives", [])}
        if metric in goals:
            return -1 if goals[metric] == "maximise" else 1
        return -1 if metric.endswith(("goodput_gbps", ".mops", ".iops")) else 1

    @property
    def seeds(self):
        return sorted({seed for point in self.points for seed in point.runs})

    def failed(self):
        return [run for run in self.runs if run.status in ("failed", "killed")]

    def unfinished(self):
        return [run for run in self.runs if run.status in ("pending", "running")]

    def is_baseline(self, point):
        return self.answer is not None and point.settings == (self.answer.get("baseline") or {})

    def is_recommended(self, point):
        best = (self.answer or {}).get("recommended")
        return bool(best) and point.settings == best["settings"]

    @property
    def short_keys(self):
        """{key: short name}: its last word, or its last two if the last is ambiguous."""
        last = [paths_of(axis.key)[0].rpartition(".")[2] for axis in self.axes]
        unclear = {word for word in last if last.count(word) > 1 or word.isdigit()}
        return {a.key: a.name if word in unclear else word for a, word in zip(self.axes, last)}

    @property
    def settings_count(self):
        """Different settings, for runs of any length."""
        keys = set(self.short_keys)
        return len(
            {tuple((k, v) for k, v in p.settings.items() if k in keys) for p in self.points + self.short}
        )

    def settings_words(self, point, without=()):
        """"kmin 100KB, pmax 10%"; only the name for a value that has one; `without` the axes that already show their
        values."""
        short = self.short_keys
        axes = {axis.key: axis for axis in self.axes if axis not in without}
        told = [
            axes[key].names.get(str(value)) or f"{short[key]} {value}"
            for key, value in point.settings.items()
            if key in axes
        ]
        return ", ".join(told) or ("" if without else "the scenario as it is")

    @property
    def named_values(self):
        """[(name, key, value)] of the values that have a name."""
        return [(name, axis.key, text) for axis in self.axes for text, name in axis.names.items()]
