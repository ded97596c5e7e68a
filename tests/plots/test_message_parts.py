"""The parts of messages' times as drawn: shares of rows, which rows there are, and which there are not."""

import csv
import json
import tempfile
import unittest
from pathlib import Path

from synthetic_results import Builder

from headroom.csv_file import MESSAGE_PARTS
from headroom.plot.drawing.style import apply_style
from headroom.plot.figures.parts import message_parts_plot, operation_parts_plot
from headroom.result import load_results


def parts(**some):
    return {part: float(some.get(part, 0)) for part in MESSAGE_PARTS}


class DrawsWhereTimeWent(unittest.TestCase):
    def setUp(self):
        apply_style()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "mix"

    def written(self, of_size, made, workload, **percentiles):
        """A result whose messages of each size have the parts of_size(bytes)."""
        made.write(self.folder)
        with open(self.folder / "messages.csv") as file:
            lines = list(csv.DictReader(file))
        for line in lines:
            line |= {f"{part}_ns": 1000 * us for part, us in of_size(int(line["bytes"])).items()}
        with open(self.folder / "messages.csv", "w") as file:
            out = csv.DictWriter(file, lines[0].keys())
            out.writeheader()
            out.writerows(lines)
        summary = json.loads((self.folder / "summary.json").read_text())
        summary["messages"][workload]["parts_us"] = percentiles
        (self.folder / "summary.json").write_text(json.dumps(summary))
        return message_parts_plot(load_results([str(self.folder)]))

    def test_a_row_for_each_percentile_that_has_enough_messages_and_for_each_size(self):
        made = Builder()
        made.poisson(200)
        plot = self.written(
            lambda size: parts(queued=3, wire=1) if size <= 10_000 else parts(limiter=1, own_packets=1),
            made,
            "background",
            p50=parts(wire=2, ack_wire=2),
            p99=parts(queued=30, wire=10),
            p999=parts(paused=1),
        )
        table = plot.tables["message-parts"]
        told = list(table["messages"])
        self.assertEqual(told[:2], ["p50", "p99"])  # of 200 messages p99.9 is the slowest
        self.assertIn("background around p99: 40 µs, 75 % queued, 25 % wire", plot.details)
        by_size = table[2:]
        self.assertGreater(len(by_size), 1)
        for size, queued, limited in zip(by_size["messages"], by_size["queued_us"], by_size["limiter_us"]):
            small = size in ("up to 1 kB", "up to 10 kB")
            self.assertEqual((queued, limited), (3, 0) if small else (0, 1), size)

    def test_sizes_are_no_rows_where_all_are_of_one_class(self):
        made = Builder()
        made.incast()
        plot = self.written(lambda size: parts(wire=1), made, "burst", p50=parts(wire=1))
        self.assertEqual(list(plot.tables["message-parts"]["messages"]), ["p50"])

    def test_operations_have_rows_by_kind_with_the_parts_of_their_messages(self):
        made = Builder()
        made.disks(300)
        made.write(self.folder)
        summary = json.loads((self.folder / "summary.json").read_text())
        times = {"device": 30.0, "queued": 60.0, "core": 10.0}
        summary["operations"]["disks"]["read"]["parts_at_us"] = {"p50": times, "p99": times, "p999": times}
        (self.folder / "summary.json").write_text(json.dumps(summary))
        plot = operation_parts_plot(load_results([str(self.folder)]))
        self.assertEqual(set(plot.tables["operation-times"]["workload"]), {"disks read"})
        self.assertIn("disks read around p50: 100 µs, 60 % queued, 30 % device, 10 % core", plot.details)

    def test_results_without_parts_have_no_such_plot(self):
        made = Builder()
        made.poisson(200)
        made.write(self.folder)
        self.assertIsNone(message_parts_plot(load_results([str(self.folder)])))


if __name__ == "__main__":
    unittest.main()
