"""DCQCN settings of a scenario in the form of a vendor's tool: the names and units of mlxconfig (port 1).

Names, units and ranges are those of NVIDIA's ConnectX firmware, as printed by `mlxconfig -q` and given in its
documents. A note gives the reason if a value had to differ, because of whole units or a range, and says where the
firmware works differently. All parameters of its reaction point are set, because the firmware's defaults are not the
published ones.
"""

from headroom.quantity import parse_quantity

_MBPS, _US = 10**6, 10**6  # in bit/s and ps
_LONGEST, _FASTEST = 131_071, 100_000_000

# Part and key under dcqcn, name, conversion of the value to the firmware's number, its unit, least and most.
_NAMES = (
    ("rp", "increase_timer", "RPG_TIME_RESET", lambda v: v / _US, "µs", 1, _LONGEST),
    ("rp", "byte_counter", "RPG_BYTE_RESET", lambda v: v / 64, "× 64 B", 0, 32_767),
    ("rp", "fast_recovery", "RPG_THRESHOLD", lambda v: v, "", 1, 31),
    ("rp", "rate_ai", "RPG_AI_RATE", lambda v: v / _MBPS, "Mb/s", 1, _FASTEST),
    ("rp", "rate_hai", "RPG_HAI_RATE", lambda v: v / _MBPS, "Mb/s", 1, _FASTEST),
    ("rp", "min_rate", "RPG_MIN_RATE", lambda v: v / _MBPS, "Mb/s", 1, _FASTEST),
    ("rp", "g", "DCE_TCP_G", lambda v: 1024 * (1 - v), "/ 1024", 0, 1023),
    ("rp", "alpha_timer", "DCE_TCP_RTT", lambda v: v / _US, "µs", 1, _LONGEST),
    ("rp", "reduce_window", "RATE_REDUCE_MONITOR_PERIOD", lambda v: v / _US, "µs", 1, _LONGEST),
    ("np", "min_cnp_interval", "MIN_TIME_BETWEEN_CNPS", lambda v: v / _US, "µs", 0, _LONGEST),
)
# Name, unit, the value that has the effect of machine paper and the reason, and the key of machine vendor.
_OTHERS = (
    ("RPG_MAX_RATE", "Mb/s", 0, "line rate", "max_rate"),
    ("RPG_GD", "", 11, "a cut by alpha / 2", "rpg_gd"),
    ("RPG_MIN_DEC_FAC", "%", 50, "of the rate is left by a cut, at least", "rpg_min_dec_fac"),
    ("INITIAL_ALPHA_VALUE", "/ 1024", 1023, "", "initial_alpha_value"),
    ("CLAMP_TGT_RATE", "", 1, "every cut lowers the target", "clamp_target"),
    ("CLAMP_TGT_RATE_AFTER_TIME_INC", "", 1, "", "clamp_tgt_rate_after_time_inc"),
    ("RATE_TO_SET_ON_FIRST_CNP", "Mb/s", 0, "off", "rate_to_set_on_first_cnp"),
)


class Settings:
    """For the NICs that `match` names, which is finally a list of patterns: `rows`, [(NAME_P1, number, unit, note)], or
    `why_not`."""

    def __init__(self, match, rows, why_not=None):
        self.match, self.rows, self.why_not = match, rows, why_not


def _row(name, exact, unit, least, most, machine):
    whole, note = round(exact), ""
    if name == "RPG_BYTE_RESET" and whole > most:
        whole, note = 0, f"off: {exact:.6g} is beyond its {most}"
    elif not least <= whole <= most:
        whole = least if whole < least else most
        note = f"the {'least' if whole == least else 'most'} that it takes, for {exact:.6g}"
    elif abs(exact - whole) > 1e-6 * max(1, exact):
        note = f"rounded from {exact:.6g}"
    elif name == "DCE_TCP_G":
        note = "what alpha keeps"
    elif name == "RPG_THRESHOLD" and machine == "paper":
        note = "firmware adds from this stage on, the published algorithm from the next"
    return name + "_P1", whole, unit, note


def _other(name, unit, as_paper, note, key, rp):
    if rp.get("machine", "paper") == "paper" and key != "max_rate":
        return name + "_P1", as_paper, unit, note
    text = rp.get(key, "0")
    if key == "max_rate":
        number = round(parse_quantity(text).value / _MBPS)
    else:
        number = {"false": 0, "true": 1}.get(text) if text in ("false", "true") else int(text)
    return name + "_P1", number, unit, note if number == as_paper else ""


def _priorities(dcqcn):
    """Mask of the priorities that both points have; the tool has one mask for both."""
    np, rp = (int(dcqcn.get(part, {}).get("roce_cc_prio_mask", "255")) for part in ("np", "rp"))
    note = "" if np == rp else f"of both: notification point {np}, reaction point {rp} (sysfs: roce_np, roce_rp/enable)"
    return "ROCE_CC_PRIO_MASK_P1", np & rp, "", note


def _rows(dcqcn, cnp):
    rp, rows = dcqcn.get("rp", {}), []
    for part, key, name, convert, unit, least, most in _NAMES:
        text = dcqcn.get(part, {}).get(key)
        if text is None:
            continue
        if key == "min_cnp_interval" and dcqcn["np"].get("coalescing") == "per_packet":
            text = "0us"  # as at that place
        rows.append(_row(name, convert(parse_quantity(text).value), unit, least, most, rp.get("machine", "paper")))
    rows += [_other(*other, rp) for other in _OTHERS]
    for key, name in (("dscp", "CNP_DSCP"), ("priority", "CNP_802P_PRIO")):
        if key in cnp:
            rows.append((name + "_P1", int(cnp[key]), "", ""))
    return rows + [_priorities(dcqcn)]


def _together(found):
    """Merges settings with the same numbers into one, which matches the names of all."""
    merged = {}
    for settings in found:
        names = settings.match if isinstance(settings.match, list) else [settings.match]
        key = (settings.why_not, *(row[:3] for row in settings.rows))
        if key not in merged:
            merged[key] = Settings(names, settings.rows, settings.why_not)
            continue
        one = merged[key]
        notes = [dict.fromkeys(note for note in (a[3], b[3]) if note) for a, b in zip(one.rows, settings.rows)]
        one.rows = [(*row[:3], "; ".join(note)) for row, note in zip(one.rows, notes)]
        one.match = one.match + names
    return list(merged.values())


def vendor_settings(resolved):
    """[Settings] for the entries of `nics:` in a resolved scenario that have a congestion control, one for all with
    equal settings."""
    cnp = (resolved.get("priorities") or {}).get("cnp", {})
    found = []
    for entry in resolved.get("nics") or []:
        control = entry.get("congestion_control", "dcqcn")
        if isinstance(control, dict):
            found.append(Settings(entry.get("match", "*"), [], f"congestion control {control['type']} is not the firmware's"))
        if control != "dcqcn" or "dcqcn" not in entry:
            continue
        match, machine = entry.get("match", "*"), entry["dcqcn"].get("rp", {}).get("machine", "paper")
        if machine in ("paper", "vendor"):
            found.append(Settings(match, _rows(entry["dcqcn"], cnp)))
        else:
            found.append(Settings(match, [], f"machine {machine} is not the firmware's"))
    return _together(found)
