"""Messages and operations of a result as slices, with their parts nested in them, and arrows from the slowest to the queues in
which they waited."""

import heapq
from dataclasses import dataclass

from headroom.csv_file import MESSAGE_PARTS, PARTS


def _us(ns):
    return round(ns / 1000, 6)


class _Lanes:
    """Threads with one name, as many as there are slices at the same time."""

    def __init__(self, tracks, node, name):
        self._tracks, self._node, self._name = tracks, node, name
        self._free, self._ends, self._made = [], [], 0

    def take(self, start, end):
        """(pid, tid) of a thread that is free from `start` on. Slices in the order of starts."""
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


def _nested(kind, row, place):
    """Parts one after the other."""
    start = row.start_ns
    for part in kind.parts:
        length = getattr(row, f"{part}_ns")
        if length > 0:
            args = {"placed": kind.placed}
            since = getattr(row, "limited_since_ns", None) if part == "limiter" else None
            if since is not None and since >= 0:
                args["rate_cut_at_us"] = _us(since)
            yield _slice(kind.category, part.replace("_", " "), place, start, length, args)
            start += length


def _waits(run, table, tracks, placed):
    """Slices where the slowest waited, and the arrows to them."""
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
        for i, (when, (pid, tid)) in enumerate(stations):
            phase = {"ph": "s"} if i == 0 else {"ph": "f" if i == len(stations) - 1 else "t", "bp": "e"}
            yield {**phase, "cat": table, "name": "its way", "id": number, "pid": pid, "tid": tid, "ts": _us(when)}


@dataclass(frozen=True)
class _Kind:
    """Parameters of slices."""

    table: str
    waits: str  # the table of the waits of the slowest
    category: str
    parts: tuple
    placed: str  # the position of the drawn parts
    node: str  # the column with the node where it began
    name: object  # name of a row
    args: object  # arguments of a row


def _slowdown(row):
    return {"slowdown": float(row.slowdown)} if row.slowdown == row.slowdown else {}  # an answered message has no
                                                                                      # slowdown


_MESSAGES = _Kind(
    "messages",
    "message_waits",
    "message",
    tuple(MESSAGE_PARTS),
    "in the order of the path; lengths are exact",
    "src",
    lambda row: f"{row.id} to {row.dst}",
    lambda row: {"bytes": int(row.bytes)} | _slowdown(row),
)
_OPERATIONS = _Kind(
    "operations",
    "operation_waits",
    "operation",
    tuple(PARTS),
    "by kind, not in order; lengths are exact",
    "client",
    lambda row: f"{row.kind.replace('_', ' ')} {row.id}",
    lambda row: {"bytes": int(row.bytes), "status": row.status},
)


def _slices(kind, run, tracks):
    table = run.table(kind.table)
    if table is None or table["id"].isna().all():
        return
    lanes, placed = {}, {}
    split = f"{kind.parts[0]}_ns" in table.columns
    for row in table[table["completed_ns"].notna()].sort_values("start_ns", kind="stable").itertuples():
        key = getattr(row, kind.node), f"{kind.category}s of {row.workload}"
        place = lanes.setdefault(key, _Lanes(tracks, *key)).take(row.start_ns, row.completed_ns)
        placed[row.id] = row.start_ns, place
        yield _slice(kind.category, kind.name(row), place, row.start_ns, row.completed_ns - row.start_ns, kind.args(row))
        if split and getattr(row, f"{kind.parts[0]}_ns") >= 0:
            yield from _nested(kind, row, place)
    yield from _waits(run, kind.waits, tracks, placed)


def messages(run, tracks):
    return _slices(_MESSAGES, run, tracks)


def operations(run, tracks):
    return _slices(_OPERATIONS, run, tracks)
