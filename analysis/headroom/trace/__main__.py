"""python3 -m headroom.trace DIR [--out FILE]

Exit codes: 0 done; 2 bad usage or bad input, nothing written; 3 interrupted, nothing written, or written and standard
output takes no word of it.
"""

import argparse
import json
import sys
from pathlib import Path

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.partial import write_where_it_leads
from headroom.say import say


def trace_events(run):
    """All of a run: names first, then by time."""
    from headroom.trace.events import ALL
    from headroom.trace.tracks import Tracks

    tracks = Tracks()
    found = [event for events in ALL for event in events(run, tracks)]
    found.sort(key=lambda event: event["ts"])
    return [*tracks.metadata(), *found]


def _write_events(file, events, about):
    """An event a line."""
    file.write('{"displayTimeUnit":"ns","otherData":' + json.dumps(about) + ',"traceEvents":[\n')
    for number, event in enumerate(events):
        file.write((",\n" if number else "") + json.dumps(event, separators=(",", ":"), allow_nan=False))
    file.write("\n]}\n")


def _trace(options):
    from headroom.result import load_results

    require_names([options.result], options.out)
    if options.out and Path(options.out).is_dir():
        raise InputError(f"--out {options.out} is a folder; give the file that is to be written, such as trace.json")
    result = load_results([options.result])[0]
    if len(result.runs) > 1:
        first = result.runs[0].path
        raise InputError(f"{options.result} holds {len(result.runs)} seeds, a trace is of one: {first}")
    run = result.runs[0]
    path = Path(options.out) if options.out else run.path / "trace.json"
    events = trace_events(run)
    about = {"scenario": str(run.summary.get("scenario")), "seed": str(run.seed), "status": run.status}
    write_where_it_leads(path, lambda file: _write_events(file, events, about))
    say(f"{path}: {len(events)} events; open it at https://ui.perfetto.dev")


def main(arguments=None):
    """The whole command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="headroom trace", description="A result as a Chrome trace, for Perfetto."
    )
    parser.add_argument("result", metavar="DIR", help="a folder that `headroom run` wrote")
    parser.add_argument("--out", metavar="FILE", help="default: trace.json in the result")
    options = parser.parse_args(arguments)
    advice = "give a file that can be written: --out FILE"
    return ended("trace", lambda: _trace(options), "python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
