"""Where the time of the slowest went, a sentence for each workload: counted parts and waits of summary.json, nothing inferred."""

from headroom.csv_file import MESSAGE_PARTS, PARTS
from headroom.format import format_percent, format_time
from headroom.summary_file import as_object

_LEAST = 0.05  # of the time: a part that holds less is not told
_MOST, _MOST_PARTS = 4, 4  # sentences, and parts in one
_ENOUGH = 100  # messages of a run, for p99 to be more than the slowest
_WAITS = ("queued", "paused", "ack_queued", "ack_paused")
_WORDS = {
    "own_queue": "behind earlier messages of their queue pairs",
    "own_packets": "sending their own packets",
    "limiter": "held by the rate limiter",
    "nic": "in the stations of NICs",
    "port": "behind other queue pairs at their hosts' ports",
    "queued": "queued behind others in switches",
    "paused": "paused by PFC",
    "recovery": "recovering from loss",
    "wire": "on the wire",
    "ack_queued": "with their ACKs queued",
    "ack_paused": "with their ACKs paused by PFC",
    "ack_wire": "with their ACKs on the wire",
    "other": "in what only their program knows",
    "core": "on cores",
    "core_queue": "waiting for a core",
    "credits": "waiting for credits",
    "chunk": "behind the chunk before them",
    "memory": "waiting for registered memory",
    "device": "at the device",
    "network": "in the network",
    "connection": "until their connection was there again",
    "order": "behind what came before them to the same extent",
    "timeout": "until a timeout",
}


def parts_at_p99(result, at, parts_at, names):
    """{part: µs} of what the time around p99 went to, the most first: means over the seeds. Empty where it was not recorded."""
    means = {part: result.interval(f"{at}.{parts_at}.p99.{part}") for part in names}
    found = {part: mean.mean for part, mean in means.items() if mean is not None and mean.mean > 0}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _longest_place(result, keys, waits_at):
    """(place, towards, µs) where those around p99 waited longest, or None."""
    found = {}
    for run in result.runs:
        of = run.summary
        for key in keys:
            of = as_object(of.get(key))
        for place, waits in as_object(as_object(of.get(waits_at)).get("p99")).items():
            us = sum(waits.get(part) or 0.0 for part in _WAITS) / len(result.runs)
            before = found.get(place, (0.0, ""))[0]
            found[place] = before + us, waits.get("towards") or ""
    if not found:
        return None
    place, (us, towards) = max(found.items(), key=lambda item: item[1][0])
    return place, towards, us


def _sentence(result, keys, time, what, parts_at, waits_at, names):
    """The text; None where there is no p99."""
    at = ".".join(keys)
    p99 = result.interval(f"{at}.{time}.p99")
    if p99 is None:
        return None
    name = " ".join(keys[1:]).replace("_", "-") if len(keys) > 2 else keys[1]
    finished = sum(result.by_seed(f"{at}.finished").values()) / len(result.runs)
    bound = "at least " if result.censored(f"{at}.{time}.p99") else ""
    # Below that many p99 is the slowest, or next to it.
    around = f"around p99 ({bound}{format_time(p99.mean)})" if finished >= _ENOUGH else f"among the slowest (p99 {bound}{format_time(p99.mean)})"
    parts = parts_at_p99(result, at, parts_at, names)
    if not parts:
        return f"{name}: p99 is {bound}{format_time(p99.mean)}; where the time went was not recorded."
    total = sum(parts.values())
    shares = [f"{format_percent(us / total)} {_WORDS[part]}" for part, us in parts.items() if us >= _LEAST * total][:_MOST_PARTS]
    shares[0] = shares[0].replace(" % ", " % of their time ", 1)
    told = " and ".join([", ".join(shares[:-1]), shares[-1]] if len(shares) > 1 else shares)
    text = f"{name}: {what} {around} spent {told}"
    longest = _longest_place(result, keys, waits_at)
    if longest and longest[2] >= _LEAST * total:
        place, towards, us = longest
        text += f"; the queue that held them longest is {place}" + (f" towards {towards}" if towards else "") + f", {format_time(us)}"
    return text + "."


def answers(result):
    """([sentence], how many workloads have none here): of messages those with the largest slowdown at p99 first, then of
    operations those with the longest p99."""

    def most(metric):
        return -(mean.mean if (mean := result.interval(metric)) is not None else 0.0)

    found = []
    for workload in sorted(result.workloads, key=lambda name: most(f"messages.{name}.slowdown.p99")):
        keys = ("messages", workload)
        found.append(_sentence(result, keys, "completion_us", "messages", "parts_us", "waits_us", MESSAGE_PARTS))
    kinds = sorted(result.operation_kinds, key=lambda of: most(f"operations.{of[0]}.{of[1]}.latency_us.p99"))
    for workload, kind in kinds:
        keys = ("operations", workload, kind)
        found.append(_sentence(result, keys, "latency_us", "operations", "parts_at_us", "waits_at_us", PARTS))
    found = [text for text in found if text]
    return found[:_MOST], max(0, len(found) - _MOST)
