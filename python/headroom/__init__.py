"""Results and studies of Headroom, for Python: read, compared and made.

    import headroom

    result = headroom.run("scenarios/quickstart.yaml", set={"workloads.burst.size": "100KB"}, seeds=5)
    result.interval("messages.burst.completion_us.p99")
    result.table("messages")

`load` gives a Result (result.py) or a Study (study_folder.py), `run` a Result. Errors of input raise an InputError,
those of the program a ProgramError, with the text that the commands print. `headroom plot`, `trace`, `sweep` and `tune`
use this package; its folders plot, trace and study implement them. Needs Debian's python3-pandas and python3-yaml.
"""

from headroom.errors import InputError, ProgramError, Stopped

__all__ = ["InputError", "ProgramError", "Stopped", "load", "run"]


def load(path):
    """The Result or the Study in this folder. InputError if it is missing or damaged."""
    from headroom.result import load_results
    from headroom.study_folder import Study, is_study

    return Study(path) if is_study(path) else load_results([path], whole=False)[0]


def run(scenario, set=None, *, seeds=None, seed=None, out=None, force=False, jobs=None):
    """Runs a scenario as `headroom run` does, and returns its Result; for a scenario that varies keys, a list with one
    for each of their values. `set`: {key: value}, keys as --set takes them. ProgramError has the program's message.
    InputError: the request is impossible, and nothing was written. Only `force` replaces a result."""
    from headroom.program import run_scenario

    folders = run_scenario(scenario, set or {}, seeds=seeds, seed=seed, out=out, force=force, jobs=jobs)
    results = [load(folder) for folder in folders]
    return results[0] if len(results) == 1 else results
