"""The comparison as text and as JSON."""

from headroom.format import counted
from headroom.text_table import number_text, text_table

_MOST = 40


def _number(value, unit):
    return f"{value:.4g}" if unit in ("us", "Gb/s") else number_text(value)


def deviation_text(entry):
    if entry.is_equal:
        return "equal"
    if entry.deviation is None:
        return "only simulated"
    if entry.simulated == 0:
        return "only measured"
    percent = 100 * entry.deviation
    return f"{percent:+.1f} %" if abs(percent) < 999.5 else f"× {number_text(1 + entry.deviation)}"


def _measured_text(entry):
    one, unit = entry.measured, entry.counter.unit
    text = _number(one.value, unit)
    return text if one.high == one.low else f"{text} ({_number(one.low, unit)} to {_number(one.high, unit)})"


def _simulated_text(entry):
    unit = entry.counter.unit
    text = _number(entry.simulated, unit)
    return text if entry.high == entry.low else f"{text} ({_number(entry.low, unit)} to {_number(entry.high, unit)})"


def as_text(found, result, notes):
    """The page for people."""
    different = [entry for entry in found.entries if not entry.is_equal]
    equal = len(found.entries) - len(different)
    lines = [f"{result.path} beside measured counters", *notes, ""]
    rows = [
        [e.place, e.counter.words, e.counter.unit, _measured_text(e), _simulated_text(e), deviation_text(e)] for e in different[:_MOST]
    ]
    if rows:
        lines.append(text_table(["place", "counter", "unit", "measured", "simulated", "deviation"], rows, left=3))
        lines.append("")
    if len(different) > _MOST:
        lines.append(f"{counted(len(different) - _MOST, 'further counter')} with smaller deviations: --json has all")
    lines.append(f"{counted(equal, 'counter')} equal, {counted(len(different), 'counter')} different; {found.zeros} more are 0 on both sides")
    if found.not_measured:
        lines.append(f"{counted(found.not_measured, 'counter')} of the result at these places not measured")
    if found.unmatched:
        lines.append("")
        lines.append("measured, without a counterpart:")
        lines += [f"  {counted(one.count, 'counter')}, such as {one.example}: {one.why}" for one in found.unmatched]
    return "\n".join(lines)


def as_json(found, result, notes):
    return {
        "result": str(result.path),
        "notes": notes,
        "counters": [
            {
                "node": e.measured.node,
                "port": e.measured.port,
                "item": e.measured.item,
                "counter": e.measured.counter,
                "unit": e.counter.unit,
                "measured": e.measured.value,
                "measured_range": [e.measured.low, e.measured.high],
                "simulated": e.simulated,
                "simulated_range": [e.low, e.high],
                "deviation": e.deviation,
                "equal": e.is_equal,
                "place": e.measured.place,
                "metric": e.metric or None,
            }
            for e in found.entries
        ],
        "zero_on_both_sides": found.zeros,
        "not_measured": found.not_measured,
        "unmatched": [{"why": one.why, "count": one.count, "example": one.example} for one in found.unmatched],
    }
