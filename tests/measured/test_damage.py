"""Damaged files are refused with file, line and key. Random mutations of every sample are refused or read, and never
crash: this is the fuzzer of the readers."""

import json
import os
import random
import re
import unittest

from samples import SAMPLES, WithFolder

from headroom.errors import InputError
from headroom.measured.counters import COUNTERS
from headroom.measured.sources import read_source

# HEADROOM_MUTATIONS=10000 searches longer.
MUTATIONS = int(os.environ.get("HEADROOM_MUTATIONS", 60))
SEED = int(os.environ.get("HEADROOM_MUTATION_SEED", 1))


class Refusals(WithFolder):
    def refused(self, name, change, wanted):
        text = (SAMPLES / name).read_text()
        changed = change(text)
        self.assertNotEqual(changed, text, name)
        path = self.write(name, changed)
        with self.assertRaises(InputError) as caught:
            read_source(path)
        message = str(caught.exception)
        self.assertRegex(message, f"^{re.escape(str(path))}:[0-9]+:[0-9]+: ")
        self.assertRegex(message, wanted)

    def test_rows_that_are_cut_off(self):
        for name in ("pfc_counters.txt", "pg_shared.txt", "queue_watermark.txt", "queue_counters.txt", "interface_counters.txt"):
            last = len((SAMPLES / name).read_text().rstrip().split("\n"))
            self.refused(name, lambda text: text.rstrip()[:-3] + "\n", f":{last}:.*cut off")

    def test_numbers_that_are_none(self):
        self.refused("pfc_counters.txt", lambda t: t.replace("1,882", "1,8x2"), r":6:1: PFC3: a whole number is expected, not '1,8x2'")
        self.refused("pfc_counters.txt", lambda t: t.replace("1,882", "18,82"), ":6:1: PFC3")
        self.refused("pfcwd_stats.txt", lambda t: t.replace("140/31", "140-31"), ":3:1: TX OK/DROP: two numbers")
        self.refused("interface_counters.txt", lambda t: t.replace("4.29 GB/s", "4.29 GX/s"), ":4:1: RX_BPS: a rate such as")
        self.refused("ethtool_mlx5.txt", lambda t: t.replace("2110", "-2110"), "rx_prio3_pause: a counter and its number")
        self.refused("rdma_statistic.txt", lambda t: t.replace("3398", "33.98"), ":1:1: np_ecn_marked_roce_packets")
        self.refused("ib_read_lat.txt", lambda t: t.replace("2.38", "2,38"), r"t_typical\[usec\]: a number")
        self.refused("fio.txt", lambda t: t.replace("avg=229.12", "avg=229.1.2"), "clat_us.mean: a number")

    def test_a_lost_digit_of_a_bandwidth(self):
        self.refused("ib_write_bw.txt", lambda t: re.sub(r"(65536 .*\s)92\.40(\s+\S+\n)", r"\g<1>9.40\2", t), "MsgRate gives 92.4 Gb/s")
        self.refused("ib_write_bw.json", lambda t: t.replace("11014.22", "1014.22"), ":18:1: results → BW_average: is neither")

    def test_a_test_of_both_directions_is_no_test_of_one(self):
        self.refused("ib_write_bw.txt", lambda t: t.replace("RDMA_Write BW", "RDMA_Write Bidirectional BW"), "run it without -b")
        self.refused("ib_write_bw.json", lambda t: t.replace("Write_BW", "Write_Bidirectional BW"), "test_info → test: a test of both")

    def test_json_with_line_and_key(self):
        key = r"COUNTERS:oid:0x1000000000010 → SAI_PORT_STAT_IF_IN_OCTETS: a whole number of at least 0"
        self.refused("counters_db.json", lambda t: t.replace('"21216480"', '"21216480B"'), ":[0-9]{3}:1: " + key)
        self.refused("counters_db.json", lambda t: t.replace('"21216480"', "null"), key)
        self.refused("counters_db.json", lambda t: t.replace('"21216480"', "NaN", 1), "NaN is no number")
        self.refused("counters_db.json", lambda t: t[: len(t) // 2], "damaged JSON")
        self.refused("counters_db.json", lambda t: t.replace('"Ethernet4:3"', '"Ethernet4-3"', 1), "COUNTERS_QUEUE_NAME_MAP → Ethernet4-3")
        self.refused("counters_db.json", lambda t: t.replace('"Ethernet4"', '"Ethernet0"', 1), 'the key "Ethernet0" appears twice')
        self.refused("counters_db_lines.json", lambda t: t.replace('"ttl": -1, ', '"ttl": -1 ', 1), ":1:[0-9]+: damaged JSON")
        self.refused("state_db.json", lambda t: t.replace('"100000"', '"fast"', 1), "PORT_TABLE.Ethernet0 → speed")
        self.refused("fio.json", lambda t: t.replace("421233.52", '"many"'), "read → iops")
        self.refused("interface_counters.json", lambda t: t.replace("19,622", "19;622"), ":4:1: Ethernet0 → RX_OK")
        self.refused("queue_counters.json", lambda t: t.replace('"19004"', "[]"), "Ethernet8 → UC3 → totalpacket")

    def test_counters_without_names_are_no_counters(self):
        text = (SAMPLES / "counters_db.json").read_text()
        found = {key: value for key, value in json.loads(text).items() if "_MAP" not in key}
        path = self.write("unnamed.json", json.dumps(found))
        with self.assertRaisesRegex(InputError, "no counter has a name: COUNTERS_PORT_NAME_MAP"):
            read_source(path)

    def test_files_that_are_none_of_the_formats(self):
        for text, wanted in (
            ("", "empty"),
            ("\0\1", "a byte 0"),
            ("hello\n", "neither a table nor a note"),
            ("[1, 2]", "no JSON that compare reads"),
            ('{"a": 1}', "no JSON that compare reads"),
            ("Name  Age\n----  ---\n   x    1\n", "no table that compare reads: Name, Age"),
            ("#bytes #iterations\n", "a table without rows"),
            ("[" * 100000, "nested too deeply|damaged JSON"),
            ("{" + '"a":' * 5 + "1" * 5000 + "}", "damaged JSON"),
        ):
            path = self.write("other", text)
            with self.assertRaisesRegex(InputError, wanted):
                read_source(path)
        path = self.folder / "latin"
        path.write_bytes(b"Port \xe9\n")
        with self.assertRaisesRegex(InputError, ":1:1: not text in UTF-8"):
            read_source(path)


def mutated(data, random_number):
    """The bytes with some of them changed, removed, repeated, or cut off."""
    data = bytearray(data)
    for _ in range(random_number.choice((1, 1, 1, 2, 5))):
        if not data:
            break
        at = random_number.randrange(len(data))
        end = min(at + random_number.choice((1, 1, 3, 40, 400)), len(data))
        kind = random_number.randrange(6)
        if kind == 0:
            data[at] = random_number.choice(b'0123456789 -.,:/"{}[]\n\t\\eENux\xff\0')
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at:at] = random_number.choice((b"-1", b"1e999", b"N/A", b"null", b"99999999999999999999999", b"\n\n", b"  ", b"{}", b"\xe2\x80\x93"))
        else:
            other = random_number.randrange(len(data))
            data[at], data[other] = data[other], data[at]
    return bytes(data)


class Mutations(WithFolder):
    def check(self, path):
        """A correct read or a refusal that names the file."""
        try:
            rows, aliases = read_source(path)
        except InputError as error:
            self.assertTrue(str(error).startswith(f"{path}:"), error)
            return False
        for row in rows:
            self.assertIn(row.counter, COUNTERS)
            self.assertGreaterEqual(row.value, 0)
            self.assertLess(row.value, 1e30)
            self.assertIn(str(path), row.place)
        self.assertTrue(all(isinstance(alias, str) for alias in aliases.values()))
        return True

    def test_every_sample_read_or_refused(self):
        names = sorted(path.name for path in SAMPLES.iterdir())
        self.assertGreaterEqual(len(names), 20)
        for name in names:
            with self.subTest(name):
                data, path = (SAMPLES / name).read_bytes(), self.folder / name
                random_number, read = random.Random(f"{name} {SEED}"), 0
                for _ in range(MUTATIONS if len(data) < 30000 else max(MUTATIONS // 6, 5)):
                    path.write_bytes(mutated(data, random_number))
                    read += self.check(path)
                self.assertLess(read, MUTATIONS + 1)


if __name__ == "__main__":
    unittest.main()
