"""A result's operations in words: sentences and table cells, made from summary.json, which knows all of them."""

from headroom.csv_file import KINDS_OF_KEYS, PARTS
from headroom.format import format_amount, format_count, format_interval, format_number, format_percent, format_time
from headroom.interval import mean_interval

_TIMES = (("mean", "mean"), ("p50", "p50"), ("p90", "p90"), ("p99", "p99"), ("p99.9", "p999"), ("max", "max"))


def _sum(result, path):
    return sum(result.by_seed(path).values())


def _text(result, path, write):
    return format_interval(result.interval(path), write)


def _told(result, path):
    return _text(result, path, format_time) + (" or more" if result.censored(path) else "")


def _ends(result, at):
    """ "all finished well", "2 failed, 1 with wrong data, 3 unfinished"."""
    found = [
        (_sum(result, f"{at}.failed"), "failed"),
        (_sum(result, f"{at}.corrupt"), "with wrong data"),
        (_sum(result, f"{at}.unfinished"), "unfinished"),
    ]
    return ", ".join(f"{format_count(n)} {what}" for n, what in found if n) or "all finished well"


def _parts(result, at):
    """The two largest parts of the mean time, as shares of it; empty if it was not followed."""
    means = {part: result.interval(f"{at}.parts_us.{part}") for part in PARTS}
    means = {part: of.mean for part, of in means.items() if of is not None and of.mean > 0}
    if not means:
        return ""
    most = sorted(means, key=means.get, reverse=True)[:2]
    shares = " and ".join(f"{format_percent(means[p] / sum(means.values()))} {p.replace('_', ' ')}" for p in most)
    return f"; of the mean time, {shares}"


def sentences(result):
    """One for each workload and kind."""
    out = []
    for workload, kind in result.operation_kinds:
        at = f"operations.{workload}.{kind}"
        count = _sum(result, f"{at}.offered")
        times = [f"half took up to {_told(result, f'{at}.latency_us.p50')}"]
        if count >= 100 * len(result.runs):
            times.append(f"99 % up to {_told(result, f'{at}.latency_us.p99')}")
        times.append(f"the slowest {_told(result, f'{at}.latency_us.max')}")
        seeds = "in a seed, " if len(result.runs) > 1 else ""
        out.append(
            f"{workload}: {format_amount(count, kind.replace('_', '-'))}, {_ends(result, at)}; {seeds}{', '.join(times)}{_parts(result, at)}."
        )
    return out


def troubles(results):
    """Which columns of operations that did not end well say something in any of these results."""
    kinds = [(result, f"operations.{w}.{kind}") for result in results for w, kind in result.operation_kinds]
    return [name for name in ("unfinished", "failed", "corrupt") if any(_sum(r, f"{at}.{name}") for r, at in kinds)]


def row(result, workload, kind, troubles):
    """{column: (text, number or None)} of one workload and kind; None without operations. Times come first: a narrow window
    shows them. `troubles` are columns, too."""
    if (workload, kind) not in result.operation_kinds:
        return None
    at = f"operations.{workload}.{kind}"
    out = {}
    columns = [(name, f"latency_us.{statistic}", format_time) for name, statistic in _TIMES]
    columns += [("Mops", "mops", format_number) if kind in KINDS_OF_KEYS else ("IOPS", "iops", format_number)]
    columns += [("Gb/s", "gbps", format_number)]
    for name, metric, write in columns:
        values = list(result.by_seed(f"{at}.{metric}").values())
        bound = "≥ " if result.censored(f"{at}.{metric}") else ""
        out[name] = (bound + _text(result, f"{at}.{metric}", write), mean_interval(values).mean if values else None)
    for name in ("offered", *troubles):
        out[name] = (format_count(_sum(result, f"{at}.{name}")), None)
    return out
