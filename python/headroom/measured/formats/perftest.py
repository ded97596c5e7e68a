"""Tables of perftest (ib_write_bw, ib_read_lat, …), its JSON, and those of `headroom perf`."""

import re
from dataclasses import dataclass

from headroom.measured.formats.row import Row, half_unit, parse_number
from headroom.quantity import shortened

_LATENCY = {
    "t_min[usec]": "latency_us.min",
    "t_max[usec]": "latency_us.max",
    "t_typical[usec]": "latency_us.p50",
    "t_avg[usec]": "latency_us.mean",
    "99% percentile[usec]": "latency_us.p99",
    "99.9% percentile[usec]": "latency_us.p999",
}
_JSON_LATENCY = {
    "t_min": "latency_us.min",
    "t_max": "latency_us.max",
    "t_typical": "latency_us.p50",
    "t_avg": "latency_us.mean",
    "percentile_99": "latency_us.p99",
    "percentile_99.9": "latency_us.p999",
}
_SHOWN = {"t_min_us": "latency_us.min", "t_max_us": "latency_us.max", "t_typical_us": "latency_us.p50", "t_avg_us": "latency_us.mean"}
_SHOWN |= {"p99_us": "latency_us.p99", "p999_us": "latency_us.p999"}
_GBPS = {"MiB/sec": 8 * 2**20 / 1e9, "MB/sec": 8 * 2**20 / 1e9, "Gb/sec": 1.0}  # perftest's MB are MiB
_TITLE = re.compile(r"\s*(RDMA_Write|RDMA_Read|Send)[ _](BW|Bidirectional BW|Latency|Bidirectional Latency) Test|ib_(write|read|send)_(bw|lat)\b")
_OURS = re.compile(r"ib_(write|read|send)_(bw|lat): .*? from .*, (RC|UC|UD), mtu (\d+), class \S+?(?:, (\d+) queue pairs?, tx depth (\d+).*)?$")
_BOTH_WAYS = "a test of both directions, whose numbers are their sum; run it without -b"
_WORD_VERB = {"RDMA_Write": "write", "RDMA_Read": "read", "Send": "send"}


@dataclass
class Test:
    """One table. `points`: [Point]. `queue_pairs` and `tx_depth` are None if the file does not give them."""

    verb: str = ""
    latency: bool = False
    queue_pairs: int | None = None
    tx_depth: int | None = None
    mtu: int | None = None
    connection: str = "RC"
    inline: int | None = None
    points: list = None
    both_ways: bool = False


@dataclass
class Point:
    """`values`: {counter: (number, half a unit of its last digit)}."""

    bytes: int
    iterations: int
    values: dict
    place: str


def recognises(source):
    if source.is_json:
        found = source.json
        results = found.get("results") if isinstance(found, dict) else None
        return isinstance(found, dict) and ("test_info" in found or "test" in found) and isinstance(results, (dict, list))
    return "#bytes" in source.text


def _columns(source, number, line):
    """Columns of a header: its names are two blanks or more apart, or end in a unit."""
    names = re.findall(r"#bytes|#iterations|[^\s\[]+(?: [^\s\[]+)*\[[^\]\s]+\]|\S+", line)
    if names[:2] != ["#bytes", "#iterations"]:
        raise source.error(number, "#bytes and #iterations are expected; capture the output again")
    return names


def _check_rate(source, line, size, values):
    """InputError if bandwidth and message rate contradict each other: a digit is missing."""
    gbps, rate = values.get("goodput_gbps"), values.get("mops")
    if gbps is None or rate is None or rate[0] == 0:
        return
    expected = rate[0] * size * 8 / 1e3
    allowed = gbps[1] + 8e-3 * size * rate[1] + 0.02 * expected
    if abs(expected - gbps[0]) > allowed:
        wrong = f"BW average is {gbps[0]:g} Gb/s, but MsgRate gives {expected:g} Gb/s; capture the output again"
        raise source.error(line, wrong)


def _table_row(source, number, columns, cells):
    if len(cells) != len(columns):
        raise source.error(number, f"{len(columns)} numbers are expected, not {len(cells)}; capture the output again")
    numbers = [parse_number(cell, whole=index < 2) for index, cell in enumerate(cells)]
    for name, cell, value in zip(columns, cells, numbers):
        if value is None:
            raise source.error(number, f"{name}: a number is expected, not {shortened(cell)!r}; capture the output again")
    if not numbers[0]:
        raise source.error(number, "#bytes: at least 1 is expected; capture the output again")
    values = {}
    for name, cell, value in list(zip(columns, cells, numbers))[2:]:
        bandwidth = re.fullmatch(r"BW average\[(.+)\]", name)
        if bandwidth:
            scale = _GBPS.get(bandwidth[1])
            if scale is None:
                raise source.error(number, f"{name}: the unit is unknown; allowed: {', '.join(_GBPS)}")
            values["goodput_gbps"] = (value * scale, half_unit(cell) * scale)
        elif name == "MsgRate[Mpps]":
            values["mops"] = (value, half_unit(cell))
        elif name in _LATENCY:
            values[_LATENCY[name]] = (value, half_unit(cell))
    if not values:
        raise source.error(number, "no column that is known: BW average, t_typical …; capture the output again")
    _check_rate(source, number, numbers[0], values)
    return Point(numbers[0], numbers[1], values, f"{source.path}:{number}")


def _note(test, line):
    """Takes facts of a line of perftest's head."""
    for pattern, name in ((r"Number of qps\s*:\s*(\d{1,6})", "queue_pairs"), (r"TX depth\s*:\s*(\d{1,6})", "tx_depth")):
        found = re.search(pattern, line, re.ASCII)
        if found:
            setattr(test, name, int(found[1]))
    for pattern, name in ((r"\bMtu\s*:\s*(\d{1,6})\[B\]", "mtu"), (r"Max inline data\s*:\s*(\d{1,6})\[B\]", "inline")):
        found = re.search(pattern, line, re.ASCII)
        if found:
            setattr(test, name, int(found[1]))
    connection = re.search(r"Connection type\s*:\s*(RC|UC|UD)", line)
    if connection:
        test.connection = connection[1]


def _begin(line):
    """A Test if the line begins one; else None."""
    ours = _OURS.match(line)
    if ours:
        pairs, depth = (int(part) if part else None for part in ours.group(5, 6))
        return Test(ours[1], ours[2] == "lat", pairs or 1, depth, int(ours[4][:6]), ours[3])
    found = _TITLE.search(line)
    if not found:
        return None
    latency = "Latency" in (found[2] or "") or found[4] == "lat"
    return Test(_WORD_VERB.get(found[1]) or found[3], latency, both_ways="Bidirectional" in (found[2] or ""))


def _text_tests(source):
    test, columns, found = Test(), None, []
    for number, line in enumerate(source.lines, 1):
        words = line.split()
        if words[:1] == ["#bytes"]:
            columns = _columns(source, number, line)
            if test.both_ways:
                raise source.error(number, _BOTH_WAYS)
            test.points = []
            found.append(test)
        elif columns and words and words[0][0].isdigit():
            test.points.append(_table_row(source, number, columns, words))
        elif columns and words and not re.match(r"\s*(-{3,}|#|Conflicting|WARNING|\S*[$#] )", line) and not _begin(line):
            wrong = f"a row of numbers is expected, not {shortened(line.strip())!r}; remove the line, or put # before it"
            raise source.error(number, wrong)
        if _begin(line):
            test, columns = _begin(line), None
        _note(test, line)
    if not any(test.points for test in found):
        raise source.error(1, "a table without rows; capture the output again")
    return [test for test in found if test.points]


def _bandwidth(source, results, size):
    """Gb/s of perftest's JSON, which does not give the unit: the message rate gives it."""
    value = source.number(results.get("BW_average"), "results", "BW_average", whole=False)
    rate = source.number(results.get("MsgRate"), "results", "MsgRate", whole=False)
    expected = rate * size * 8 / 1e3
    for scale in sorted(set(_GBPS.values())):
        if abs(value * scale - expected) <= 0.02 * expected + 1e-3 * size * 8 * 1e-3:
            return {"goodput_gbps": (value * scale, 0.005 * scale), "mops": (rate, 5e-7)}
    wrong = f"is neither in Gb/s nor in MiB/s what MsgRate gives, {expected:g} Gb/s; run the test again"
    raise source.wrong(["results", "BW_average"], wrong)


def _json_test(source):
    info, results = source.object(source.json.get("test_info", {}), "test_info"), source.json["results"]
    size = source.number(results.get("MsgSize"), "results", "MsgSize")
    iterations = source.number(results.get("n_iterations", 0), "results", "n_iterations")
    if not size:
        raise source.wrong(["results", "MsgSize"], "at least 1 is expected")
    if "BW_average" in results:
        values = _bandwidth(source, results, size)
    else:
        some = [name for name in _JSON_LATENCY if name in results]
        values = {_JSON_LATENCY[name]: (source.number(results[name], "results", name, whole=False), 0.005) for name in some}
    if not values:
        raise source.wrong(["results"], "neither BW_average nor t_typical")
    begun = _begin(str(info.get("test", ""))) or Test(latency="BW_average" not in results)
    if begun.both_ways:
        raise source.wrong(["test_info", "test"], _BOTH_WAYS)
    for key, field in (("Number_of_qps", "queue_pairs"), ("TX_depth", "tx_depth"), ("Mtu", "mtu"), ("Max_inline_data", "inline")):
        if key in info:
            setattr(begun, field, source.number(info[key], "test_info", key))
    begun.points = [Point(size, iterations, values, f"{source.path}:{source.line_of('results')}")]
    return begun


def _shown_test(source):
    """What `headroom perf --json` prints."""
    found = source.json
    test = _begin(f"{found['test']} ") if isinstance(found.get("test"), str) else None
    if test is None:
        raise source.wrong(["test"], "a test such as ib_write_bw is expected")
    test.queue_pairs = source.number(found.get("queue_pairs", 1), "queue_pairs")
    test.tx_depth = source.number(found["tx_depth"], "tx_depth") if "tx_depth" in found else None
    test.mtu = source.number(found["mtu_bytes"], "mtu_bytes") if "mtu_bytes" in found else None
    test.connection = str(found.get("connection", "RC"))
    test.points = []
    for one in found["results"]:
        one = source.object(one, "results")
        names = _SHOWN | {"bw_average_gbps": "goodput_gbps", "msg_rate_mpps": "mops"}
        values = {names[key]: (source.number(one[key], "results", key, whole=False), 0.0) for key in names if key in one}
        size = source.number(one.get("bytes"), "results", "bytes")
        if not size or not values:
            raise source.wrong(["results"], "bytes and a bandwidth or a latency are expected")
        place = f"{source.path}:{source.line_of('results')}"
        test.points.append(Point(size, source.number(one.get("iterations", 0), "results", "iterations"), values, place))
    return test


def tests(source):
    """[Test] of a file."""
    if not source.is_json:
        return _text_tests(source)
    return [_json_test(source) if isinstance(source.json["results"], dict) else _shown_test(source)]


def read(source):
    for test in tests(source):
        if not test.verb:
            raise source.error(1, "the test's name is missing, such as ib_write_bw; keep the whole output, or add # ib_write_bw")
        for point in test.points:
            for counter, (value, half) in point.values.items():
                if counter != "mops":
                    yield Row("", "", f"{test.verb} of {point.bytes} B", counter, value, half, point.place)
