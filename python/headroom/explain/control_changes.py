"""Changes of congestion controls for counterfactuals.py: the keys of the control that hosts have, and no others.

DCQCN's keys are under `dcqcn`, also at hosts with another control, whose senders do not read them.
"""

from headroom import program
from headroom.explain import parts
from headroom.quantity import parse_quantity, quantity_text

_SMALLEST = {"time": "ps", "rate": "bps", "size": "B"}
_MOST_OWN = 4  # number of keys to try for a control without a list


def control_of(entry):
    """The name of the control of an entry of nics."""
    control = entry.get("congestion_control")
    return control.get("type") if isinstance(control, dict) else control


def with_dcqcn(case):
    """[(place, entry)] of nics."""
    return [(i, entry) for i, entry in case.entries("nics") if control_of(entry) == "dcqcn"]


def heeds_marks(case):
    """Whether some host has a control that may slow down for marks."""
    return any(parts.heeds_marks(control_of(entry)) for _, entry in case.entries("nics"))


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


def _tried(control):
    """{key: values to try} according to the program. A control without such a list has the first keys with quantities."""
    properties = program.control(control["type"]).get("properties", {})
    tried = {key: about["tried"] for key, about in properties.items() if "tried" in about}
    known = [key for key, value in control.items() if key != "type" and _times(value, 2)]
    return tried or {key: ("*2", "/2") for key in known[:_MOST_OWN]}


def keys(case):
    changes = {}  # (variant, words): edits of all entries of that control
    for i, entry in case.entries("nics"):
        control = entry.get("congestion_control")
        if not isinstance(control, dict):
            continue
        name = control["type"]
        for key, wanted in _tried(control).items():
            for to in wanted if key in control else ():
                sign, number = to[0], to[1:]
                value = _times(control[key], {"*": float(number), "/": 1 / float(number)}[sign]) if sign in "*/" else to
                if value is None or parse_quantity(value).value == parse_quantity(control[key]).value:
                    continue
                told = f"{sign.replace('*', '×')} {number}" if sign in "*/" else f"= {to}"
                edit = (("nics", i, "congestion_control", key), value)
                changes.setdefault((f"{name}-{key}-{told.replace(' ', '')}", f"{key} of {name} {told}"), []).append(edit)
    for (variant, words), edits in changes.items():
        yield variant, words, edits
