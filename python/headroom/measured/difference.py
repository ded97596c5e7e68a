"""What a device counted: the difference of consecutive dumps, or the values of one dump."""

from dataclasses import dataclass

from headroom.errors import InputError
from headroom.measured.counters import COUNTERS


@dataclass(frozen=True)
class Measured:
    """`low`, `high`: the smallest and the largest of several intervals; equal to `value` with one."""

    node: str
    port: str
    item: str
    counter: str
    value: float
    low: float
    high: float
    half: float
    place: str


def _values(device, key):
    """The row's values: of a count one for each interval, of a peak or a level one for each dump after the first."""
    rows = [rows.get(key) for rows in device.rows]
    last = next(row for row in reversed(rows) if row)
    if len(rows) == 1:
        return [last.value], last
    if None in rows:
        return [], last  # a port that is new, or gone
    values = [row.value for row in rows]
    if COUNTERS[key[3]].kind != "count":
        return values[1:], last
    for before, after in zip(rows, rows[1:]):
        if after.value < before.value:
            name = " ".join(part for part in (*key[:3], key[3]) if part)
            raise InputError(
                f"{after.place}:1: {name} is {after.value:.15g}, but {before.value:.15g} in the earlier {before.place}; "
                "the counter was cleared or has wrapped, or the files are in the wrong order"
            )
    return [after - before for before, after in zip(values, values[1:])], last


def measured_of(device, scale=1.0):
    """[Measured] of a Device. Counts are multiplied by `scale`."""
    found, keys = [], dict.fromkeys(key for rows in device.rows for key in rows)
    for key in keys:
        values, row = _values(device, key)
        if not values:
            continue
        factor = scale if COUNTERS[key[3]].kind == "count" else 1.0
        values = [factor * value for value in values]
        mean = sum(values) / len(values)
        found.append(Measured(*key, mean, min(values), max(values), factor * row.half, row.place))
    return found
