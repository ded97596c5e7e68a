"""Quantities, percentiles, bins, and the thinning of long series."""

import unittest

import numpy as np
import synthetic_results  # noqa: F401 - makes the package importable

from headroom.format import (
    format_bytes,
    format_percent,
    format_rate,
    format_time,
)
from headroom.percentile import Ranked
from headroom.plot.drawing.series_reduction import merged, thin
from headroom.plot.drawing.style import spread
from headroom.plot.drawing.ticks import log_ticks
from headroom.plot.figures.slowdown import bins_of
from headroom.quantity import parse_bytes, parse_microseconds, parse_rate


class Quantities(unittest.TestCase):
    def test_units_of_scenarios(self):
        self.assertEqual(parse_bytes("1MB"), 1_000_000)
        self.assertEqual(parse_bytes("64KiB"), 65536)
        self.assertEqual(parse_microseconds("125.926us"), 125.926)
        self.assertEqual(parse_rate("100Gbps"), 100e9)
        with self.assertRaises(ValueError):
            parse_bytes("1 parsec")
        with self.assertRaises(ValueError):
            parse_bytes("4us")

    def test_written_for_people(self):
        self.assertEqual(format_time(0.25), "250 ns")
        self.assertEqual(format_time(999.7), "1 ms")
        self.assertEqual(format_time(1240), "1.24 ms")
        self.assertEqual(format_bytes(1_800_000), "1.8 MB")
        self.assertEqual(format_bytes(0), "0")
        self.assertEqual(format_rate(40e9), "40 Gb/s")
        self.assertEqual(format_percent(0.0312), "3.12 %")


class Percentiles(unittest.TestCase):
    def test_nearest_rank(self):
        # 1 … 1000: rank ⌈0.5 × 1000⌉ = 500, ⌈0.999 × 1000⌉ = 999.
        ranked = Ranked(np.arange(1, 1001), np.ones(1000, bool))
        self.assertEqual([ranked.percentile(p).value for p in (500, 990, 999, 1000)], [500, 990, 999, 1000])
        self.assertFalse(ranked.percentile(999).censored)

    def test_one_value_is_every_percentile(self):
        self.assertEqual(Ranked([7], [True]).percentile(500).value, 7)

    def test_nothing_has_no_percentile(self):
        self.assertIsNone(Ranked([], []).percentile(500))

    def test_unfinished_messages_make_the_ranks_they_could_reach_lower_bounds(self):
        # Ten messages, of which that of age 2 is unfinished: if it ends at 100, rank 9 is 10 and rank 10 is 100.
        finished = np.arange(1, 11) != 2
        ranked = Ranked(np.arange(1, 11), finished)
        self.assertTrue(ranked.percentile(900).censored)
        self.assertFalse(ranked.percentile(100).censored)
        self.assertTrue(ranked.percentile(1000).censored)
        self.assertEqual(ranked.percentile(1000).value, 10)
        self.assertTrue(ranked.percentile(200).censored)


class Bins(unittest.TestCase):
    def assert_whole(self, sizes):
        slices = bins_of(sizes)
        self.assertEqual(slices[0][0], 0)
        self.assertEqual(slices[-1][1], len(sizes))
        for (_, end), (begin, _) in zip(slices, slices[1:]):
            self.assertEqual(end, begin)
            self.assertLess(sizes[end - 1], sizes[begin], "one size in two bins")
        return slices

    def test_distinct_sizes_make_equal_counts_and_the_largest_is_in_the_last(self):
        slices = self.assert_whole(np.arange(1.0, 2201.0))
        self.assertEqual({end - begin for begin, end in slices}, {110})

    def test_one_size_is_one_bin(self):
        self.assertEqual(self.assert_whole(np.full(5000, 64e3)), [(0, 5000)])

    def test_frequent_sizes_stay_together(self):
        self.assert_whole(np.sort(np.repeat([1.0, 2.0, 3.0, 4.0], [5000, 3, 4000, 1])))

    def test_few_messages_are_one_bin(self):
        self.assertEqual(self.assert_whole(np.array([1.0, 2.0])), [(0, 2)])

    def test_bins_are_large_enough_for_p999_where_there_are_many_messages(self):
        slices = self.assert_whole(np.sort(np.random.default_rng(1).integers(1, 5000, 20000).astype(float)))
        self.assertGreaterEqual(min(end - begin for begin, end in slices), 1000)

    def test_none(self):
        self.assertEqual(bins_of(np.array([])), [])


class Thinning(unittest.TestCase):
    def test_keeps_the_peak_and_both_ends(self):
        values = np.zeros(100_000)
        values[54_321] = 9
        times, kept = thin(np.arange(100_000), values)
        self.assertLess(len(times), 1600)
        self.assertEqual(kept.max(), 9)
        self.assertEqual((times[0], times[-1]), (0, 99_999))

    def test_short_series_stay_as_they_are(self):
        times, values = thin([1, 2, 3], [4, 5, 6])
        self.assertEqual(list(values), [4, 5, 6])

    def test_intervals_nearer_than_the_gap_join(self):
        self.assertEqual(merged([10, 0, 1.5], [5, 1, 1], 1), [(0, 2.5), (10, 5)])
        self.assertEqual(merged([0, 1], [10, 1], 0), [(0, 10)])
        self.assertEqual(merged([], [], 1), [])


class Layout(unittest.TestCase):
    def test_labels_move_apart_by_no_more_than_they_must(self):
        self.assertEqual(spread([0, 5], 1), [0, 5])
        self.assertEqual(spread([3, 3], 1), [2.5, 3.5])
        placed = spread([1.0, 1.1, 1.2, 9.0], 0.5)
        self.assertTrue(all(b - a > 0.4999 for a, b in zip(placed, placed[1:])))
        self.assertEqual(placed[3], 9.0)

    def test_logarithmic_axes_always_have_ticks(self):
        for low, high in ((1, 1.2), (1, 2), (0.9, 11), (3, 4000), (1, 1e9), (700, 1300)):
            ticks = log_ticks(low, high)
            self.assertTrue(2 <= len(ticks) <= 10, (low, high, ticks))
            self.assertTrue(all(low <= t <= high for t in ticks))
