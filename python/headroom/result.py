"""A result folder, read and checked: one run, or several seeds of one scenario in `seed-N` subfolders."""

import difflib
import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from headroom import csv_file
from headroom.errors import InputError
from headroom.links import links_of
from headroom.metrics import flatten
from headroom.over_seeds import OverSeeds
from headroom.scenario import Scenario
from headroom.summary_file import as_object, read_summary


@dataclass
class Run:
    """One simulation: its summary, and its tables if the run wrote them."""

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
        path = self.path / "messages.csv"
        raw = csv_file.read_csv(path, "messages", csv_file.COLUMNS["messages"])
        for column, wrong in (
            ("completed_ns", raw["completed_ns"].isna() | (raw["completed_ns"] < raw["start_ns"])),
            ("slowdown", raw["slowdown"].isna() & (raw["ideal_ns"] != 0)),  # messages that programs answer have no
                                                                            # ideal time
        ):
            wrong &= raw["finished"] == "1"
            if wrong.any():
                row = int(wrong.to_numpy().argmax())
                told = f"{column} of a finished message is '{raw[column].iloc[row]:g}'"
                raise InputError(f"{path}:{row + 2}:1: {told}; run the scenario again with --force")
        return raw

    @cached_property
    def messages(self):
        """workload, bytes, us, slowdown, finished; of messages with a line in messages.csv, after the warm-up.

        An unfinished message has its age at the end of the run as `us`, and the slowdown for that age: both are lower
        bounds.
        """
        raw = self._raw_messages
        raw = raw[raw["start_ns"] >= 1000 * self.scenario.warmup_us]
        finished = (raw["finished"] == "1").to_numpy()
        finished &= raw["completed_ns"].notna().to_numpy()
        start = raw["start_ns"].to_numpy(float)
        age = np.maximum(1000 * self.end_us - start, 0)
        ns = np.where(finished, raw["completed_ns"].to_numpy(float) - start, age)
        with np.errstate(divide="ignore", invalid="ignore"):
            so_far = age / raw["ideal_ns"].to_numpy(float)
        return pd.DataFrame(
            {
                "workload": raw["workload"].to_numpy(),
                "bytes": raw["bytes"].to_numpy(float),
                "us": ns / 1000,
                "slowdown": np.where(finished, raw["slowdown"].to_numpy(float), so_far),
                "finished": finished,
            }
        )

    @cached_property
    def operations(self):
        """workload, kind, bytes, us, status, finished; of operations with a line in operations.csv, without those of a
        ramp or the warm-up. None if the run had none.

        An unfinished one has its age at the end of the run as `us`, a lower bound.
        """
        path = self.path / "operations.csv"
        if not path.is_file():
            return None
        raw = csv_file.read_csv(path, "operations", csv_file.COLUMNS["operations"])
        wrong = raw["completed_ns"] < raw["start_ns"]
        wrong |= raw["completed_ns"].notna() & ~raw["status"].isin(["ok", "corrupt", "failed"])
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            told = f"an operation that ended at {raw['completed_ns'].iloc[row]:g} as {raw['status'].iloc[row]!r}"
            raise InputError(f"{path}:{row + 2}:1: {told}; run the scenario again with --force")
        raw = raw[raw["ramp"] == "0"]
        finished = raw["completed_ns"].notna().to_numpy()
        start = raw["start_ns"].to_numpy(float)
        age = np.maximum(1000 * self.end_us - start, 0)
        found = {name: raw[name].to_numpy() for name in ("workload", "kind", "bytes", "status")}
        found["us"] = np.where(finished, raw["completed_ns"].to_numpy(float) - start, age) / 1000
        found["finished"] = finished
        return pd.DataFrame(found)

    @cached_property
    def before_warmup(self):
        """How many messages are left out because they started before the end of the warm-up."""
        return sum(counts.get("warmup_offered") or 0 for counts in as_object(self.summary.get("messages")).values())

    def table(self, name):
        """A CSV file of csv_file.FILES as a table; None if the run did not write it."""
        if name not in self.tables:
            path = self.path / f"{name}.csv"
            self.tables[name] = csv_file.read_csv(path, name) if path.is_file() else None
        return self.tables[name]

    @cached_property
    def links(self):
        """[links.Link] in the order of the topology; None for a result of an older version."""
        table = self.table("links")
        return None if table is None else links_of(table)

    @cached_property
    def _marking(self):
        """{(node, port, queue): (Kmin, Kmax, Pmax)}; empty for a result of an older version."""
        table = self.table("marking")
        columns = [] if table is None else [table[name] for name in ("node", "port", "queue", "kmin_bytes", "kmax_bytes", "pmax")]
        return {tuple(row[:3]): tuple(map(float, row[3:])) for row in zip(*columns)}

    def marking(self, node, port, queue):
        """(Kmin, Kmax, Pmax) of a queue in the run, the last as a share of 1; None if it does not mark."""
        return self._marking.get((node, port, str(queue)))

    def thresholds(self, node, port, queue):
        """(Kmin, Kmax) of the queue."""
        found = self.marking(node, port, queue)
        return found and found[:2]

    @cached_property
    def headroom_configured(self):
        """{(node, port, priority): bytes} of the groups that have some."""
        ports = self.table("ports")
        if ports is None:
            return {}
        some = ports[ports["headroom_configured_bytes"] > 0]
        return dict(zip(zip(some["node"], some["port"], some["priority"]), some["headroom_configured_bytes"]))

    @property
    def buffers(self):
        """[(switch, the summary's part on its buffer)]"""
        found = (self.summary.get("buffer") or {}).items()
        return [(switch, buffer) for switch, buffer in found if isinstance(buffer, dict)]


@dataclass(repr=False)
class Result(OverSeeds):
    """The contents of a folder that `headroom run` wrote: a run, or one for each of several seeds. Numbers of a summary
    are found by their path, such as messages.burst.completion_us.p99: `by_seed(path)`, and `interval(path)` for their
    mean with its 95 % interval."""

    name: str
    path: Path
    runs: list  # [Run]; several seeds in their order

    def __repr__(self):
        seeds = f"seed {self.runs[0].seed}" if len(self.runs) == 1 else f"{len(self.runs)} seeds"
        return f"<Result {self.path}: {seeds}, {self.partial or 'complete'}>"

    @cached_property
    def summary(self):
        """summary.json as a dictionary; for several seeds means, and intervals under "seeds"."""
        return self.runs[0].summary if self.runs[0].path == self.path else read_summary(self.path)

    @property
    def scenario(self):
        """The Scenario of resolved.yaml."""
        return self.runs[0].scenario

    @property
    def settings(self):
        """{key: text} of resolved.yaml, with keys in the form of --set. InputError if it is missing, as after another
        tool's run."""
        if self.scenario.trouble:
            raise InputError(f"{self.runs[0].path}: {self.scenario.trouble}")
        return self.scenario.settings

    @property
    def seeds(self):
        return [run.seed for run in self.runs]

    @property
    def tables(self):
        """The names that `table` knows here."""
        return [name for name in csv_file.FILES if (self.runs[0].path / f"{name}.csv").is_file()]

    def table(self, name):
        """NAME.csv as a DataFrame, with `attrs["units"]`; several seeds one after the other, with a column `seed`."""
        if name not in self.tables:
            near = difflib.get_close_matches(name, self.tables, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"{self.path}: has no table {name!r}; there are {', '.join(self.tables)}{hint}")
        found = [run.table(name) for run in self.runs]
        if len(found) > 1:
            numbered = [(run.seed, table) for run, table in zip(self.runs, found) if table is not None]
            found = [pd.concat([t.assign(seed=s)[["seed", *t.columns]] for s, t in numbered], ignore_index=True)]
        return csv_file.for_people(found[0], name)

    def compare(self, other):
        """Changes from this result to the other: compare.Comparison, as in `headroom compare`."""
        from headroom.compare import Comparison

        return Comparison(self, other)

    def counted(self):
        return self._counted

    @cached_property
    def _counted(self):
        return {run.seed: flatten(run.summary) for run in self.runs}

    @cached_property
    def messages(self):
        """The messages of all seeds together, with the index of their run."""
        return pd.concat([run.messages.assign(run=i) for i, run in enumerate(self.runs)], ignore_index=True)

    @cached_property
    def operations(self):
        """The operations of all seeds together, with the index of their run: those with a line."""
        found = [run.operations.assign(run=i) for i, run in enumerate(self.runs) if run.operations is not None]
        return pd.concat(found, ignore_index=True) if found else pd.DataFrame(columns=["workload", "kind"])

    @property
    def operation_kinds(self):
        """[(workload, kind)] of the operations that were offered after the ramp, in the order of the summary."""
        names = {}
        for run in self.runs:
            for workload, kinds in as_object(run.summary.get("operations")).items():
                for kind, counts in kinds.items():
                    if kind != "all" and counts.get("offered"):
                        names[workload, kind] = None
        return list(names)

    @property
    def workloads(self):
        """Workloads of messages, in the order of the summary, then of the messages."""
        names = []
        for run in self.runs:
            names += list(run.summary.get("messages") or {})
        return list(dict.fromkeys(names + list(self.messages["workload"].unique())))

    @property
    def partial(self):
        """The reason why this is incomplete, in words; None if every run is complete."""
        what = "messages" if self.runs[0].summary.get("messages") or not self.operation_kinds else "operations"
        words = {
            "deadline": f"stopped at the deadline with {what} unfinished",
            "interrupted": "interrupted",
            "deadlock": "stopped in a deadlock",
        }
        parts = []
        if self._planned > len(self.runs):
            parts.append(f"interrupted, {len(self.runs)} of {self._planned} seeds")
        cut = [run for run in self.runs if run.status != "complete"]
        if cut:
            told = ", ".join(dict.fromkeys(words.get(run.status, run.status) for run in cut))
            parts.append(told if len(self.runs) == 1 else f"{told} ({len(cut)} of {len(self.runs)} seeds)")
        return "; ".join(parts) or None

    @cached_property
    def _planned(self):
        """The planned number of seeds: the series' own summary has it if some are missing."""
        if self.runs[0].path == self.path or not (self.path / "summary.json").is_file():
            return len(self.runs)
        seeds = as_object(self.summary.get("seeds"))
        planned, found = seeds.get("planned"), seeds.get("list")
        return planned if isinstance(planned, int) else len(found) if isinstance(found, list) else len(self.runs)


def _is_run(path):
    return (path / "summary.json").is_file() and (path / "messages.csv").is_file()


def _seeds_in(path):
    folders = [p for p in path.glob("seed-*") if re.fullmatch(r"seed-\d+", p.name) and _is_run(p)]
    return sorted(folders, key=lambda p: int(p.name[5:]))


def _refuse(path):
    """Reports why `path` is not a result, and the command that was probably meant."""
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
        folders = [p for p in path.parent.iterdir() if p.is_dir()] if path.parent.is_dir() else []
        siblings = [p.name for p in folders if _is_run(p) or _seeds_in(p)]
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
        raise InputError(f"{path} is not a result, but holds some; did you mean: ./headroom plot {some}")
    missing = next(name for name in ("summary.json", "messages.csv") if not (path / name).is_file())
    raise InputError(
        f"{path} is not a result: it has no {missing}; give a folder that `headroom run` wrote, or run the "
        "scenario again: ./headroom run FILE --force"
    )


def _names(paths):
    """The shortest endings of the paths that distinguish them."""
    parts = [os.fsencode(p.resolve()).decode("utf-8", "backslashreplace").split("/") for p in paths]
    depth = 1
    while len({tuple(p[-depth:]) for p in parts}) < len(parts) and depth < max(map(len, parts)):
        depth += 1
    return ["/".join(p[-depth:]) for p in parts]


def _require_all_seeds(path):
    """InputError if files of a seed are missing that the summary of all seeds counts."""
    if not (path / "summary.json").is_file():
        return
    listed = as_object(read_summary(path).get("seeds")).get("list")
    for seed in listed if isinstance(listed, list) else ():
        for name in ("summary.json", "messages.csv"):
            file = path / f"seed-{seed}" / name
            if not file.is_file():
                raise InputError(f"{file} is missing, and {path / 'summary.json'} is of seed {seed} too; run the scenario again with --force")


def load_results(folders, whole=True):
    """The results in these folders; InputError for the first that is not a result, or that is given twice. `whole`:
    their messages are read, so that damage is found before anything is drawn; otherwise they are read on use."""
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
        if seeds:
            _require_all_seeds(path)
        results.append(Result(name, path, [Run(p, read_summary(p)) for p in (seeds or [path])]))
    for result in results if whole else ():
        result.messages, result.operations  # noqa: B018
    return results
