"""The cores of this machine, divided between runs and the processes of each run. A run's result is the same in any number
of processes, so this choice never changes a study."""

import argparse
import os
from pathlib import Path

from headroom import program
from headroom.errors import InputError
from headroom.format import counted

# A run of several processes starts a second later, and is slower where another program needs a core.
LEAST_S, LEAST_GAIN = 20, 1.3
MOST = 1024
RANKS_HELP = (
    f"processes of each run; auto, the default: several where fewer runs are left than cores are idle, and a run of {LEAST_S} s "
    f"or more gains a factor of {LEAST_GAIN}, by an estimate; else one"
)


def ranks_of(text):
    """A type of arguments; None for auto."""
    if text == "auto":
        return None
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes; allowed: whole numbers from 1 to {MOST}, or auto")
    return int(text)


def require_ranks(found):
    """InputError with the reason if check_points found that a scenario cannot run in the number of processes."""
    if "ranks" in found and found["ranks"]["refused"]:
        raise InputError(found["ranks"]["refused"])


def _busy():
    """Processes of this machine that want a core now, with this one."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        if line.startswith("procs_running "):
            return int(line.split()[1])
    return 1


class Cores:
    """`jobs`: most runs at the same time; None: as many as there are cores for. `ranks`: processes of each run; None:
    this object chooses, and runs never have more than `jobs` processes in all."""

    def __init__(self, jobs=None, ranks=None, busy=_busy):
        self.jobs, self.ranks = jobs or max(1, (os.cpu_count() or 1) // (ranks or 1)), ranks
        self._busy, self._gaining = busy, {}

    def has_room(self, running):
        """Whether another run may begin. `running`: the processes of each run under way."""
        return (len(running) if self.ranks else sum(running)) < self.jobs

    def of_next(self, scenario, settings, left, running):
        """Processes of the next run, one of `left` that have not begun."""
        if self.ranks:
            return self.ranks
        idle = self.jobs - sum(running)
        if left >= idle:
            return 1
        others = max(0, self._busy() - 1 - sum(running))
        share = (idle - others) // left
        return self._gains(scenario, settings, share) if share > 1 else 1

    def _gains(self, scenario, settings, most):
        """The number of processes, at most this one, in which the run is faster."""
        key = (str(scenario), tuple(settings.items()), most)
        if key not in self._gaining:
            (found,) = program.check_points(scenario, [settings], most)
            gains = "error" not in found and found["cpu_s"] >= LEAST_S and found["ranks"]["gain"] >= LEAST_GAIN
            self._gaining[key] = found["ranks"]["ranks"] if gains else 1
        return self._gaining[key]


def by_ranks(runs):
    """{processes: number of runs}, of finished runs."""
    counts = {}
    for run in runs:
        if run.status == "done":
            ranks = int(run.metrics().get("run.ranks", 1))
            counts[ranks] = counts.get(ranks, 0) + 1
    return dict(sorted(counts.items()))


def ranks_text(runs):
    """How many runs had several processes; "" if none had."""
    counts = by_ranks(runs)
    several = [f"{counted(count, 'run')} in {ranks} processes each" for ranks, count in counts.items() if ranks > 1]
    alone = [f"{counted(counts[1], 'run')} in one process"] if several and 1 in counts else []
    return ", ".join(alone + several)
