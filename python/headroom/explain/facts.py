"""Counted facts of a result that stand beside the parts of its times; what no counter proves is not said."""

import re

import pandas as pd

from headroom.csv_file import read_csv
from headroom.explain.ends import LARGEST
from headroom.explain.parts import LEAST
from headroom.format import counted, format_bytes, format_percent, format_rate, format_time
from headroom.links import slow_links
from headroom.summary_file import as_object

_MOST = 3  # places that a sentence names


def _places(names):
    names = list(dict.fromkeys(names))
    return ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")


def _rows(run, name, columns, wanted):
    """Tuples of a table's wanted lines; none if the file is missing or too large."""
    path = run.path / f"{name}.csv"
    table = read_csv(path, name, columns) if path.is_file() and path.stat().st_size <= LARGEST else pd.DataFrame(columns=columns)
    return list(table[wanted(table)][columns].itertuples(index=False, name=None))


def facts(run, settings, subjects):
    """[sentence]. `settings`: those in force; `subjects`: workloads and operations of findings.py."""
    summary, transport, drops = run.summary, as_object(run.summary.get("transport")), as_object(run.summary.get("drops"))
    faults = [row[1:] for row in _rows(run, "events", ["event", "node", "port", "detail"], lambda table: table["event"] == "fault_start")]
    used = _rows(run, "ports", ["node", "port", "priority", "tx_bytes"], lambda table: table["tx_bytes"] > 0)
    marks = set(_rows(run, "marking", ["node", "port", "queue"], lambda table: table["queue"].notna()))
    limits = {}
    for reason, limit in _rows(run, "drops", ["reason", "limit_bytes"], lambda table: table["limit_bytes"].notna()):
        limits.setdefault(reason, set()).add(limit)
    limited = [subject["workload"] for subject in subjects for part in subject["at"].get("p99", {"parts": []})["parts"] if part["part"] == "limiter" and part["share"] >= LEAST]
    lost = (drops.get("lossless") or 0) + (drops.get("lossy") or 0)
    slow, marking = slow_links(run.links or (), {name for name, _ in run.buffers}), {(node, queue) for node, _, queue in marks}

    def of(pattern):  # a timeout of InfiniBand is 4.096 µs × 2 to the power of its number
        named = {key: f"{value} ({format_time(4.096 * 2 ** int(value))})" if key.endswith(".timeout") and value.isdecimal() else value for key, value in settings.items() if re.fullmatch(pattern, key)}
        return [f"{key}={value}" for key, value in named.items() if value != "0bps"]

    timers, open_ends = of(r"nics\..+\.(rto|rto_low|rto_high|timer)|services\..+\.timeout"), any(subject["unfinished"] for subject in subjects)
    found = (
        ("faults", [f"{detail} at {node}{f':{port}' if port else ''}{f' ({n} times)' if (n := faults.count((node, port, detail))) > 1 else ''}" for node, port, detail in faults]),
        ("slow links with traffic", [f"{':'.join(link.a)} at {format_rate(link.rate_bps)}, most {format_rate(most)}" for link, most in slow if {link.a, link.b} & {row[:2] for row in used}]),
        (f"{counted(transport.get('failed_queue_pairs') or 0, 'queue pair')} failed, as HOST/NUMBER", [f"{name} after {format_time(us)}" for name, us in as_object(summary.get("failed_queue_pairs")).items()]),
        (f"{counted(transport.get('timeouts') or 0, 'timeout')} of senders", timers if transport.get("timeouts") else []),
        ("frames were lost, but no timer had run out by the end", timers if lost and open_ends and not transport.get("timeouts") else []),
        ("packets sent again", [f"{transport['retransmitted_packets']:,}; frames dropped: {lost:,}"] if transport.get("retransmitted_packets") else []),
        ("queues without ECN, which other ports' have", [f"{node}:{port}:{queue}" for node, port, queue, _ in used if (node, queue) in marking and (node, port, queue) not in marks]),
        ("full", [f"{row['resource']} {row['at']} of {row['workload']}, {format_percent(row['share'])}" for row in summary.get("full") or ()]),
        ("limits that were reached", [f"{reason} at {' to '.join(dict.fromkeys(map(format_bytes, (min(at), max(at)))))}" for reason, at in limits.items()]),
        ("buffer policy", of(r"switches\..+\.buffer\.policy(\.type)?") if limits else []),
        ("no CNP cut a rate, so this cap delays", of(r"nics\..+\.max_rate") if limited and not as_object(summary.get("cnp")).get("handled") else []),
    )
    return [f"{what}: {_places(names)}" for what, names in found if names]
