"""`show interfaces counters` (portstat), as text and as --json prints it."""

import re

from headroom.measured.formats.row import Row, half_unit
from headroom.measured.formats.text_tables import cell_number

_COUNTS = {"RX_OK": "rx_packets", "RX_ERR": "drop_corrupt", "RX_DRP": "drop_rx", "TX_OK": "tx_packets", "TX_DRP": "drop_tx"}
_RATES = {"RX_BPS": "rx_rate", "TX_BPS": "tx_rate"}
_UNITS = {"B/s": 1.0, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9}


def _rate(text):
    """(bytes a second, half a unit of its last digit); None for N/A. ValueError."""
    if text == "N/A":
        return None
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) ([KMG]?B/s)", text, re.ASCII)
    if not found:
        raise ValueError
    return float(found[1]) * _UNITS[found[2]], half_unit(found[1]) * _UNITS[found[2]]


def _row(node, port, column, cell, number, wrong, place):
    """Row of one cell; None if it has no number. `number` reads whole ones, `wrong` makes the error."""
    if column in _COUNTS:
        value = number(column, cell)
        return None if value is None else Row(node, port, "", _COUNTS[column], value, place=place)
    try:
        value = _rate(cell)
    except (ValueError, TypeError):
        raise wrong(column, f"a rate such as 653.87 MB/s is expected, not {str(cell)[:40]!r}") from None
    return None if value is None else Row(node, port, "", _RATES[column], *value, place=place)


def takes(table):
    return {"IFACE", "RX_OK", "TX_OK"} <= set(table.header)


def rows(table, source):
    for line, row in table.rows:
        for column in [name for name in (*_COUNTS, *_RATES) if name in row]:
            found = _row(
                table.node,
                row["IFACE"],
                column,
                row[column],
                lambda name, cell: cell_number(source, line, name, cell),
                lambda name, wrong: source.error(line, f"{name}: {wrong}; capture the output again"),
                f"{source.path}:{line}",
            )
            if found:
                yield found


def recognises(source):
    """{port: {RX_OK: …}} of portstat's --json."""
    found = source.json if source.is_json else None
    return isinstance(found, dict) and any(isinstance(port, dict) and "RX_OK" in port for port in found.values())


def read(source):
    for port, columns in source.json.items():
        for column, cell in source.object(columns, port).items():
            if column not in _COUNTS and column not in _RATES:
                continue
            found = _row(
                "",
                port,
                column,
                cell,
                lambda name, value: source.number(value, port, name),
                lambda name, wrong: source.wrong([port, name], wrong),
                f"{source.path}:{source.line_of(port, column)}",
            )
            if found:
                yield found
