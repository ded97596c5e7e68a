"""Settings of a sweep side by side: the tails of their messages, the lengths of queues, and the frequency of PFC
pauses.

The plot is for a sweep over a few named settings, such as congestion controls. Numbers on an axis use the plot of
curves.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from headroom.format import format_bytes, format_interval, format_number, format_percent
from headroom.metrics import capital, metric_of
from headroom.plot.drawing import live
from headroom.plot.drawing.distribution import level_words
from headroom.plot.drawing.plot import Plot, notes_of_names
from headroom.plot.drawing.style import COLOURS, QUIET, Sheet, dashes, shorten
from headroom.plot.drawing.tail import tail, values_of
from headroom.plot.drawing.ticks import bytes_log_axis, log_axis
from headroom.result import Run
from headroom.summary_file import read_summary

_HEADING = "Tails, queues and pauses"
_MOST_SETTINGS, _MOST_TAILS = len(COLOURS), 4
_LEFTS, _WIDTH, _HEIGHT, _BLOCK = (1.25, 5.7), 3.05, 2.5, 3.15
_POINTS, _LONGEST_ROW = 300, 24
_SHARES = [1, 0.1, 0.01, 0.001, 0.0001]
_PAUSES = metric_of("pfc.pauses")


def _following(study, kind):
    """Axes that have one value for each of `kind`'s: additional settings that a control needs."""

    def values(axis):
        return {(str(p.settings.get(kind.key)), str(p.settings.get(axis.key))) for p in study.points}

    return [axis for axis in study.axes if axis is not kind and len(values(axis)) == len(kind.texts)]


class _Setting:
    """One setting: its finished seeds, and the look of its line."""

    def __init__(self, study, point, number):
        kind = next(axis for axis in study.axes if not axis.numeric)
        others = study.settings_words(point, without=[kind, *_following(study, kind)])
        name = kind.label(str(point.settings.get(kind.key, "")))
        self.point, self.name = point, shorten(", ".join(filter(None, (name, others))), 60)
        self.colour, self.dash = COLOURS[number], dashes(number)
        self.runs = {seed: run for seed, run in point.runs.items() if run.status == "done"}
        paths = {seed: study.path / run.path for seed, run in self.runs.items() if run.path}
        kept = {seed: path for seed, path in paths.items() if (path / "messages.csv").is_file()}
        self.folders = {seed: Run(path, read_summary(path)) for seed, path in kept.items()}


class _Tail:
    """One setting in one panel: the values of each seed, with unknown ones as infinite."""

    def __init__(self, setting, arrays):
        self.setting, self.arrays = setting, arrays
        values = np.sort(np.concatenate(list(arrays.values())))
        ranks = np.unique(np.r_[np.linspace(0, len(values) - 1, _POINTS), len(values) - np.geomspace(1, len(values), _POINTS)].astype(int))
        known = ranks[np.isfinite(values[ranks]) & (values[ranks] > 0)]
        self.values, self.shares = values[known], (len(values) - known) / len(values)
        self.is_cut = not np.isfinite(values[-1])
        self.band = tail(arrays) or []


class _Panel:
    """Tails of all settings, and their metric."""

    def __init__(self, title, write, unit, tails):
        self.title, self.write, self.unit = title, write, unit
        self.tails = [tail for tail in tails if len(tail.values)]

    @property
    def is_slowdown(self):
        return self.unit == ""

    def draw(self, axes):
        ends = [end for tail in self.tails for end in (tail.values[0], tail.values[-1])]
        shares = [tail.shares[-1] for tail in self.tails]
        low, high, least = min(ends), max(ends), max(min(shares), _SHARES[-1])
        margin = max(1.1, (high / low) ** 0.03)
        if self.unit == "B":
            low = max(low, high / 1e4)
            bytes_log_axis(axes, "x", low / margin, high * margin)
        else:
            log_axis(axes, "x", low / margin, high * margin, self.write)
        for tail in self.tails:
            look = {"color": tail.setting.colour}
            axes.plot(tail.values, tail.shares, linestyle=tail.setting.dash, linewidth=1.6, **look)
            if tail.band:
                share, _, lows, highs = zip(*tail.band)
                axes.fill_betweenx(share, lows, highs, alpha=0.13, linewidth=0, **look)
            if tail.is_cut:
                axes.plot(tail.values[-1:], tail.shares[-1:], ">", markersize=6, markerfacecolor="white", **look)
        axes.set_yscale("log")
        axes.set_ylim(least / 1.3, 1.3)
        axes.yaxis.set_major_locator(FixedLocator([share for share in _SHARES if share >= least / 1.3]))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_title(self.title)

    def live(self):
        lines = [live.line(t.setting.name, t.values, 100 * t.shares, t.setting.colour, t.setting.dash) for t in self.tails]
        share = live.axis("Share beyond (%)", log=True)
        return live.Panel(self.title, live.axis("", log=True, unit=self.unit), share, lines, 320)

    def rows(self):
        return [[self.title, t.setting.name, *pair] for t in self.tails for pair in zip(t.values.tolist(), t.shares.tolist())]

    def bands(self):
        return [[self.title, t.setting.name, *row] for t in self.tails for row in t.band]


def _of_messages(settings, metric):
    """The panel of a percentile's metric; None if a run does not have a line for each message."""
    tails = []
    for setting in settings:
        found = {seed: values_of(run, metric.path) for seed, run in setting.runs.items()}
        if None in found.values():
            return None
        arrays = {seed: np.where(bounds, np.inf, values) for seed, (values, bounds) in found.items() if len(values)}
        if arrays:
            tails.append(_Tail(setting, arrays))
    title = capital(metric.words.removeprefix("p99 "))
    return _Panel(title, metric.tick, "µs" if metric.is_time else "", tails)


def _has_one_size(settings, workload):
    messages = next(iter(settings[0].folders.values())).messages
    return messages["bytes"][messages["workload"] == workload].nunique() <= 1


def _tail_metrics(study, settings):
    """Messages of one size show their completion time; for several sizes it is the slowdown, because otherwise large
    ones alone would make the tail."""
    found = []
    for path in study.metrics_known:
        parts = path.split(".")
        if path.endswith(".completion_us.p99") and parts[0] == "messages":
            is_time = _has_one_size(settings, parts[1])
            found.append(path if is_time else path.replace(".completion_us.", ".slowdown."))
        elif path.endswith(".all.latency_us.p99"):
            found.append(path)
    return [metric_of(path) for path in found]


def _fullest(run):
    """An array with the fullest observed switch queue at each sample while messages start; None without samples."""
    table = run.table("queues")
    if table is None or not len(table):
        return None
    scenario = run.scenario
    switches = table[table["node"].isin([name for name, _ in run.buffers])]
    times_us = switches["time_ns"] / 1000
    within = switches[(times_us >= scenario.warmup_us) & (times_us <= (scenario.duration_us or np.inf))]
    return within.groupby("time_ns")["bytes"].max().to_numpy(float) if len(within) else None


def _of_queues(settings):
    tails = []
    for setting in settings:
        arrays = {seed: _fullest(run) for seed, run in setting.folders.items()}
        if any(array is None for array in arrays.values()):
            return None
        tails.append(_Tail(setting, arrays))
    return _Panel("Length of the fullest switch queue", format_bytes, "B", tails)


def _draw_pauses(axes, settings):
    """One row for each setting: pauses of all seeds, with their interval; the number is beside it, because 0 is not on
    the axis."""
    found = [setting.point.interval("pfc.pauses") for setting in settings]
    most = max(i.mean + (i.half_width or 0) for i in found)
    for row, (setting, interval) in enumerate(zip(settings, found)):
        bar = {"fmt": "o", "markersize": 5, "capsize": 2.5, "color": setting.colour}
        low = min(interval.mean, interval.half_width or 0)  # a paused time cannot be negative
        axes.errorbar([interval.mean], [row], xerr=[[low], [interval.half_width or 0]], **bar)
        words = format_interval(interval, format_number) if interval.mean else "none"
        axes.annotate(words, (1.02, row), xycoords=("axes fraction", "data"), va="center", fontsize=8, color=setting.colour)
    axes.set_xlim(-0.02 * (most or 1), 1.05 * (most or 1))
    axes.set_ylim(len(settings) - 0.5, -0.5)
    axes.set_yticks(range(len(settings)), [shorten(setting.name, _LONGEST_ROW) for setting in settings])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: format_number(value)))
    axes.locator_params(axis="x", nbins=4)
    axes.set_title("PFC pauses in a run")


def _live_pauses(settings):
    found = [setting.point.interval("pfc.pauses") for setting in settings]
    traces = []
    for setting, interval in zip(settings, found):
        dot = live.points(setting.name, [interval.mean], [setting.name], setting.colour, size=9)
        dot["error_x"] = {"type": "data", "array": live.numbers([interval.half_width or 0])}
        traces.append(dot)
    names = {"type": "category", "categoryarray": [s.name for s in reversed(settings)], "title": {"text": ""}}
    return live.Panel("PFC pauses in a run", live.axis(""), names, traces, 320)


def _settings(study):
    """None if the sweep is over numbers, or over too many settings for one picture."""
    if study.is_search or not study.axes or all(axis.numeric for axis in study.axes):
        return None
    points = [point for point in study.points if point.counted()]
    if not 2 <= len(points) <= _MOST_SETTINGS:
        return None
    settings = [_Setting(study, point, number) for number, point in enumerate(points)]
    return settings if all(len(setting.folders) == len(setting.runs) for setting in settings) else None


def _seeds_note(settings):
    counts = sorted({len(setting.runs) for setting in settings})
    if counts == [1]:
        return "One seed: no intervals."
    seeds = f"{counts[0]} seeds" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} seeds"
    return f"{seeds} together; shaded, and bars: 95 % intervals over the seeds."


def _notes(settings, panels, left_out):
    notes = [(_seeds_note(settings), QUIET)]
    if any(panel.is_slowdown for panel in panels):
        notes.append(("Slowdown: completion time divided by that of the same message alone in the network.", QUIET))
    if any(tail.is_cut for panel in panels for tail in panel.tails):
        notes.append(("▷: from here on messages are unfinished, at the end of the run.", QUIET))
    if left_out:
        notes.append((f"Not drawn: {', '.join(left_out)}.", QUIET))
    return notes


def tails_plot(study):
    """None for a search, a sweep over numbers or over many settings, and if no run has a line for each message."""
    settings = _settings(study)
    if settings is None:
        return None
    metrics, tails, left_out = _tail_metrics(study, settings), [], []
    for metric in metrics:
        panel = _of_messages(settings, metric) if len(tails) < _MOST_TAILS else None
        if panel and panel.tails:
            tails.append(panel)
        else:
            left_out.append(f"{metric.words} ({'without a line of each' if len(tails) < _MOST_TAILS else 'no room'})")
    if not tails:
        return None
    queues = _of_queues(settings)
    panels = tails + ([queues] if queues and queues.tails else [])
    has_pauses = all(setting.point.interval("pfc.pauses") for setting in settings)
    count = len(panels) + has_pauses
    notes = _notes(settings, panels, left_out) + notes_of_names(study)
    columns = max(1, min(4, int(8.2 // (0.85 + 0.075 * max(len(s.name) for s in settings)))))
    above = 0.2 * -(-len(settings) // columns) + 0.45
    sheet = Sheet(f"{_HEADING}: {shorten(study.name, 40)}", notes, [], above + -(-count // 2) * _BLOCK)
    for number, setting in enumerate(settings):
        x, y = 0.35 + 8.2 / columns * (number % columns), 0.08 + 0.2 * (number // columns)
        sheet.stroke(x, y, length=0.5, color=setting.colour, linestyle=setting.dash, linewidth=1.8)
        sheet.text(x + 0.6, y, setting.name, size=8.8)
    for number in range(count):
        place = (_LEFTS[number % 2], above + _BLOCK * (number // 2))
        if number < len(panels):
            axes = sheet.axes(*place, _WIDTH, _HEIGHT)
            panels[number].draw(axes)
            of_time = panels[number] is queues
            words = (lambda share, _: format_percent(share)) if of_time else (lambda share, _: level_words(share))
            axes.yaxis.set_major_formatter(FuncFormatter(words))
            axes.set_ylabel("Share of the time beyond" if of_time else "Share of messages beyond", labelpad=1)
        else:
            aside = max(0.25, 0.075 * min(_LONGEST_ROW, max(len(s.name) for s in settings)) - 0.85)
            _draw_pauses(sheet.axes(place[0] + aside, place[1], _WIDTH - 0.8 - aside, _HEIGHT), settings)
    tables = {
        "tails": pd.DataFrame([row for p in panels for row in p.rows()], columns=["what", "setting", "value", "share_at_least"]),
        "tails-bands": pd.DataFrame(
            [row for p in panels for row in p.bands()], columns=["what", "setting", "share_beyond", "value", "low_95", "high_95"]
        ),
    }
    figures = [live.figure([panel.live()]) for panel in panels]
    if has_pauses:
        rows = [(s.name, s.point.interval("pfc.pauses")) for s in settings]
        table = [[name, i.mean, i.half_width if i.half_width is not None else "", i.n] for name, i in rows]
        tables["tails-pauses"] = pd.DataFrame(table, columns=["setting", "pauses", "half_width_95", "seeds"])
        figures.append(live.figure([_live_pauses(settings)]))
    caption = "Tails of messages, queues of switches and pauses, by setting."
    return Plot("tails", _HEADING, caption, sheet.figure, tables, [], live=figures)
