"""STATE_DB: the rates that ports have negotiated (PORT_TABLE, in Mb/s)."""

from headroom.measured.formats import redis
from headroom.measured.formats.row import Row


def recognises(source):
    return redis.recognises(source) and any("speed" in fields for fields in redis.table(source, "PORT_TABLE").values())


def read(source):
    node = redis.hostname(source)
    for port, fields in redis.table(source, "PORT_TABLE").items():
        keys = (f"PORT_TABLE|{port}", "speed")
        value = source.number(fields["speed"], *keys) if "speed" in fields else None
        if value is not None:
            yield Row(node, port, "", "link_rate", value * 1e6, place=f"{source.path}:{source.line_of(*keys)}")
