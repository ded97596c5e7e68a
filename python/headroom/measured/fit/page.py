"""The answer of a fit: a block for a scenario, residuals, and what the tables do not determine."""

import numpy as np

from headroom.format import counted
from headroom.measured.fit.parameters import as_resources
from headroom.text_table import text_table


_POOR = 0.1  # a residual that no choice of these keys should leave


def _percent(value):
    return f"{100 * value:+.2f} %"


def _rows(points, predicted):
    return [
        [p.words, f"{p.ns:.5g}", f"{ns:.5g}", _percent(ns / p.ns - 1)] for p, ns in zip(points, predicted)
    ]


def block(answer):
    """YAML below `nics`."""
    lines = ["nics:", '  - match: "*"', f"    resources: # fitted to {', '.join(answer.files)}", f"      set: {answer.base}"]
    groups = {}
    for parameter, value in zip(answer.parameters, answer.values):
        if not np.isnan(value):
            group, _, key = parameter.key.partition(".")
            groups.setdefault(group, []).append(f"{key}: {parameter.text(value)}")
    lines += [f"      {group}: {{{', '.join(keys)}}}" for group, keys in groups.items()]
    return "\n".join(lines)


def _bounds(parameter, value, verdict, base):
    if np.isnan(value):
        return f"{parameter.key}: left at the value of {base}, with which the tables fit as well"
    text = parameter.text(value)
    if verdict.partners:
        return f"{parameter.key}: {text}, or {' or '.join(verdict.partners)} has this value: the tables show only the slower one"
    return f"{parameter.key}: {text} is one choice; others fit as well, together with other keys"


def as_text(answer):
    """The page for people."""
    errors = np.abs(answer.predicted / np.array([p.ns for p in answer.points]) - 1)
    lines = [block(answer), ""]
    open_keys = [(p, v, d) for p, v, d in zip(answer.parameters, answer.values, answer.verdicts) if not d.determined]
    if open_keys:
        lines.append("not determined by these tables:")
        lines += [f"  {_bounds(*one, answer.base)}" for one in open_keys]
        lines.append("")
    lines.append("time per message, ns:")
    lines.append(text_table(["row", "measured", "simulated", "residual"], _rows(answer.points, answer.predicted)))
    lines.append(f"residuals: root mean square {100 * np.sqrt(np.mean(errors**2)):.2f} %, largest {100 * np.max(errors):.2f} %")
    if np.max(errors) > _POOR:
        lines.append("the model does not explain these tables; look for rows of another path, host software, or a limit of the program")
    if answer.held:
        lines.append("")
        lines.append(f"held back, not used in the fit ({answer.held_size} B), simulated with the block above:")
        lines.append(text_table(["row", "measured", "simulated", "residual"], _rows(answer.held, answer.held_predicted)))
    else:
        lines += ["", "no size was held back: a table of more sizes would prove the fit"]
    lines.append(f"{counted(answer.runs, 'run')} of headroom perf")
    return "\n".join(lines)


def as_json(answer):
    def rows(points, predicted):
        return [
            {"test": p.test, "bytes": p.bytes, "queue_pairs": p.queue_pairs, "measured_ns": p.ns, "simulated_ns": float(ns), "place": p.place}
            for p, ns in zip(points, predicted)
        ]

    chosen = [(p, v) for p, v in zip(answer.parameters, answer.values) if not np.isnan(v)]
    return {
        "resources": as_resources(answer.base, [p for p, _ in chosen], [v for _, v in chosen]),
        "parameters": [
            {"key": p.key, "value": None if np.isnan(v) else p.text(v), "determined": d.determined, "or": list(d.partners)}
            for p, v, d in zip(answer.parameters, answer.values, answer.verdicts)
        ],
        "rows": rows(answer.points, answer.predicted),
        "held_back": rows(answer.held, answer.held_predicted),
        "runs": answer.runs,
    }
