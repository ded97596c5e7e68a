"""python3 -m headroom.explain DIR [--json], or SCENARIO --try [KEY=VALUE]...

Exit codes: 0 done; 1 runs failed; 2 bad usage or bad input; 3 interrupted, or standard output takes no word of it.
"""

import argparse
import json
import sys

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.say import say


def _explain(options):
    from headroom.explain.findings import findings
    from headroom.explain.words import page
    from headroom.result import load_results

    if len(options.inputs) > 1:
        raise InputError(f"one result is explained, {len(options.inputs)} are given")
    require_names(options.inputs, None)
    result = load_results(options.inputs)[0]
    if len(result.runs) > 1:
        raise InputError(
            f"{options.inputs[0]} holds {len(result.runs)} seeds, explained is one: give {result.runs[0].path}"
        )
    found = findings(result.runs[0])
    if not found["workloads"] and not found["operations"]:
        told = f"{result.runs[0].path / 'summary.json'}: no parts of messages' or operations' time"
        if (result.runs[0].path / "resolved.yaml").exists():
            raise InputError(f"{told}; run it without observe.parts=false")
        raise InputError(f"{told}, nor resolved.yaml: another tool ran it; only what `headroom run` wrote can be explained")
    say(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2) if options.json else page(found))


def _try(options):
    from headroom.explain.trials import tell

    require_names(options.inputs[:1], options.out)
    return tell(options)


def main(arguments=None):
    """The whole command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="headroom explain", description="Where the tail's time went, what paused it, which settings govern that."
    )
    parser.add_argument("inputs", nargs="+", metavar="DIR", help="a folder that `headroom run` wrote; with --try a scenario")
    parser.add_argument("--json", action="store_true", help="for programs: everything, µs and shares of 1")
    parser.add_argument("--try", dest="trial", action="store_true", help="run what may help with the same seeds")
    parser.add_argument("--seeds", type=int, metavar="N")
    parser.add_argument("--jobs", type=int, metavar="N")
    parser.add_argument("--out", metavar="DIR")
    parser.add_argument("--metric", metavar="PATH")
    options = parser.parse_args(arguments)
    if options.trial:
        advice, how = "give a folder that can be written: --out DIR", "interrupted; the same command goes on"
        return ended("explain", lambda: _try(options), "python3-pandas python3-yaml", advice, how)
    advice = "give a folder that `headroom run` wrote"
    return ended("explain", lambda: _explain(options), "python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
