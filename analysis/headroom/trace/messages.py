"""Messages and operations of a result as slices, what their time went to nested in them, and arrows from the slowest to the
queues in which they waited."""

import heapq

from headroom.csv_file import MESSAGE_PARTS, PARTS

_PLACED = {"message": "in the order of the way; lengths are exact", "operation": "by kind, not in order; lengths are exact"}


def _us(ns):
    return round(ns / 1000, 6)


class _Lanes:
    """Threads of one name, as many as there are slices at the same time."""

    def __init__(self, tracks, node, name):
        self._tracks, self._node, self._name = tracks, node, name
        self._free, self._ends, self._made = [], [], 0

    def take(self, start, end):
        """(pid, tid) of one that is free from `start` on. In the order of starts."""
        while self._ends and self._ends[0][0] <= start:
            heapq.heappush(self._free, heapq.heappop(self._ends)[1])
        if not self._free:
            self._made += 1
            self._free.append(self._made)
        lane = heapq.heappop(self._free)
        heapq.heappush(self._ends, (end, lane))
        return self._tracks.thread(self._node, self._name + (f", {lane}" if lane > 1 else ""))


def _slice(category, name, place, start, duration, args):
    pid, tid = place
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": _us(start), "dur": _us(duration), "args": args}


def _nested(row, parts, place, category):
    """One behind the other."""
    at = row.start_ns
    for part in parts:
        length = getattr(row, f"{part}_ns")
        if length > 0:
            args = {"placed": _PLACED[category]}
            since = getattr(row, "limited_since_ns", None) if part == "limiter" else None
            if since is not None and since >= 0:
                args["rate_cut_at_us"] = _us(since)
            yield _slice(category, part.replace("_", " "), place, at, length, args)
            at += length


def _waits(run, table, tracks, placed):
    """Slices where the slowest waited, and the arrows that lead there."""
    waits = run.table(table)
    if waits is None or waits.empty:
        return
    lanes, found = {}, {}
    for row in waits.sort_values("since_ns", kind="stable").itertuples():
        key = row.node, f"{row.port} queue {row.queue}, waits of the slowest"
        took = row.queued_ns + row.paused_ns
        place = lanes.setdefault(key, _Lanes(tracks, *key)).take(row.since_ns, row.since_ns + took)
        args = {"way": row.way, "queued_us": _us(row.queued_ns), "paused_us": _us(row.paused_ns)}
        yield _slice("wait", f"{row.id} {'paused' if row.paused_ns > row.queued_ns else 'queued'}", place, row.since_ns, took, args)
        found.setdefault(row.id, []).append((row.since_ns, place))
    for number, (name, stations) in enumerate(found.items(), 1):
        stations = [placed[name], *stations] if name in placed else stations
        if len(stations) < 2:
            continue
        for i, (at, (pid, tid)) in enumerate(stations):
            phase = {"ph": "s"} if i == 0 else {"ph": "f" if i == len(stations) - 1 else "t", "bp": "e"}
            yield {**phase, "cat": table, "name": "its way", "id": number, "pid": pid, "tid": tid, "ts": _us(at)}


def _slices(run, tracks, rows, node_of, name_of, args_of, parts, waits, category):
    """`rows`: in the order of their starts."""
    lanes, placed = {}, {}
    split = f"{parts[0]}_ns" in rows.columns
    for row in rows.itertuples():
        key = node_of(row), f"{category}s of {row.workload}"
        place = lanes.setdefault(key, _Lanes(tracks, *key)).take(row.start_ns, row.completed_ns)
        placed[row.id] = row.start_ns, place
        yield _slice(category, name_of(row), place, row.start_ns, row.completed_ns - row.start_ns, args_of(row))
        if split and getattr(row, f"{parts[0]}_ns") >= 0:
            yield from _nested(row, parts, place, category)
    yield from _waits(run, waits, tracks, placed)


def _finished(table):
    return table[table["completed_ns"].notna()].sort_values("start_ns", kind="stable")


def messages(run, tracks):
    table = run.table("messages")
    if table is None or "id" not in table.columns:
        return
    yield from _slices(
        run,
        tracks,
        _finished(table),
        lambda row: row.src,
        lambda row: f"{row.id} to {row.dst}",
        lambda row: {"bytes": int(row.bytes)} | ({"slowdown": float(row.slowdown)} if row.slowdown == row.slowdown else {}),
        MESSAGE_PARTS,
        "message_waits",
        "message",
    )


def operations(run, tracks):
    table = run.table("operations")
    if table is None or "id" not in table.columns:
        return
    yield from _slices(
        run,
        tracks,
        _finished(table),
        lambda row: row.client,
        lambda row: f"{row.kind.replace('_', ' ')} {row.id}",
        lambda row: {"bytes": int(row.bytes), "status": row.status},
        PARTS,
        "operation_waits",
        "operation",
    )
