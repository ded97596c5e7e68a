"""The panel of each metric of a study: one quantity of several workloads shares a panel, as in figures of papers."""

import re
from dataclasses import dataclass

from headroom.metrics import metric_of
from headroom.over_seeds import known_metrics


@dataclass
class SweepPanel:
    """`metrics`: {workload: Metric}; {"": Metric} for a single metric."""

    label: str
    metrics: dict

    @property
    def first(self):
        """All have its unit and scale."""
        return next(iter(self.metrics.values()))


def _of_workload(path):
    """(quantity, workload) if the metric exists for each workload; else (path, None)."""
    found = re.fullmatch(r"(messages|operations)\.([^.]+)(\..+)", path)
    return (f"{found[1]}.each workload{found[3]}", found[2]) if found else (path, None)


def _alone(path):
    return SweepPanel(metric_of(path).label, {"": metric_of(path)})


def _grouped(paths):
    groups = {}
    for path in paths:
        quantity, workload = _of_workload(path)
        groups.setdefault(quantity, {})[workload] = metric_of(path)
    panels = []
    for quantity, metrics in groups.items():
        several = len(metrics) > 1
        panels.append(SweepPanel(metric_of(quantity).label, metrics) if several else _alone(*(m.path for m in metrics.values())))
    return panels


def panels_of(study, settings, most, most_lines):
    """[SweepPanel], at most this many: expected metrics first. REQUIRES: this many `settings` have lines."""
    known = known_metrics([run for run in study.runs if run.status == "done"])
    measured = [m for m in study.expected.metrics if m in known and any(p.interval(m) for p in study.points)]
    paths = list(dict.fromkeys(measured + study.metrics))
    if measured:
        panels = _grouped(paths)[:most]
        names = {name for panel in panels for name in panel.metrics}
        if settings * len(names) <= most_lines:
            return panels
    return [_alone(path) for path in paths[:most]]
