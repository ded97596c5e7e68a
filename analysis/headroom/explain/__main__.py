"""python3 -m headroom.explain DIR [--json]

Exit codes: 0 done; 2 bad usage or bad input; 3 interrupted, or standard output takes no word of it.
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

    require_names([options.result], None)
    result = load_results([options.result])[0]
    if len(result.runs) > 1:
        raise InputError(
            f"{options.result} holds {len(result.runs)} seeds, explained is one: give {result.runs[0].path}"
        )
    found = findings(result.runs[0])
    if not found["workloads"]:
        raise InputError(f"{options.result}: no parts of messages' time; run it without observe.parts=false, with messages")
    say(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2) if options.json else page(found))


def main(arguments=None):
    """The whole command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="headroom explain", description="Where the tail's time went, what paused it, which settings govern that."
    )
    parser.add_argument("result", metavar="DIR", help="a folder that `headroom run` wrote")
    parser.add_argument("--json", action="store_true", help="for programs: everything, µs and shares of 1")
    options = parser.parse_args(arguments)
    advice = "give a folder that `headroom run` wrote"
    return ended("explain", lambda: _explain(options), "python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
