"""`show queue counters` and `show queue wredcounters`, as text and as --json prints them. Multicast queues (MC) have no
counterpart in a run."""

import re

from headroom.measured.formats.row import Row

_COLUMNS = {
    "Counter/pkts": "tx_packets",
    "Counter/bytes": "tx_bytes",
    "Drop/pkts": "drop_egress",
    "EcnMarked/pkts": "marked_packets",
}
_FIELDS = {"totalpacket": "tx_packets", "totalbytes": "tx_bytes", "droppacket": "drop_egress", "ecnmarkedpacket": "marked_packets"}


def _queue(name):
    """The number of a unicast queue; None for others."""
    found = re.fullmatch(r"(?:UC|ALL)(\d{1,3})", name)
    return found and found[1]


def takes(table):
    return {"Port", "TxQ"} <= set(table.header) and any(column in table.header for column in _COLUMNS)


def rows(table, source):
    columns = [column for column in _COLUMNS if column in table.header]
    for line, row, column, value in table.numbers(source, columns):
        if not re.fullmatch(r"[A-Z]{2,4}\d{1,3}", row["TxQ"]):
            raise source.error(line, f"TxQ: a queue such as UC3 is expected, not {row['TxQ']!r}; capture the output again")
        if _queue(row["TxQ"]):
            yield Row(table.node, row["Port"], _queue(row["TxQ"]), _COLUMNS[column], value, place=f"{source.path}:{line}")


def recognises(source):
    """{port: {UC0: {totalpacket: …}}} of queuestat's --json."""
    if not source.is_json or not isinstance(source.json, dict):
        return False
    ports = [value for value in source.json.values() if isinstance(value, dict)]
    return any(re.fullmatch(r"(UC|MC|ALL)\d+", key) for port in ports for key in port)


def read(source):
    for port, queues in source.json.items():
        for name, fields in source.object(queues, port).items():
            if name == "time" or not _queue(name):
                continue
            for field, value in source.object(fields, port, name).items():
                if field not in _FIELDS:
                    continue
                number = source.number(value, port, name, field)
                if number is not None:
                    place = f"{source.path}:{source.line_of(port, name, field)}"
                    yield Row("", port, _queue(name), _FIELDS[field], number, place=place)
