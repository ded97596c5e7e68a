"""What was found, as a page of words."""

import re
import textwrap

from headroom.explain.causes import CAUSES
from headroom.explain.parts import LEAST
from headroom.format import counted, format_bytes, format_number, format_percent, format_time

_WORDS = {
    "own_queue": "behind earlier messages of its queue pair",
    "own_packets": "sending its own packets",
    "limiter": "held by the rate limiter",
    "nic": "in the NICs' stations",
    "port": "behind other queue pairs at its host's port",
    "queued": "queued behind others in switches",
    "paused": "paused by PFC on its way",
    "recovery": "recovering from loss",
    "wire": "on the wire",
    "ack_queued": "its ACK queued behind others on the way back",
    "ack_paused": "its ACK paused by PFC on the way back",
    "ack_wire": "its ACK on the wire",
    "other": "in what only its program knows",
    "core": "on cores",
    "core_queue": "waiting for a core",
    "credits": "waiting for credits",
    "chunk": "behind the chunk before it in its stream",
    "memory": "waiting for registered memory",
    "device": "at the device",
    "network": "in the network",
    "connection": "until its connection was there again",
    "order": "behind what came before it to the same extent",
    "timeout": "until a timeout",
}
_PERCENTILES = {"p50": "the median", "p99": "p99", "p999": "p99.9"}
_WORTH = 0.001  # of the time: a smaller share is not worth a word
_FULL = 0.85  # of a run's time: what waits for a link that is busy less came in bursts
_KNOWN = {
    "busy": "its link is busy {} of the run's time",
    "siblings_busy": "those like it {} on average",
    "most_of_a_buffer": "at most {} of a switch's memory is in use",
    "others_share_of_bytes": "{} of what leaves there is of other classes",
    "frames_dropped": "{} frames lost",
}
_NOTES = {"ack_priority=same": "ACKs go in the class of their queue pair, and wait in its pauses"}


def _place(of):
    towards = f" towards {of['towards']}" if of["towards"] else ""
    return f"{of['place']}{towards}"


def _part(of):
    told = f"{format_percent(of['share'])} {_WORDS.get(of['part'], of['part'])}"
    first = (of.get("places") or [None])[0]
    if first and first["share"] >= 0.2:
        told += f" ({format_percent(first['share'])} of that at {_place(first)})"
    return told


def cause_in_words(of):
    """One of Evidence.ranked()."""
    by = of["by"] and (of["by"] if of["by"].startswith("without") else f"with {of['by']}")
    told = f"{format_percent(of['spares'])} less {by}" if by else ""
    if told and of["share"] < _WORTH and of["anyway"] < _WORTH:
        return told + ", by the replay alone: no part of the time is put down to what that changes"
    told += ": " if told else ""
    told += CAUSES[of["cause"]] + (f", {format_percent(of['share'])} of the time" if of["share"] >= _WORTH else "")
    marks = " marks on the way" if of["cause"] in ("limiter", "generations") else ""
    told += f", most{marks} at {of['place']}" if of["place"] else ""
    bursts = of["cause"] in ("host_link", "fabric_link") and of["known"].get("busy", 1) < _FULL
    known = [_KNOWN[k].format(v if k == "frames_dropped" else format_percent(v)) for k, v in of["known"].items() if k in _KNOWN]
    told += f" ({', '.join(known)}{': it is bursts' if bursts else ''})" if known else ""
    if burst := of["known"].get("burst"):
        told += f". {burst['senders']} send at once: {format_bytes(burst['burst_bytes'])} would wait there, "
        told += f"{format_bytes(burst['half_bytes'])} of half as many"
    if of["anyway"] >= LEAST:
        before, anyway = format_percent(of["share"] + of["anyway"]), format_percent(of["anyway"])
        told += f". Of {before} spent so, {anyway} would be waited for at a link anyway, and count there"
    return told


def _value(key, value):
    """As people write it: a fraction as per cent."""
    if key.endswith((".pmax", ".load")) and re.fullmatch(r"[0-9.]+", value):
        return format_percent(float(value))
    return value


def _paragraph(text, indent=""):
    return textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False)


def _workload(of, least):
    took, slowdown = of["completion_us"], of["slowdown_p99"]
    lines = [
        f"{of['workload']}: {counted(of['messages'], 'message')}, half within {format_time(took['p50'])}, the slowest "
        f"{format_time(took['max'])}, p99 {format_time(took['p99'])}"
        + (f", slowdown at p99 {format_number(slowdown)}" if slowdown is not None else "")
    ]
    lines += _where(of["at"], of["messages"], least)
    causes = [cause for cause in of["causes"] if max(cause["share"] + cause["anyway"], cause["spares"]) >= least]
    if causes:
        lines.append("  what p99 comes from, and what is foreseen to shorten it, most first (--try measures it):")
    lines += [_paragraph(cause_in_words(cause), "    ") for cause in causes]
    return "\n".join(lines + _governs(of["settings"]))


def _operation(of, least):
    took = of["latency_us"]
    kind = of["kind"].replace("_", "-")
    lines = [
        f"{of['workload']}, {kind}: {counted(of['operations'], 'operation')}, half within {format_time(took['p50'])}, the slowest "
        f"{format_time(took['max'])}, p99 {format_time(took['p99'])}"
    ]
    return "\n".join([*lines, *_where(of["at"], of["operations"], least), *_governs(of["settings"])])


def _where(at, count, least):
    names = _PERCENTILES if count >= 100 else _PERCENTILES | {"p99": "the slowest"}
    lines = []
    for percentile, found in at.items():
        shown = "; ".join(_part(part) for part in found["parts"] if part["share"] >= least)
        lines.append(_paragraph(f"around {names[percentile]}, on average {format_time(found['total_us'])}: {shown}", "  "))
    return lines


def _governs(settings):
    lines = ["  what governs that, most first:"] if settings else []
    for group in settings:
        governed = f"{format_percent(group['share'])} {' and '.join(_WORDS[part] for part in group['parts'])}"
        told = ", ".join(f"{key} = {_value(key, value)}" for key, value in group["keys"].items())
        notes = dict.fromkeys(_NOTES.get(f"{key.rpartition('.')[2]}={value}") for key, value in group["keys"].items())
        lines.append(_paragraph(f"{governed}: {told}" + "".join(f": {note}" for note in notes if note), "    "))
    return lines


def _root(of):
    whose = ", ".join(f"{w['workload']} {format_percent(w['share'] / of['share'])}" for w in of["workloads"] if of["share"])
    return f"  {format_percent(of['share'])} ({format_time(of['paused_us'])}) from {of['place']}, {of['kind']}: {whose}"


def page(found):
    """The text."""
    out = [f"{found['scenario']}, seed {found['seed']}: {found['status']}"]
    out += [_workload(of, found["least_share"]) for of in found["workloads"]]
    out += [_operation(of, found["least_share"]) for of in found["operations"]]
    if found["roots"]:
        out.append("\n".join(["what paused time comes from, by node:port:queue:", *map(_root, found["roots"])]))
    else:
        out.append("No paused time has a cause on record.")
    return "\n\n".join(out)
