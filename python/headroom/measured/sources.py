"""The measured files of a command line: NODE=FILE,FILE …, their formats, and their rows."""

import re
from dataclasses import dataclass
from pathlib import Path

from headroom.errors import InputError
from headroom.measured.formats import (
    counters_db,
    ethtool,
    fio,
    interface_counters,
    perftest,
    pfc_counters,
    pfcwd_stats,
    pool_watermark,
    priority_group,
    queue_counters,
    queue_watermark,
    rdma_statistic,
    redis,
    state_db,
)
from headroom.measured.formats.row import Source, read_text
from headroom.measured.formats.text_tables import shown_tables, text_tables

# Whole files, and tables of text, of which a file may have several.
_FILES = (fio, perftest, rdma_statistic, ethtool, counters_db, state_db, queue_counters, interface_counters)
_TABLES = (pfc_counters, priority_group, queue_watermark, queue_counters, interface_counters, pfcwd_stats, pool_watermark)
_KNOWN = (
    "dumps of COUNTERS_DB and STATE_DB; show pfc counters, priority-group watermark, priority-group drop counters, queue "
    "watermark, queue counters, interfaces counters, buffer_pool watermark; pfcwd show stats; ethtool -S; rdma statistic; "
    "perftest; fio; and headroom show"
)


@dataclass
class Device:
    """One word of the command line: dumps of one device, in the order of time. `rows`: [{key: Row}], one for each."""

    word: str
    node: str
    port: str
    paths: list
    rows: list
    aliases: dict


def _is_shown(source):
    found = source.json if source.is_json else None
    return isinstance(found, dict) and "table" in found and isinstance(found.get("tables"), list)


def _rows_of_tables(source):
    for table in shown_tables(source) if _is_shown(source) else text_tables(source):
        reader = next((one for one in _TABLES if one.takes(table)), None)
        if reader:
            yield from reader.rows(table, source)
        elif table.header:
            raise source.error(table.line, f"no table that compare reads: {', '.join(table.header[:4])} …; it reads {_KNOWN}")


def _rows(source):
    readers = [] if _is_shown(source) else [one for one in _FILES if getattr(one, "recognises", lambda _: False)(source)]
    if readers:
        return [row for reader in readers for row in reader.read(source)]
    if redis.recognises(source):
        return []  # names of ports only
    if source.is_json and not _is_shown(source):
        raise source.error(1, f"no JSON that compare reads; it reads {_KNOWN}")
    return list(_rows_of_tables(source))


def read_source(path):
    """(rows, aliases of ports) of one file. InputError with file, line and key if it is damaged."""
    source = Source(str(path), read_text(path))
    rows = _rows(source)
    aliases = redis.aliases(source) if redis.recognises(source) else {}
    if not rows and not aliases and not _is_shown(source) and "---" not in source.text:
        raise source.error(1, f"no table; compare reads {_KNOWN}")
    return rows, aliases


def _by_key(path, rows):
    found = {}
    for row in rows:
        if row.key in found and found[row.key].value != row.value:
            wrong = f"{_words(row)} has another value in {found[row.key].place}; keep one of the two"
            raise InputError(f"{row.place}:1: {wrong}")
        found[row.key] = row
    return found


def _words(row):
    return " ".join(part for part in (row.node, row.port, row.item, row.counter) if part)


def _files_of(word):
    """(node, port, [path]) of FILE, FILE,FILE and NODE[:PORT]=FILE…"""
    named = None if Path(word).is_file() else re.match(r"([\w.-]+)(?::([\w./-]+))?=(.+)$", word)
    node, port, files = (named[1], named[2] or "", named[3]) if named else ("", "", word)
    paths = [files] if Path(files).is_file() else files.split(",")
    missing = next((path for path in paths if not Path(path).is_file()), None)
    if missing is not None:
        raise InputError(f"{missing or word}: there is no such file; give FILE, or BEFORE,AFTER, with NODE= before it if needed")
    scenario = next((path for path in paths if Path(path).suffix in (".yaml", ".yml")), None)
    if scenario is not None:
        raise InputError(f"{scenario} is a scenario, not a measured file; run it, and compare the folders of two results")
    return node, port, paths


def read_devices(words):
    """[Device] of the words MEASURED."""
    devices = []
    for word in words:
        node, port, paths = _files_of(word)
        device = Device(word, node, port, paths, [], {})
        for path in paths:
            rows, aliases = read_source(path)
            device.rows.append(_by_key(path, rows))
            device.aliases |= aliases
        devices.append(device)
    _share_aliases(devices)
    return devices


def _share_aliases(devices):
    """A dump's aliases hold for the other files of its device, and for files that do not name theirs."""
    own = [(device, dict(device.aliases)) for device in devices]
    for device in devices:
        for other, aliases in own:
            if not device.node or not other.node or device.node == other.node:
                device.aliases = aliases | device.aliases
