"""The events of each file of a result. Every function yields trace events, in no particular order."""

import numpy as np

from headroom.pause_roots import pauses_of
from headroom.trace.messages import messages, operations


def _us(ns):
    return round(ns / 1000, 6)


def _priority(run, priority):
    name = run.scenario.class_of(priority)
    return f"priority {priority}" + (f" ({name})" if name else "")


def pauses(run, tracks):
    """A slice at the paused port, named after the pausing node."""
    found = pauses_of(run)
    for row in () if found is None else found.itertuples():
        pid, tid = tracks.thread(row.node, f"{row.port} {_priority(run, row.priority)}")
        args = {"by": f"{row.by_node}:{row.by_port}", "priority": int(row.priority)}
        if row.still_paused:
            args["still_paused"] = True
        yield {
            "ph": "X",
            "cat": "pfc",
            "name": f"paused by {row.by_node}:{row.by_port}",
            "pid": pid,
            "tid": tid,
            "ts": round(row.start_us, 6),
            "dur": round(row.duration_us, 6),
            "args": args,
        }


def _counter(tracks, node, name, times, values):
    """A counter holds its value: samples that repeat the previous one are left out. values: {name: array}."""
    columns = [np.asarray(v, float) for v in values.values()]
    changed = np.zeros(len(times), bool)
    changed[:1] = True
    for column in columns:
        # An empty value (a lossy group has no threshold) would differ from any value.
        column = np.nan_to_num(column)
        changed[1:] |= column[1:] != column[:-1]
    pid = tracks.process(node)
    for index in np.flatnonzero(changed):
        args = {what: float(column[index]) for what, column in zip(values, columns) if np.isfinite(column[index])}
        yield {"ph": "C", "name": name, "pid": pid, "tid": 0, "ts": _us(times[index]), "args": args}


def queues(run, tracks):
    table = run.table("queues")
    groups = () if table is None else table.groupby(["node", "port", "queue"], sort=True)
    for (node, port, queue), rows in groups:
        if rows["bytes"].max() == 0:
            continue
        times, values = rows["time_ns"].to_numpy(float), {"bytes": rows["bytes"]}
        yield from _counter(tracks, node, f"queue {port}/{queue} (bytes)", times, values)


def groups(run, tracks):
    table = run.table("groups")
    found = () if table is None else table.groupby(["node", "port", "group"], sort=True)
    for (node, port, group), rows in found:
        if rows[["shared_bytes", "headroom_bytes"]].to_numpy().max() == 0:
            continue
        times = rows["time_ns"].to_numpy(float)
        for column, name in (
            ("shared_bytes", "shared"),
            ("headroom_bytes", "headroom"),
            ("xoff_at_bytes", "XOFF at"),
        ):
            values = rows[column].to_numpy(float)
            if np.isfinite(values).any() and np.nanmax(values) > 0:
                yield from _counter(
                    tracks, node, f"group {port}/{group} {name} (bytes)", times, {"bytes": values}
                )


def rates(run, tracks):
    table = run.table("rates")
    for (host, qp), rows in () if table is None else table.groupby(["host", "qp"], sort=True):
        times, values = rows["time_ns"].to_numpy(float), {"bit/s": rows["rate_bps"]}
        yield from _counter(tracks, host, f"QP {qp} rate (bit/s)", times, values)


def _instant(tracks, node, thread, name, ns, args, category):
    pid, tid = tracks.thread(node, thread)
    place = {"pid": pid, "tid": tid, "ts": _us(ns), "s": "t"}
    return {"ph": "i", "cat": category, "name": name, **place, "args": args}


def cnps(run, tracks):
    table = run.table("cnps")
    for row in () if table is None else table.itertuples():
        name = "CNP cuts the rate" if row.effect == "cut" else "CNP"
        yield _instant(
            tracks, row.host, f"QP {row.qp} notifications", name, row.time_ns, {"qp": int(row.qp)}, "cnp"
        )


def drops(run, tracks):
    table = run.table("drops")
    for row in () if table is None else table.itertuples():
        thread = f"{row.port} drops"
        args = {"priority": int(row.priority), "bytes": int(row.bytes)}
        names = {name: getattr(row, name, None) for name in ("kind", "src", "dst", "message")}
        args |= {name: text for name, text in names.items() if isinstance(text, str)}
        yield _instant(tracks, row.node, thread, f"drop: {row.reason}", row.time_ns, args, "drop")


def happenings(run, tracks):
    """Lines of events.csv: the first mark and drop of each queue, faults, the watchdog, a deadlock."""
    table = run.table("events")
    for row in () if table is None else table.itertuples():
        args = {}
        if isinstance(row.priority, str) and row.priority:
            args["priority"] = int(row.priority)
        if isinstance(row.detail, str) and row.detail:
            args["detail"] = row.detail
        thread = f"{row.port} events" if isinstance(row.port, str) and row.port else "events"
        node = row.node if isinstance(row.node, str) and row.node else "network"
        yield _instant(tracks, node, thread, str(row.event).replace("_", " "), row.time_ns, args, "event")


ALL = (messages, operations, pauses, queues, groups, rates, cnps, drops, happenings)
