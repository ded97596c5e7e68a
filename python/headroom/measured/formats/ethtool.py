"""`ethtool -S` of mlx5: counters of the port (…_phy) and of priorities. Those of queues and of the host's software have no
counterpart in a run."""

import re

from headroom.measured.formats.row import Row, parse_number
from headroom.quantity import shortened

_PORT = {
    "rx_packets_phy": "rx_packets",
    "tx_packets_phy": "tx_packets",
    "rx_bytes_phy": "rx_bytes",
    "tx_bytes_phy": "tx_bytes",
    "rx_discards_phy": "drop_rx",
    "tx_discards_phy": "drop_tx",
    "rx_crc_errors_phy": "drop_corrupt",
}
_PRIORITY = {
    "rx_packets": "rx_packets",
    "tx_packets": "tx_packets",
    "rx_bytes": "rx_bytes",
    "tx_bytes": "tx_bytes",
    "rx_pause": "pfc_frames_rx",
    "tx_pause": "pfc_frames_tx",
    "rx_pause_duration": "paused_us_rx",
    "tx_pause_duration": "paused_us_tx",
    "rx_pause_transition": "pauses_rx",
    "rx_discards": "drop_ingress",
}
_HEAD = re.compile(r"NIC statistics:\s*$")


def recognises(source):
    return any(_HEAD.match(line) for line in source.lines)


def _named(name):
    """(item, counter) of a counter; None if a run has none."""
    if name in _PORT:
        return "", _PORT[name]
    found = re.fullmatch(r"([rt]x)_prio([0-7])_(\w+)", name)
    counter = found and _PRIORITY.get(f"{found[1]}_{found[3]}")
    return (found[2], counter) if counter else None


def read(source):
    inside, seen = False, set()
    for number, line in enumerate(source.lines, 1):
        if _HEAD.match(line):
            if inside:
                raise source.error(number, "a second device; give each device its own file, NODE=FILE")
            inside = True
            continue
        if not line.strip() or not inside or re.match(r"\s*#|\S*[$#] ", line):
            continue
        parts = re.fullmatch(r"\s*(\S.*?):\s*(\S*)\s*", line)
        value = parse_number(parts[2]) if parts else None
        if value is None:
            name = parts[1] if parts else line.strip()
            raise source.error(number, f"{shortened(name)}: a counter and its number are expected; capture the output again")
        if parts[1] in seen:
            raise source.error(number, f"{shortened(parts[1])}: appears twice; capture the output again")
        seen.add(parts[1])
        named = _named(parts[1])
        if named:
            yield Row("", "", *named, value, place=f"{source.path}:{number}")
