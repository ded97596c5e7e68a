"""Percentiles as summary.json defines them: nearest rank over finished and unfinished messages."""

from dataclasses import dataclass

import numpy as np

# (name, per mille, number of messages below which the rank is that of the maximum)
PERCENTILES = [("p50", 500, 2), ("p99", 990, 100), ("p99.9", 999, 1000)]


@dataclass
class Percentile:
    value: float
    censored: bool  # a lower bound: see Ranked.percentile


class Ranked:
    """Values in order, each with a flag whether its message finished."""

    def __init__(self, values, finished):
        values, finished = np.asarray(values, float), np.asarray(finished, bool)
        order = np.lexsort((~finished, values))
        self.values, self.finished = values[order], finished[order]

    def __len__(self):
        return len(self.values)

    def percentile(self, per_mille):
        """The percentile, or None without values.

        Censored if an unfinished message has its rank or a lower one, as in summary.json: however that one ends, the
        true value is at least as large, and unknown.
        """
        if len(self) == 0:
            return None
        rank = max(1, -(-per_mille * len(self) // 1000))
        return Percentile(float(self.values[rank - 1]), bool(not self.finished[:rank].all()))

    def maximum(self):
        return self.percentile(1000)
