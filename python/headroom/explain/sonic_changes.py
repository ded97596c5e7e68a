"""Changes of a SONiC switch's configuration for counterfactuals.py: fields of config_db.json, which buffer.tables replaces."""

import json
from collections import Counter

from headroom.quantity import factor_of, times

# Fields, each with values to try as in the schema's `tried`.
_FACTORS, _THRESHOLDS = ("*4", "/4"), ("-6", "-3", "-1", "0", "1", "3")
_TRIED = {
    "BUFFER_PROFILE": {"dynamic_th": _THRESHOLDS, "static_th": _FACTORS, "xoff": _FACTORS},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"default_dynamic_th": _THRESHOLDS},
    "WRED_PROFILE": {"green_min_threshold": _FACTORS, "green_max_threshold": _FACTORS, "green_drop_probability": _FACTORS, "ecn": ("ecn_none", "ecn_all")},
    "SCHEDULER": {"weight": ("*16", "/16"), "type": ("STRICT", "DWRR")},
    "CABLE_LENGTH": {None: ("5m", "40m", "300m")},
}
# Fields of ports' groups and queues, with the tables of which they name a row.
_NAMING = (("BUFFER_PG", "profile", "BUFFER_PROFILE"), ("BUFFER_QUEUE", "profile", "BUFFER_PROFILE"), ("QUEUE", "wred_profile", "WRED_PROFILE"), ("QUEUE", "scheduler", "SCHEDULER"))


def _configurations(case):
    """[(path of buffer.tables, tables of the file)]"""
    for i, entry in case.entries("switches"):
        if "sonic" in (buffer := entry.get("buffer") or {}):
            with open(buffer["sonic"], encoding="utf-8") as file:
                yield ("switches", i, "buffer", "tables"), json.load(file)


def fields(case):
    """A field of a row at a time, and a field that names another row at all ports."""
    for path, tables in _configurations(case):
        for table, tried in _TRIED.items():
            for row, of_row in (tables.get(table) or {}).items():
                named = dict.fromkeys(of_row, tried[None]) if None in tried else tried
                for name, words in named.items():
                    for word in words if name in of_row else ():
                        value = times(of_row[name], factor_of(word)) if factor_of(word) else word
                        if value and value != of_row[name]:
                            yield f"{table}.{row}.{name}={word}", f"{name} of {table} {row} from {of_row[name]} to {value}", [((*path, table, row, name), value)]
        for table, numbers, name, others, values, most in _of_ports(tables):
            for other, of_other in others.items():
                if other != most and of_other.get("pool") == others.get(most, {}).get("pool"):
                    yield f"{table}.{numbers}.{name}={other}", f"{name} of {table} {numbers} from {most} to {other}", [((*path, table, row, name), other) for row, value in values.items() if value != other]


def _of_ports(tables):
    """[(table, numbers, field, rows that it may name, {row: value or None}, the commonest value)] of the groups and queues with equal numbers."""
    for table, name, named in _NAMING:
        groups = {}
        for row, of_row in (tables.get(table) or {}).items():
            groups.setdefault(row.rpartition("|")[2], {})[row] = of_row.get(name)
        for numbers, values in groups.items():
            if most := Counter(filter(None, values.values())).most_common(1):
                yield table, numbers, name, tables.get(named) or {}, values, most[0][0]


def odd_ports(case):
    """Fields of ports' groups and queues that differ from most ports', as there."""
    for path, tables in _configurations(case):
        for table, numbers, name, _, values, most in _of_ports(tables):
            odd = [row for row, value in values.items() if value != most]
            if len(odd) < len(values) / 2:
                yield f"{table}.{numbers}.{name}", f"{name} of {table} {', '.join(odd)} {most}, as at most ports", [((*path, table, row, name), most) for row in odd]
