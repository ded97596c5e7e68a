"""The hosts whose messages and operations hold most of the time around each percentile, and most of the parts that no
switch queue holds; the data are the lines of messages.csv and operations.csv."""

import numpy as np

from headroom.csv_file import read_csv
from headroom.explain.parts import LEAST

LARGEST = 100_000_000  # bytes of a file: for larger files the hosts are left out, to save memory
_BANDS = {"p50": (4500, 5500), "p99": (9850, 9950), "p999": (9985, 9995)}  # ranks, in hundredths of a per cent, as in
                                                                           # summaries
_ENDS = {"messages": {"src": "from", "dst": "to"}, "operations": {"client": "client", "server": "server"}}


def add_ends(run, found):
    """Adds {place, end, us, share} to the time around each percentile in `found`. A part without places also gets one
    if it is another host or has a larger share. Does so only if the files have every line that was counted."""
    _add(run, "messages", found["workloads"], ("workload",))
    _add(run, "operations", found["operations"], ("workload", "kind"))


def _without_place(percentile):
    return [part for part in percentile["parts"] if part["share"] >= LEAST and not part.get("places")]


def _add(run, name, subjects, keys):
    path = run.path / f"{name}.csv"
    parts = dict.fromkeys(f"{part['part']}_ns" for subject in subjects for split in subject["at"].values() for part in _without_place(split))
    if not parts or not path.is_file() or path.stat().st_size > LARGEST:
        return
    own = ["start_ns", "completed_ns", "finished" if name == "messages" else "ramp"]
    table = read_csv(path, name, [*keys, *_ENDS[name], *own, *parts])
    if not {*parts, *_ENDS[name]} <= set(table.columns):
        return
    table = table[table["completed_ns"].notna()]
    table = table[table["start_ns"] >= 1000 * run.scenario.warmup_us] if name == "messages" else table[table["ramp"] == "0"]
    groups = table.groupby(list(keys) if len(keys) > 1 else keys[0]).indices
    for subject in subjects:
        lines = table.iloc[groups.get(subject["workload"] if len(keys) == 1 else tuple(subject[k] for k in keys), [])]
        if len(lines) != subject["finished"]:
            continue  # the lines are only a sample
        took = lines["completed_ns"] - lines["start_ns"]
        order = np.argsort(took.to_numpy(), kind="stable")
        for percentile, split in subject["at"].items():
            first, last = (max(1, -(-len(lines) * rank // 10_000)) for rank in _BANDS[percentile])
            rows = lines.iloc[order[first - 1 : last]]
            split["places"] = [whole := _largest(rows, took.iloc[order[first - 1 : last]], _ENDS[name], split["total_us"])]
            for part in _without_place(split):
                found = _largest(rows, rows[f"{part['part']}_ns"], _ENDS[name], part["us"])
                same = found["place"] == whole["place"] and found["share"] < whole["share"] + 0.1
                part["places"] = [] if same else [found]


def _largest(rows, ns, ends, us):
    """The host that is most often at one end, by time."""
    sums = {end: ns.groupby(rows[end]).sum() for end in ends}
    end = max(ends, key=lambda e: sums[e].max())
    share = float(sums[end].max() / sums[end].sum()) if sums[end].sum() else 0.0
    return {"place": sums[end].idxmax(), "end": ends[end], "us": us * share, "share": share}
