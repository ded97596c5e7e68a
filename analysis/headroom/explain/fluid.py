"""A queue in front of a link, as a fluid: what waits, and what of that is marked."""

import numpy as np


class Queue:
    """In front of a link that takes `rate`, B/ns: messages come evenly from `begin` to `end`, and what has come leaves in that
    order. `waited`: ns that the last bit of each waits, not for bits of its own message; `passed`: for these as well;
    `first_waited`: ns that the first bit waits; `peak`: most bytes that wait."""

    def __init__(self, begin, end, size, rate):
        self._rate = rate
        if not len(begin):
            self._at = self._bytes = self._growth = self.waited = self.passed = self.first_waited = np.zeros(0)
            self.peak = 0.0
            return
        speed = size / np.maximum(end - begin, 1e-3)
        times = np.concatenate([begin, end])
        order = np.argsort(times, kind="stable")
        self._at = times[order]
        self._growth = np.cumsum(np.concatenate([speed, -speed])[order])[:-1] - rate
        over = np.concatenate([[0.0], np.cumsum(self._growth * np.diff(self._at))])
        self._bytes = over - np.minimum.accumulate(over)
        then = np.empty(len(order))
        then[order] = self._bytes
        # Of a link that is slower than the sender's, the message alone leaves later than it came: that is no wait.
        alone = np.maximum(0.0, size - rate * (end - begin))
        self.waited = np.maximum(0.0, then[len(begin) :] - alone) / rate
        self.first_waited, self.passed = then[: len(begin)] / rate, then[len(begin) :] / rate
        self.peak = float(round(self._bytes.max()))
        # What is there when all has come leaves as well.
        self._at = np.append(self._at, self._at[-1] + self._bytes[-1] / rate)
        self._growth, self._bytes = np.append(self._growth, -rate), np.append(self._bytes, 0.0)

    def rises(self, kmin):
        """How often it begins to be longer."""
        above = self._bytes > kmin
        return int((above[1:] & ~above[:-1]).sum())

    def marked(self, kmin, kmax, pmax):
        """Bytes of what leaves that are marked, by RED's curve on the queue at that moment."""
        if not len(self._at):
            return 0.0
        first, last, lasts = self._bytes[:-1], self._bytes[1:], np.diff(self._at)
        steady = np.abs(self._growth) < 1e-9
        growth = np.where(steady, 1.0, self._growth)
        # A queue that is empty before the interval ends has passed what it held by then, and no more.
        passed = np.abs(_marks_below(last, kmin, kmax, pmax) - _marks_below(first, kmin, kmax, pmax)) / np.abs(growth)
        return self._rate * float(np.where(steady, _chance(first, kmin, kmax, pmax) * lasts, passed).sum())


def _chance(queue, kmin, kmax, pmax):
    rising = np.clip((queue - kmin) / (kmax - kmin), 0, 1) if kmax > kmin else 0.0
    return np.where(queue > kmax, 1.0, pmax * rising)


def _marks_below(queue, kmin, kmax, pmax):
    """The integral of _chance from an empty queue to this one, in B."""
    on_curve = np.clip(queue - kmin, 0, kmax - kmin)
    return (pmax * on_curve**2 / (2 * (kmax - kmin)) if kmax > kmin else 0.0) + np.maximum(0.0, queue - kmax)
