"""`show queue watermark unicast`: the peak of each queue in its shared pool. `all` has columns ALL0 …"""

from headroom.measured.formats.row import Row
from headroom.measured.formats.text_tables import numbered


def _queues(table):
    return numbered(table, "UC") or numbered(table, "ALL")


def takes(table):
    return bool(_queues(table))


def rows(table, source):
    first = table.header[0]
    queues = _queues(table)
    for line, row, column, value in table.numbers(source, queues):
        yield Row(table.node, row[first], queues[column], "peak_queue_shared_bytes", value, place=f"{source.path}:{line}")
