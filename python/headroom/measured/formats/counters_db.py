"""COUNTERS_DB: SAI's counters of ports, queues, priority groups and pools, by object. Watermarks are those that `show`
prints: USER_WATERMARKS, else PERSISTENT_WATERMARKS."""

import re

from headroom.measured.formats import redis
from headroom.measured.formats.row import Row

_PORT = {
    "IF_IN_OCTETS": "rx_bytes",
    "IF_OUT_OCTETS": "tx_bytes",
    "IF_IN_ERRORS": "drop_corrupt",
    "IF_IN_DISCARDS": "drop_rx",
    "IF_OUT_DISCARDS": "drop_tx",
}
# SONiC's RX_OK and TX_OK are these sums.
_SUMS = {
    "rx_packets": ("SAI_PORT_STAT_IF_IN_UCAST_PKTS", "SAI_PORT_STAT_IF_IN_NON_UCAST_PKTS"),
    "tx_packets": ("SAI_PORT_STAT_IF_OUT_UCAST_PKTS", "SAI_PORT_STAT_IF_OUT_NON_UCAST_PKTS"),
}
_PFC = {
    "RX_PKTS": "pfc_frames_rx",
    "TX_PKTS": "pfc_frames_tx",
    "RX_PAUSE_DURATION_US": "paused_us_rx",
    "TX_PAUSE_DURATION_US": "paused_us_tx",
    "ON2OFF_RX_PKTS": "pauses_rx",
}
_QUEUE = {
    "SAI_QUEUE_STAT_PACKETS": "tx_packets",
    "SAI_QUEUE_STAT_BYTES": "tx_bytes",
    "SAI_QUEUE_STAT_DROPPED_PACKETS": "drop_egress",
    "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS": "marked_packets",
    "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED": "storms_detected",
    "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED": "storms_restored",
    "PFC_WD_QUEUE_STATS_TX_PACKETS": "watchdog_tx_ok",
    "PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS": "watchdog_tx_drop",
    "PFC_WD_QUEUE_STATS_RX_PACKETS": "watchdog_rx_ok",
    "PFC_WD_QUEUE_STATS_RX_DROPPED_PACKETS": "watchdog_rx_drop",
}
_GROUP = {
    "SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS": "rx_packets",
    "SAI_INGRESS_PRIORITY_GROUP_STAT_BYTES": "rx_bytes",
    "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS": "drop_ingress",
}
_QUEUE_PEAKS = {"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES": "peak_queue_shared_bytes"}
_GROUP_PEAKS = {
    "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES": "peak_group_shared_bytes",
    "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES": "peak_headroom_bytes",
}
_POOL_PEAKS = {
    "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES": "peak_pool_bytes",
    "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES": "peak_headroom_bytes",
}
_WATERMARKS = ("USER_WATERMARKS", "PERSISTENT_WATERMARKS")


def recognises(source):
    return redis.recognises(source) and any(key.startswith("COUNTERS") for key in redis.hashes(source))


class _Reader:
    def __init__(self, source):
        self.source, self.node = source, redis.hostname(source)
        self.hashes = redis.hashes(source)

    def number(self, key, field):
        fields = self.hashes.get(key, {})
        return self.source.number(fields[field], key, field) if field in fields else None

    def row(self, port, item, counter, key, field):
        value = self.number(key, field)
        if value is None:
            return []
        return [Row(self.node, port, item, counter, value, place=f"{self.source.path}:{self.source.line_of(key, field)}")]

    def counters(self, port, item, oid, columns):
        return [row for field, counter in columns.items() for row in self.row(port, item, counter, f"COUNTERS:{oid}", field)]

    def peaks(self, port, item, oid, columns):
        found = []
        for field, counter in columns.items():
            of_tables = (self.row(port, item, counter, f"{table}:{oid}", field) for table in _WATERMARKS)
            found += next((rows for rows in of_tables if rows), [])
        return found

    def port(self, port, oid):
        key = f"COUNTERS:{oid}"
        found = self.counters(port, "", oid, {f"SAI_PORT_STAT_{field}": counter for field, counter in _PORT.items()})
        for counter, fields in _SUMS.items():
            parts = [row for field in fields for row in self.row(port, "", counter, key, field)]
            if parts:
                found.append(Row(self.node, port, "", counter, sum(row.value for row in parts), place=parts[0].place))
        for priority in range(8):
            columns = {f"SAI_PORT_STAT_PFC_{priority}_{field}": counter for field, counter in _PFC.items()}
            found += self.counters(port, str(priority), oid, columns)
        return found

    def indexed(self, name, columns, peaks, skipped=()):
        """Rows of queues or groups, whose names are PORT:NUMBER."""
        found = []
        for key, oid in redis.name_map(self.source, name).items():
            parts = re.fullmatch(r"(.+):(\d{1,4})", key, re.ASCII)
            if not parts:
                raise self.source.wrong([name, key], "a name such as Ethernet0:3 is expected; dump it again")
            if oid not in skipped:
                found += self.counters(parts[1], parts[2], oid, columns) + self.peaks(parts[1], parts[2], oid, peaks)
        return found


def read(source):
    reader = _Reader(source)
    types = redis.name_map(source, "COUNTERS_QUEUE_TYPE_MAP")
    multicast = {oid for oid, kind in types.items() if kind.endswith("MULTICAST")}
    found = []
    for port, oid in redis.name_map(source, "COUNTERS_PORT_NAME_MAP").items():
        found += reader.port(port, oid)
    found += reader.indexed("COUNTERS_QUEUE_NAME_MAP", _QUEUE, _QUEUE_PEAKS, multicast)
    found += reader.indexed("COUNTERS_PG_NAME_MAP", _GROUP, _GROUP_PEAKS)
    for pool, oid in redis.name_map(source, "COUNTERS_BUFFER_POOL_NAME_MAP").items():
        found += reader.peaks("", pool, oid, _POOL_PEAKS)
    if not found:
        wrong = "no counter has a name: COUNTERS_PORT_NAME_MAP and the other maps are missing; dump the whole COUNTERS_DB"
        raise source.error(1, wrong)
    return found
