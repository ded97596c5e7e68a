"""The messages around p99, and what held the earlier ones of their queue pairs while they waited for these."""

from functools import cached_property

import numpy as np

from headroom.csv_file import MESSAGE_PARTS

_MOST_MESSAGES = 200  # around p99, that are looked at
_AT_ONCE_NS = 1
_AT_HEAD = ("own_packets", "limiter", "nic", "port", "recovery", "paused")  # what keeps a queue pair from the next message


class Tail:
    """Of one workload of a Run. `table`: messages.csv with parts; None without. `known`: whether all messages of the workload
    are on record, else what held earlier ones is not known."""

    def __init__(self, run, workload, known):
        table = run.table("messages")
        self.table = table if table is not None and f"{MESSAGE_PARTS[0]}_ns" in table.columns else None
        self._workload, self._known = workload, known
        self._warmup_ns = 1000 * run.scenario.warmup_us

    @cached_property
    def _finished(self):
        columns = [f"{part}_ns" for part in MESSAGE_PARTS]
        table = self.table[self.table["workload"] == self._workload]
        return table[(table["finished"] == "1") & table[columns[0]].notna()]

    @cached_property
    def _counted(self):
        return self._finished[self._finished["start_ns"] >= self._warmup_ns]

    @cached_property
    def parts(self):
        """{part: µs of each message}, of those that are counted."""
        return {part: self._counted[f"{part}_ns"].to_numpy() / 1e3 for part in MESSAGE_PARTS} if self.table is not None else {}

    def messages(self, host_share):
        """({part: µs}, what is known of it) of each, of 200 at most. `host_share`: of the time in pauses that was at hosts' ports:
        the rest does not hold the queue pair."""
        if self.table is None:
            return
        table, counted = self._finished, self._counted
        took = (counted["completed_ns"] - counted["start_ns"]).to_numpy()
        order = np.argsort(took, kind="stable")
        low, high = int(np.floor(0.985 * len(order))), int(np.ceil(0.995 * len(order)))
        chosen = order[low : max(high, low + 1)]
        pairs = table.groupby(["src", "dst"]).indices
        for row in (counted.iloc[i] for i in chosen[:: -(-len(chosen) // _MOST_MESSAGES)] if len(chosen)):
            parts = {part: row[f"{part}_ns"] / 1e3 for part in MESSAGE_PARTS}
            held = {"unknown": parts["own_queue"]}
            if self._known:
                pair = table.iloc[pairs[row["src"], row["dst"]]]
                held = ahead(row, pair[pair["start_ns"] <= row["start_ns"]], host_share)
            head = row["start_ns"] + row["own_queue_ns"]
            yield parts, {
                "id": row["id"],
                "src": row["src"],
                "dst": row["dst"],
                "class": str(row["priority"]),
                "limited_before": bool(row.get("limited_since_ns", np.inf) <= head),
                "ahead": held,
            }


def ahead(row, earlier, host_share):
    """{part: µs} of a message's own_queue: what held those ahead of it, in so far as it did while this one waited; "order" is
    what none of them accounts for. Where they account for more than the wait, as several queue pairs do, all count less.
    One that begins as another is complete, a fence or a READ for its place, had to wait for all of that one's time."""
    wait = row["own_queue_ns"]
    out = {}
    if wait <= 0:
        return out
    begin, end = row["start_ns"], row["start_ns"] + wait
    earlier = earlier[earlier["id"] != row["id"]]
    whole = bool((abs(earlier["completed_ns"].to_numpy() - end) < _AT_ONCE_NS).any())
    head = earlier["start_ns"].to_numpy() + earlier["own_queue_ns"].to_numpy()
    names = [part for part in MESSAGE_PARTS if part != "own_queue"] if whole else _AT_HEAD
    host = 1.0 if whole else host_share
    parts = {part: earlier[f"{part}_ns"].to_numpy() * (host if part == "paused" else 1) for part in names}
    held = sum(parts.values())
    overlap = np.clip(np.minimum(head + held, end) - np.maximum(head, begin), 0, None)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(held > 0, overlap / held, 0.0)
    known = float((share * held).sum())
    scale = min(1.0, wait / known) if known > 0 else 0.0
    for part, ns in parts.items():
        out[part] = float((share * ns).sum()) * scale / 1e3
    out["order"] = max(0.0, wait - known * scale) / 1e3
    return out
