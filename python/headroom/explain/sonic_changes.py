"""Changes of a SONiC switch's configuration for counterfactuals.py: fields of config_db.json, which buffer.tables replaces."""

import json

from headroom.explain.keys import factor_of, times

# Fields, each with values to try as in the schema's `tried`.
_FACTORS = ("*4", "/4")
_TRIED = {
    "BUFFER_PROFILE": {"dynamic_th": ("-6", "-3", "-1", "0", "1", "3"), "static_th": _FACTORS, "xoff": _FACTORS},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"default_dynamic_th": ("-6", "-3", "-1", "0", "1", "3")},
    "WRED_PROFILE": {"green_min_threshold": _FACTORS, "green_max_threshold": _FACTORS, "green_drop_probability": _FACTORS, "ecn": ("ecn_none", "ecn_all")},
    "SCHEDULER": {"weight": ("*16", "/16"), "type": ("STRICT", "DWRR")},
    "CABLE_LENGTH": {None: ("5m", "40m", "300m")},
}


def fields(case):
    """A field of a row at a time, in the switches of one entry."""
    for i, entry in case.entries("switches"):
        buffer = entry.get("buffer") or {}
        if "sonic" not in buffer:
            continue
        with open(buffer["sonic"], encoding="utf-8") as file:
            tables = json.load(file)
        for table, tried in _TRIED.items():
            for row, of_row in (tables.get(table) or {}).items():
                named = dict.fromkeys(of_row, tried[None]) if None in tried else tried
                for name, words in named.items():
                    for word in words if name in of_row else ():
                        value = times(of_row[name], factor_of(word)) if factor_of(word) else word
                        if value and value != of_row[name]:
                            yield f"{table}.{row}.{name}={word}", f"{name} of {table} {row} from {of_row[name]} to {value}", [(("switches", i, "buffer", "tables", table, row, name), value)]
