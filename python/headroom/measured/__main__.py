"""python3 -m headroom.measured RESULT MEASURED… [--map FILE] [--interval TIME] [--tolerance PCT] [--expect FILE] [--plot
DIR] [--json]

Exit codes: 0 done; 1 a counter deviates by more than --tolerance; 2 wrong usage or wrong input, nothing written; 3
interrupted."""

import argparse
import json
import math
import signal
import sys

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.say import say

_ASSUMED = 10.0  # per cent, of an expectation from one interval


def _percent(text):
    value = float(text)
    if not 0 <= value <= 1000:
        raise ValueError
    return value


def _seconds(text):
    from headroom.quantity import parse_microseconds

    value = parse_microseconds(text) * 1e-6
    if not 0 < value < 1e9 or not math.isfinite(value):
        raise ValueError
    return value


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog="headroom compare",
        description="Puts a result beside counters of real switches and NICs. A word MEASURED is FILE; BEFORE,AFTER for the "
        "difference of two dumps; or NODE=… if the file does not name its device.",
    )
    parser.add_argument("result", metavar="RESULT", help="a folder that `headroom run` wrote")
    parser.add_argument("measured", nargs="+", metavar="MEASURED", help="[NODE[:PORT]=]FILE[,FILE]…")
    parser.add_argument("--map", metavar="FILE", help="YAML: nodes, ports, pools and workloads, name as measured: name in the result")
    parser.add_argument("--interval", type=_seconds, metavar="TIME", help="duration of the measurement; counts are scaled to the run's")
    parser.add_argument("--tolerance", type=_percent, metavar="PCT", help="exit 1 if a counter deviates by more than this, in per cent")
    parser.add_argument("--expect", metavar="FILE", help="write expectations of a scenario from the measured values")
    parser.add_argument("--plot", metavar="DIR", help="draw DIR/measured.svg, .png and .csv")
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser.parse_args(arguments)


def _scale(result, interval):
    """(the factor of measured counts, notes)"""
    from headroom.format import format_time
    from headroom.measured.simulated import duration_s

    seconds = sum(duration_s(run) for run in result.runs) / len(result.runs)
    ran = format_time(1e6 * seconds)
    if interval is None:
        return 1.0, [f"counts are as measured; the run counted for {ran}: give --interval TIME if they were measured for another time"]
    return seconds / interval, [f"counts were measured for {format_time(1e6 * interval)}, and are scaled to the run's {ran}"]


def _compare(options):
    from headroom.measured.beside import beside
    from headroom.measured.matching import NameMap, read_map
    from headroom.measured.page import as_json, as_text
    from headroom.measured.sources import read_devices
    from headroom.result import load_results

    require_names([options.result], options.plot)
    names = read_map(options.map) if options.map else NameMap()
    devices = read_devices(options.measured)
    result = load_results([options.result], whole=False)[0]
    scale, notes = _scale(result, options.interval)
    found = beside(result, devices, names, scale)
    if not found.entries and not found.zeros:
        reasons = "; ".join(one.why for one in found.unmatched) or "the files have no counters"
        raise InputError(f"nothing measured has a counterpart in {options.result}: {reasons}")
    percent = _ASSUMED if options.tolerance is None else options.tolerance
    told = _write(options, found, result, percent, notes)
    answer = as_json(found, result, notes) | {"written": told}
    text = "\n\n".join([as_text(found, result, notes), *told])
    say(json.dumps(answer, indent=2, ensure_ascii=False) if options.json else text)
    return int(options.tolerance is not None and not all(entry.within(options.tolerance) for entry in found.entries))


def _write(options, found, result, percent, notes):
    """Writes what is asked for; returns sentences for the user."""
    told = []
    if options.plot:
        from headroom.measured.figure import write_figure

        told.append(write_figure(options.plot, found, result, notes, percent))
    if options.expect:
        from headroom.measured.expectations import write_expectations

        told.append(write_expectations(options.expect, found, result, percent))
    return told


def main(arguments=None):
    """The whole command; returns its exit code."""
    options = _arguments(arguments)
    return ended(
        "compare",
        lambda: _compare(options),
        "python3-matplotlib python3-pandas python3-yaml",
        "give a folder that can be written",
        placed_alone=True,
    )


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `… | head` is not an error
    sys.exit(main())
