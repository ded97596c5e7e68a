"""`show priority-group watermark shared|headroom` and `show priority-group drop counters`."""

from headroom.measured.formats.row import Row
from headroom.measured.formats.text_tables import numbered


def _counter(table):
    title = table.title.lower()
    if "drop" in title:
        return "drop_ingress"
    if "headroom" in title:
        return "peak_headroom_bytes"
    return "peak_group_shared_bytes" if "shared" in title else None


def takes(table):
    return bool(numbered(table, "PG")) and _counter(table) is not None


def rows(table, source):
    first = table.header[0]
    groups = numbered(table, "PG")
    for line, row, column, value in table.numbers(source, groups):
        yield Row(table.node, row[first], groups[column], _counter(table), value, place=f"{source.path}:{line}")
