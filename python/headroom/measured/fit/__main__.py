"""python3 -m headroom.measured.fit [SCENARIO --from HOST --to HOST | --rate RATE] --fit FILE… [--set-base NAME]
[--hold-back BYTES] [--json]

Exit codes: 0 done; 2 wrong usage or wrong input, nothing written; 3 interrupted."""

import argparse
import json
import math
import re
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from headroom.command import ended
from headroom.errors import InputError
from headroom.say import say

_SCENARIO = """name: fit
topology: {{type: custom, hosts: [a, b], switches: [], links: [{{ends: [a, b], rate: {rate}, length: 2m}}]}}
priorities: {{rdma: {{priority: 3, dscp: 26, lossless: true, weight: 1}}}}
nics: [{{match: "*", congestion_control: none, resources: {base}}}]
workloads: [{{name: unused, type: list, priority: rdma, messages: [{{at: 0us, from: a, to: b, size: 1KB}}]}}]
"""
_GOOD = 0.002  # a residual that ends the search


@dataclass
class Answer:
    files: list
    base: str
    parameters: list
    values: object
    verdicts: list
    points: list
    predicted: object
    held: list
    held_predicted: object
    held_size: int | None
    runs: int


def _rate(text):
    from headroom.quantity import parse_rate

    value = parse_rate(text)
    if not math.isfinite(value) or value < 1e6 or not re.search("bps$", text):
        raise ValueError
    return text


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog="headroom perf",
        description="Fits a NIC's resources to tables of ib_write_lat, ib_write_bw, ib_read_* and ib_send_*. Give the "
        "scenario of the measured path, or --rate for two hosts on one cable.",
    )
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO")
    parser.add_argument("--fit", nargs="+", required=True, metavar="FILE", help="tables of perftest, or of headroom perf")
    parser.add_argument("--from", dest="source", metavar="HOST", help="host that started the test")
    parser.add_argument("--to", dest="target", metavar="HOST", help="its peer")
    parser.add_argument("--rate", type=_rate, metavar="RATE", help="rate of the cable, such as 100Gbps, without a scenario")
    parser.add_argument("--base", default="gen2", metavar="SET", help="set of resources for keys that are not fitted; default gen2")
    parser.add_argument("--hold-back", type=int, metavar="BYTES", help="size that the fit does not see; default: the middle one")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.parse_args(arguments)
    if bool(options.scenario) == bool(options.rate):
        parser.error("give either a scenario with --from and --to, or --rate")
    if options.scenario and not (options.source and options.target):
        parser.error("a scenario needs --from and --to")
    if not re.fullmatch(r"[\w-]+", options.base):
        parser.error("--base is a name such as gen2")
    return options


def fit(scenario, hosts, files, base, held_size, told=False):
    """Answer. Tables with several numbers of queue pairs are fitted last, because contexts change nothing else."""
    from headroom.measured.fit.determined import verdicts
    from headroom.measured.fit.model import Model
    from headroom.measured.fit.parameters import parameters_for
    from headroom.measured.fit.points import read_points
    from headroom.measured.fit.search import search_from
    from headroom.measured.fit.start import starts

    points, held, held_size = read_points(files, held_size)
    parameters = parameters_for(points)
    model = Model(scenario, hosts, base, parameters, told)
    values, residuals, table = search_from(model, points, parameters, starts(points, parameters), _GOOD)
    found, values = verdicts(model, points, parameters, values, residuals, table)
    predicted, held_predicted = model.predict(points, values), model.predict(held, values)
    return Answer([str(f) for f in files], base, parameters, values, found, points, predicted, held, held_predicted, held_size, model.runs)


def _fit(options):
    from headroom.measured.fit.page import as_json, as_text

    told = sys.stderr.isatty()
    with tempfile.TemporaryDirectory() as folder:
        scenario, hosts = options.scenario, (options.source, options.target)
        if options.rate:
            scenario, hosts = Path(folder) / "fit.yaml", ("a", "b")
            scenario.write_text(_SCENARIO.format(rate=options.rate, base=options.base), encoding="utf-8")
        elif not Path(scenario).is_file():
            raise InputError(f"{scenario}: there is no such file")
        answer = fit(scenario, hosts, options.fit, options.base, options.hold_back, told)
    if told:
        print(file=sys.stderr)
    say(json.dumps(as_json(answer), indent=2) if options.json else as_text(answer))


def main(arguments=None):
    """The whole command; returns its exit code."""
    options = _arguments(arguments)
    return ended("perf", lambda: _fit(options), "python3-pandas python3-yaml", "give files that can be read", placed_alone=True)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `… | head` is not an error
    sys.exit(main())
