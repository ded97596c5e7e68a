"""The progress of a study on stderr: a line that is overwritten on a terminal, elsewhere one now and then."""

import contextlib
import sys
import time

_EVERY_S = 30  # time between two lines without a terminal; the first is not earlier


def time_text(seconds):
    """At least 1 s, unless it is 0."""
    if seconds < 90:
        return f"{max(seconds, 1) if seconds else 0:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Progress:
    """Counts runs. `planned`: all of them, with those that were finished before."""

    def __init__(self, planned, done=0, failed=0, stream=None):
        self._planned, self._done, self._failed, self._running = planned, done, failed, 0
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._ended_here, self._start = 0, time.monotonic()
        self._width, self._shown = 0, self._start - (0.1 if self._terminal else 0)

    def started(self, _run):
        self._running += 1

    def ended(self, _run, status):
        self._running -= 1
        self._ended_here += 1
        self._done += status == "done"
        self._failed += status != "done"

    def text(self):
        left = self._planned - self._done - self._failed
        parts = [f"{self._done} of {self._planned} runs done", f"{self._running} running", f"{self._failed} failed"]
        if self._ended_here:
            parts.append("about " + time_text((time.monotonic() - self._start) / self._ended_here * left) + " left")
        return ", ".join(parts)

    def show(self):
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else _EVERY_S):
            return
        self._shown = now
        line = self.text()
        self._write("\r" + line.ljust(self._width) if self._terminal else f"headroom: {line}\n")
        self._width = len(line)

    def clear(self):
        if self._terminal and self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _write(self, text):
        with contextlib.suppress(OSError):  # no one reads it, which is no reason to end a study
            self._stream.write(text)
            self._stream.flush()
