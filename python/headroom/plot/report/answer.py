"""The parts of the time of the slowest messages, one sentence for each workload, in the words of `explain`."""

from headroom.errors import InputError
from headroom.explain.findings import findings
from headroom.explain.words import Subject
from headroom.result import Run

_MOST = 4  # sentences


def _counted(found):
    """The worst workload comes first; means of counts over several seeds are not whole numbers."""
    for subject in [*found["workloads"], *found["operations"]]:
        whole = {key: round(subject[key]) for key in ("messages", "operations", "finished", "unfinished") if subject.get(key)}
        yield subject | whole


def answers(result):
    """([sentence], number of workloads without one), for several seeds from their means; none if the summary has no
    data for `explain`."""
    try:
        alone = len(result.runs) == 1
        run = result.runs[0] if alone else Run(result.runs[0].path, result.summary)
        told = [Subject(subject).answer() for subject in _counted(findings(run, ends=alone))]
    except InputError:
        return [], 0
    return told[:_MOST], max(0, len(told) - _MOST)
