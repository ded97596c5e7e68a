"""DCQCN settings of a scenario as a vendor's tool takes them: the names and units of mlxconfig (port 1).

Names and units are those of NVIDIA's ConnectX firmware, as `mlxconfig -q` prints them. Steps are whole numbers of the
unit, so a value may be rounded; the reaction point of the firmware counts its stages of recovery by a rule of its own.
"""

from .quantity import parse_quantity

_MBPS, _US = 10**6, 10**6  # in bit/s and ps

# Key under dcqcn, name, how the value becomes the firmware's number, its unit.
_NAMES = (
    ("rp", "increase_timer", "RPG_TIME_RESET", lambda v: v / _US, "µs"),
    ("rp", "byte_counter", "RPG_BYTE_RESET", lambda v: v / 64, "64 B"),
    ("rp", "fast_recovery", "RPG_THRESHOLD", lambda v: v, "stages"),
    ("rp", "rate_ai", "RPG_AI_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "rate_hai", "RPG_HAI_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "min_rate", "RPG_MIN_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "g", "DCE_TCP_G", lambda v: 1024 * (1 - v), "/1024 kept"),
    ("rp", "alpha_timer", "DCE_TCP_RTT", lambda v: v / _US, "µs"),
    ("rp", "reduce_window", "RATE_REDUCE_MONITOR_PERIOD", lambda v: v / _US, "µs"),
    ("np", "min_cnp_interval", "MIN_TIME_BETWEEN_CNPS", lambda v: v / _US, "µs"),
)


def vendor_settings(nics):
    """[(patterns, [(NAME_P1, number, unit, rounded)])] for the entries of `nics:` in a resolved scenario that use
    DCQCN."""
    found = []
    for entry in nics or []:
        if entry.get("congestion_control", "dcqcn") != "dcqcn" or "dcqcn" not in entry:
            continue
        rows = []
        for part, key, name, convert, unit in _NAMES:
            text = entry["dcqcn"].get(part, {}).get(key)
            if text is None:
                continue
            exact = convert(parse_quantity(text).value)
            rows.append((name + "_P1", round(exact), unit, abs(exact - round(exact)) > 1e-6 * max(1, exact)))
        found.append((entry.get("match", "*"), rows))
    return found
