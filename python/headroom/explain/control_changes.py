"""Changes of congestion controls for counterfactuals.py: the keys of the control that hosts have, and no others.

DCQCN's keys are under `dcqcn`, also at hosts with another control, whose senders do not read them.
"""

from headroom.explain.parts import IGNORE_MARKS
from headroom.quantity import parse_quantity, quantity_text

_SMALLEST = {"time": "ps", "rate": "bps", "size": "B"}
_UP_DOWN = (4, 1 / 4)
# For each control the keys to change, by factors, or by values if the key has its own range.
_KEYS = {
    "hpcc": {"eta": ("0.9", "0.98"), "max_stage": ("0", "5"), "additive": _UP_DOWN},
    "dctcp": {"g": _UP_DOWN, "initial_window": _UP_DOWN},
    "timely": {"low": (2, 1 / 2), "high": (2, 1 / 2), "additive": _UP_DOWN, "beta": (1 / 2, 1 / 4)},
    "receiver_credit": {"share": ("0.9",), "free": _UP_DOWN},
    "swift": {"base": (2, 1 / 2), "scaling": (2, 1 / 2), "endpoint": (2, 1 / 2), "ai": _UP_DOWN},
}
_MOST_OWN = 4  # number of keys to try for an unknown control


def control_of(entry):
    """The name of the control of an entry of nics."""
    control = entry.get("congestion_control")
    return control.get("type") if isinstance(control, dict) else control


def with_dcqcn(case):
    """[(place, entry)] of nics."""
    return [(i, entry) for i, entry in case.entries("nics") if control_of(entry) == "dcqcn"]


def heeds_marks(case):
    """Whether some host has a control that may slow down for marks."""
    return any(control_of(entry) not in IGNORE_MARKS for _, entry in case.entries("nics"))


def _times(text, factor):
    """Returns nothing for values that are not quantities, or would not change."""
    try:
        quantity = parse_quantity(str(text))
    except ValueError:
        return None
    value = quantity.value * factor
    if quantity.kind in _SMALLEST:
        found = quantity_text(round(value), _SMALLEST[quantity.kind])
    else:
        whole = float(quantity.value).is_integer() and quantity.value > 1
        found = f"{max(1, round(value))}" if whole else f"{value:.6g}"
    return found if quantity.value and found != text else None


def _words(factor):
    return f"× {factor:g}" if factor > 1 else f"/ {1 / factor:g}"


def _own_keys(control):
    """The first keys with quantities, for a program's own control."""
    known = [key for key, value in control.items() if key != "type" and _times(value, 2)]
    return {key: (2, 1 / 2) for key in known[:_MOST_OWN]}


def keys(case):
    changes = {}  # (variant, words): edits of all entries of that control
    for i, entry in case.entries("nics"):
        control = entry.get("congestion_control")
        if not isinstance(control, dict):
            continue
        name = control["type"]
        for key, wanted in _KEYS.get(name, _own_keys(control)).items():
            for to in wanted if key in control else ():
                value = to if isinstance(to, str) else _times(control[key], to)
                if value is None or parse_quantity(value).value == parse_quantity(control[key]).value:
                    continue
                told = f"= {to}" if isinstance(to, str) else _words(to)
                edit = (("nics", i, "congestion_control", key), value)
                changes.setdefault((f"{name}-{key}-{told.replace(' ', '')}", f"{key} of {name} {told}"), []).append(edit)
    for (variant, words), edits in changes.items():
        yield variant, words, edits
