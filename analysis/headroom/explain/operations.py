"""Where the time of operations went, as plain data: of I/Os and requests, which are made of messages.

What they were is the service's: cores, devices, credits; the parts of their messages stand among these.
"""

import re

from headroom.explain.parts import at_percentiles, governing, taken

_LEG = r"services\.{service}\.(front|back)"
# By part: patterns of the keys that govern it, beside those of messages.
_GOVERN = {
    "core": [r"hosts\..+\.(rdma|tcp|operation)\..+", _LEG + r"\.crc"],
    "core_queue": [r"hosts\..+\.cores", r"hosts\..+\.(rdma|tcp|operation)\..+"],
    "credits": [_LEG + r"\.(credits|landings)"],
    "chunk": [_LEG + r"\.(protocol|chunk|large)"],
    "memory": [_LEG + r"\.pool"],
    "device": [r"services\.{service}\.disk\.(device|read|write|iops|bandwidth\..+)"],
    "connection": [_LEG + r"\.reopen"],
    "timeout": [r"services\.{service}\.(timeout|hedge|seal\.after)"],
}


def _names(settings, workload):
    """What patterns of keys stand for: the service that the workload asks, and the classes of its legs."""
    service = settings.get(f"workloads.{workload}.service", "")
    legs = [settings.get(f"services.{service}.{leg}priority") for leg in ("", "front.", "back.")]
    classes = "|".join(re.escape(of) for of in legs if of)
    return {"{workload}": re.escape(workload), "{service}": re.escape(service), "{priority}": f"({classes})"}


def operations(run):
    """[{workload, kind, operations, latency_us, at, settings}] of each workload and kind, the longest p99 first; none where
    operations were not followed."""
    found = []
    settings = run.scenario.settings
    for workload, kinds in (run.summary.get("operations") or {}).items():
        for kind, of in kinds.items():
            parts = at_percentiles(of, "parts_at_us", "waits_at_us")
            if kind == "all" or "p99" not in parts:
                continue
            found.append(
                {
                    "workload": workload,
                    "kind": kind,
                    "operations": of["offered"],
                    "latency_us": taken(of["latency_us"]),
                    "at": parts,
                    "settings": governing(settings, _names(settings, workload), parts["p99"]["parts"], _GOVERN),
                }
            )
    return sorted(found, key=lambda of: -(of["latency_us"]["p99"]))
