"""A result in words: sentences and table cells, from summary.json, which counts all messages."""

from headroom.format import (
    format_amount,
    format_bytes,
    format_count,
    format_interval,
    format_number,
    format_percent,
    format_time,
)
from headroom.interval import mean_interval
from headroom.metrics import metric_of
from headroom.pause_roots import main_root, never_fired
from headroom.plot.report import operation_words

_DROPS = ("lossless", "lossy")
_TOO_SMALL = ("headroom_full", "group_cap")  # reasons of drops that the buffer's size causes
_TIMES = (("p50", "p50"), ("p90", "p90"), ("p99", "p99"), ("p99.9", "p999"), ("max", "max"))


def _numbers(result, metric):
    """The metric of each seed that measured it."""
    return list(result.by_seed(metric).values())


def _mean(values, write):
    """One number unchanged; for several seeds their mean ± half of its 95 % interval; a dash for none."""
    return format_interval(mean_interval(values) if values else None, write)


def _times(counts):
    """ "1 time", "3.5 ± 2 times"."""
    text = _mean(counts, format_number)
    return f"{text} time{'' if text == '1' else 's'}"


def _offered(result, workload):
    return _numbers(result, f"messages.{workload}.offered")


def warnings(result):
    """[sentence] on what is incomplete or wrong in this result."""
    out = []
    if result.partial:
        out.append(f"Partial result: {result.partial}. Unfinished work counts with its time so far.")
    if any((run.summary.get("conservation") or {}).get("ok") is False for run in result.runs):
        out.append(
            "Conservation failed: bytes sent differ from bytes delivered, dropped and in flight. Do not "
            "rely on this result."
        )
    if sum(_numbers(result, "drops.lossless")) > 0:
        full = sum(sum(_numbers(result, f"drops.by_reason.{reason}")) for reason in _TOO_SMALL)
        why = "the headroom of a group, or the headroom pool, is too small" if full else f"reasons of all drops: {_reasons(result)}"
        out.append(f"Lossless traffic was dropped: {why}.")
    return out


def _workload_sentence(result, workload):
    offered = _offered(result, workload)
    if not sum(offered):
        return f"Workload {workload} offered no message."
    prefix = f"messages.{workload}"
    before = sum(_numbers(result, f"{prefix}.warmup_offered"))
    lost = sum(_numbers(result, f"{prefix}.lost"))
    left = sum(_numbers(result, f"{prefix}.unfinished"))

    def told(metric, write):
        bound = " or more" if result.censored(f"{prefix}.{metric}") else ""
        return _mean(_numbers(result, f"{prefix}.{metric}"), write) + bound

    parts = [f"half took up to {told('completion_us.p50', format_time)}"]
    if min(filter(None, offered)) >= 100:
        parts.append(f"99 % up to {told('completion_us.p99', format_time)}")
    parts.append(f"the slowest {told('completion_us.max', format_time)}")
    parts.append(f"the worst slowdown is {told('slowdown.max', format_number)}")
    return (
        f"{workload}: {format_amount(sum(offered), 'message')}, "
        + (f"{format_count(before)} more began in the warm-up and do not count, " if before else "")
        + ("all finished" if left == 0 else f"{format_count(left)} unfinished")
        + (f", {format_count(lost)} not delivered" if lost else "")
        + ("; in a seed, " if len(result.runs) > 1 else "; ")
        + ", ".join(parts)
        + "."
    )


def sentences(result):
    """The result in an engineer's words, one sentence after the other."""
    seeds = (
        f"{format_count(len(result.runs))} seeds" if len(result.runs) > 1 else f"Seed {result.runs[0].seed}"
    )
    span = _mean([run.end_us for run in result.runs], format_time)
    out = [f"{seeds}: {result.partial or 'complete'} after {span} of simulated time."]
    if len(result.runs) > 1:
        out[0] += " Numbers are means over the seeds ± half of their 95 % interval."
    for workload in result.workloads:
        out.append(_workload_sentence(result, workload))
    out += operation_words.sentences(result)
    pauses = _numbers(result, "pfc.pauses")
    before = sum(_numbers(result, "warmup.pause_frames"))
    if sum(pauses) + sum(_numbers(result, "pfc.paused_us")) > 0:
        out.append(
            f"PFC paused {_times(pauses)}, "
            f"{_mean(_numbers(result, 'pfc.paused_us'), format_time)} in all."
        )
        root = main_root(result)
        if root:
            out.append(f"{format_percent(root.part)} of paused time comes from {root.words()}.")
    elif pauses:
        out.append(never_fired(result))
    if before:
        out.append(f"In the warm-up PFC sent {format_amount(before, 'pause frame')}.")
    storms = _numbers(result, "pfc.watchdog_storms")
    if sum(storms) > 0:
        out.append(f"PFC watchdogs detected a storm {_times(storms)}.")
    marked = _numbers(result, "ecn.marked_fraction")
    if marked:
        out.append(
            f"ECN marked {_mean(marked, format_percent)} of packets."
            if sum(marked)
            else "ECN marked no packet after the warm-up."
            if sum(_numbers(result, "warmup.marked_packets"))
            else "ECN marked no packet."
        )
    dropped = [sum(_numbers(result, f"drops.{kind}")) for kind in _DROPS]
    if sum(dropped):
        out.append(
            "Dropped: "
            + ", ".join(f"{format_count(n)} {kind}" for n, kind in zip(dropped, _DROPS) if n)
            + "."
        )
    before = [sum(_numbers(result, f"warmup.drops.{kind}")) for kind in _DROPS]
    if sum(before):
        told = ", ".join(f"{format_count(n)} {kind}" for n, kind in zip(before, _DROPS) if n)
        out.append(f"Dropped in the warm-up: {told}{'' if sum(dropped) else '; nothing after it'}.")
    elif not sum(dropped) and _numbers(result, "drops.lossless"):
        out.append("Nothing was dropped.")
    return out


def _cell(result, metric, write):
    """(text, number or None) of a metric."""
    values = _numbers(result, metric)
    bound = "≥ " if result.censored(metric) else ""
    return bound + _mean(values, write), mean_interval(values).mean if values else None


def workload_row(result, workload):
    """{column: (text, number or None)} of one workload; None if it has no message. Times come first: a narrow window
    shows them."""
    offered = sum(_offered(result, workload))
    if not offered:
        return None
    prefix = f"messages.{workload}"
    row = {name: _cell(result, f"{prefix}.completion_us.{percentile}", format_time) for name, percentile in _TIMES}
    row |= {f"slowdown {percentile}": _cell(result, f"{prefix}.slowdown.{percentile}", format_number) for percentile in ("p50", "p99")}
    row["messages"] = format_count(offered), None
    row["unfinished"] = format_count(sum(_numbers(result, f"{prefix}.unfinished"))), None
    return row


def delivery_row(result, workload):
    """The same for delivery times alone; None if there are none, as in results of older versions."""
    prefix = f"messages.{workload}.delivery_us"
    if not _numbers(result, f"{prefix}.p50"):
        return None
    return {name: _cell(result, f"{prefix}.{percentile}", format_time) for name, percentile in _TIMES}


def _worst_buffer(result, key, write, largest=True):
    """The most extreme value of `key` over switches and seeds, and the switch."""
    found = [
        (value[key], switch)
        for run in result.runs
        for switch, value in run.buffers
        if isinstance(value.get(key), (int, float))
    ]
    if not found:
        return "–"
    value, switch = max(found, key=lambda pair: pair[0]) if largest else min(found, key=lambda pair: pair[0])
    return f"{write(value)} at {switch}"


def _headroom(result):
    found = [
        (value["peak_headroom_bytes"] / value["headroom_configured_bytes"], switch, value)
        for run in result.runs
        for switch, value in run.buffers
        if value.get("headroom_configured_bytes") and isinstance(value.get("peak_headroom_bytes"), (int, float))
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
    """[(name, [text per result])] of the network's events."""

    def counted(path):
        metric = metric_of(path)
        return metric.row, [format_interval(result.interval(path), metric.write) for result in results]

    storms = "pfc.watchdog_storms"
    return [
        counted("pfc.pauses"),
        counted("pfc.paused_us"),
        (
            "Nearest a lossless group came to its pause threshold",
            [_worst_buffer(r, "closest_to_xoff", format_percent) for r in results],
        ),
        *([counted(storms)] if any(sum(_numbers(r, storms)) for r in results) else []),
        *map(counted, ("ecn.marked_fraction", "cnp.sent", "cnp.handled", "drops.lossless", "drops.lossy")),
        ("Reasons of drops", [_reasons(r) for r in results]),
        *(
            counted(path)
            for path in ("warmup.drops.lossless", "warmup.drops.lossy", "warmup.pause_frames")
            if any(sum(_numbers(r, path)) for r in results)
        ),
        counted("transport.retransmitted_packets"),
        ("Highest use of a switch's buffer", [_worst_buffer(r, "peak_bytes", format_bytes) for r in results]),
        ("Headroom used of configured, fullest switch", [_headroom(r) for r in results]),
    ]
