"""The report: one file that loads no others, and that a browser draws."""

import contextlib
import functools
import io
import json
import re
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from browser import Browser
from synthetic_results import Builder, page_text
from unpainted import painted, unpainted

from headroom.plot.__main__ import main
from headroom.plot.figures.completion import completion_plot
from headroom.plot.figures.slowdown import slowdown_plot
from headroom.result import load_results


class Page(HTMLParser):
    """Collects the files that a page would load and its ids, and checks whether its elements nest."""

    VOID = {"meta", "br", "img", "link", "input", "hr"}

    def __init__(self):
        super().__init__()
        self.loads, self.ids, self.open = [], [], []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.loads += [named[k] for k in ("src", "href", "xlink:href") if k in named and named[k][:1] != "#"]
        if "id" in named:
            self.ids.append(named["id"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")


def full(folder, **keywords):
    """A result with every series."""
    builder = Builder(1).poisson(300).incast().queue().pause_storm().group().rate("h0").rate("h1").cnps("h0")
    return builder.write(folder, **keywords)


def plot(*arguments):
    """The report's path."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = main([str(a) for a in arguments])
    if code != 0:
        raise AssertionError(f"plot ends with {code}")
    return Path(out.getvalue().splitlines()[0])


@functools.cache
def full_report():
    """The report of a result with every series. It takes seconds to draw, so tests that only read it share it."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    return painted(plot)(full(Path(folder.name) / "r"))


def live(report, stem):
    """The figures of that picture, as a browser receives them."""
    text = report.read_text(encoding="utf-8")
    found = json.loads(re.search(r'id="figures">(.*?)</script>', text, re.S)[1])[stem]
    return found if isinstance(found, list) else [found]


class Written(unittest.TestCase):
    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self._temporary.name)
        self.addCleanup(self._temporary.cleanup)


@unpainted
class Report(Written):
    def test_one_file_that_loads_nothing(self):
        a = Builder(1).poisson(300).incast().queue().pause_storm().rate("h0").write(self.folder / "a")
        b = Builder(2).poisson(300).incast().queue().write(self.folder / "b<&>")
        text = page_text(plot(a, b, "--out", self.folder / "out"))
        page = Page()
        page.feed(text)
        self.assertEqual(page.open, [])
        self.assertEqual(page.loads, [])
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id appears twice")
        self.assertNotIn("@import", text)
        for target in re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', text):
            self.assertIn(target, page.ids)
        self.assertIn("b&lt;&amp;&gt;", text)
        self.assertLess(text.index("In words"), text.index("<svg"))
        self.assertIn('name="viewport"', text)
        self.assertIn("@media print", text)

    def test_words_before_figures_before_the_scenario(self):
        text = page_text(full_report())
        places = [
            text.index(t)
            for t in ("In words", "Completion times", "<figure", "The resolved scenario", "kmin: 400kB")
        ]
        self.assertEqual(places, sorted(places))

    def test_every_figure_has_a_still_picture_and_a_live_one(self):
        text = page_text(full_report())
        figures = json.loads(re.search(r'id="figures">(.*?)</script>', text, re.S)[1])
        self.assertEqual(set(re.findall(r'id="live-([^"]+)"', text)), set(figures))
        self.assertEqual(text.count("<figure"), len(figures))
        self.assertEqual(text.count("<svg"), len(figures))

    def test_a_comparison_says_what_changed_first(self):
        for seed in (1, 2, 3):
            Builder(seed).poisson(200).incast().write(self.folder / f"a/seed-{seed}")
            Builder(seed).poisson(200).incast(slowness=2).write(self.folder / f"b/seed-{seed}")
        text = page_text(plot(self.folder / "a", self.folder / "b", "--out", self.folder / "out"))
        words = text[text.index("In words") : text.index("Completion times")]
        # 16 MB at 100 Gb/s take 1.28 ms, and twice that if everything takes twice as long.
        self.assertRegex(
            words,
            r"<li>Longest of burst rose from 1\.3\d* ms to 2\.[67]\d* ms \(95 % interval of the difference \+",
        )
        self.assertIn("3 seeds", words)
        self.assertNotIn("p99 of background rose", words)

    def test_a_comparison_names_the_settings_that_differ(self):
        text = page_text(plot(full(self.folder / "a"), full(self.folder / "b", kmin="100kB"), "--out", self.folder / "out"))
        table = text[text.index("Settings that differ") : text.index("<h2>Completion times")]
        self.assertIn("<th>switches.*.ecn.storage.kmin</th><td>400kB</td><td>100kB</td>", table)
        self.assertEqual(table.count("<tr><th>switches"), 1)

    def test_several_seeds_are_told_as_means_with_intervals(self):
        for seed, took in ((1, 100), (2, 110), (3, 120)):
            builder = Builder(seed)
            for _ in range(4):
                builder.message("w", 1000, 0, took, 10)
            builder.write(self.folder / f"s/seed-{seed}")
        text = page_text(plot(self.folder / "s"))
        # The mean is 110, the standard deviation 10, t of two degrees of freedom 4.303: 4.303 · 10 / √3 = 24.8.
        self.assertIn("12 messages, all finished; in a seed, half took up to 110 ± 25 µs, the slowest", text)
        self.assertIn("<td>110 µs<small>± 25 µs</small></td>", text)
        # The plots have another median, that of all messages: each states which it is.
        self.assertIn("Percentiles in the plots are pooled", text)
        results = load_results([self.folder / "s"])
        legend = [t.get_text() for t in completion_plot(results).figure.texts]
        self.assertTrue(any(t.startswith("w: 12 messages of 3 seeds pooled, p50 110\u00a0µs, max 120") for t in legend), legend)
        self.assertIn("w: 12 messages of 1 kB of 3 seeds pooled, slowdown", slowdown_plot(results).caption)
        for seed in (1, 2):
            Builder(seed).poisson(300).write(self.folder / f"sizes/seed-{seed}")
        titles = [panel.get_title(loc="left") for panel in slowdown_plot(load_results([self.folder / "sizes"])).figure.axes]
        self.assertIn("p50, seeds pooled", titles)
        self.assertNotIn("pooled", page_text(plot(self.folder / "s/seed-1")))

    def test_times_have_one_unit_in_table_axis_and_hover(self):
        builder = Builder()
        for number in range(200):
            builder.message("w", 1000, number, 14_325 if number == 7 else 10 + number, 5)
        [figure] = live(plot(builder.write(self.folder / "r")), "completion-time")
        self.assertIn("<td>14.3 ms</td>", page_text(self.folder / "r/report.html"))
        # In seconds plotly.js writes 10ms at the axis and 14.3ms in the hover, with the prefix that fits the number.
        for axis in ("xaxis", "xaxis2"):
            found = figure["layout"][axis]
            self.assertEqual((found["ticksuffix"], found["tickformat"], found["hoverformat"]), ("s", "~s", ".3s"))
        self.assertEqual(max(figure["data"][0]["x"]), 0.014325)
        still = completion_plot(load_results([self.folder / "r"])).figure
        still.canvas.draw()
        self.assertEqual([t.get_text() for t in still.axes[0].get_xticklabels()], ["10 µs", "100 µs", "1 ms", "10 ms"])

    def test_delivery_stands_below_completion(self):
        builder = Builder()
        for _ in range(4):
            builder.message("w", 1000, 0, 100, 10)
        text = page_text(plot(builder.write(self.folder / "r")))
        self.assertRegex(text, "<th>w, delivered</th><td>99 µs</td>(<td>99 µs</td>){4}<td></td>")
        slower = Builder()
        for _ in range(4):
            slower.message("w", 1000, 0, 199, 10)
        text = page_text(plot(self.folder / "r", slower.write(self.folder / "s"), "--out", self.folder / "both"))
        delivered = text[text.index("<h3>w, delivered</h3>") :]
        self.assertIn("<td>198 µs<small>+100 %</small></td>", delivered)

    def test_a_section_of_one_point_is_a_sentence(self):
        report = plot(Builder().incast(size=250_000, bursts=1).write(self.folder / "r"))
        text = page_text(report)
        self.assertRegex(text, "<h2>Slowdown against message size</h2>\n<p>burst: 16 messages of 250 kB, slowdown p50 [0-9.]+, max [0-9.]+.</p>")
        self.assertIn("<p>At most, memory of a switch 2 MB of 24 MB (t0); headroom of a switch", text)
        alone = Builder()
        alone.message("only", 1000, 0, 20, 10)
        text = page_text(plot(alone.write(self.folder / "one")))
        self.assertIn("<h2>Completion time</h2>\n<p>only: 1 message, max 20 µs.</p>", text)
        self.assertNotIn("At most, memory", page_text(plot(self.folder / "r", self.folder / "one", "--out", self.folder / "two")))

    def test_names_of_thresholds_stand_beside_panels(self):
        for stem in ("timeline", "headroom", "occupancy"):
            for figure in live(full_report(), stem):
                words = figure["layout"]["annotations"]
                self.assertFalse([a for a in words if "Kmin" in a["text"] and a["yref"] != "paper"], stem)
                dashed = [a["text"] for a in words if "dashed: " in a["text"]]
                lines = [s for s in figure["layout"]["shapes"] if s["type"] == "line"]
                self.assertEqual(bool(dashed), bool(lines), stem)
        [timeline] = live(full_report(), "timeline")
        told = timeline["layout"]["annotations"][0]["text"]
        self.assertIn('<span style="color:#B03A00">dashed: Kmin 400 kB</span>, <span style="color:#B03A00">Kmax 1.6 MB</span>', told)

    def test_a_legend_belongs_to_its_panel(self):
        result = Builder().queue(port="p1").queue(port="p2").group(port="p1", xoff_at=1000).group(port="p2", xoff_at=1000)
        report = plot(result.write(self.folder / "r"))
        queues, groups, headroom = live(report, "occupancy")
        for figure, names in ((queues, ["t0:p1 queue 3", "t0:p2 queue 3"]), (groups, ["t0:p1 group 3", "t0:p2 group 3"])):
            self.assertEqual(sorted(t["name"] for t in figure["data"] if t["showlegend"]), names)
            self.assertNotIn("yaxis2", figure["layout"])
        self.assertEqual(len(headroom["data"]), 2)
        [held] = live(report, "headroom")
        self.assertEqual([t["name"] for t in held["data"] if t["showlegend"]], ["shared", "XOFF at"])

    def test_what_was_sent_stands_below_what_was_allowed(self):
        result = Builder().rate("h0", idle_from=1000).rate("h1").write(self.folder / "r")
        [figure] = live(plot(result), "rates")
        titles = [a["text"] for a in figure["layout"]["annotations"]]
        self.assertEqual(titles, ["<b>Allowed</b>", "<b>Sent, means of 20 µs</b>"])
        allowed, sent = ([t for t in figure["data"] if t["name"] == "h0 → t, QP 0" and t["yaxis"] == y][0] for y in ("y", "y2"))
        self.assertEqual(max(allowed["y"]), 40e9)
        rate_at = dict(zip(sent["x"], sent["y"]))
        # The rate is cut at 500 µs: 40 Gb/s before, 20 after; from 1 ms on the queue pair has nothing to send, though
        # it may.
        self.assertEqual(rate_at[0.1], 40e9)
        self.assertEqual(rate_at[0.5], 20e9)
        self.assertEqual(rate_at[2.0], 0)
        self.assertGreater(min(allowed["y"]), 0)
        self.assertIn("Allowed and sent rate per queue pair", page_text(self.folder / "r/report.html"))

    def test_rates_of_an_older_result_are_called_allowed(self):
        result = Builder().rate("h0").write(self.folder / "r")
        rows = (result / "rates.csv").read_text().splitlines()
        (result / "rates.csv").write_text("".join(row.rsplit(",", 2)[0] + "\n" for row in rows))
        [figure] = live(plot(result), "rates")
        self.assertEqual([a["text"] for a in figure["layout"]["annotations"]], ["<b>Allowed</b>"])
        self.assertIn("<h2>Allowed rate per queue pair</h2>", page_text(self.folder / "r/report.html"))

    def test_one_pause_is_one_time(self):
        folder = Builder().incast().pause_storm(ports=1, per_burst=1, bursts=1, both_ends=False).write(self.folder / "one")
        self.assertIn("PFC paused 1 time, ", page_text(plot(folder)))

    def test_what_dropped_lossless_traffic_is_told_by_reason(self):
        def words(reason):
            builder = Builder().incast()
            result = builder.write(self.folder / reason)
            file = result / "summary.json"
            summary = json.loads(file.read_text())
            summary["drops"] = {"lossless": 7, "lossy": 0, "by_reason": {reason: 7}}
            file.write_text(json.dumps(summary))
            return page_text(plot(result))

        self.assertIn("Lossless traffic was dropped: the headroom of a group, or the headroom pool, is too small.", words("headroom_full"))
        self.assertIn("Lossless traffic was dropped: reasons of all drops: link_loss 7.", words("link_loss"))


@unpainted
class InABrowser(Written):
    """Headless Chromium, which setup/packages.txt installs for the tests."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, path, width=1200):
        self.browser.open(path, width)
        self.assertTrue(self.browser.drawn(), self.browser.messages())

    def test_draws_all_figures_without_a_word_on_the_console(self):
        self.open(full_report())
        self.assertEqual(self.browser.messages(), [])
        drawn = self.browser.run(
            "return [...document.querySelectorAll('.live')].map(d => d.querySelectorAll('.trace').length)"
        )
        self.assertGreaterEqual(len(drawn), 7)
        self.assertTrue(all(drawn), drawn)
        self.assertEqual(
            self.browser.run("return performance.getEntriesByType('resource').length"),
            0,
            "it loads something",
        )

    def test_names_that_are_written_like_markup_stop_no_figure(self):
        bad = "<!--<script>", "</script><script>document.title='ran'</script>", "a\u2028b&lt;<b>"
        builder = Builder(1).poisson(300).queue(node=bad[0], port=bad[2]).group(node=bad[1]).rate(bad[0]).cnps(bad[0])
        for name in bad:
            builder.incast(workload=name)
            builder.pauses.append(["1000.000", name, "p0", "t0", bad[0], 3, "rx", "500000.000", 0, 0])
        builder.event(5, bad[0], node=bad[1], detail=bad[1])
        self.open(plot(builder.write(self.folder / "r<!--<script>")))
        self.assertEqual(self.browser.messages(), [])
        self.assertEqual(self.browser.run("return document.title"), "Headroom: r<!--<script>")
        drawn = self.browser.run(
            "return [...document.querySelectorAll('.live')].map(d => d.querySelectorAll('.trace').length)"
        )
        self.assertEqual(len(drawn), 7)
        self.assertTrue(all(drawn), drawn)
        shown = self.browser.run("return document.querySelector('#live-completion-time').textContent")
        for name in bad:
            self.assertIn(name.replace("\u2028", ""), shown.replace("\u2028", ""))

    def test_where_pages_are_darkened_figures_have_light_paper(self):
        """A darkened page would leave the dark text of its figures."""
        browser = Browser()  # the others are not darkened
        self.addCleanup(browser.close)
        plain = self.folder / "plain.html"
        plain.write_text("<!DOCTYPE html><html><body>text</body></html>", encoding="utf-8")
        for path, paper in ((plain, False), (full_report(), True), (full_report().parent / "plots/slowdown.svg", True)):
            browser.open(path, 600)
            browser.darken()
            is_light = bool((browser.picture()[20, 560, :3] == 1).all())
            self.assertEqual(is_light, paper, path)

    def test_a_click_on_a_name_hides_its_lines(self):
        self.open(full_report())
        count = "return document.querySelectorAll('#live-completion-time .scatterlayer .trace').length"
        self.assertEqual(self.browser.run(count), 4)  # two workloads in two panels
        self.browser.click("#live-completion-time .legendtoggle")
        self.assertTrue(self.browser.soon(count + " === 2"))

    def test_fits_a_phone(self):
        self.open(full_report(), width=390)
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)
        widest = "return Math.max(...[...document.querySelectorAll('.live .main-svg')].map(s => s.getBoundingClientRect().right))"
        self.assertLessEqual(self.browser.run(widest), 390)

    def test_time_begins_at_0(self):
        """Markers of events at the beginning of a run leave no room before it."""
        path = plot(Builder(1).poisson(300).incast().pause_storm().event(0.0, "first_mark").cnps("h0").group().write(self.folder / "r"))
        self.open(path)
        begin = self.browser.run(
            """return [...document.querySelectorAll('.js-plotly-plot')].flatMap(p => Object.entries(p._fullLayout)
                 .filter(([k, axis]) => /^xaxis/.test(k) && / [mµn]?s$/.test(axis.ticksuffix || '')).map(([k, axis]) => axis.range[0]))"""
        )
        self.assertGreater(len(begin), 3)
        self.assertEqual(set(begin), {0})

    def test_all_percentiles_are_on_a_phones_screen(self):
        for name in ("a-result-with-a-long-name", "b"):
            for seed in (1, 2, 3):
                Builder(seed).poisson(1200).incast().write(self.folder / name / f"seed-{seed}")
        self.open(plot(self.folder / "b", self.folder / "a-result-with-a-long-name", "--out", self.folder / "both"), width=390)
        seen = """return [...document.querySelectorAll('td[data-column="p99"], td[data-column="p99.9"], td[data-column="max"]')]
          .map(td => td.getBoundingClientRect()).filter(r => r.width > 0 && r.left >= 0 && r.right <= 390).length"""
        # There are three columns, two workloads, completed and delivered, two results.
        self.assertEqual(self.browser.run(seen), 3 * 2 * 2 * 2)
        named = "return getComputedStyle(document.querySelector('td[data-column=\"p99\"]'), '::before').content"
        self.assertEqual(self.browser.run(named), '"p99"')

    def test_percentiles_of_operations_are_seen_without_scrolling(self):
        folders = []
        for name, unfinished in (("region-as-it-is-shipped", 0), ("region-with-larger-chunks", 2)):
            folders.append(self.folder / name)
            for seed in (1, 2, 3):
                builder = Builder(seed).disks(1200, slowness=1 + seed / 7, unfinished=unfinished)
                builder.write(folders[-1] / f"seed-{seed}")
        hidden = """return [...document.querySelectorAll('.scroll > table.times')].flatMap(table =>
          [...table.querySelectorAll('thead th')].filter(th => th.getBoundingClientRect().right >
            table.parentNode.getBoundingClientRect().right + 1).map(th => th.textContent))"""
        self.open(plot(folders[0]), width=1300)
        self.assertEqual(self.browser.run(hidden), [])
        self.open(plot(*folders, "--out", self.folder / "both"), width=1300)
        self.assertEqual(self.browser.run(hidden), [])
        columns = "return [...document.querySelector('table.times').querySelectorAll('thead th')].map(th => th.textContent)"
        times = ["mean", "p50", "p90", "p99", "p99.9", "max"]
        self.assertEqual(self.browser.run(columns), ["Result", *times, "IOPS", "Gb/s", "offered", "unfinished"])

    def test_prints_the_still_pictures(self):
        self.open(full_report())
        shown = "return [...document.querySelectorAll('{}')].filter(e => getComputedStyle(e).display !== 'none').length"
        self.assertEqual(self.browser.run(shown.format(".still")), 0)
        self.browser.print_media()
        self.assertGreaterEqual(self.browser.run(shown.format(".still")), 7)
        self.assertEqual(self.browser.run(shown.format(".live")), 0)


if __name__ == "__main__":
    unittest.main()
