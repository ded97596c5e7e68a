"""A result in words: sentences and table cells, made from messages and summary.json."""

from .pauses import never_fired
from .percentile import Ranked
from .quantities import format_amount, format_bytes, format_count, format_number, format_percent, format_time

_DROPS = ("lossless", "lossy")


def _numbers(result, *keys):
    """The value at this place of each seed's summary, where it is a number."""
    found = []
    for run in result.runs:
        value = run.summary
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found.append(float(value))
    return found


def _over_seeds(values, write):
    """One number as it is; several as their mean with the range; none as a dash."""
    if not values:
        return "–"
    if len(values) == 1 or min(values) == max(values):
        return write(values[0])
    return f"{write(sum(values) / len(values))} (mean; {write(min(values))} to {write(max(values))})"


def _at_least(percentile, write):
    return "–" if percentile is None else ("≥ " if percentile.censored else "") + write(percentile.value)


def warnings(result):
    """[sentence] of what makes this result less than whole or right."""
    out = []
    if result.partial:
        out.append(f"Partial result: {result.partial}. What is unfinished is counted with its time so far.")
    if any((run.summary.get("conservation") or {}).get("ok") is False for run in result.runs):
        out.append(
            "Conservation failed: bytes sent differ from bytes delivered, dropped and in flight. Do not "
            "rely on this result."
        )
    if sum(_numbers(result, "drops", "lossless")) > 0:
        out.append("Lossless traffic was dropped: headroom or its pool is too small.")
    return out


def _workload_sentence(result, workload):
    messages = result.messages[result.messages["workload"] == workload]
    if len(messages) == 0:
        return f"Workload {workload} offered no message."
    times, slow = Ranked(messages["us"], messages["finished"]), Ranked(
        messages["slowdown"], messages["finished"]
    )
    left = int((~messages["finished"]).sum())

    def told(ranked, per_mille, write):
        found = ranked.at(per_mille)
        return write(found.value) + (" or more" if found.censored else "")

    parts = [f"half took up to {told(times, 500, format_time)}"]
    if len(messages) >= 100:
        parts.append(f"99 % up to {told(times, 990, format_time)}")
    parts.append(f"the slowest {told(times, 1000, format_time)}")
    parts.append(f"the worst slowdown is {told(slow, 1000, format_number)}")
    return (
        f"{workload}: {format_amount(len(messages), 'message')}, "
        + ("all finished" if left == 0 else f"{format_count(left)} unfinished")
        + "; "
        + ", ".join(parts)
        + "."
    )


def sentences(result):
    """The result as an engineer would tell it, one sentence after the other."""
    seeds = (
        f"{format_count(len(result.runs))} seeds" if len(result.runs) > 1 else f"Seed {result.runs[0].seed}"
    )
    span = _over_seeds([run.end_us for run in result.runs], format_time)
    out = [f"{seeds}: {result.partial or 'complete'} after {span} of simulated time."]
    for workload in result.workloads:
        out.append(_workload_sentence(result, workload))
    pauses = _numbers(result, "pfc", "pauses")
    if sum(pauses) > 0:
        out.append(
            f"PFC paused {_over_seeds(pauses, format_count)} times, "
            f"{_over_seeds(_numbers(result, 'pfc', 'paused_us'), format_time)} in all."
        )
    elif pauses:
        out.append(never_fired(result))
    marked = _numbers(result, "ecn", "marked_fraction")
    if marked:
        out.append(
            f"ECN marked {_over_seeds(marked, format_percent)} of packets."
            if sum(marked)
            else "ECN marked no packet."
        )
    dropped = [sum(_numbers(result, "drops", kind)) for kind in _DROPS]
    if sum(dropped):
        out.append(
            "Dropped: "
            + ", ".join(f"{format_count(n)} {kind}" for n, kind in zip(dropped, _DROPS) if n)
            + "."
        )
    elif _numbers(result, "drops", "lossless"):
        out.append("Nothing was dropped.")
    return out


def workload_row(result, workload):
    """{column: (text, number or None)} of one workload; None if it has no message."""
    messages = result.messages[result.messages["workload"] == workload]
    if len(messages) == 0:
        return None
    times, slow = Ranked(messages["us"], messages["finished"]), Ranked(
        messages["slowdown"], messages["finished"]
    )
    row = {
        "messages": (format_count(len(messages)), None),
        "unfinished": (format_count((~messages["finished"]).sum()), None),
    }
    for name, per_mille in (("p50", 500), ("p90", 900), ("p99", 990), ("p99.9", 999), ("max", 1000)):
        found = times.at(per_mille)
        row[name] = (_at_least(found, format_time), found.value)
    for name, per_mille in (("slowdown p50", 500), ("slowdown p99", 990)):
        found = slow.at(per_mille)
        row[name] = (_at_least(found, format_number), found.value)
    return row


def _worst_buffer(result, key, write, largest=True):
    """The most extreme value of `key` over switches and seeds, and the switch."""
    found = [
        (value[key], switch)
        for run in result.runs
        for switch, value in (run.summary.get("buffer") or {}).items()
        if isinstance(value, dict) and isinstance(value.get(key), (int, float))
    ]
    if not found:
        return "–"
    value, switch = max(found, key=lambda pair: pair[0]) if largest else min(found, key=lambda pair: pair[0])
    return f"{write(value)} at {switch}"


def _headroom(result):
    found = [
        (value["peak_headroom_bytes"] / value["headroom_configured_bytes"], switch, value)
        for run in result.runs
        for switch, value in (run.summary.get("buffer") or {}).items()
        if isinstance(value, dict)
        and value.get("headroom_configured_bytes")
        and isinstance(value.get("peak_headroom_bytes"), (int, float))
    ]
    if not found:
        return "–"
    share, switch, value = max(found, key=lambda triple: triple[0])
    return (
        f"{format_bytes(value['peak_headroom_bytes'])} of {format_bytes(value['headroom_configured_bytes'])} "
        f"({format_percent(share)}) at {switch}"
    )


def _reasons(result):
    totals = {}
    for run in result.runs:
        for reason, count in ((run.summary.get("drops") or {}).get("by_reason") or {}).items():
            if isinstance(count, (int, float)) and count:
                totals[reason] = totals.get(reason, 0) + count
    return ", ".join(f"{reason} {format_count(count)}" for reason, count in sorted(totals.items())) or "none"


def network_rows(results):
    """[(what, [text per result])] of what the network did."""

    def counted(*keys, write=format_count):
        return [_over_seeds(_numbers(result, *keys), write) for result in results]

    return [
        ("Pauses (XOFF intervals)", counted("pfc", "pauses")),
        ("Paused time, all ports together", counted("pfc", "paused_us", write=format_time)),
        (
            "Nearest a lossless group came to its pause threshold",
            [_worst_buffer(r, "closest_to_xoff", format_percent) for r in results],
        ),
        ("Packets marked by ECN", counted("ecn", "marked_fraction", write=format_percent)),
        ("CNPs sent", counted("cnp", "sent")),
        ("CNPs that cut a rate", counted("cnp", "handled")),
        ("Lossless frames dropped", counted("drops", "lossless")),
        ("Lossy frames dropped", counted("drops", "lossy")),
        ("Reasons of drops", [_reasons(r) for r in results]),
        ("Packets retransmitted", counted("transport", "retransmitted_packets")),
        ("Highest use of a switch's buffer", [_worst_buffer(r, "peak_bytes", format_bytes) for r in results]),
        ("Headroom used of configured, fullest switch", [_headroom(r) for r in results]),
    ]
