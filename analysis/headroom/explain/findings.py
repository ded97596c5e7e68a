"""What a run's summary proves of its tail, as plain data: `explain --json`, and what the text is made from.

Times are µs, shares are of 1. Nothing is concluded from names, adjacency or time: parts, places and roots are as the
simulation attributed them.
"""

import re

from headroom.explain.evidence import Evidence
from headroom.explain.grounds import Grounds
from headroom.explain.operations import operations
from headroom.explain.parts import LEAST, at_percentiles, governing, taken

_MOST_ROOTS = 5


def _roots(summary):
    """[{place, kind, paused_us, share, workloads: [{workload, share}]}]: queues that pauses come from, the largest first."""
    found = {}
    for row in (summary.get("pfc") or {}).get("roots") or []:
        place = ":".join(str(row[k]) for k in ("node", "port", "queue"))
        root = found.setdefault((place, row["kind"]), {"place": place, "kind": row["kind"], "paused_us": 0.0, "share": 0.0})
        root["paused_us"] += row.number("paused_us")
        root["share"] += row.number("share")
        root.setdefault("workloads", []).append({"workload": row["workload"], "share": row.number("share")})
    return sorted(found.values(), key=lambda root: -root["share"])[:_MOST_ROOTS]


def findings(run):
    """Of a Run: {scenario, seed, status, workloads, operations, roots}; workloads with the worst slowdown at p99 first."""
    summary, settings = run.summary, run.scenario.settings
    workloads, grounds = [], Grounds(run)
    for name, messages in (summary.get("messages") or {}).items():
        parts = at_percentiles(messages)
        if "p99" not in parts:
            continue
        names = {"{workload}": name, "{priority}": settings.get(f"workloads.{name}.priority", "")}
        names = {what: re.escape(text) for what, text in names.items()}
        workloads.append(
            {
                "workload": name,
                "messages": messages["offered"],
                "completion_us": taken(messages["completion_us"]),
                "delivery_us": {p: (messages.get("delivery_us") or {}).get(p) for p in ("p50", "p99", "p999", "max")},
                "slowdown_p99": (messages.get("slowdown") or {}).get("p99"),
                "at": parts,
                "causes": Evidence(run, name, grounds).ranked(),
                "settings": governing(settings, names, parts["p99"]["parts"]),
            }
        )
    workloads.sort(key=lambda w: -(w["slowdown_p99"] or 0))
    about = {"scenario": summary.get("scenario"), "seed": run.seed, "status": run.status}
    return {**about, "workloads": workloads, "operations": operations(run), "roots": _roots(summary), "least_share": LEAST}
