"""One measured or simulated number, and the file that it comes from."""

import bisect
import json
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from headroom.about import decoded
from headroom.errors import InputError
from headroom.quantity import shortened

_LARGEST = 2**64  # counters of switches have 64 bits
MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class Row:
    """`item`: a priority as text, a pool, an operation, or "" for the whole port. `counter`: a name of counters.py.
    `half`: half a unit of the last printed digit; a value that is this near is equal."""

    node: str
    port: str
    item: str
    counter: str
    value: float
    half: float = 0.0
    place: str = ""  # FILE:LINE
    metric: str = ""  # simulated rows: the path that `expect` takes; empty if there is none

    @property
    def key(self):
        return self.node, self.port, self.item, self.counter


def _no_constant(text):
    raise ValueError(f"{text} is no number of JSON")


def _unique(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise KeyError(twice)
    return found


@dataclass
class Source:
    """A file of measured values. `node`: the device, as the command line names it; "" if it does not."""

    path: str
    text: str
    node: str = ""
    memo: dict = field(default_factory=dict)  # what a format computes once

    def error(self, line, wrong, column=1):
        return InputError(f"{self.path}:{line}:{column}: {wrong}")

    @cached_property
    def lines(self):
        return self.text.split("\n")

    @cached_property
    def is_json(self):
        return self.text.lstrip()[:1] in ("{", "[") and not self.is_json_lines

    @cached_property
    def is_json_lines(self):
        """One object a line, as redis-dump of Ruby writes."""
        return re.match(r'\s*\{"db":\s*\d+,\s*"key":', self.text) is not None

    @cached_property
    def json(self):
        return self.parsed(self.text, 1)

    def parsed(self, text, line):
        """The JSON value. InputError with line, column and, of a key that appears twice, the key."""
        try:
            return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise self.error(line + error.lineno - 1, f"damaged JSON: {error.msg}; dump it again", error.colno) from error
        except KeyError as error:
            key = error.args[0]
            places = [m.start() for m in re.finditer(re.escape(json.dumps(key)) + r"\s*:", text)]
            at = places[1] if len(places) > 1 else 0
            raise self.error(line + text.count("\n", 0, at), f'the key "{shortened(key)}" appears twice; dump it again') from error
        except RecursionError as error:
            raise self.error(line, "damaged JSON: nested too deeply; dump it again") from error
        except ValueError as error:
            raise self.error(line, f"damaged JSON: {shortened(str(error))}; dump it again") from error

    @cached_property
    def _line_ends(self):
        return [match.start() for match in re.finditer("\n", self.text)]

    @cached_property
    def _first_places(self):
        """{JSON text of a key: its first place}; of a dump with an object a line also that of the field key."""
        pattern = r'"key":\s*("[^"]*")' if self.is_json_lines else r'("(?:[^"\\]|\\.)*")\s*:'
        found = {}
        for match in re.finditer(pattern, self.text):
            found.setdefault(match[1], match.start(1))
        return found

    def line_of(self, *keys):
        """The line of a JSON key: the last of these, each below the one before."""
        at = 0
        for depth, key in enumerate(keys):
            name = json.dumps(str(key), ensure_ascii=False)
            place = self._first_places.get(name) if depth == 0 else None
            if place is None:
                found = re.compile(re.escape(name) + r"\s*:").search(self.text, at)
                place = found.start() if found else at
            at = place
        return bisect.bisect_left(self._line_ends, at) + 1

    def wrong(self, keys, wrong):
        """InputError with the line of a JSON key and the keys down to it."""
        path = " → ".join(shortened(str(key)) for key in keys)
        return self.error(self.line_of(*keys), f"{path}: {wrong}")

    def object(self, value, *keys):
        """The value, which must be a JSON object."""
        if not isinstance(value, dict):
            raise self.wrong(keys, f"an object is expected, not {shortened(json.dumps(value))}")
        return value

    def number(self, value, *keys, whole=True, missing=("N/A",)):
        """The number of a JSON value or of a text such as "1,234"; None for the words in `missing`."""
        if isinstance(value, str) and value in missing:
            return None
        found = parse_number(value, whole)
        if found is None:
            kind = "a whole number" if whole else "a number"
            raise self.wrong(keys, f"{kind} of at least 0 is expected, not {shortened(json.dumps(value))}")
        return found


def parse_number(value, whole=True):
    """The number of a cell: 12, "12", "1,234", "0.5"; None if it is none, or too large for a counter."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        if not re.fullmatch(r"(\d{1,3}(,\d{3})+|\d{1,30})(\.\d{1,20})?", value, re.ASCII):
            return None
        value = float(value.replace(",", "")) if "." in value else int(value.replace(",", ""))
    if not isinstance(value, (int, float)) or not 0 <= value < _LARGEST or not math.isfinite(value):
        return None
    if whole and value != int(value):
        return None
    return int(value) if whole else value


def half_unit(text):
    """Half a unit of the last digit of a printed number."""
    decimals = len(text.partition(".")[2])
    return 0.5 * 10**-decimals


def read_text(path):
    """A file's text with line feeds only. InputError if it cannot be read, is empty or is not text."""
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: larger than 1 GiB; dump only COUNTERS_DB")
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        text = decoded(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}:1: not text in UTF-8; capture it again") from error
    if "\0" in text:
        raise InputError(f"{path}:{text.count(chr(10), 0, text.index(chr(0))) + 1}:1: damaged (a byte 0); capture it again")
    if not text.strip():
        raise InputError(f"{path}:1:1: empty; capture the output again")
    return text.replace("\r\n", "\n")
