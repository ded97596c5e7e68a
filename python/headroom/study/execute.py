"""Runs pending runs, several at once, and writes how each ended."""

import os
import signal
import sys

from headroom.errors import Stopped
from headroom.say import visible
from headroom.study.worker import Child, lacks_room


class Signals:
    """Ctrl-C and SIGTERM set `came` while this is entered."""

    def __enter__(self):
        self.came = False
        self._before = {s: signal.signal(s, self._note) for s in (signal.SIGINT, signal.SIGTERM)}
        return self

    def _note(self, *_):
        if self.came:  # a user who presses twice means it
            os._exit(3)
        self.came = True
        # A blocked wait continues after this returns; without children it ends.
        for child in self.children():
            child.kill()

    def children(self):
        return []

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)


def _say(text):
    print(visible(f"headroom: {text}"), file=sys.stderr)


def execute(store, scenario, claim, cores, progress):
    """Runs the runs that `claim(running)` returns, each with its number of processes, until it returns None, as many at
    once as these Cores have room for. `running`: the processes of each run under way. `progress` is notified of every
    start and end. Stopped on Ctrl-C and if results cannot be written; runs under way at that time are pending again."""
    running = {}
    stop = None
    with Signals() as signals:
        signals.children = lambda: list(running.values())
        try:
            while True:
                while stop is None and not signals.came:
                    processes = [child.ranks for child in running.values()]
                    claimed = claim(processes) if cores.has_room(processes) else None
                    if claimed is None:
                        break
                    run, ranks = claimed
                    child = Child(run, store.folder, scenario, ranks)
                    running[child.pid] = child
                    progress.started(run)
                if signals.came:
                    # A process may have started between the signal and here.
                    for child in running.values():
                        child.kill()
                if not running:
                    break
                progress.show()
                pid, wait_status, usage = os.wait4(-1, 0)
                child = running.pop(pid, None)
                if child is None:
                    continue
                status, columns = child.ended(wait_status, usage)
                if signals.came and status == "killed":
                    store.finish(child.run.id, "pending")
                    continue
                if status == "failed" and lacks_room(columns["message"]):
                    stop = columns["message"]
                    store.finish(child.run.id, "pending")
                    continue
                store.finish(child.run.id, status, **columns)
                progress.ended(child.run, status)
                if status in ("failed", "killed"):
                    progress.clear()
                    _say(f"{child.path}: {columns['message']}")
        finally:
            for pid, child in running.items():
                child.kill()
                os.waitpid(pid, 0)
            progress.clear()
    if signals.came:
        raise Stopped("interrupted; finished runs are kept, and the same command continues")
    if stop is not None:
        kept = "finished runs are kept; " if store.counts().get("done") else ""
        raise Stopped(f"{stop}\nheadroom: {kept}the same command goes on from here")
