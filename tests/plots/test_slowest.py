"""The slowest messages in a report: their stories, and links from a message to the queue and the pauses that delayed
it."""

import re
import tempfile
import unittest
from pathlib import Path

from synthetic_results import MESSAGES, Builder, page_text, write_csv
from unpainted import unpainted

from headroom.csv_file import MESSAGE_PARTS
from headroom.plot.__main__ import main

WAITS = "id,way,node,port,queue,since_ns,queued_ns,paused_ns".split(",")
PFC_CAUSE = ["0.000", "leaf1", "p2", 3, "100000.000", "leaf1", "p0", 3, "<mix>", 1.0, "queue"]


@unpainted
class Slowest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "r"
        builder = Builder()
        for number in range(3):
            builder.message("<mix>", 1000, number, 100 + number, 10)
        builder.pauses.append(["0.000", "leaf1", "p2", "spine0", "p1", 3, "tx", "100000.000", 0, 0])
        builder.causes.append(PFC_CAUSE)
        builder.write(self.folder)
        rows = []
        for number, row in enumerate(builder.messages):
            parts = {"paused": 50_000, "queued": 40_000, "wire": 10_000 + 1000 * number}
            rows.append(row + [f"{parts.get(part, 0)}.000" for part in MESSAGE_PARTS])
        write_csv(self.folder / "messages.csv", [*MESSAGES, *(f"{part}_ns" for part in MESSAGE_PARTS)], rows)
        waits = [[row[0], "data", "spine0", "p1", 3, "0.000", "40000.000", "50000.000"] for row in rows[1:]]
        write_csv(self.folder / "message_waits.csv", WAITS, waits)

    def section(self):
        self.assertEqual(main([str(self.folder)]), 0)
        self.text = page_text(self.folder / "report.html")
        return self.text[self.text.index("The slowest messages") : self.text.index("<h2>Completion times")]

    def test_the_slowest_first_with_what_its_time_went_to(self):
        section = self.section()
        self.assertIn("&lt;mix&gt;: 2 of the slowest messages, those that waited in queues", section)
        self.assertLess(section.index("<td>102 µs</td>"), section.index("<td>101 µs</td>"))
        self.assertNotIn("<td>100 µs</td><td>0 µs</td>", section, "it did not wait")
        self.assertIn("49 % paused, 39.2 % queued, 11.8 % wire<small>at <a", section)  # of 102 µs

    def test_links_lead_to_the_queue_and_to_the_roots_of_its_pauses(self):
        section = self.section()
        [target] = set(re.findall(r'<a href="#(at-[^"]+)">spine0:p1:3</a> 90 µs, 50 µs of it paused', section))
        row = section[section.index(f'<tr id="{target}">') :].split("</tr>")[0]
        self.assertIn("</details></td><td>80 µs</td><td>100 µs</td><td>100 % from leaf1:p0, queue", row)
        self.assertIn('<a href="#pauses">', row)
        self.assertIn('<figure id="pauses"', self.text)
        self.assertEqual(len(re.findall(rf'id="{target}"', self.text)), 1)

    def test_a_queue_leads_to_the_messages_that_it_delayed(self):
        section = self.section()
        row = section[section.index('<tr id="at-spine0') :].split("</tr>")[0]
        links = re.findall(r'<li><a href="#([^"]+)">&lt;mix&gt;/a/[12]</a> 90 µs</li>', row)
        self.assertEqual(len(links), 2)
        for target in links:
            self.assertEqual(len(re.findall(rf'<tr id="{target}">', self.text)), 1)

    def test_nothing_where_times_were_not_split(self):
        (self.folder / "message_waits.csv").unlink()
        self.assertEqual(main([str(self.folder)]), 0)
        self.assertNotIn("The slowest messages", page_text(self.folder / "report.html"))


if __name__ == "__main__":
    unittest.main()
