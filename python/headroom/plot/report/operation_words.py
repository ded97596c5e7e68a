"""A result's operations in words: sentences and table cells, from summary.json, which counts all of them."""

from headroom.csv_file import PARTS
from headroom.format import format_amount, format_count, format_interval, format_number, format_percent, format_time
from headroom.interval import mean_interval

_TIMES = (("mean", "mean"), ("p50", "p50"), ("p90", "p90"), ("p99", "p99"), ("p99.9", "p999"), ("max", "max"))
_OF_KEYS = ("get", "put", "insert", "read_modify_write")


def _sum(result, path):
    return sum(result.by_seed(path).values())


def _text(result, path, write):
    return format_interval(result.interval(path), write)


def _told(result, path):
    return _text(result, path, format_time) + (" or more" if result.censored(path) else "")


def _ends(result, prefix):
    """ "all finished well", "2 failed, 1 with wrong data, 3 unfinished"."""
    found = [
        (_sum(result, f"{prefix}.failed"), "failed"),
        (_sum(result, f"{prefix}.corrupt"), "with wrong data"),
        (_sum(result, f"{prefix}.unfinished"), "unfinished"),
    ]
    return ", ".join(f"{format_count(n)} {what}" for n, what in found if n) or "all finished well"


def _parts(result, prefix):
    """The two largest parts of the mean time, as shares of it; empty if it was not followed."""
    means = {part: result.interval(f"{prefix}.parts_us.{part}") for part in PARTS}
    means = {part: interval.mean for part, interval in means.items() if interval is not None and interval.mean > 0}
    if not means:
        return ""
    most = sorted(means, key=means.get, reverse=True)[:2]
    shares = " and ".join(f"{format_percent(means[p] / sum(means.values()))} {p.replace('_', ' ')}" for p in most)
    return f"; of the mean time, {shares}"


def sentences(result):
    """One sentence for each workload and kind."""
    out = []
    for workload, kind in result.operation_kinds:
        prefix = f"operations.{workload}.{kind}"
        count = _sum(result, f"{prefix}.offered")
        times = [f"half took up to {_told(result, f'{prefix}.latency_us.p50')}"]
        if count >= 100 * len(result.runs):
            times.append(f"99 % up to {_told(result, f'{prefix}.latency_us.p99')}")
        times.append(f"the slowest {_told(result, f'{prefix}.latency_us.max')}")
        before = _sum(result, f"{prefix}.ramp_offered")
        left_out = f" ({format_count(before)} more began in the ramp or warm-up and do not count)" if before else ""
        seeds = "in a seed, " if len(result.runs) > 1 else ""
        out.append(
            f"{workload}: {format_amount(count, kind.replace('_', '-'))}, {_ends(result, prefix)}{left_out}; {seeds}{', '.join(times)}{_parts(result, prefix)}."
        )
    return out


def troubles(results):
    """The columns of operations with errors that have a value in some of these results."""
    kinds = [(result, f"operations.{w}.{kind}") for result in results for w, kind in result.operation_kinds]
    return [name for name in ("unfinished", "failed", "corrupt") if any(_sum(r, f"{prefix}.{name}") for r, prefix in kinds)]


def row(result, workload, kind, troubles):
    """{column: (text, number or None)} of one workload and kind; None without operations. Times come first: a narrow
    window shows them. `troubles` are additional columns."""
    if (workload, kind) not in result.operation_kinds:
        return None
    prefix = f"operations.{workload}.{kind}"
    out = {}
    columns = [(name, f"latency_us.{statistic}", format_time) for name, statistic in _TIMES]
    columns += [("Mops", "mops", format_number) if kind in _OF_KEYS else ("IOPS", "iops", format_number)]
    columns += [("Gb/s", "gbps", format_number)]
    for name, metric, write in columns:
        values = list(result.by_seed(f"{prefix}.{metric}").values())
        bound = "≥ " if result.censored(f"{prefix}.{metric}") else ""
        out[name] = (bound + _text(result, f"{prefix}.{metric}", write), mean_interval(values).mean if values else None)
    for name in ("offered", *troubles):
        out[name] = (format_count(_sum(result, f"{prefix}.{name}")), None)
    return out
