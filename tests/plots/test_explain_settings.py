"""The settings that `explain RESULT` names as the ones that govern the parts of a time."""

import random
import re
import unittest
from types import SimpleNamespace
from unittest import mock

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.explain.in_force import in_force
from headroom.explain.parts import governing
from headroom.links import Link
from headroom.settings import flatten, matches


class Governing(unittest.TestCase):
    def test_what_waits_for_a_core_of_a_service_of_keys_waits_for_its_processes(self):
        parts = [{"part": "core_queue", "us": 900.0, "share": 0.9}]
        settings = {"hosts.*.cores": "2", "workloads.gets.service": "cache", "services.cache.processes": "4", "workloads.disks.service": "store"}
        self.assertEqual([group["keys"] for group in governing(settings, "gets", parts, {}, ())], [{"services.cache.processes": "4"}])
        self.assertEqual([group["keys"] for group in governing(settings, "disks", parts, {}, ())], [{"hosts.*.cores": "2"}])

    def test_the_clock_of_cores_governs_what_they_work_on(self):
        parts = [{"part": "core", "us": 900.0, "share": 0.9}, {"part": "core_queue", "us": 100.0, "share": 0.1}]
        settings = {"hosts.*.clock": "2500MHz", "hosts.h5.clock": "300MHz", "hosts.h6.clock": "none", "hosts.*.cores": "1", "nics.*.clock.drift": "0ppm"}
        both, cores = governing(settings, "vm", parts, {}, ())
        self.assertEqual((both["parts"], both["keys"]), (["core", "core_queue"], {"hosts.*.clock": "2500MHz", "hosts.h5.clock": "300MHz"}))
        self.assertEqual(cores["keys"], {"hosts.*.cores": "1"})

    def test_rates_that_govern_what_is_queued_are_those_of_the_ports_that_hold_most_of_it(self):
        rules = [{"match": "*", "rate": "25Gbps"}, {"match": "leaf1:p5", "rate": "400Gbps"}]
        topology = {"type": "leaf_spine", "hosts_per_leaf": "4", "host_link": {"rate": "100Gbps"}, "fabric_link": rules}
        settings = flatten({"topology": topology})
        fabric = {"topology.fabric_link.*.rate": "25Gbps"}

        links = [Link(("h4", "p0"), ("leaf1", "p0"), 1e11, 0), *(Link(("leaf1", f"p{4 + i}"), (f"spine{i}", "p1"), 25e9, 1 + i) for i in range(2))]

        def keys(*shares):
            places = [{"place": place, "us": 1.0, "share": share} for place, share in shares]
            [found] = governing(settings, "vm", [{"part": "queued", "us": 1.0, "share": 1.0, "places": places}], topology, links)
            return found["keys"]

        self.assertEqual(keys(("leaf1:p4:3", 0.99), ("leaf1:p0:3", 0.01)), fabric)
        self.assertEqual(keys(("leaf1:p4:3", 0.5), ("leaf1:p0:3", 0.4)), fabric | {"topology.host_link.rate": "100Gbps"})
        self.assertEqual(keys(("leaf1:p5:3", 0.99)), {"topology.fabric_link.leaf1:p5.rate": "400Gbps"})
        self.assertEqual(len(keys()), 3, "where it waited is not known")
        own = governing(settings, "vm", [{"part": "own_packets", "us": 1.0, "share": 1.0}], topology, links)
        self.assertEqual(own[0]["keys"], fabric | {"topology.host_link.rate": "100Gbps"}, "a slower link sends them as well, a faster one not")

    def test_marks_and_keys_of_dcqcn_govern_where_a_control_reads_them(self):
        timer, kmin = "nics.*.dcqcn.rp.increase_timer", "switches.*.ecn.storage.kmin"
        base = {"workloads.mix.priority": "storage", kmin: "100KB", timer: "55us"}

        def keys(part, **control):
            settings = base | {f"nics.*.congestion_control{'.' + key if key else ''}": value for key, value in control.items()}
            found = governing(settings, "mix", [{"part": part, "us": 1.0, "share": 1.0}], {}, ())
            return {key for change in found for key in change["keys"]} & set(base)

        dcqcn = {"": "dcqcn"}
        self.assertEqual(keys("limiter", **dcqcn), {kmin, timer})
        self.assertEqual(keys("window", **dcqcn), set())
        for name in ("hpcc", "timely", "swift", "receiver_credit"):
            for part in ("limiter", "window", "queued"):
                self.assertEqual(keys(part, type=name), set(), (name, part))
        # DCTCP, and a program's own control, may slow down for marks by their window.
        for name in ("dctcp", "aimd"):
            self.assertEqual((keys("window", type=name), keys("limiter", type=name)), ({kmin}, {kmin}))

    def test_settings_in_force_are_those_that_some_node_has(self):
        nodes, chance = {"switches": ["s0", "s1"], "nics": ["h0", "h1", "h2"], "hosts": []}, random.Random(7)
        for _ in range(60):
            names = chance.sample(["*", "h*", "h0", "h[01]", "h[12]", "x"], 4)
            entries = [{"match": name} | {key: str(i) for key in chance.sample("abc", 2)} for i, name in enumerate(names)]
            had = {(key, next(e[key] for e in reversed(entries) if matches(e["match"], node) and key in e))
                   for node in nodes["nics"] for key in "abc" if any(matches(e["match"], node) and key in e for e in entries)}
            document = {"nics": entries, "seed": "1"}
            run = SimpleNamespace(scenario=SimpleNamespace(document=document, settings=flatten(document)))
            with mock.patch("headroom.explain.in_force._nodes", lambda _: nodes):
                left = {(key.rpartition(".")[2], value) for key, value in in_force(run).items() if re.fullmatch(r"nics\..+\.[abc]", key)}
            self.assertEqual(left, had, entries)

    def test_a_job_of_a_fio_file_asks_the_service_of_the_file(self):
        parts = [{"part": "device", "us": 900.0, "share": 0.9}]
        settings = {"workloads.oltp.type": "fio", "workloads.oltp.service": "store", "services.store.disk.read": "85us", "services.other.disk.read": "1us"}
        self.assertEqual([group["keys"] for group in governing(settings, "oltp-pages", parts, {}, ())], [{"services.store.disk.read": "85us"}])
        self.assertEqual(governing(settings, "oltp2-pages", parts, {}, ()), [])

    def test_losses_of_links_govern_recovery_where_there_are_some(self):
        parts = [{"part": "recovery", "us": 900.0, "share": 0.9}]
        settings = {"topology.host_link.loss": "0.003", "topology.fabric_link.loss": "0"}
        self.assertEqual([group["keys"] for group in governing(settings, "mix", parts, {}, ())], [{"topology.host_link.loss": "0.003"}])

    def test_a_bug_governs_where_a_nic_has_it(self):
        parts = [{"part": "limiter", "us": 900.0, "share": 0.9}]
        nics = {f"nics.{name}*.bugs.congestion_leaking": value for name, value in (("old", "true"), ("new", "false"))}
        [found] = governing(nics, "mix", parts, {}, ())
        self.assertEqual(found["keys"], {"nics.old*.bugs.congestion_leaking": "true"})


if __name__ == "__main__":
    unittest.main()
