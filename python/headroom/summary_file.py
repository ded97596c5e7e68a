"""summary.json, read and checked: a damaged or missing value is an error with its place."""

import json
import math

from headroom.errors import InputError

_AGAIN = "run the scenario again with --force"
# Objects of numbers, and numbers, of a workload, of a kind of operations, of a switch, of a section.
_DISTRIBUTIONS = {"completion_us", "delivery_us", "slowdown", "latency_us"}
_FLAGS = {"censored", "few"}  # objects in distributions
_OBJECTS = _DISTRIBUTIONS | set(
    "parts_us parts_at_us waits_us waits_at_us pools by_reason by_tier by_priority".split()
)
_NUMBERS = {"lost", "warmup_lost", "warmup_offered", "ramp_offered", "failed_queue_pairs"} | set(
    "offered finished unfinished failed corrupt bytes goodput_gbps iops gbps mops jain peak_bytes size_bytes "
    "peak_headroom_bytes headroom_configured_bytes peak_ingress_pool_bytes closest_to_xoff marked_packets marked_fraction sent handled "
    "ignored lossless lossy pauses pause_frames resume_frames paused_us watchdog_storms retransmitted_packets naks timeouts share ok".split()
)
_BY_PLACE = {"waits_us", "waits_at_us"}  # objects of objects, by percentile and by place
_PARTS = {"parts_us", "parts_at_us"}
_BY_PERCENTILE = _BY_PLACE | {"parts_at_us"}
_NEVER_NULL = _DISTRIBUTIONS | _BY_PERCENTILE | _PARTS  # a section without samples has them without numbers, or has
                                                        # none of them
_TEXTS = {"towards"}
_TEXTS_OF_ROOTS = {"node", "port", "kind", "workload"}
_LARGEST = 1e100  # limit of numbers in a run: sums and products of them are also numbers
# The depth of these below a section.
_DEPTH = {"messages": 1, "buffer": 1, "operations": 2} | dict.fromkeys(("pfc", "ecn", "cnp", "drops", "transport", "recovery", "warmup", "conservation"), 0)


class _Object(dict):
    """An object of the file. A missing value is an InputError with its place."""

    def __init__(self, found, file, place):
        super().__init__(found)
        self._file, self._at = file, place

    def __missing__(self, key):
        raise InputError(f"{self._file}: {self._at}{key} is missing; is the result from another version of Headroom? {_AGAIN.capitalize()}")

    def number(self, key):
        """A value that cannot be null here, because there are samples."""
        if self[key] is None:
            raise InputError(f"{self._file}: {self._at}{key} is null, where a number is expected; {_AGAIN}")
        return self[key]


def _placed(value, file, place=""):
    if isinstance(value, dict):
        return _Object({key: _placed(below, file, f"{place}{key}.") for key, below in value.items()}, file, place)
    if isinstance(value, (int, float)) and abs(value) > _LARGEST:
        raise InputError(f"{file}: {place[:-1]} is larger than any number of a run; the file is damaged, {_AGAIN}")
    return [_placed(below, file, place) for below in value] if isinstance(value, list) else value


def read_summary(path):
    file = path / "summary.json"
    try:
        summary = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{file}:{error.lineno}:{error.colno}: {error.msg}; the file is damaged, run the scenario "
            "again with --force"
        ) from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; run the scenario again with --force") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}:1:1: not text ({error.reason}); run the scenario again with --force"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: damaged ({error}); run the scenario again with --force") from error
    _require_summary(file, summary)
    return _placed(summary, file)


def _parts(summary):
    """(path, object) of objects with a fixed place, none of them null."""
    for section in ("messages", "buffer", "operations", "services", "cores"):
        yield section, summary.get(section)
        yield from ((f"{section}.{name}", counts) for name, counts in as_object(summary.get(section)).items())
    for name, kinds in as_object(summary.get("operations")).items():
        yield from ((f"operations.{name}.{kind}", counts) for kind, counts in as_object(kinds).items())
    for section in ("pfc", "ecn", "cnp", "drops", "warmup", "transport", "conservation", "seeds"):
        yield section, summary.get(section)
    yield "seeds.metrics", as_object(summary.get("seeds")).get("metrics")


def _wrong(place, part, numbers=False, below=()):
    """(path, required kind) of the first value in this object, or below, that has another kind. `numbers`: all values
    in it must be numbers; `below`: the keys from a workload, switch or section to it, whose own names may equal
    keys."""
    for key, value in part.items():
        path, found = f"{place}.{key}", None
        above = ("", "", "", *below)[-3:]
        # The parts of operations have another name by percentile: these are means, null without finished ones.
        by_percentile = above[2] in _BY_PERCENTILE or (above[2] == "parts_us" and place.startswith("messages."))
        needed = by_percentile or key in _NEVER_NULL or above[0] in _BY_PLACE or above[1] in _BY_PLACE | _PARTS
        text = key in _TEXTS or (key in _TEXTS_OF_ROOTS and place == "pfc.roots")
        if text and value is not None and not isinstance(value, str):
            return path, "text"
        if text or (value is None and not needed):
            continue
        if not isinstance(value, dict) and (by_percentile or above[1] in _BY_PLACE):
            return path, "object"
        if isinstance(value, dict) and (above[0] in _BY_PLACE or above[1] in _PARTS or place == "drops.by_reason"):
            return path, "number"
        if key in _FLAGS and above[2] in _DISTRIBUTIONS and value is not None and not isinstance(value, dict):
            return path, "object"
        if key == "roots" and (not isinstance(value, list) or not all(isinstance(row, dict) for row in value)):
            return path, "list of objects"
        if key == "roots":
            found = next((wrong for row in value if (wrong := _wrong(path, row))), None)
        elif isinstance(value, dict) and key not in _NUMBERS and (above[2] not in _DISTRIBUTIONS or key in _FLAGS):
            found = _wrong(path, value, numbers or key in _OBJECTS, (*below, key))
        elif key in _OBJECTS:
            found = path, "object"
        elif not isinstance(value, (int, float)) and (numbers or key in _NUMBERS):
            found = path, "number"
        if found:
            return found
    return None


def _require_summary(file, summary):
    """InputError if the file is not a summary: its values may be null, or of kinds unknown here."""
    if not isinstance(summary, dict):
        raise InputError(f"{file}:1:1: not a summary; an object is expected")

    def refuse(path, kind):
        raise InputError(f"{file}: {path} is not {'an' if kind[0] in 'aeiou' else 'a'} {kind}; the file is damaged, {_AGAIN}")

    for path, part in _parts(summary):
        needed = path.startswith("operations.") or path.count(".") == _DEPTH.get(path.partition(".")[0]) != 0
        if not isinstance(part, dict) and (part is not None or needed):
            refuse(path, "object")
        if part and path.count(".") == _DEPTH.get(path.partition(".")[0]) and (found := _wrong(path, part)):
            refuse(*found)
    end = summary.get("sim_time_us")
    if end is not None and (isinstance(end, bool) or not isinstance(end, (int, float)) or not 0 <= end < 1e15):
        refuse("sim_time_us", "time")


def as_object(value):
    return value if isinstance(value, dict) else {}


def _finite(text):
    """JSON permits numbers that do not fit any number here."""
    return float(text) if math.isfinite(float(text)) else _no_number(text)


def _no_number(text):
    raise ValueError(f"{text} is not a number")
