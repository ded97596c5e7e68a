"""A result folder, read and checked: one run, or several seeds of one scenario in `seed-N` subfolders."""

import difflib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from .errors import InputError
from .scenario import Scenario

_MESSAGE_COLUMNS = ["workload", "bytes", "start_ns", "completed_ns", "ideal_ns", "slowdown", "finished"]
_TABLE_COLUMNS = {
    "pfc": ["time_ns", "node", "port", "peer_node", "peer_port", "priority", "direction", "duration_ns"],
    "events": ["time_ns", "event"],
    "queues": ["time_ns", "node", "port", "queue", "bytes"],
    "rates": ["time_ns", "host", "qp", "rate_bps"],
    "ports": ["node", "port", "priority", "peak_queue_bytes"],
    "groups": ["time_ns", "node", "port", "group", "shared_bytes", "headroom_bytes"],
    "cnps": ["time_ns", "host", "qp", "effect"],
    "drops": ["time_ns", "node", "port", "priority", "reason", "bytes"],
}
# Results of older versions lack them: then they are empty.
_OPTIONAL_COLUMNS = {
    "ports": ["peak_group_bytes", "peak_headroom_bytes", "headroom_configured_bytes"],
    "groups": ["xoff_at_bytes"],
    "events": ["node", "port", "priority", "detail"],
}
_TEXT_COLUMNS = {
    "node",
    "port",
    "peer_node",
    "peer_port",
    "direction",
    "event",
    "detail",
    "host",
    "workload",
    "id",
    "priority",
    "queue",
    "qp",
    "group",
    "effect",
    "reason",
}


def _read_csv(path, columns, optional=()):
    """The table with these columns, or InputError. Names stay text, the rest are numbers. Of the optional columns
    those that the file lacks are empty."""
    try:
        names = pd.read_csv(path, nrows=0).columns
        missing = [c for c in columns if c not in names]
        if missing:
            raise InputError(
                f"{path}:1:1: column {missing[0]} is missing; is the file from another version of "
                "Headroom? Run the scenario again with --force"
            )
        columns = columns + [c for c in optional if c in names]
        table = pd.read_csv(path, usecols=columns, dtype={c: str for c in columns if c in _TEXT_COLUMNS})
    except pd.errors.EmptyDataError as error:
        raise InputError(
            f"{path}:1:1: empty, not even a header; run the scenario again with --force"
        ) from error
    except (pd.errors.ParserError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: damaged ({str(error).strip()}); run the scenario again with --force"
        ) from error
    for column in columns:
        if column in _TEXT_COLUMNS or column == "finished" or pd.api.types.is_numeric_dtype(table[column]):
            continue
        numbers = pd.to_numeric(table[column], errors="coerce")
        bad = numbers.isna() & table[column].notna() & (table[column].astype(str).str.strip() != "")
        if bad.any():
            row = int(bad.to_numpy().argmax())
            raise InputError(
                f"{path}:{row + 2}:1: {column} is '{table[column].iloc[row]}'; a number is expected"
            )
        table[column] = numbers
    for column in optional:
        if column not in table:
            table[column] = None if column in _TEXT_COLUMNS else np.nan
    return table


@dataclass
class Run:
    """One simulation: its summary, and its tables where the run wrote them."""

    path: Path
    summary: dict
    tables: dict = field(default_factory=dict)

    @property
    def status(self):
        return str(self.summary.get("status", "complete"))

    @property
    def seed(self):
        return self.summary.get("seed")

    @cached_property
    def scenario(self):
        return Scenario(self.path / "resolved.yaml")

    @cached_property
    def end_us(self):
        """When the run stopped."""
        end = self.summary.get("sim_time_us")
        if isinstance(end, (int, float)) and end > 0:
            return float(end)
        times = self._raw_messages[["start_ns", "completed_ns"]].max().max()
        return 0.0 if np.isnan(times) else times / 1000

    @cached_property
    def _raw_messages(self):
        return _read_csv(self.path / "messages.csv", _MESSAGE_COLUMNS)

    @cached_property
    def messages(self):
        """workload, bytes, us, slowdown, finished; of messages after the warm-up.

        An unfinished message has its age at the end of the run as `us`, and the slowdown that goes with it:
        both are lower bounds.
        """
        raw = self._raw_messages
        raw = raw[raw["start_ns"] >= 1000 * self.scenario.warmup_us]
        finished = raw["finished"].astype(str).str.lower().isin(["1", "1.0", "true", "yes"]).to_numpy()
        finished &= raw["completed_ns"].notna().to_numpy()
        start = raw["start_ns"].to_numpy(float)
        age = np.maximum(1000 * self.end_us - start, 0)
        ns = np.where(finished, raw["completed_ns"].to_numpy(float) - start, age)
        with np.errstate(divide="ignore", invalid="ignore"):
            so_far = age / raw["ideal_ns"].to_numpy(float)
        return pd.DataFrame(
            {
                "workload": raw["workload"].fillna("").to_numpy(),
                "bytes": raw["bytes"].to_numpy(float),
                "us": ns / 1000,
                "slowdown": np.where(finished, raw["slowdown"].to_numpy(float), so_far),
                "finished": finished,
            }
        )

    @cached_property
    def before_warmup(self):
        """How many messages are left out because they started before the end of the warm-up."""
        return len(self._raw_messages) - len(self.messages)

    def table(self, name):
        """A CSV file of _TABLE_COLUMNS as a table; None where the run did not write it."""
        if name not in self.tables:
            path = self.path / f"{name}.csv"
            optional = _OPTIONAL_COLUMNS.get(name, ())
            self.tables[name] = _read_csv(path, _TABLE_COLUMNS[name], optional) if path.is_file() else None
        return self.tables[name]


@dataclass
class Result:
    """What one DIR of the command line stands for."""

    name: str
    path: Path
    runs: list

    @cached_property
    def messages(self):
        """The messages of all seeds together, with the index of their run."""
        return pd.concat([run.messages.assign(run=i) for i, run in enumerate(self.runs)], ignore_index=True)

    @property
    def workloads(self):
        """In the order of the summary, then of the messages."""
        names = []
        for run in self.runs:
            names += list(run.summary.get("messages") or {})
        return list(dict.fromkeys(names + list(self.messages["workload"].unique())))

    @property
    def partial(self):
        """Why this is not the whole of it, in words; None if every run is complete."""
        words = {
            "deadline": "stopped at the deadline with messages unfinished",
            "interrupted": "interrupted",
            "deadlock": "stopped in a deadlock",
        }
        cut = [run for run in self.runs if run.status != "complete"]
        if not cut:
            return None
        told = ", ".join(dict.fromkeys(words.get(run.status, run.status) for run in cut))
        return told if len(self.runs) == 1 else f"{told} ({len(cut)} of {len(self.runs)} seeds)"


def _is_run(path):
    return (path / "summary.json").is_file() and (path / "messages.csv").is_file()


def _seeds_in(path):
    folders = [p for p in path.glob("seed-*") if re.fullmatch(r"seed-\d+", p.name) and _is_run(p)]
    return sorted(folders, key=lambda p: int(p.name[5:]))


def _load_run(path):
    file = path / "summary.json"
    try:
        summary = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"{file}:{error.lineno}:{error.colno}: {error.msg}; the file is damaged, run the scenario "
            "again with --force"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}:1:1: not text ({error.reason}); run the scenario again with --force"
        ) from error
    if not isinstance(summary, dict):
        raise InputError(f"{file}:1:1: not a summary; an object is expected")
    return Run(path, summary)


def _refuse(path):
    """Says why `path` is no result, and what to type instead."""
    if path.is_file():
        if path.suffix in (".yaml", ".yml"):
            raise InputError(
                f"{path} is a scenario, not a result; run it first: ./headroom run {path}, then "
                f"./headroom plot results/{path.stem}"
            )
        parent = path.parent
        hint = f"; did you mean {parent}?" if _is_run(parent) else ""
        raise InputError(
            f"{path} is a file; give the folder that `headroom run` wrote, such as results/NAME{hint}"
        )
    if not path.exists():
        siblings = [p.name for p in path.parent.iterdir() if p.is_dir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, siblings, 1)
        hint = (
            f"; did you mean {path.parent / near[0]}?"
            if near
            else "; run the scenario first: ./headroom run FILE"
        )
        raise InputError(f"{path} does not exist{hint}")
    inside = sorted(str(p) for p in path.iterdir() if p.is_dir() and (_is_run(p) or _seeds_in(p)))
    if inside:
        some = " ".join(inside[:4]) + (" ..." if len(inside) > 4 else "")
        raise InputError(f"{path} is no result, but holds some; did you mean: ./headroom plot {some}")
    missing = next(name for name in ("summary.json", "messages.csv") if not (path / name).is_file())
    raise InputError(
        f"{path} is no result: it has no {missing}; give a folder that `headroom run` wrote, or run the "
        "scenario again: ./headroom run FILE --force"
    )


def _names(paths):
    """The shortest endings of the paths that tell them apart."""
    parts = [p.resolve().parts for p in paths]
    depth = 1
    while len({p[-depth:] for p in parts}) < len(parts) and depth < max(map(len, parts)):
        depth += 1
    return ["/".join(p[-depth:]) for p in parts]


def load_results(folders):
    """The results in these folders; InputError for the first that is none, or that is given twice."""
    paths = [Path(folder) for folder in folders]
    seen = {}
    for path in paths:
        if path.resolve() in seen:
            raise InputError(f"{path} is given twice; give each result once")
        seen[path.resolve()] = path
    results = []
    for name, path in zip(_names(paths), paths):
        seeds = _seeds_in(path) if path.is_dir() else []
        if not seeds and not _is_run(path):
            _refuse(path)
        results.append(Result(name, path, [_load_run(p) for p in (seeds or [path])]))
    for result in results:
        result.messages  # noqa: B018 - damaged messages are found before anything is drawn
    return results
