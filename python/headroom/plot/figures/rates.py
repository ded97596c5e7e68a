"""Rates of queue pairs over time: the rates that the reaction points allow, below them the sent rates, and the
notifications that cut.

One result with few QPs has one panel with a line for each. Several results with few QPs have one panel for each QP,
with the results' lines together. With many QPs there is one panel for each result, with a thin line for every QP and a
thick one for the median. If allowed rates fall far below the highest the axis is logarithmic, because otherwise the
recovery from a few Mb/s would be invisible. Sent rates fluctuate, so their axis is linear and they are drawn as means
over intervals.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from headroom.format import format_amount, format_rate, format_time
from headroom.plot.drawing import live
from headroom.plot.drawing.margin import margin_labels
from headroom.plot.drawing.plot import Plot, notes_of, result_colours, title_of
from headroom.plot.drawing.series_reduction import thin
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, dashes, shade_warmup, shorten, warmup_note
from headroom.plot.drawing.ticks import log_axis, time_unit
from headroom.plot.figures.cnps import CnpStrip

_HEADING, _ALLOWED_ALONE = "Allowed and sent rate per queue pair", "Allowed rate per queue pair"
_ALLOWED = "Allowed"
_LEFT, _FEW, _MOST_LINES, _MOST_LIVE = 0.95, 6, 200, 40
_END_GAP = 0.16  # inches between two names at the ends of lines
_LOG_BELOW = 1 / 20  # share of the highest rate
_STRETCHES = 250  # parts of the time, over which sent bytes are averaged
_BETWEEN = 0.38  # inches between two panels
_STEP = {"drawstyle": "steps-post"}


def _by_qp(table):
    """{(host, qp): (µs, bit/s)} of allowed rates."""
    found = {
        key: (t["time_ns"].to_numpy(float) / 1000, t["rate_bps"].to_numpy(float))
        for key, t in table.groupby(["host", "qp"], sort=False)
    }
    return dict(sorted(found.items(), key=_place))


def _sent(table, end_us):
    """({(host, qp): (µs, bit/s)}, µs over which one value averages) of sent bytes; empty without such samples. A value
    holds from its time to the next one; the last is 0 and ends them."""
    table = table[table["sent_bytes"].notna()]
    steps = np.unique(table["time_ns"].to_numpy(float)) / 1000
    if len(steps) < 2:
        return {}, 0.0
    every = np.diff(steps).min()
    each = max(1, round(end_us / _STRETCHES / every))  # samples
    found = {}
    for key, samples in table.groupby(["host", "qp"], sort=False):
        stretch = np.ceil(samples["time_ns"].to_numpy(float) / 1000 / every - 1e-6).clip(min=1).astype(int) - 1
        sums = np.bincount(stretch // each, samples["sent_bytes"].to_numpy(float))
        found[key] = np.arange(len(sums) + 1) * each * every, np.r_[8e6 * sums / (each * every), 0.0]
    return dict(sorted(found.items(), key=_place)), each * every


def _place(item):
    """Sorted by host and QP number."""
    (host, qp), _ = item
    return host, len(qp), qp


def _peers(tables):
    """{(host, qp): the host at the other end} of queue pairs that always had the same one."""
    found = {}
    for table in tables:
        some = table[table["peer"].notna()].drop_duplicates(["host", "qp", "peer"])
        for host, qp, peer in zip(some["host"], some["qp"], some["peer"]):
            found.setdefault((host, qp), set()).add(peer)
    return {key: next(iter(ports)) for key, ports in found.items() if len(ports) == 1}


def labels_of(keys, peers, limit=52):
    """{(host, qp): words}: "h0 → h16, QP 0", without the other end if it is not known, or not always the same."""
    return {key: f"{shorten(f'{key[0]} → {peers[key]}' if key in peers else key[0], limit)}, QP {key[1]}" for key in keys}


def _in_margin(label):
    """The form that fits beside a panel: the QP has its own line if the ends are long."""
    ends, _, number = label.rpartition(", ")
    return label if len(label) <= 24 else f"{shorten(ends, 24)}\n{number}"


class _Axes:
    """Common properties of all panels of allowed rates, or of sent ones: time from 0 to the end, rates on one scale."""

    def __init__(self, results, lines, what, labels, linear=False):
        self.results, self.what, self.labels = results, what, labels
        self.end_us = max(1e-3, max(r.runs[0].end_us for r in results))
        self.unit, self.unit_name = time_unit(self.end_us)
        values = [values for found in lines.values() for _, values in found.values()]
        self.top = max(1.0, max((v.max() for v in values), default=1.0))
        lowest = min((v[v > 0].min() for v in values if (v > 0).any()), default=self.top)
        self.log = lowest < _LOG_BELOW * self.top and not linear
        self.bottom = lowest

    def frame(self, panel, title, last):
        panel.set_title(self.title(title))
        panel.set_xlim(0, self.end_us / self.unit)
        shade_warmup(panel, self.results, self.unit)
        if self.log:
            log_axis(panel, "y", self.bottom / 1.5, self.top * 1.5, format_rate)
        else:
            panel.set_ylim(0, 1.06 * self.top)
            panel.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
            panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_rate(value)))
        panel.set_ylabel("Rate")
        if last:
            panel.set_xlabel(f"Time ({self.unit_name})")
        else:
            panel.tick_params(labelbottom=False)

    def title(self, whose):
        """ "h0 → h16, QP 0: allowed" """
        return f"{whose}: {self.what[0].lower()}{self.what[1:]}" if whose else self.what

    def live(self):
        time = live.time(self.unit_name, range=[0, self.end_us / self.unit])
        return time, live.axis("Rate", log=self.log, unit="b/s")


def _median(lines, end_us):
    """The median rate among the QPs that exist, on a common grid."""
    grid = np.linspace(0, end_us, 400)
    rates = np.full((len(lines), len(grid)), np.nan)  # rates of queue pairs that do not exist yet
    for row, (times, values) in enumerate(lines):
        index = np.searchsorted(times, grid, side="right") - 1
        alive = (index >= 0) & (grid <= times[-1])
        rates[row, alive] = values[index[alive]]
    some = ~np.isnan(rates).all(axis=0)
    return grid[some], np.nanmedian(rates[:, some], axis=0)


def _table(result, key, times, values):
    return pd.DataFrame({"result": result.name, "host": key[0], "qp": key[1], "time_us": times, "rate_bps": values})


def _few_lines(sheet, axes, results, lines, looks, keys, places, last):
    """One panel in total (one result), or one for each QP (several); returns the drawn tables and panels for a browser.
    last: no other panel with the time axis follows."""
    tables, panels = [], []
    alone = len(results) == 1
    for index, (top, width, height) in enumerate(places):
        panel = sheet.axes(_LEFT, top, width, height)
        shown = keys if alone else [keys[index]]
        axes.frame(panel, "" if alone else axes.labels[keys[index]], last and index == len(places) - 1)
        labels, traces = [], []
        for result in results:
            for key in shown:
                if key not in lines[result.name]:
                    continue
                colour = looks[result.name, key]
                dash = dashes(keys.index(key) if alone else results.index(result))
                times, values = thin(*lines[result.name][key])
                panel.plot(times / axes.unit, values, color=colour, linewidth=1.4, linestyle=dash, **_STEP)
                tables.append(_table(result, key, times, values))
                name = axes.labels[key] if alone else shorten(result.name)
                traces.append(live.line(name, times / axes.unit, values, colour, dash, step="hv"))
                labels.append((values[-1], _in_margin(axes.labels[key]), colour))
        if alone and axes.what == _ALLOWED:  # the colours of the sent rates are the same
            lines_of_text = max((text.count("\n") + 1 for _, text, _ in labels), default=1)
            margin_labels(panel, labels, lines_of_text * _END_GAP / height, size=8)
        panels.append(live.Panel(axes.title("" if alone else axes.labels[keys[index]]), *axes.live(), traces, 240))
    return tables, panels


def _many_lines(sheet, axes, results, lines, colours, places, last):
    """One panel for each result; returns the drawn tables and panels for a browser. last: no other panel with the time
    axis follows."""
    tables, panels = [], []
    for index, (result, (top, width, height)) in enumerate(zip(results, places)):
        found, colour = lines[result.name], colours[result.name]
        panel = sheet.axes(_LEFT, top, width, height)
        title = shorten(result.name) if len(results) > 1 else ""
        axes.frame(panel, title, last and index == len(places) - 1)
        traces = []
        for key in list(found)[:_MOST_LINES]:
            times, values = thin(*found[key], points=300)
            panel.plot(times / axes.unit, values, color=colour, linewidth=0.6, alpha=0.45, **_STEP)
            tables.append(_table(result, key, times, values))
            if len(traces) < _MOST_LIVE:
                traces.append(live.line("queue pairs", times / axes.unit, values, colour, step="hv"))
                traces[-1] |= {"opacity": 0.4, "hovertext": axes.labels[key]}
        times, median = _median(list(found.values()), axes.end_us)
        panel.plot(times / axes.unit, median, color="#000000", linewidth=2)
        margin_labels(panel, [(median[-1], "median", "#000000")], _END_GAP / height, size=8)
        traces.append(live.line("median", times / axes.unit, median, "#000000"))
        panels.append(live.Panel(axes.title(title), *axes.live(), traces, 240))
    return tables, panels


def _cnp_sentence(results):
    told = []
    for result in results:
        table = result.runs[0].table("cnps")
        if table is not None and len(table):
            name = "" if len(results) == 1 else f"{shorten(result.name)}: "
            cut = int((table["effect"] == "cut").sum())
            told.append(f"{name}{format_amount(len(table), 'CNP')} on record, of which {cut} cut a rate.")
    return " ".join(told)


def _notes(results, shown, keys, is_log, few):
    notes = notes_of(results, seeds="first") + warmup_note(shown)
    absent = [shorten(r.name) for r in results if r not in shown]
    if absent:
        notes.append(("Rates were not observed in " + ", ".join(absent) + ".", QUIET))
    if is_log:
        notes.append(("The axis of the allowed rates is logarithmic.", QUIET))
    if not few:
        text = f"{len(keys)} QPs: each a thin line ({_MOST_LINES} at most), the median a thick one."
        notes.append((f"{text} {_cnp_sentence(shown)}".strip(), QUIET))
    return notes


def _legend(shown, colours, few):
    found = []
    for index, result in enumerate(shown):
        style = {"color": colours[result.name], "linewidth": 2, "linestyle": dashes(index) if few else "-"}
        found.append((style, shorten(result.name, 60)))
    return found


def _kinds(shown, tables, lines, labels, count):
    """[(axes, lines, height of a panel)] of allowed rates, and of sent ones if there are any."""
    allowed = _Axes(shown, lines, _ALLOWED, labels)
    sent, mean_of_us = {}, 0.0
    for result in shown:
        sent[result.name], each = _sent(tables[result.name], allowed.end_us)
        mean_of_us = max(mean_of_us, each)
    kinds = [(allowed, lines, {1: 2.6, 2: 1.8}.get(count, 1.3))]
    if any(sent.values()):
        what = f"Sent, means of {format_time(mean_of_us)}"
        kinds.append((_Axes(shown, sent, what, labels, linear=True), sent, {1: 1.6, 2: 1.2}.get(count, 0.9)))
    return kinds


def rates_plot(results):
    """Rate over time of the observed QPs; None if no result observed rates."""
    tables = {r.name: r.runs[0].table("rates") for r in results}
    lines = {name: _by_qp(t) for name, t in tables.items() if t is not None and len(t)}
    if not lines:
        return None
    shown = [r for r in results if r.name in lines]
    colours = result_colours(results)
    keys = list(dict.fromkeys(key for found in lines.values() for key in found))
    labels = labels_of({key for found in lines.values() for key in found}, _peers([tables[r.name] for r in shown]))
    few, alone = len(keys) <= _FEW, len(results) == 1
    count = 1 if few and alone else (len(keys) if few else len(shown))
    kinds = _kinds(shown, tables, lines, labels, count)
    axes, heading = kinds[0][0], _HEADING if len(kinds) > 1 else _ALLOWED_ALONE
    looks = {(r.name, k): COLOURS[i] if alone else colours[r.name] for r in shown for i, k in enumerate(keys[:_FEW])}
    cnps = CnpStrip(shown if few else [], keys, looks, labels)
    width = 7.6 if few and not alone and not cnps.rows else 6.5  # labels are in the right margin
    pitch = sum(height + _BETWEEN for *_, height in kinds)
    legend = [] if alone else _legend(shown, colours, few)
    sheet = Sheet(title_of(heading, results), _notes(results, shown, keys, axes.log, few), legend, pitch * count + 0.5 + cnps.height)
    top, drawn, by_kind = 0.3, [], []
    for number, (kind, found, height) in enumerate(kinds):
        places = [(top + index * pitch, width, height) for index in range(count)]
        top += height + _BETWEEN
        last = number == len(kinds) - 1 and not cnps.rows
        if few:
            rows, panels = _few_lines(sheet, kind, shown, found, looks, keys, places, last)
        else:
            rows, panels = _many_lines(sheet, kind, shown, found, colours, places, last)
        drawn.append(pd.concat(rows, ignore_index=True) if rows else None)
        by_kind.append(panels)
    panels = [panel for of_place in zip(*by_kind) for panel in of_place]
    if cnps.rows:
        strip = cnps.draw(sheet, pitch * count - 0.05, _LEFT, width, axes.unit, axes.unit_name, axes.end_us)
        shade_warmup(strip, shown, axes.unit)
        panels.append(cnps.live(axes.unit, axes.unit_name))
    caption = f"Rate over time that the reaction points allow {format_amount(len(keys), 'queue pair')}; the highest is {format_rate(axes.top)}."
    written = {"rates": drawn[0], "rates-cnps": cnps.table()}
    if len(kinds) > 1:
        caption += " Below: what was sent, on the wire."
        written["rates-sent"] = drawn[1]
    told = _cnp_sentence(shown)
    return Plot("rates", heading, caption, sheet.figure, written, [told] if told else [], live=live.figure(panels, same_x=True))
