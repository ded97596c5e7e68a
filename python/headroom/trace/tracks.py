"""Numbers for processes and threads, in the order in which they are first named; displayed in the order of names."""

import re


def _natural(name):
    """A sort key that places h2 before h10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"([0-9]+)", name)]


class Tracks:
    """A process for each node, with a thread for each name in it. Thread numbers are unique in the file: Perfetto
    requires that."""

    def __init__(self):
        self._processes, self._threads = {}, {}

    def process(self, node):
        return self._processes.setdefault(node, len(self._processes) + 1)

    def thread(self, node, name):
        """(pid, tid)"""
        pid = self.process(node)
        return pid, self._threads.setdefault((pid, name), len(self._threads) + 1)

    def metadata(self):
        """The events that name them."""
        for place, node in enumerate(sorted(self._processes, key=_natural)):
            ids = {"pid": self._processes[node], "tid": 0}
            yield {"ph": "M", "name": "process_name", **ids, "args": {"name": node}}
            yield {"ph": "M", "name": "process_sort_index", **ids, "args": {"sort_index": place}}
        for (pid, name), tid in self._threads.items():
            yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}
