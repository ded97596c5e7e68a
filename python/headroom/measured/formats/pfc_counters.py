"""`show pfc counters`: PFC frames of each port and priority, one table for each direction."""

from headroom.measured.formats.row import Row
from headroom.measured.formats.text_tables import numbered

_COUNTERS = {"Port Rx": "pfc_frames_rx", "Port Tx": "pfc_frames_tx"}


def takes(table):
    return bool(table.header) and table.header[0] in _COUNTERS


def rows(table, source):
    first = table.header[0]
    priorities = numbered(table, "PFC")
    for line, row, column, value in table.numbers(source, priorities):
        yield Row(table.node, row[first], priorities[column], _COUNTERS[first], value, place=f"{source.path}:{line}")
