"""`rdma statistic show`: CNPs, marks and losses of RDMA devices, as text, with -p and as JSON (-j)."""

import re

from headroom.measured.formats.row import Row, parse_number
from headroom.quantity import shortened

_COUNTERS = {
    "np_cnp_sent": "cnp_sent",
    "np_ecn_marked_roce_packets": "ecn_marked",
    "rp_cnp_handled": "cnp_handled",
    "rp_cnp_ignored": "cnp_ignored",
    "local_ack_timeout_err": "timeouts",
    "packet_seq_err": "naks",
}
_LINK = re.compile(r"(?:\s*\S*[$#] .*\n|\s*#.*\n)*\s*link \S+\s")


def _of_json(source):
    return source.is_json and isinstance(source.json, list) and any("np_cnp_sent" in one for one in source.json if isinstance(one, dict))


def recognises(source):
    return _of_json(source) or bool(_LINK.match(source.text))


def _json_numbers(source):
    """Yields (line, counter, number)."""
    for one in source.json:
        for name in [name for name in _COUNTERS if name in source.object(one)]:
            value = source.number(one[name], name)
            if value is not None:
                yield source.line_of(name), _COUNTERS[name], value


def _words(source):
    """Yields (line, word)."""
    for number, line in enumerate(source.lines, 1):
        if re.match(r"\s*#|\S*[$#] ", line):
            continue
        for word in line.split():
            yield number, word


def _text_numbers(source):
    """Yields (line, counter, number)."""
    words, seen = list(_words(source)), set()
    for (line, name), (_, value) in zip(words[::2], words[1::2]):
        if name == "link":
            seen = set()
            continue
        number = parse_number(value)
        if number is None or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise source.error(line, f"{shortened(name)}: a counter and its number are expected; capture the output again")
        if name in seen:
            raise source.error(line, f"{shortened(name)}: appears twice; capture the output again")
        seen.add(name)
        if name in _COUNTERS:
            yield line, _COUNTERS[name], number
    if len(words) % 2:
        line, name = words[-1]
        raise source.error(line, f"{shortened(name)}: its number is missing; capture the output again")


def read(source):
    """Sums over the devices of a host."""
    sums, lines = {}, {}
    for line, counter, value in _json_numbers(source) if source.is_json else _text_numbers(source):
        sums[counter] = sums.get(counter, 0) + value
        lines.setdefault(counter, line)
    return [Row("", "", "", counter, value, place=f"{source.path}:{lines[counter]}") for counter, value in sums.items()]
