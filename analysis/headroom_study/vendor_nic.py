"""DCQCN settings of a scenario as a vendor's tool takes them: the names and units of mlxconfig (port 1).

Names and units are those of NVIDIA's ConnectX firmware, as `mlxconfig -q` prints them. Steps are whole numbers of the
unit, so a value may be rounded; a note says that, and where the firmware goes about it in another way. All that this
firmware's reaction point heeds is set, not only what differs from its defaults: those are not the published ones.
"""

from .quantity import parse_quantity

_MBPS, _US = 10**6, 10**6  # in bit/s and ps

# Key under dcqcn, name, how the value becomes the firmware's number, its unit.
_NAMES = (
    ("rp", "increase_timer", "RPG_TIME_RESET", lambda v: v / _US, "µs"),
    ("rp", "byte_counter", "RPG_BYTE_RESET", lambda v: v / 64, "× 64 B"),
    ("rp", "fast_recovery", "RPG_THRESHOLD", lambda v: v, ""),
    ("rp", "rate_ai", "RPG_AI_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "rate_hai", "RPG_HAI_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "min_rate", "RPG_MIN_RATE", lambda v: v / _MBPS, "Mb/s"),
    ("rp", "g", "DCE_TCP_G", lambda v: 1024 * (1 - v), "/ 1024"),
    ("rp", "alpha_timer", "DCE_TCP_RTT", lambda v: v / _US, "µs"),
    ("rp", "reduce_window", "RATE_REDUCE_MONITOR_PERIOD", lambda v: v / _US, "µs"),
    ("np", "min_cnp_interval", "MIN_TIME_BETWEEN_CNPS", lambda v: v / _US, "µs"),
)
# What the published algorithm has no parameter for.
_AS_PUBLISHED = (
    ("RPG_MAX_RATE", 0, "Mb/s", "line rate"),
    ("RPG_GD", 11, "", "a cut by alpha / 2"),
    ("RPG_MIN_DEC_FAC", 50, "%", "and by no more than half"),
    ("INITIAL_ALPHA_VALUE", 1023, "/ 1024", ""),
    ("CLAMP_TGT_RATE", 1, "", "every cut lowers the target"),
    ("RATE_TO_SET_ON_FIRST_CNP", 0, "Mb/s", "off"),
)
_NOTES = {
    "DCE_TCP_G": "what alpha keeps",
    "RPG_THRESHOLD": "firmware adds from this stage on, the published algorithm from the next",
}


class Settings:
    """For the NICs that `match` names: `rows`, [(NAME_P1, number, unit, note)], or `why_not`."""

    def __init__(self, match, rows, why_not=None):
        self.match, self.rows, self.why_not = match, rows, why_not


def _whole(name, exact, unit):
    rounded = abs(exact - round(exact)) > 1e-6 * max(1, exact)
    notes = [f"rounded from {exact:.4g}"] if rounded else []
    notes += [_NOTES[name]] if name in _NOTES else []
    return name + "_P1", round(exact), unit, "; ".join(notes)


def _rows(dcqcn, cnp):
    rows = []
    for part, key, name, convert, unit in _NAMES:
        text = dcqcn.get(part, {}).get(key)
        if text is None:
            continue
        if key == "min_cnp_interval" and dcqcn["np"].get("coalescing") == "per_packet":
            text = "0us"  # as there, too
        rows.append(_whole(name, convert(parse_quantity(text).value), unit))
    rows += [(name + "_P1", value, unit, note) for name, value, unit, note in _AS_PUBLISHED]
    for key, name in (("dscp", "CNP_DSCP"), ("priority", "CNP_802P_PRIO")):
        if key in cnp:
            rows.append((name + "_P1", int(cnp[key]), "", ""))
    return rows


def vendor_settings(resolved):
    """[Settings] for the entries of `nics:` in a resolved scenario that use DCQCN."""
    cnp = (resolved.get("priorities") or {}).get("cnp", {})
    found = []
    for entry in resolved.get("nics") or []:
        if entry.get("congestion_control", "dcqcn") != "dcqcn" or "dcqcn" not in entry:
            continue
        match, machine = entry.get("match", "*"), entry["dcqcn"].get("rp", {}).get("machine", "paper")
        if machine == "paper":
            found.append(Settings(match, _rows(entry["dcqcn"], cnp)))
        else:
            found.append(Settings(match, [], f"machine {machine} is not the firmware's"))
    return found
