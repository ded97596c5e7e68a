"""`pfcwd show stats`: storms of each watched queue, and the packets that they cost."""

import re

from headroom.measured.formats.row import Row, parse_number

_PAIRS = {
    "STORM DETECTED/RESTORED": ("storms_detected", "storms_restored"),
    "TX OK/DROP": ("watchdog_tx_ok", "watchdog_tx_drop"),
    "RX OK/DROP": ("watchdog_rx_ok", "watchdog_rx_drop"),
}


def takes(table):
    return "STORM DETECTED/RESTORED" in table.header and "QUEUE" in table.header


def rows(table, source):
    for line, row in table.rows:
        queue = re.fullmatch(r"(\S+):(\d{1,3})", row["QUEUE"], re.ASCII)
        if not queue:
            raise source.error(line, f"QUEUE: a queue such as Ethernet0:3 is expected, not {row['QUEUE']!r}; capture the output again")
        for column in [name for name in _PAIRS if name in row]:
            values = [parse_number(part) for part in row[column].split("/")]
            if len(values) != 2 or None in values:
                wrong = f"{column}: two numbers such as 2/1 are expected, not {row[column]!r}; capture the output again"
                raise source.error(line, wrong)
            for counter, value in zip(_PAIRS[column], values):
                yield Row(table.node, queue[1], queue[2], counter, value, place=f"{source.path}:{line}")
