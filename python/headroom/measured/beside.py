"""Measured numbers beside simulated ones, sorted by what matters."""

import re
from collections import defaultdict
from dataclasses import dataclass, replace

from headroom.errors import InputError
from headroom.measured.counters import COUNTERS
from headroom.measured.difference import measured_of
from headroom.measured.matching import Names, NoMatch
from headroom.measured.simulated import HOSTS_TOGETHER, simulated_of


@dataclass(frozen=True)
class Entry:
    """One counter on both sides."""

    measured: object  # difference.Measured with names of the result
    simulated: float
    low: float
    high: float
    metric: str

    @property
    def counter(self):
        return COUNTERS[self.measured.counter]

    @property
    def deviation(self):
        """The simulated value over the measured one, less 1; None if only the simulated one is not 0."""
        if self.simulated == self.measured.value:
            return 0.0
        return self.simulated / self.measured.value - 1 if self.measured.value else None

    @property
    def gap(self):
        """How far the ranges are apart: of the seeds, and of the intervals with their rounding."""
        one = self.measured
        return max(self.low - (one.high + one.half), (one.low - one.half) - self.high, 0.0)

    @property
    def is_equal(self):
        return self.gap <= 1e-9 * abs(self.measured.value)

    @property
    def size(self):
        """The larger value; counts near 0 have that of the floor."""
        return max(abs(self.measured.value), abs(self.simulated), self.counter.floor)

    def within(self, percent):
        return self.gap <= max(percent / 100 * abs(self.measured.value), 0)

    @property
    def place(self):
        """s0:p16:3, s0 ingress_pool, disks.read."""
        one = self.measured
        if one.port:
            return ":".join(part for part in (one.node, one.port, one.item) if part)
        return " ".join(part for part in (one.node, one.item) if part) or "all hosts"


@dataclass(frozen=True)
class Unmatched:
    """Measured numbers without a counterpart, all for one reason."""

    why: str
    count: int
    example: str


@dataclass
class Beside:
    entries: list
    unmatched: list
    not_measured: int  # counters of the result in the measured places that no file has
    zeros: int  # counters that are 0 on both sides


def _placed(devices, names, scale):
    """([Measured with names of the result], {reason: [Measured]})"""
    placed, wrong = {}, defaultdict(list)
    for device in devices:
        for one in measured_of(device, scale):
            try:
                found = names.place(one, device)
            except NoMatch as error:
                wrong[str(error)].append(one)
                continue
            key = found.node, found.port, found.item, found.counter
            other = placed.get(key)
            if other is not None and (other.value != found.value):
                raise InputError(
                    f"{found.place}:1: {' '.join(part for part in key if part)} is also in {other.place}; give dumps of one "
                    "device as BEFORE,AFTER, and name different devices: NODE=FILE"
                )
            placed[key] = found
    return placed, wrong


def _all_hosts(placed, wrong, names):
    """Replaces counters of hosts by their sum, which a run counts; they are unmatched if a busy host is missing."""
    of_hosts = defaultdict(list)
    for key in [key for key in placed if key[3] in HOSTS_TOGETHER]:
        of_hosts[key[3]].append(placed.pop(key))
    for counter, found in of_hosts.items():
        missing = names.busy_hosts - {one.node for one in found}
        if missing:
            why = f"a run counts it for all hosts together; files of {len(missing)} hosts are missing, such as {min(missing)}"
            wrong[why] += found
            continue
        sums = {name: sum(getattr(one, name) for one in found) for name in ("value", "low", "high", "half")}
        placed["", "", "", counter] = replace(found[0], node="", port="", item="", **sums)


def _simulated(key, simulated, counters):
    """The counterpart of a key. A run leaves out priorities of a port that counted nothing."""
    if key in simulated:
        return simulated[key]
    _, port, _, counter = key
    may_be_left_out = port and counter in counters and counter != "link_rate" and not counter.startswith(("storms", "watchdog"))
    return (0.0, 0.0, 0.0, "") if may_be_left_out else None


def by_importance(entries):
    """Sorted by weight times deviation, as a share of the larger side, times the root of the size: the same share of a
    busy port matters more than that of an idle one."""
    largest = defaultdict(float)
    for entry in entries:
        largest[entry.measured.counter] = max(largest[entry.measured.counter], entry.size)

    def key(entry):
        share = entry.size / largest[entry.measured.counter]
        return -entry.counter.weight * entry.gap / entry.size * share**0.5, -entry.counter.weight, -entry.size, _natural(entry.place)

    return sorted(entries, key=key)


def _natural(name):
    """p2 comes before p10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def beside(result, devices, names, scale=1.0):
    """Beside for a Result and read Devices. `scale`: the run's duration over the measured interval."""
    known, simulated = Names(result, names), simulated_of(result)
    placed, wrong = _placed(devices, known, scale)
    _all_hosts(placed, wrong, known)
    counters = {key[3] for key in simulated}
    entries, zeros = [], 0
    for key, one in placed.items():
        counterpart = _simulated(key, simulated, counters)
        if counterpart is None:
            wrong[_why(one)].append(one)
        elif one.value == counterpart[0] == one.high == counterpart[2]:
            zeros += one.value == 0
            entries += [] if one.value == 0 else [Entry(one, *counterpart)]
        else:
            entries.append(Entry(one, *counterpart))
    entries = by_importance(entries)
    places = {key[:2] for key in placed}
    left = sum(key[:2] in places and key not in placed and value[0] != 0 for key, value in simulated.items())
    unmatched = [Unmatched(why, len(some), some[0].place) for why, some in wrong.items()]
    return Beside(entries, sorted(unmatched, key=lambda one: -one.count), left, zeros)


def _why(one):
    words = COUNTERS[one.counter].words
    if one.counter.startswith(("storms", "watchdog")):
        return "the result has no watchdog on that queue"
    if one.item and not one.port and not one.node:
        return f"no workload of the result has {words} of {one.item}; name it in --map under workloads"
    return f"the result has no {words}"
