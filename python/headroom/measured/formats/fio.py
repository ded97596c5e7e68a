"""fio's report, as text and as JSON, of one or several jobs: rates and latencies of reads and writes."""

import re

from headroom.measured.formats.row import Row, half_unit, parse_number
from headroom.quantity import shortened

_KINDS = ("read", "write")
_PERCENTILES = {"50.000000": "p50", "99.000000": "p99", "99.900000": "p999"}
_TEXT_PERCENTILES = {"50.00": "p50", "99.00": "p99", "99.90": "p999"}
_SCALES = {"nsec": 1e-3, "usec": 1.0, "msec": 1e3, "sec": 1e6}
_JOB = re.compile(r"(\S+): \(groupid=\d+, jobs=\d+\)")
_NUMBER = r"(\d+(?:\.\d+)?)([kMG]?)"
_RATES = re.compile(rf"  (read|write)\s*: IOPS={_NUMBER}, BW=\S+ \({_NUMBER}B/s\)", re.ASCII)
_TIMES = re.compile(r"\s+(clat|lat) \((nsec|usec|msec)\): min=\s*\S+, max=\s*\S+, avg=\s*([^,\s]+), stdev=\s*\S+$")
_PART = re.compile(r"([\d.]+)th=\[\s*(\d+)\]")
_SI = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}


def recognises(source):
    if source.is_json:
        return isinstance(source.json, dict) and isinstance(source.json.get("jobs"), list)
    return any(_JOB.match(line) for line in source.lines)


def _json_rows(source, job, kind, part):
    keys = ("jobs", "jobname", kind)
    place = f"{source.path}:{source.line_of('jobs', kind)}"
    item = f"{job}.{kind}"

    def number(value, *names):
        return source.number(value, *keys, *names, whole=False)

    if not number(part.get("total_ios", 0), "total_ios"):
        return
    yield Row("", "", item, "iops", number(part.get("iops"), "iops"), place=place)
    if "bw_bytes" in part:
        yield Row("", "", item, "io_gbps", number(part["bw_bytes"], "bw_bytes") * 8e-9, 4e-9, place)
    for name in ("lat", "clat"):
        field = f"{name}_ns"
        times = source.object(part.get(field, {}), *keys, field)
        counter = "latency_us" if name == "lat" else "clat_us"
        if "mean" in times:
            yield Row("", "", item, f"{counter}.mean", number(times["mean"], field, "mean") / 1e3, 5e-7, place)
        percentiles = source.object(times.get("percentile", {}), *keys, field, "percentile")
        for percentile in [p for p in _PERCENTILES if p in percentiles]:
            value = number(percentiles[percentile], field, "percentile", percentile) / 1e3
            yield Row("", "", item, f"{counter}.{_PERCENTILES[percentile]}", value, 5e-4, place)


def _read_json(source):
    for job in source.json["jobs"]:
        name = source.object(job, "jobs").get("jobname")
        if not isinstance(name, str):
            raise source.wrong(["jobs", "jobname"], "the job's name is expected")
        for kind in _KINDS:
            yield from _json_rows(source, name, kind, source.object(job.get(kind, {}), "jobs", kind))


def _scaled(source, number, name, text, unit, scale):
    value = parse_number(text, whole=False)
    if value is None:
        raise source.error(number, f"{name}: a number is expected, not {shortened(text)!r}; capture the output again")
    return value * unit * scale, half_unit(text) * unit * scale


class _Text:
    """Reads a report line by line."""

    def __init__(self, source):
        self.source, self.job, self.kind, self.percentiles = source, "", "", None

    def row(self, number, counter, text, unit, scale=1.0):
        value, half = _scaled(self.source, number, counter, text, unit, scale)
        return Row("", "", f"{self.job}.{self.kind}", counter, value, half, f"{self.source.path}:{number}")

    def line(self, number, line):
        job = _JOB.match(line)
        if job:
            self.job, self.kind, self.percentiles = job[1], "", None
            return
        begun = re.match(r"  (\w+)\s*: IOPS=", line)
        if begun:
            rates = _RATES.match(line)
            if not rates and begun[1] in _KINDS:
                raise self.source.error(number, f"{begun[1]}: IOPS and BW are expected; capture the output again")
            self.kind = begun[1] if begun[1] in _KINDS and self.job else ""
            if self.kind:
                yield self.row(number, "iops", rates[2], _SI[rates[3]])
                yield self.row(number, "io_gbps", rates[4], _SI[rates[5]], 8e-9)
            return
        if self.kind and re.match(r"\s+c?lat \((nsec|usec|msec)\):", line):
            times = _TIMES.match(line)
            if not times:
                raise self.source.error(number, f"{line.split()[0]}: min, max, avg and stdev are expected; capture the output again")
            yield self.row(number, ("clat_us" if times[1] == "clat" else "latency_us") + ".mean", times[3], _SCALES[times[2]])
        yield from self.percentile_line(number, line)

    def percentile_line(self, number, line):
        begun = re.match(r"\s+(clat|lat) percentiles \((nsec|usec|msec)\):", line)
        if begun:
            self.percentiles = begun.group(1, 2)
        elif self.percentiles and self.kind and re.match(r"\s+\|", line):
            parts = _PART.findall(line)
            if len(parts) != line.count("th"):
                raise self.source.error(number, "percentiles such as 50.00th=[  125] are expected; capture the output again")
            name, unit = self.percentiles
            for percentile, text in parts:
                if percentile in _TEXT_PERCENTILES:
                    counter = f"{'clat_us' if name == 'clat' else 'latency_us'}.{_TEXT_PERCENTILES[percentile]}"
                    value, half = _scaled(self.source, number, counter, text, 1.0, _SCALES[unit])
                    place = f"{self.source.path}:{number}"
                    yield Row("", "", f"{self.job}.{self.kind}", counter, value, 2 * half, place)  # fio rounds them up
        else:
            self.percentiles = None


def read(source):
    if source.is_json:
        yield from _read_json(source)
        return
    reader = _Text(source)
    for number, line in enumerate(source.lines, 1):
        yield from reader.line(number, line)
