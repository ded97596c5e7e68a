"""python3 -m headroom.explain DIR [--json], or SCENARIO --measure [KEY=VALUE]...

Exit codes: 0 done; 1 runs failed; 2 wrong usage or wrong input; 3 interrupted, or standard output accepts no more.
"""

import argparse
import json
import sys

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.say import say
from headroom.study.cores import ranks_of


def _explain(options):
    from headroom.explain.findings import findings
    from headroom.explain.words import page
    from headroom.result import load_results

    if len(options.inputs) > 1:
        raise InputError(f"explain takes one result, but {len(options.inputs)} are given")
    require_names(options.inputs, None)
    runs = load_results(options.inputs, whole=False)[0].runs
    if len(runs) > 1:
        raise InputError(f"{options.inputs[0]} holds {len(runs)} seeds, but explain takes one: give {runs[0].path}")
    found = findings(runs[0], ends=True)
    _require_something(runs[0], found, options.workload)
    if options.json:
        return say(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2))
    resolved = runs[0].path / "resolved.yaml"
    scenario = str(resolved) if not found["settings_unknown"] and len(str(resolved)) <= 40 else "SCENARIO"
    return say(page(found, scenario, options.workload, options.all))


def _require_something(run, found, workload):
    """InputError if there is nothing to split, or if this workload does not exist."""
    summary, subjects = run.path / "summary.json", found["workloads"] + found["operations"]
    names = dict.fromkeys(subject["workload"] for subject in subjects)
    if not subjects:
        no_count = "no message or operation was counted: all started in the warm-up, or none started; change warmup, duration or workloads"
        raise InputError(f"{summary}: {no_count if found['empty'] else 'it has no messages and no operations; the file is damaged, run the scenario again with --force'}")
    if workload and workload not in names:
        raise InputError(f"--workload {workload}: no such workload was counted; there are {', '.join(names) or 'none'}")
    if any(subject["at"] or not subject["finished"] for subject in subjects):
        return
    told = f"{summary}: no parts of messages' or operations' time"
    if not (run.path / "resolved.yaml").exists():
        raise InputError(f"{told}, nor resolved.yaml: another tool ran it; only what `headroom run` wrote can be explained")
    if found["settings_unknown"]:
        raise InputError(f"{told}, and the reason is not known: {found['settings_unknown']}; run the scenario again with --force")
    without = [f"{key}={no}" for key, no in (("observe.parts", "false"), ("observe.operations", "none")) if run.scenario.settings.get(key) == no]
    if without:
        raise InputError(f"{told}; run it without {' and '.join(without)}")
    raise InputError(f"{told}, though observe.parts does not turn them off; is the result from another version of Headroom? Run the scenario again with --force")


def _measure(options):
    from headroom.explain.answer import measure

    require_names(options.inputs[:1], options.out)
    return measure(options)


def main(arguments=None):
    """The whole command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="headroom explain", description="Shows where a result's tail went, or which changes to a scenario shorten it.")
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a folder that `headroom run` wrote; with --measure a scenario, and KEY=VALUE")
    parser.add_argument("--json", action="store_true", help="for programs: everything, µs and shares of 1")
    parser.add_argument("--workload", metavar="NAME", help="about this one")
    parser.add_argument("--all", action="store_true", help="of a result: every workload in full")
    parser.add_argument("--measure", action="store_true", help="run a scenario with one change at a time")
    parser.add_argument("--try", action="store_true", help="of a scenario: also try these KEY=VALUE")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of a scenario: change it first")
    parser.add_argument("--ranks", type=ranks_of, metavar="N|auto")
    for name, kind in (("seeds", int), ("jobs", int), ("budget", str), ("out", str), ("metric", str)):
        parser.add_argument(f"--{name}", type=kind)
    options = parser.parse_args(arguments)
    if options.measure:
        advice, how = "give a folder that can be written: --out DIR", "interrupted; the same command continues"
        return ended("explain", lambda: _measure(options), "python3-pandas python3-yaml", advice, how)
    advice = "give a folder that `headroom run` wrote"
    return ended("explain", lambda: _explain(options), "python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
