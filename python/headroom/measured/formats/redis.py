"""Dumps of SONiC's databases: redis-dump, `sonic-db-dump`, and a config_db.json for names. Keys have the parts of a table
and an object: COUNTERS:oid:0x1…, PORT_TABLE|Ethernet0."""

from headroom.quantity import shortened

_TABLES = ("COUNTERS", "USER_WATERMARKS", "PERSISTENT_WATERMARKS", "PERIODIC_WATERMARKS", "PORT", "PORT_TABLE", "DEVICE_METADATA")


def _table_of(key):
    return key.replace("|", ":").partition(":")[0]


def recognises(source):
    if source.is_json_lines:
        return True
    found = source.json if source.is_json else None
    return isinstance(found, dict) and any(_table_of(key) in _TABLES or _table_of(key).startswith("COUNTERS_") for key in found)


def _of_lines(source):
    """Keys of a dump with an object a line, which has the fields key and value."""
    found = {}
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        one = source.parsed(line, number)
        if not isinstance(one, dict) or not isinstance(one.get("key"), str) or "value" not in one:
            raise source.error(number, "an object with the fields key and value is expected; dump it again")
        if one["key"] in found:
            raise source.error(number, f'the key "{shortened(one["key"])}" appears twice; dump it again')
        found[one["key"]] = one["value"]
    return found


def hashes(source):
    """{key: fields} of the tables that are read, once for each source."""
    if "hashes" not in source.memo:
        found = _of_lines(source) if source.is_json_lines else source.json
        source.memo["hashes"] = {key: _fields(source, key, value) for key, value in found.items() if _is_read(key, value)}
    return source.memo["hashes"]


def _is_read(key, value):
    of_redis = isinstance(value, dict) and {"type", "value"} <= value.keys()
    return (_table_of(key) in _TABLES or _table_of(key).startswith("COUNTERS_")) and (not of_redis or value["type"] == "hash")


def _fields(source, key, value):
    if isinstance(value, dict) and {"type", "value"} <= value.keys():
        value = value["value"]
    return source.object(value, key)


def table(source, name):
    """{object: fields} of one table, for keys NAME:OBJECT and NAME|OBJECT, and of config_db.json's NAME: {OBJECT: …}."""
    found = {}
    for key, fields in hashes(source).items():
        if key == name:
            found |= {inner: value for inner, value in fields.items() if isinstance(value, dict)}
        elif _table_of(key) == name:
            found[key[len(name) + 1 :]] = fields
    return found


def name_map(source, name):
    """{name: object} of a map such as COUNTERS_PORT_NAME_MAP; empty without one."""
    found = hashes(source).get(name, {})
    for key, value in found.items():
        if not isinstance(value, str) or not value:
            raise source.wrong([name, key], "the id of an object is expected; dump it again")
    return found


def aliases(source):
    """{name of a port: alias} of tables PORT and PORT_TABLE."""
    found = {}
    for name in ("PORT", "PORT_TABLE"):
        for port, fields in table(source, name).items():
            if isinstance(fields.get("alias"), str):
                found[port] = fields["alias"]
    return found


def hostname(source):
    """The name in DEVICE_METADATA; "" without one."""
    name = table(source, "DEVICE_METADATA").get("localhost", {}).get("hostname", "")
    return name if isinstance(name, str) else ""
