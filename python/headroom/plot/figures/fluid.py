"""Rate and queue over time by DCQCN's fluid model, for the bottlenecks with the smallest margins.

`answer` is the JSON of `headroom fluid` with the runs of its equations.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, MaxNLocator

from headroom.format import format_bytes, format_rate
from headroom.plot.drawing.margin import margin_labels
from headroom.plot.drawing.plot import Plot
from headroom.plot.drawing.style import QUIET, WARNING, Sheet, colours, dashes, shorten
from headroom.plot.drawing.ticks import bytes_axis, time_unit

_HEADING = "DCQCN by its fluid model"
_LEFT, _WIDTH = 0.95, 6.6
_RATE_HEIGHT, _QUEUE_HEIGHT, _GAP, _BLOCK = 1.35, 1.35, 0.42, 3.9
_MOST = 4


def _title(found):
    """The text of the block."""
    stability = found["stability"]
    margin, wave = stability["phase_margin_deg"], stability["wave_us"]
    what = stability["verdict"]
    if margin is not None:
        sign = "−" if margin < -0.05 else ""
        told = f"{sign}{abs(margin):.1f}°" if margin >= -180 else "<−180°"
        what += f": margin {told}, waves of {wave / 1000:.2f} ms"
    least, most = (_micros(found["loop_delay_us"][end]) for end in ("least", "most"))
    delay = most if least == most else f"{least} to {most}"
    flows = f"{found['flows']} flows" if found["flows"] > 1 else "1 flow"
    return f"{found['at']}, {flows}, loop {delay}. {what[0].upper()}{what[1:]}"


def _micros(value):
    return f"{value:.0f} µs" if value >= 100 else f"{value:.3g} µs"


def _ends(groups):
    """At most three flows, by their loop delays: the shortest, the middle, the longest."""
    return groups if len(groups) <= 3 else [groups[0], groups[len(groups) // 2], groups[-1]]


def _draw_rate(rate, found, run, colour, unit):
    fixed, groups = found["fixed_point"]["rate_bps"], _ends(run["groups"])
    times, rates = np.array(run["time_us"]), np.array([group["rate_bps"] for group in groups])
    for index, values in enumerate(rates):
        rate.plot(times / unit, values, color=colour, linewidth=1.3, linestyle=dashes(index))
    rate.axhline(fixed, color=QUIET, linewidth=1, linestyle="--", zorder=1.5)
    # The start at line rate is far above all later values.
    settled = rates[:, len(times) // 20 :]
    high = 1.12 * max(settled.max(), fixed)
    rate.set_ylim(0, high)
    rate.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    rate.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_rate(value)))
    rate.set_ylabel("Rate of each")
    rate.tick_params(labelbottom=False)
    labels = [(fixed, f"fair {format_rate(fixed)}", QUIET)]
    if len(groups) > 1:
        labels += [(min(g["rate_bps"][-1], high), f"loop {_micros(g['loop_delay_us'])}", colour) for g in groups]
    margin_labels(rate, labels, 0.15 / _RATE_HEIGHT)


def _draw_queue(queue, found, run, colour, unit):
    times, lengths, fixed = np.array(run["time_us"]), np.array(run["queue_bytes"]), found["fixed_point"]
    queue.plot(times / unit, lengths, color=colour, linewidth=1.3)
    queue.fill_between(times / unit, lengths, color=colour, alpha=0.15, linewidth=0)
    levels = [
        (found["ecn"]["kmin_bytes"], "Kmin", WARNING, "--"),
        (found["ecn"]["kmax_bytes"], "Kmax", WARNING, "-."),
        (fixed["queue_bytes"], "rests at", QUIET, "--"),
    ]
    if fixed["at_kmax"]:
        levels.pop()
    peak = max(lengths[len(lengths) // 20 :].max(), fixed["queue_bytes"])
    near = [level for level in levels if level[0] <= 2.5 * peak]
    queue.set_ylim(0, 1.12 * max([peak] + [level[0] for level in near]))
    for value, _, ink, dash in near:
        queue.axhline(value, color=ink, linewidth=1, linestyle=dash, zorder=1.5)
    margin_labels(queue, [(v, f"{name} {format_bytes(v)}", ink) for v, name, ink, _ in near], 0.15 / _QUEUE_HEIGHT)
    far = [f"{name} {format_bytes(v)}" for v, name, _, _ in levels if v > 2.5 * peak]
    if far:
        place = {"xycoords": "axes fraction", "xytext": (0, 3), "textcoords": "offset points", "ha": "right", "va": "bottom"}
        queue.annotate("above this axis: " + ", ".join(far), (1, 1), **place, fontsize=7.5, color=QUIET)
    bytes_axis(queue.yaxis, 4)
    queue.set_ylabel("Queued")


def _draw(sheet, found, run, colour, top):
    """Rate above queue, on one time axis."""
    end = run["time_us"][-1]
    unit, unit_name = time_unit(end)
    rate = sheet.axes(_LEFT, top + 0.3, _WIDTH, _RATE_HEIGHT)
    rate.set_title(_title(found))
    _draw_rate(rate, found, run, colour, unit)
    queue = sheet.axes(_LEFT, top + 0.3 + _RATE_HEIGHT + _GAP / 2, _WIDTH, _QUEUE_HEIGHT)
    _draw_queue(queue, found, run, colour, unit)
    queue.set_xlabel(f"Time ({unit_name})")
    for panel in (rate, queue):
        panel.set_xlim(0, end / unit)


def fluid_plot(answer):
    """The Plot of the bottlenecks with the least margins."""
    found = {bottleneck["at"]: bottleneck for bottleneck in answer["bottlenecks"]}
    runs = answer["runs"]
    shown = runs[:_MOST]
    notes = [
        (
            "Averages over packets of equal flows that start at line rate on an empty queue "
            "(Zhu et al., CoNEXT 2016); no packets, no PFC.",
            QUIET,
        )
    ]
    if len(runs) > len(shown):
        text = f"{len(shown)} of {len(runs)} queues: those with the least margins. All are in fluid.csv."
        notes.append((text, QUIET))
    sheet = Sheet(f"{_HEADING}: {shorten(answer['scenario'], 48)}", notes, [], _BLOCK * len(shown))
    for index, (run, colour) in enumerate(zip(shown, colours(len(shown)))):
        _draw(sheet, found[run["at"]], run, colour, _BLOCK * index)
    table = pd.concat(
        [
            pd.DataFrame(
                {
                    "queue": run["at"],
                    "time_us": run["time_us"],
                    "loop_delay_us": group["loop_delay_us"],
                    "rate_bps": group["rate_bps"],
                    "queue_bytes": run["queue_bytes"],
                    "marked_fraction": run["marked_fraction"],
                }
            )
            for run in runs
            for group in run["groups"]
        ],
        ignore_index=True,
    )
    caption = " ".join(_title(found[run["at"]]) + "." for run in shown)
    return Plot("fluid", _HEADING, caption, sheet.figure, {"fluid": table}, [])
