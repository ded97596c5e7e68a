"""python3 -m headroom.trace DIR [--out FILE] [--force]

Exit codes: 0 done; 2 wrong usage or wrong input, nothing written; 3 interrupted, nothing written, or written and
standard output accepts no more.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.manifest import place
from headroom.partial import partial_beside, write_where_it_leads, write_whole
from headroom.say import say


def trace_events(run):
    """All events of a run: names first, then by time."""
    from headroom.trace.events import ALL
    from headroom.trace.tracks import Tracks

    tracks = Tracks()
    found = [event for events in ALL for event in events(run, tracks)]
    found.sort(key=lambda event: event["ts"])
    return [*tracks.metadata(), *found]


_BEGIN = '{"displayTimeUnit":"ns","otherData":'


def _write_events(file, events, about):
    """Writes one event in each line."""
    file.write(_BEGIN + json.dumps(about) + ',"traceEvents":[\n')
    for number, event in enumerate(events):
        file.write((",\n" if number else "") + json.dumps(event, separators=(",", ":"), allow_nan=False))
    file.write("\n]}\n")


def _write_beside_the_run(path, write, force):
    """Writes it as one of the result's files, which the result's manifest lists."""
    fresh = partial_beside(path)
    try:
        fresh.mkdir()
        write_whole(fresh / path.name, write)
        place(fresh, path.parent, "trace", force)
    except OSError as error:
        error.filename = str(path)  # and not the temporary name
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _trace(options):
    from headroom.result import load_results

    require_names([options.result], options.out)
    if options.out and Path(options.out).is_dir():
        raise InputError(f"--out {options.out} is a folder; give a file, such as trace.json")
    result = load_results([options.result])[0]
    if len(result.runs) > 1:
        first = result.runs[0].path
        raise InputError(f"{options.result} holds {len(result.runs)} seeds, but a trace takes one: {first}")
    run = result.runs[0]
    own = run.path / "trace.json"
    path = Path(options.out) if options.out else own
    events = trace_events(run)
    about = {"scenario": str(run.summary.get("scenario")), "seed": str(run.seed), "status": run.status}

    def write(file):
        _write_events(file, events, about)

    if path.resolve() == own.resolve() and not path.is_symlink():
        _write_beside_the_run(own, write, options.force)
    else:
        write_where_it_leads(path, write, "trace", _BEGIN, options.force)
    say(f"{path}: {len(events)} events; open it at https://ui.perfetto.dev")


def main(arguments=None):
    """The whole command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="headroom trace", description="Writes a result as a Chrome trace, for Perfetto."
    )
    parser.add_argument("result", metavar="DIR", help="a folder that `headroom run` wrote")
    parser.add_argument("--out", metavar="FILE", help="default: trace.json in the result")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    options = parser.parse_args(arguments)
    advice = "give a file that can be written: --out FILE"
    return ended("trace", lambda: _trace(options), "python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
