"""The findings as a page that takes a minute to read: 40 lines of 100 columns unless more than one workload is
complete."""

import os
import re
import shlex
import textwrap

from headroom.explain.parts import badness
from headroom.format import counted, format_number, format_percent, format_time
from headroom.text_table import text_table

LINES, WIDTH = 40, 100
_RUNS = 100  # approximate number of runs in a search for helpful changes
_BAR = 20
_WORDS = {
    "own_queue": "behind earlier messages of its QP", "own_packets": "sending its own packets", "limiter": "held by the rate limiter",
    "nic": "in the NICs' stations", "port": "behind other QPs at the host's port", "queued": "queued behind other packets in switches",
    "paused": "paused by PFC", "recovery": "recovering from loss", "wire": "on the wire", "ack_queued": "with its ACK queued behind other packets",
    "ack_paused": "with its ACK paused by PFC", "ack_wire": "with its ACK on the wire", "window": "waiting for the window", "context": "waiting for a context", "other": "not split",
    "core": "worked on by a core", "core_queue": "waiting for a core", "credits": "waiting for credits", "chunk": "behind the previous chunk",
    "memory": "waiting for registered memory", "device": "at the device", "network": "in the network (not split further)",
    "connection": "waiting for a new connection", "order": "behind earlier writes of its extent", "timeout": "waiting for a timeout",
    "copy": "copied by a core", "wake": "waking up a thread", "buffer": "waiting for room in a buffer", "peer": "waiting for the peer to be ready",
}  # fmt: skip
_KINDS = {
    "queue": "a queue", "blocked": "a port that may not send", "receiver": "a slow receiver",
    "storm": "a pause storm", "cycle": "queues that wait for one another", "rest": "many small roots",
}  # fmt: skip
_PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9"}
_WORTH = 0.01  # share of the time at some percentile: smaller parts are summed
_NAMED = 0.2  # share of a part, or of all: a place with less is not named
_MOST = {"parts": 7, "settings": 9, "roots": 3, "drops": 2, "others": 4}
_ITEM = r"(switches|nics|hosts)\.(.+?)((?:\.(?:ecn|buffer|pfc|transport|resources|dcqcn|congestion_control|bugs|rdma|tcp|operation)(?:\..+)?)?)"


def _cut(text, width=WIDTH):
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def _wrap(text, indent=""):
    """Lines without a break between a number and its unit."""
    lines = textwrap.wrap(re.sub(r"(?<=\d) (?=%|.?s\b)|(?<=≥) ", "\u00a0", text), WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]


def _percent(share):
    return format_percent(share) if share >= 0.001 or not share else "< 0.1 %"


def _bar(share, most=_BAR):
    return "█" * round(most * share) or ("▏" if share >= _WORTH else "")


def _table(header, rows):
    """Lines of a table whose last column, without a header, is flush left."""
    lines = text_table([*header, ""], [[*row[:-1], ""] for row in rows]).split("\n")
    width = max(map(len, lines))
    return lines[:1] + [f"{line.ljust(width)}  {row[-1]}".rstrip() for line, row in zip(lines[1:], rows)]


class Subject:
    """The messages of a workload, or its operations of a kind, in words."""

    def __init__(self, found):
        self.found, self.percentiles = found, found["at"]
        self.what = "message" if "messages" in found else "operation"
        self.count = found.get("messages") or found.get("operations")
        self.ended = found["finished"] or 0
        self._took = found.get("completion_us") or found["latency_us"]
        self.name = _cut(found["workload"], 40) + (f" ({found['kind']})" if "kind" in found else "")

    @property
    def some(self):
        """Which of them have parts, in words; "" if all have."""
        followed = self.found.get("followed", "all")
        return "that ended" if self.count > self.ended else f"followed ({followed})" if followed != "all" else ""

    def _time(self, percentile, bound="≥ "):
        return (bound if percentile in self._took["at_least"] else "") + format_time(self._took[percentile])

    def _word(self, part):
        return "in a program's verbs (not split further)" if (part, self.what) == ("other", "message") else _WORDS.get(part, part)

    def _places(self, part, most=1):
        found = [place for place in part.get("places") or () if place["share"] >= _NAMED][:most]
        return [f"{_percent(place['share'])} of it {self._place(place)}" for place in found]

    def _place(self, held):
        place = _cut(held["place"], 45)
        if "end" in held:
            return f"in {self.what}s {held['end'] if held['end'] in ('from', 'to') else 'of ' + held['end']} {place}"
        return f"at {place}" + (f" towards {_cut(held['towards'], 30)}" if held["towards"] else "")

    def _whose(self):
        """The host at one end of most of them."""
        whole = next(iter(self.percentiles.get("p99", {}).get("places") or ()), None)
        return f" ({whole['end']} {_cut(whole['place'], 45)}: {_percent(whole['share'])} of their time)" if whole and whole["share"] >= 0.5 else ""

    def answer(self):
        """The page in one sentence."""
        counted_as = f"{counted(self.count, self.what)} of `{self.name}`"
        if not self.ended:
            return f"None of {counted_as} ended, so there is no time to split."
        told = f"The {f'p99 of `{self.name}` is' if self.count >= 100 else f'slowest of {counted_as} took'} {self._time('p99')}"
        if self.count > self.ended:
            told = f"{self.count - self.ended} of {counted_as} did not end, and its p99 is {self._time('p99', 'at least ')}"
        if "p99" not in self.percentiles:
            return f"{told}; the result does not have the parts of this time."
        parts, said = self.percentiles["p99"]["parts"], []
        while len(said) < min(3, len(parts)) and (not said or sum(part["share"] for part in parts[: len(said)]) < 0.5):
            part = parts[len(said)]
            share = f"{_percent(part['share'])}{' of their time' if not said else ''}"
            said.append(" ".join([share, self._word(part["part"]), *(f"({place})" for place in self._places(part))]))
        around, mean = f"{self.what}s around it", ""
        if self.some:
            around, mean = f"of those {self.some}, the {self.what}s around their own p99", f" (mean {format_time(self.percentiles['p99']['total_us'])})"
        return f"{told}; {around}{self._whose()} spent {', '.join(said)}{mean}."

    def title(self):
        ended = [f"{self.count - self.ended} did not end" if self.count > self.ended else "all ended"]
        ended += [f"{self.found[what]} {what}" for what in ("failed", "corrupt", "lost") if self.found.get(what)]
        if before := self.found.get("warmup_offered") or self.found.get("ramp_offered"):
            ended.append(f"{before:,} more began before the count")
        named = {"p50": "p50", "p99": "p99"} | ({"p999": "p99.9"} if "p999" in self.percentiles and self._took["p999"] is not None else {}) | {"max": "slowest"}
        times = {p: f"{name} {self._time(p)}" for p, name in named.items()}
        if (slowdown := self.found.get("slowdown_p99")) is not None and "p99" not in self._took["at_least"]:
            times["p99"] += f" (slowdown {format_number(slowdown)})"
        return f"{self.name}: {counted(self.count, self.what)}, {', '.join(ended)}; {', '.join(times.values())}"

    def table(self):
        """The parts of the time: one row for each part, one column for each percentile."""
        if "p99" not in self.percentiles:
            return []
        by = {p: {part["part"]: part for part in split["parts"]} for p, split in self.percentiles.items()}
        share = {part: max(parts[part]["share"] for parts in by.values() if part in parts) for parts in by.values() for part in parts}
        most = sorted((part for part in share if share[part] >= _WORTH), key=share.get, reverse=True)[: _MOST["parts"]]
        shown = sorted(most, key=lambda part: -by["p99"].get(part, {"us": 0.0})["us"])
        us = {self._word(part): {p: parts.get(part, {"us": 0.0})["us"] for p, parts in by.items()} for part in shown}
        total = {p: split["total_us"] for p, split in self.percentiles.items()}
        left = {p: total[p] - sum(times[p] for times in us.values()) for p in by}
        us |= {"everything else": left} if any(left[p] > 1e-6 * total[p] for p in by) else {}
        rows = []
        for name, times in (us | {"mean of these": total}).items():
            of_p99 = max(0.0, times["p99"]) / total["p99"]
            rows.append([f"  {name}", *(format_time(times[p]) if times[p] > 1e-6 * total[p] else "0" for p in by), _percent(of_p99), _bar(of_p99)])
        those = f"  {self.what}s{f' {self.some},' if self.some else ''} around"
        lines = _table([those, *(_PERCENTILES[p] for p in by), "of p99"], rows)
        for number in (2, 1, 0):
            if number < len(shown) and (places := self._places(by["p99"].get(shown[number], {}), 2)):
                both = f"      {', '.join(places)}"
                lines.insert(2 + number, both if len(both) <= WIDTH else f"      {places[0]}")
        return [*lines, *(f"      {place}" for place in self._places(self.percentiles["p99"]))]

    def line(self):
        """[name, count, p50, p99, where most of it went]"""
        told = "" if self.count == self.ended else "none ended" if not self.ended else f"{self.count - self.ended} did not end"
        for part in self.percentiles["p99"]["parts"][:1] if "p99" in self.percentiles and not told else ():
            told = f"{_percent(part['share'])} {self._word(part['part'])}"
        return [f"  {_cut(self.name, 30)}", f"{self.count:,}", self._time("p50"), self._time("p99"), told]


def _settings(groups, room):
    """At most `room` lines; none if that is too few."""
    rows = {}  # [share, parts, text, number of other entries] of keys that govern the same parts with the same values
    for group in groups:
        parents = {}
        for key, value in group["keys"].items():
            value = format_percent(float(value)) if key.endswith((".pmax", ".load")) and re.fullmatch(r"[0-9.]+", value) else value
            parents.setdefault(key.rpartition(".")[0], []).append(f"{key.rpartition('.')[2]}={value}")
        for parent, values in parents.items():
            item = re.fullmatch(_ITEM, parent)
            name = f'{item[1]}."{f"[{item[2]}]".replace(", ", ",") if ", " in item[2] else item[2]}"{item[3]}' if item else parent
            kind = (item[1] + item[3] if item else re.sub(r"^(topology\.links)\.\d+$", r"\1", parent), tuple(values), tuple(group["parts"]))
            row = [f"  {_percent(group['share'])}", _cut(", ".join(group["parts"]).replace("_", " "), 22), f"{name}: {', '.join(values)}", -1]
            rows.setdefault(kind, row)[3] += 1
    out, last = [], None
    for share, parts, text, more in rows.values():
        texts = textwrap.wrap(text + (f" (+{more} alike)" if more else ""), 64, subsequent_indent="  ", break_on_hyphens=False)
        out += [[*((share, parts) if n == 0 and (share, parts) != last else ("", "")), line] for n, line in enumerate(texts)]
        last = share, parts
    shown = out if len(out) <= room - 2 else out[: max(0, room - 3)]
    lines = text_table(["  share", "parts", "settings that govern them, as resolved"], shown, left=3).split("\n") if shown else []
    return ["", *lines, *([f"  … and {len(out) - len(shown)} lines more: --json"] if len(out) > len(shown) else [])] if shown else []


def _root(root):
    unknown = "its own pauses" if root["kind"] in ("receiver", "storm") else "workload not known"
    whose = [f"{w['workload'] or unknown} {_percent(w['share'] / root['share'])}" for w in root["workloads"] if root["share"]]
    place = "" if root["kind"] == "rest" else f"{_cut(root['place'], 40)}, "
    return f"  {_percent(root['share']):>7}  {_bar(root['share'], 10):10}  {place}{_KINDS.get(root['kind'], root['kind'])}: {', '.join(whose)}"


def _at_ports(counts, towards, room=75):
    told = f"{counts['packets']:,} packet{'s' * (counts['packets'] != 1)}"
    told += f" at {counted(counts['ports'], 'port')}" if counts["ports"] else f"; the places are not known: {counts['unknown']}" if counts.get("unknown") else ""
    for n, place in enumerate(counts["places"][:2]):
        place_text = f"{_percent(place['share'])} at {_cut(place['place'], 45)}"
        place_text += f" towards {_cut(towards[place['place']], 30)}" if place["place"] in towards else ""
        if n == 0 or (place["share"] >= _NAMED and len(told) + len(place_text) < room):
            told += f"{', ' if n else ': '}{place_text}"
    return told


def _network(found):
    """Pauses with their roots, marks and drops after the warm-up, and whether there were others before."""
    pauses, near = found["pauses"], found["pauses"]["nearest"]

    def before(name, what):
        count = found["warmup"][name]
        return f"; in the warm-up {count:,} {what}{'s' * (count != 1)}" if count else ""

    paused_before = before("pause_frames", "pause frame")
    lines = [f"network  pauses: none{' after the warm-up' if paused_before else ''}{paused_before}" + (f"; the nearest was {near['switch']}, at {_percent(near['share'])} of a group's threshold" if near else "")]
    if pauses["pauses"] or pauses["paused_us"]:
        begin = "which begin at" if found["roots"] else "their origins are not recorded (observe.causes)"
        lines = [f"network  pauses: {pauses['pauses']:,}, {format_time(pauses['paused_us'])} in all{paused_before}; {begin}"]
    lines += map(_root, found["roots"][: _MOST["roots"]])
    splits = [split for subject in found["workloads"] + found["operations"] for split in subject["at"].values()]
    places = [place for split in splits for part in split["parts"] for place in part.get("places") or () if place.get("towards")]
    towards = {place["place"].rpartition(":")[0]: place["towards"] for place in places}
    lines.append(f"         marks: {_at_ports(found['marks'], towards) if found['marks']['packets'] else 'none'}{before('marked_packets', 'packet')}")
    if found.get("cnps_missing"):
        lines.append(f"         CNPs: at least {found['cnps_missing']:,} did not arrive by the end of the run")
    drops = sorted(found["drops"].items(), key=lambda item: -item[1]["packets"])
    lines += [f"         drops, {reason}: {_at_ports(counts, towards)}" for reason, counts in drops[: _MOST["drops"]]] or ["         drops: none" + (" after the warm-up" if found["warmup"]["drops"] else "")]
    if found["warmup"]["drops"]:
        lines.append(f"         drops in the warm-up: {found['warmup']['drops']:,} packet{'s' * (found['warmup']['drops'] != 1)}")
    splitting = [f"{entry['routing']} at {entry['switches']}" for entry in found.get("splitting") or ()]
    lines += [_cut(f"         paths: packets of one flow may take several paths: {', '.join(splitting)}")] if splitting else []
    lines += [line for fact in found.get("facts") or () for line in _wrap(f"         {fact}", "           ")]
    return lines + ([f"         … and {len(drops) - _MOST['drops']} more reasons: --json"] if len(drops) > _MOST["drops"] else [])


def _asking(subject, found):
    """The options with which `explain SCENARIO` measures the page's subject; none if there is only one."""
    if subject is None or len(found["workloads"] + found["operations"]) + len(found["empty"]) < 2:
        return []
    workload, kind = subject["workload"], subject.get("kind")
    if [subject["workload"] for subject in found["workloads"] + found["operations"]].count(workload) == 1:
        return ["--workload", workload]
    return ["--metric", f"operations.{workload}.{kind}.latency_us.p99" if kind else f"messages.{workload}.completion_us.p99"]


def measuring(found, scenario, subject=None):
    """How to find out what would help, and its cost. The command is not wrapped, whatever its length."""
    minutes = _RUNS * (found["cpu_s"] or 0) / (os.cpu_count() or 1) / 60
    cost = f", {counted(round(minutes), 'minute')}" if minutes >= 1 else ", under a minute" if found["cpu_s"] else ""
    command, options = f"./headroom explain {shlex.quote(scenario)}", shlex.join(_asking(subject, found))
    asked = f"{command} {options}".rstrip()
    line = f"To measure what would help: {asked} (about {_RUNS} runs{cost})."
    if len(line) <= WIDTH:
        return [line]
    return [f"To measure what would help (about {_RUNS} runs{cost}):", *([asked] if len(asked) <= WIDTH else [f"{command} \\", f"  {options}"])]


def page(found, scenario="SCENARIO", workload=None, everything=False):
    """The text of the page. `workload`: the one that is printed completely, else the worst; `everything`: all of
    them."""
    subjects = [Subject(subject) for subject in sorted(found["workloads"] + found["operations"], key=badness, reverse=True)]
    full = [one for one in subjects if everything or one.found["workload"] == workload] or subjects[:1]
    others = [one for one in subjects if one not in full]
    about = [["", *_wrap(one.answer()), "", *_wrap(one.title(), "  "), *one.table()] for one in full]
    name, seed = (found[key] if found[key] is not None else "not known" for key in ("scenario", "seed"))
    head, foot = [f"{_cut(str(name), 60)}, seed {seed}: {found['status']}"], ["", *_network(found)]
    foot += [_cut(f"no message or operation was counted for: {', '.join(found['empty'])}")] if found["empty"] else []
    unknown = [_cut(f"settings are not known: {found['settings_unknown']}")] if found.get("settings_unknown") else []
    foot = ["", *unknown, *foot] if unknown else foot
    last = ["", *measuring(found, scenario, full[0].found if full else None)]
    room = LINES - sum(map(len, (head, *about, foot, last))) if len(full) == 1 else 10**6  # for settings, and for other
                                                                                           # lines
    reserved = min(len(others), _MOST["others"]) + 2 if others else 0
    about = [lines + _settings(one.found["settings"], min(room - reserved, _MOST["settings"])) for lines, one in zip(about, full)]
    room = LINES - sum(map(len, (head, *about, foot, last))) - 2 if len(full) == 1 else len(others)
    shown = others if len(others) <= room else others[: room - 1]
    if others:
        foot += ["", *_table(["others (--workload NAME, --all)", "count", "p50", "p99"], [one.line() for one in shown])]
        foot += [f"  … and {len(others) - len(shown)} more: --all"] if len(others) > len(shown) else []
    return "\n".join([*map(_cut, [*head, *sum(about, []), *foot]), *last])
