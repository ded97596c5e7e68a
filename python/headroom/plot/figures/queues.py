"""The upper part of the timeline: bytes in the fullest observed queues, with the ECN thresholds of each."""

import numpy as np
import pandas as pd

from headroom.format import format_amount, format_bytes
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_labels
from headroom.plot.drawing.series_reduction import thin
from headroom.plot.drawing.style import QUIET, WARNING, say, shade_warmup, shorten
from headroom.plot.drawing.ticks import bytes_axis

PANEL_HEIGHT, _PLOT_HEIGHT, _MOST = 1.75, 1.25, 4
_LABEL_GAP = 0.14  # inches between threshold labels
_MOST_LABELS = 9  # beside one panel
_FAR = 4  # a threshold beyond this many peaks is named, not drawn
_MOST_PEAKS = 3


class QueueBlock:
    """Chooses the data, computes its height, draws, and stores the drawn data."""

    def __init__(self, results, colours):
        self.results, self.colours = results, colours
        tables = {r.name: r.runs[0].table("queues") for r in results}
        self.tables = {name: t for name, t in tables.items() if t is not None and len(t)}
        peaks = [t.groupby(["node", "port", "queue"], sort=True)["bytes"].max() for t in self.tables.values()]
        ranked = (
            pd.concat(peaks).groupby(level=[0, 1, 2]).max().sort_values(ascending=False, kind="stable")
            if peaks
            else pd.Series(dtype=float)
        )
        # An empty queue has a panel only if all are empty.
        useful = ranked[ranked > 0] if (ranked > 0).any() else ranked
        self.keys = list(useful.index[:_MOST])
        self.observed = len(ranked)
        self.others_empty = len(self.keys) == (ranked > 0).sum()
        self.drawn = []

    @property
    def height(self):
        return PANEL_HEIGHT * len(self.keys) if self.keys else 0.8

    def sentence(self):
        """The sentence for data without a panel."""
        if not self.keys:
            return (
                "No queue was observed. To see queue bytes over time, add to the scenario: "
                'observe: {queues: {every: 10us, match: "NODE:PORT"}}. ' + self._peaks_of_ports()
            ).strip()
        if self.observed > len(self.keys):
            which = "the others stayed empty" if self.others_empty else "those with the highest peaks"
            return f"{len(self.keys)} of {format_amount(self.observed, 'observed queue')}: {which}. All are in queues.csv."
        return ""

    def _peaks_of_ports(self):
        """The highest peaks in ports.csv, which every run has."""
        told = []
        for result in self.results:
            ports = result.runs[0].table("ports")
            if ports is None or not len(ports) or not (ports["peak_queue_bytes"] > 0).any():
                continue
            top = ports.sort_values("peak_queue_bytes", ascending=False, kind="stable").head(3)
            name = "" if len(self.results) == 1 else f" of {shorten(result.name)}"
            told.append(
                f"Highest peaks{name}: "
                + ", ".join(
                    f"{r.node}:{r.port} queue {r.priority} {format_bytes(r.peak_queue_bytes)}"
                    for r in top.itertuples()
                )
                + "."
            )
        return " ".join(told)

    def draw(self, sheet, top, left, width, unit, end_us):
        """Draws below `top`; the panels share the time axis of the pauses, in `unit` µs."""
        if not self.keys:
            say(sheet.axes(0.35, top, 8, 0.6), self.sentence())
            return
        for key in self.keys:
            panel = sheet.axes(left, top + 0.3, width, _PLOT_HEIGHT)
            self._panel(panel, key, unit, end_us)
            top += PANEL_HEIGHT

    def _panel(self, panel, key, unit, end_us):
        node, port, queue = key
        peaks, thresholds = [], []
        for result in self.results:
            table = self.tables.get(result.name)
            if table is None:
                continue
            mine = table[(table["node"] == node) & (table["port"] == port) & (table["queue"] == queue)]
            if not len(mine):
                continue
            colour = self.colours[result.name]
            times, values = thin(mine["time_ns"] / 1000, mine["bytes"])
            panel.plot(times / unit, values, color=colour, linewidth=1.1)
            if len(self.results) == 1:
                panel.fill_between(times / unit, values, color=colour, alpha=0.15, linewidth=0)
            peaks.append((result, float(mine["bytes"].max())))
            found = result.runs[0].thresholds(node, port, queue)
            if found:
                thresholds.append((found, colour))
            self.drawn.append(
                pd.DataFrame(
                    {
                        "result": result.name,
                        "time_us": times,
                        "node": node,
                        "port": port,
                        "queue": queue,
                        "bytes": values,
                        "kmin_bytes": found[0] if found else np.nan,
                        "kmax_bytes": found[1] if found else np.nan,
                    }
                )
            )
        name = self.results[0].runs[0].scenario.class_of(queue)
        title = f"{node}:{port}, queue {queue}" + (f" ({name})" if name else "")
        panel.set_title(shorten(title, 60 if len(peaks) == 1 else 44))
        self._peaks(panel, peaks)
        panel.set_xlim(0, end_us / unit)
        shade_warmup(panel, self.results, unit)
        self._thresholds(panel, thresholds, max(p for _, p in peaks))
        bytes_axis(panel.yaxis)
        panel.set_ylabel("Queued")
        panel.tick_params(labelbottom=False)

    def _peaks(self, panel, peaks):
        """The peaks at the panel's upper right, each in the colour of its result; if there are many, the highest."""
        shown = sorted(peaks, key=lambda pair: -pair[1])[:_MOST_PEAKS]
        words = [(format_bytes(peak), self.colours[result.name]) for result, peak in shown]
        words.append(("peak" if len(peaks) == len(shown) else "highest peaks", QUIET))
        for place, (text, colour) in enumerate(words if len(peaks) > 1 else [(f"peak {words[0][0]}", QUIET)]):
            panel.annotate(
                text,
                (1, 1),
                xycoords="axes fraction",
                xytext=(-50 * place, 3),
                textcoords="offset points",
                ha="right",
                va="bottom",
                fontsize=8,
                color=colour,
            )

    def _thresholds(self, panel, thresholds, peak):
        """Lines at Kmin and Kmax in the result's colour, or grey where results agree, with labels at the right."""
        found = {}
        for (kmin, kmax), colour in thresholds:
            for line in ((kmin, "Kmin"), (kmax, "Kmax")):
                found.setdefault(line, []).append(colour)
        lines = [
            (value, name, (WARNING if len(self.results) == 1 else colours[0]) if len(colours) == 1 else QUIET)
            for (value, name), colours in found.items()
        ]
        near = [line for line in lines if peak == 0 or line[0] <= _FAR * peak]
        far = [line for line in lines if line not in near]
        top = 1.08 * max([peak, 1000 if peak == 0 else 1] + [value for value, _, _ in near])
        panel.set_ylim(0, top)
        for value, name, colour in near:
            panel.axhline(
                value, color=colour, linewidth=1, linestyle="--" if name == "Kmin" else "-.", zorder=1.5
            )
        labels = [(value, f"{name} {format_bytes(value)}", colour) for value, name, colour in near]
        labels += [(top, text, QUIET) for text in dict.fromkeys(f"{name} {format_bytes(v)}, above" for v, name, _ in sorted(far))]
        if len(labels) > _MOST_LABELS:
            labels = [*labels[: _MOST_LABELS - 1], (top, f"and {len(labels) - _MOST_LABELS + 1} more thresholds", QUIET)]
        margin_labels(panel, labels, _LABEL_GAP / _PLOT_HEIGHT)

    def live(self, unit, unit_name, end_us):
        """[Panel] for a browser, from the drawn data."""
        panels, drawn = [], self.table()
        time = live.time(unit_name, range=[0, end_us / unit])
        shaded = [live.span(0, w / unit) for w in {r.runs[0].scenario.warmup_us for r in self.results} if w]
        for node, port, queue in self.keys:
            mine = drawn[(drawn["node"] == node) & (drawn["port"] == port) & (drawn["queue"] == queue)]
            traces, levels = [], {}
            for name, samples in mine.groupby("result", sort=False):
                colour = self.colours[name]
                traces.append(live.line(shorten(name), samples["time_us"] / unit, samples["bytes"], colour))
                peak = samples["bytes"].max()
                for word in ("Kmin", "Kmax"):
                    value = samples[f"{word.lower()}_bytes"].iloc[0]
                    if np.isfinite(value) and (peak == 0 or value <= _FAR * peak):
                        levels.setdefault(value, []).append(word)
            title = f"{node}:{port}, queue {queue}"
            queued = live.axis("Queued", unit="B", rangemode="tozero")
            marks = [
                live.level(value, f"{', '.join(dict.fromkeys(names))} {format_bytes(value)}", WARNING)
                for value, names in levels.items()
            ]
            panels.append(live.Panel(title, time, queued, traces, 170, shaded + marks))
        return panels

    def table(self):
        columns = ["result", "time_us", "node", "port", "queue", "bytes", "kmin_bytes", "kmax_bytes"]
        return pd.concat(self.drawn, ignore_index=True) if self.drawn else pd.DataFrame(columns=columns)
