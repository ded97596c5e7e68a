"""The map of the network: links of every topology, groups of many nodes, colours, names that stand apart, clicks that
lead to a place."""

import contextlib
import functools
import io
import json
import re
import tempfile
import unittest
from pathlib import Path

from browser import Browser
from synthetic_results import LINKS, Builder, page_text, write_csv, write_ports
from unpainted import unpainted

from headroom.plot.__main__ import main
from headroom.plot.network.drawing import Map
from headroom.plot.network.groups import groups_of
from headroom.plot.network.layout import layout_of
from headroom.plot.network.links import network_of
from headroom.plot.network.measures import Port, class_of, measures, ports_of
from headroom.plot.report.answer import answers
from headroom.result import load_results

WAITS = "id,way,node,port,queue,since_ns,queued_ns,paused_ns".split(",")


def _leaf_spine(leaves, spines, below):
    """[((node, port), (node, port))] of the links."""
    found = [((f"h{i * below + p}", "p0"), (f"leaf{i}", f"p{p}")) for i in range(leaves) for p in range(below)]
    return found + [((f"leaf{i}", f"p{below + s}"), (f"spine{s}", f"p{i}")) for i in range(leaves) for s in range(spines)]


def _fat_tree(k):
    half = k // 2
    found = [((f"h{e * half + p}", "p0"), (f"edge{e}", f"p{p}")) for e in range(k * half) for p in range(half)]
    for pod in range(k):
        for i in range(half):
            found += [((f"edge{pod * half + i}", f"p{half + a}"), (f"agg{pod * half + a}", f"p{i}")) for a in range(half)]
            found += [((f"agg{pod * half + i}", f"p{half + c}"), (f"core{i * half + c}", f"p{pod}")) for c in range(half)]
    return found


def _ends(links):
    return [end for link in links for end in link]


class OnDisk(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def write(self, links, builder=None, **counters):
        """A result with these links. `counters`: {"node_port": {column: value}}, 0 elsewhere."""
        folder = (builder or Builder()).write(self.folder / "r")
        ports = _ends(links)
        write_ports(folder, [{"node": node, "port": port, "priority": 3} | counters.get(f"{node}_{port}", {}) for node, port in ports])
        write_csv(folder / "links.csv", LINKS, [[*here, *there, 10**11, "15.000"] for link in links for here, there in (link, link[::-1])])
        summary = json.loads((folder / "summary.json").read_text())
        switches = {node for node, _ in ports if not re.fullmatch(r"h\d+|.*-h\d+|host.*", node)}
        summary["buffer"] = {node: {"size_bytes": 1} for node in sorted(switches)}
        (folder / "summary.json").write_text(json.dumps(summary))
        return folder

    def network(self, *arguments, **counters):
        [result] = load_results([self.write(*arguments, **counters)])
        return network_of(result.runs[0])


class Links(OnDisk):
    def test_tiers_are_distances_from_hosts(self):
        network = self.network(_leaf_spine(2, 2, 3))
        self.assertEqual(len(network.links), 2 * 3 + 2 * 2)
        self.assertEqual({network.tiers[node] for node in ("leaf0", "leaf1")}, {1})
        self.assertEqual({network.tiers[node] for node in ("spine0", "spine1")}, {2})
        self.assertEqual(network.neighbours()["spine1"], {"leaf0", "leaf1"})

    def test_a_port_without_counters_has_no_link(self):
        links = [(("host-a", "p0"), ("edge", "Ethernet4")), (("edge", "p1"), ("far", "p0")), (("far", "p1"), ("far-2", "p0"))]
        network = self.network(links)
        self.assertEqual(network.tiers, {"host-a": 0, "edge": 1, "far": 2, "far-2": 3})
        write_ports(self.folder / "r", [{"node": node, "port": port} for node, port in _ends(links[:2])])
        [result] = load_results([self.folder / "r"])
        self.assertEqual([(link.a, link.b) for link in network_of(result.runs[0]).links], links[:2])

    def test_an_older_result_has_no_map_and_the_report_says_why(self):
        folder = self.write(_leaf_spine(2, 1, 2), Builder().poisson(20))
        (folder / "links.csv").unlink()
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(folder)]), 0)
        self.assertIn("r has no map of the network: links.csv is missing; run the scenario again with --force", page_text(folder / "report.html"))


class Groups(OnDisk):
    def test_every_port_is_in_one_bundle_however_few_groups(self):
        for topology, links in (("fat_tree", _fat_tree(8)), ("leaf_spine", _leaf_spine(12, 3, 4))):
            network = self.network(links)
            for limits in ((300, 150), (20, 150), (20, 30)):
                with self.subTest(topology, limits=limits):
                    groups, bundles = groups_of(network, *limits)
                    self.assertEqual(sorted(node for group in groups for node in group.members), sorted(network.tiers))
                    drawn = sorted(end for bundle in bundles for end in bundle.there + bundle.back)
                    self.assertEqual(drawn, sorted(_ends(links)))
                    self.assertTrue(all(len({network.tiers[node] for node in group.members}) == 1 for group in groups))
            (self.folder / "r").rename(self.folder / topology)

    def test_pods_are_groups_of_a_large_fat_tree(self):
        network = self.network(_fat_tree(8))
        groups, bundles = groups_of(network, 20, 30)
        by_name = {group.name: group.members for group in groups}
        self.assertEqual(by_name["edge4"], ["edge4", "edge5", "edge6", "edge7"])
        self.assertEqual(by_name["agg4"], ["agg4", "agg5", "agg6", "agg7"])
        self.assertEqual(len(by_name["h16"]), 16)
        [bundle] = [b for b in bundles if (b.a.name, b.b.name) == ("edge4", "agg4")]
        self.assertEqual(len(bundle.there), 16)

    def test_no_two_groups_stand_in_one_place(self):
        network = self.network(_leaf_spine(9, 4, 7))
        layout = layout_of(*groups_of(network))
        for tier, least in ((0, 4.9), (1, 20), (2, 20)):
            row = sorted(x for (_, height), (x, _) in layout.places.items() if height == tier)
            self.assertGreaterEqual(min(b - a for a, b in zip(row, row[1:])), least)


class Measures(unittest.TestCase):
    def test_one_outlier_leaves_the_others_their_colours(self):
        ports = {("s", f"p{i}"): Port(utilisation=0.05 * i) for i in range(20)} | {("s", "p99"): Port(waited_us=1e6)}
        by = measures([ports])
        self.assertEqual([measure.name for measure in by], ["utilisation", "paused", "marked", "waiting"])
        classes = {class_of(by[0], port.utilisation) for port in ports.values()}
        self.assertEqual(classes, {0, 1, 2, 3, 4, 5})


@functools.cache
def _shown(prefix):
    """The folder of a small result with a report; `prefix` precedes the names of nodes."""
    disk = OnDisk()
    disk.setUp()
    unittest.addModuleCleanup(disk.doCleanups)
    return Shown.written(disk, lambda name: prefix + name)


class Shown(OnDisk):
    def page(self, prefix=""):
        return _shown(prefix)

    def written(self, named):
        links = [tuple((named(node), port) for node, port in link) for link in _leaf_spine(2, 1, 2)]
        busy = {"utilisation": 0.7, "tx_packets": 100, "marked_packets": 3, "tx_bytes": 1000}
        builder = Builder().poisson(300).incast()
        builder.pauses.append(["0.000", named("leaf1"), "p2", named("spine0"), "p1", 3, "tx", "400000.000", 0, 0])
        builder.causes.append(["0.000", named("leaf1"), "p2", 3, "400000.000", named("leaf1"), "p0", 3, "background", 1.0, "queue"])
        counters = {f"{named('leaf0')}_p2": busy, f"{named('spine0')}_p1": {"paused_us_rx": 400, "tx_packets": 9, "tx_bytes": 9}}
        folder = self.write(links, builder, **counters)
        waits = [[row[0], "data", named("spine0"), "p1", 3, "0.000", "40000.000", "50000.000"] for row in builder.messages[:12]]
        write_csv(folder / "message_waits.csv", WAITS, waits)
        summary = json.loads((folder / "summary.json").read_text())
        background = summary["messages"]["background"]
        background["parts_us"] = {"p99": {"paused": 30.0, "wire": 10.0, "nic": 0.5}}
        background["waits_us"] = {"p99": {f"{named('spine0')}:p1:3": {"towards": named("leaf1"), "queued": 0.0, "paused": 30.0, "ack_queued": 0.0, "ack_paused": 0.0}}}
        (folder / "summary.json").write_text(json.dumps(summary))
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([str(folder)]), 0)
        return folder


@unpainted
class OnThePage(Shown):
    def test_the_answer_stands_first_and_is_what_the_summary_counted(self):
        folder = self.page()
        text = page_text(folder / "report.html")
        [result] = load_results([folder])
        told, more = answers(result)
        self.assertEqual(more, 0)
        [of_background] = [line for line in told if "`background`" in line]
        self.assertIn("spent 74.1 % of their time paused by PFC (100 % of it at spine0:p1:3 towards leaf1)", of_background)
        shown = "spent 74.1 % of their time paused by PFC (100 % of it at spine0:p1:3 towards leaf1)"
        self.assertIn("<b>background</b>", text)
        self.assertLess(text.index(shown), text.index("<svg"))
        self.assertEqual(len(told), 2)

    def test_links_lead_to_rows_and_say_what_they_show(self):
        text = page_text(self.page() / "report.html")
        svg = text[text.index("<svg") : text.index("</svg>")]
        targets = re.findall(r'<a href="#([^"]+)" class="([^"]+)" aria-label="([^"]+)"', svg)
        self.assertEqual(len(targets), 2 * (4 + 2))
        for target, _, _ in targets:
            self.assertEqual(len(re.findall(f'<tr id="{target}">', text)), 1, target)
        [(_, classes, words)] = [target for target in targets if target[2].startswith("leaf0:p2 ")]
        self.assertEqual(words, "leaf0:p2 towards spine0: utilisation 70 %, paused time 0 %, marks 3 %, waiting time 0 µs")
        self.assertEqual(classes, "m0-4 m1-0 m2-3 m3-0")
        [(target, _, words)] = [target for target in targets if target[2].startswith("spine0:p1 ")]
        self.assertIn("waiting time 30 µs", words)
        row = text[text.index(f'<tr id="{target}">') :].split("</tr>")[0]
        for cell in ("spine0:p1:3", "leaf1:p2", "400 µs", "30 µs<small>background</small>"):
            self.assertIn(f"<td>{cell}</td>", row)

    def test_contents_name_every_section(self):
        text = (self.page() / "report.html").read_text(encoding="utf-8")
        nav = re.search(r"<nav.*?</nav>", text, re.S)[0]
        headings = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', text)
        self.assertEqual(re.findall(r'<a href="#([^"]+)">(.*?)</a>', nav), headings)
        self.assertEqual(text.count("<h2"), len(headings))


@unpainted
class InABrowser(Shown):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def test_the_reader_picks_the_colours_and_a_click_leads_to_the_queue(self):
        folder = self.page()
        self.browser.open(folder / "report.html", 1400)
        stroke = "return getComputedStyle(document.querySelector('[aria-label^=\"spine0:p1 \"] .half')).stroke"
        seen = set()
        for number in range(4):
            self.browser.click(f'label[for="by-0-{number}"]')
            seen.add(self.browser.run(stroke))
        self.assertGreaterEqual(len(seen), 3)
        self.browser.run("document.querySelector('[aria-label^=\"spine0:p1 \"]').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
        self.assertTrue(self.browser.soon("return location.hash.includes('spine0-p1-3')", 5))
        inside = "const r = document.querySelector(location.hash).getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight"
        self.assertTrue(self.browser.soon(inside, 5))
        self.assertTrue(self.browser.run("return document.querySelector('nav').getBoundingClientRect().top >= 0"))

    def test_it_fits_a_desk_and_a_phone(self):
        folder = self.page("dc0-c1-rack7-")
        wide = """return [...document.querySelectorAll('.scroll')].filter(e => e.getBoundingClientRect().width &&
          e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60))"""
        self.browser.open(folder / "report.html", 1400)
        self.assertTrue(self.browser.drawn())
        self.assertEqual(self.browser.run(wide), [])
        self.browser.open(folder / "report.html", 390)
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)
        self.assertTrue(self.browser.run("return document.querySelector('nav').getBoundingClientRect().height < 60"))

    def test_names_on_the_map_stand_apart(self):
        apart = """const boxes = [...document.querySelectorAll('svg text')].map(t => [t.textContent, t.getBoundingClientRect()]);
          return boxes.flatMap(([a, r], i) => boxes.slice(i + 1).filter(([, s]) => r.left < s.right - 1 && s.left < r.right - 1 &&
            r.top < s.bottom - 2 && s.top < r.bottom - 2).map(([b]) => a + ' over ' + b))"""
        for name, links, limits in (
            ("small", _leaf_spine(2, 2, 3), (300, 150)),
            ("wide", _leaf_spine(40, 6, 4), (300, 150)),
            ("pods", _fat_tree(8), (100, 30)),
            ("hosts", _fat_tree(8), (100, 150)),
        ):
            with self.subTest(name):
                [result] = load_results([self.write(links)])
                all_ports = ports_of(result)
                drawn = Map(*groups_of(network_of(result.runs[0]), *limits), all_ports, measures([all_ports]), lambda place: "x")
                page = self.folder / f"{name}.html"
                page.write_text(f"<meta charset=utf-8><body>{drawn.svg(name)}", encoding="utf-8")
                self.browser.open(page, 1400)
                self.assertGreater(self.browser.run("return document.querySelectorAll('svg text').length"), 5)
                self.assertEqual(self.browser.run(apart), [])
            (self.folder / "r").rename(self.folder / name)


if __name__ == "__main__":
    unittest.main()
