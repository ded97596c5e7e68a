"""What each format says, by samples in the shapes of real output."""

import tempfile
import unittest
from pathlib import Path

from samples import SAMPLES

from headroom.measured.sources import read_source


def rows(name):
    return {row.key: row for row in read_source(SAMPLES / name)[0]}


def values(name):
    return {key: row.value for key, row in rows(name).items()}


class Switches(unittest.TestCase):
    def test_pfc_counters_of_both_directions_and_the_prompts_node(self):
        found = values("pfc_counters.txt")
        self.assertEqual(found["t0", "Ethernet8", "3", "pfc_frames_rx"], 1882)
        self.assertEqual(found["t0", "Ethernet0", "3", "pfc_frames_tx"], 2110)
        self.assertEqual(len(found), 2 * 3 * 8)

    def test_priority_groups(self):
        self.assertEqual(values("pg_shared.txt")["", "Ethernet4", "3", "peak_group_shared_bytes"], 398112)
        self.assertEqual(values("pg_headroom.txt")["", "Ethernet0", "3", "peak_headroom_bytes"], 38272)
        self.assertEqual(values("pg_drop.txt")["", "Ethernet0", "0", "drop_ingress"], 17)

    def test_queues(self):
        self.assertEqual(values("queue_watermark.txt")["", "Ethernet8", "3", "peak_queue_shared_bytes"], 811200)
        self.assertEqual(values("queue_wred.txt")["", "Ethernet8", "3", "marked_packets"], 3398)
        found = values("queue_counters.txt")
        self.assertEqual(found["", "Ethernet8", "3", "tx_bytes"], 20570816)
        self.assertNotIn(("", "Ethernet0", "10", "tx_packets"), found)  # a multicast queue
        as_json = values("queue_counters.json")
        self.assertTrue(as_json)
        self.assertEqual({key: found[key] for key in as_json}, as_json)

    def test_interfaces(self):
        found = rows("interface_counters.txt")
        self.assertEqual(found["", "Ethernet8", "", "tx_packets"].value, 38204)
        self.assertEqual(found["", "Ethernet4", "", "drop_corrupt"].value, 2)
        rate = found["", "Ethernet0", "", "rx_rate"]
        self.assertEqual((rate.value, rate.half), (4.29e9, 5e6))
        self.assertNotIn(("", "Ethernet8", "", "rx_rate"), values("interface_counters.json"))  # N/A

    def test_watchdog_and_pools(self):
        found = values("pfcwd_stats.txt")
        self.assertEqual(found["", "Ethernet0", "3", "storms_detected"], 2)
        self.assertEqual(found["", "Ethernet8", "3", "storms_restored"], 0)
        self.assertEqual(found["", "Ethernet8", "3", "watchdog_tx_drop"], 412)
        self.assertEqual(values("pool_watermark.txt")["", "", "ingress_pool", "peak_pool_bytes"], 1402752)
        self.assertEqual(values("headroom_pool_watermark.txt")["", "", "ingress_pool", "peak_headroom_bytes"], 74048)

    def test_counters_db_with_the_watermarks_that_show_prints(self):
        found = values("counters_db.json")
        self.assertEqual(found["", "Ethernet0", "", "rx_packets"], 19622)  # unicast and others
        self.assertEqual(found["", "Ethernet8", "3", "marked_packets"], 300)
        self.assertEqual(found["", "Ethernet8", "3", "peak_queue_shared_bytes"], 811202)  # the user's, not the persistent one
        self.assertEqual(found["", "Ethernet4", "3", "paused_us_rx"], 410)
        self.assertEqual(found["", "", "ingress_pool", "peak_headroom_bytes"], 74048)  # only the persistent one exists
        self.assertNotIn(("", "Ethernet0", "10", "tx_packets"), found)
        self.assertEqual(found, values("counters_db_lines.json"))

    def test_state_db_has_rates_the_hostname_and_aliases(self):
        self.assertEqual(values("state_db.json")["t0", "Ethernet4", "", "link_rate"], 100e9)
        self.assertEqual(read_source(SAMPLES / "state_db.json")[1]["Ethernet4"], "etp2")


class Hosts(unittest.TestCase):
    def test_ethtool(self):
        found = values("ethtool_mlx5.txt")
        self.assertEqual(found["", "", "3", "pfc_frames_rx"], 2110)
        self.assertEqual(found["", "", "3", "paused_us_rx"], 1442)
        self.assertEqual(found["", "", "", "tx_bytes"], 21441480)
        self.assertNotIn(40211, found.values())  # the host's software counts it

    def test_rdma_statistic_in_three_forms(self):
        self.assertEqual(values("rdma_statistic.txt")["", "", "", "cnp_sent"], 640)
        self.assertEqual(values("rdma_statistic_pretty.txt")["", "", "", "cnp_handled"], 331)
        self.assertEqual(values("rdma_statistic.json")["", "", "", "cnp_handled"], 309)

    def test_rdma_statistic_sums_the_devices_of_a_host(self):
        text = (SAMPLES / "rdma_statistic.txt").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "two.txt"
            path.write_text(text + text.replace("mlx5_0", "mlx5_1"))
            self.assertEqual({row.counter: row.value for row in read_source(path)[0]}["cnp_sent"], 1280)

    def test_perftest(self):
        found = rows("ib_write_bw.txt")
        self.assertEqual(found["", "", "write of 4096 B", "goodput_gbps"].value, 91.2)
        self.assertAlmostEqual(found["", "", "write of 4096 B", "goodput_gbps"].half, 0.005)
        self.assertEqual(values("ib_read_lat.txt")["", "", "read of 4096 B", "latency_us.p99"], 2.52)
        # perftest's JSON has MiB/s here, which only the message rate says: 0.176228 M/s × 65536 B × 8 = 92.39 Gb/s.
        self.assertAlmostEqual(values("ib_write_bw.json")["", "", "write of 65536 B", "goodput_gbps"], 92.394, 2)

    def test_fio_as_text_rounds_percentiles_up(self):
        text, exact = rows("fio.txt"), values("fio.json")
        self.assertEqual(exact["", "", "disks.read", "iops"], 421233.52)
        self.assertEqual(text["", "", "disks.read", "clat_us.p50"].value, 128)
        for key, value in exact.items():
            self.assertLessEqual(abs(text[key].value - value), text[key].half, key)
        self.assertFalse([key for key in exact if key[2] == "disks.write"])  # no such I/O was made
