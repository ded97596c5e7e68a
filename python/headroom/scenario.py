"""The values of resolved.yaml for plots: warm-up, class names, ECN thresholds, whether PFC is on."""

from headroom.errors import InputError
from headroom.port_rates import port_rate
from headroom.quantity import parse_bytes, parse_microseconds, parse_quantity, parse_rate
from headroom.settings import flatten, item_names, matches
from headroom.yaml_file import read_plain

# Larger files hold long message lists; reading them would cost more time than the plots.
_LARGEST = 4_000_000


class Scenario:
    """A resolved scenario, read leniently: an unreadable value is absent, and `trouble` gives the reason."""

    def __init__(self, path):
        self.trouble = None
        self._document = {}
        self._warmup = 0.0
        try:
            if path.stat().st_size > _LARGEST:
                raise ValueError(f"more than {_LARGEST // 10**6} MB")
            document = read_plain(path)
            if not isinstance(document, dict):
                raise ValueError("not a mapping")
            self._document = document
            self._warmup = parse_microseconds(document.get("warmup") or "0us")
        except FileNotFoundError:
            self.trouble = "resolved.yaml is missing"
        except (OSError, ValueError, InputError) as error:
            self.trouble = f"resolved.yaml cannot be read ({str(error).removeprefix(f'{path}:')})"

    @property
    def warmup_us(self):
        """Messages that start earlier are not in the percentiles."""
        return self._warmup

    @property
    def duration_us(self):
        """No message starts later; 0 if the file does not state it."""
        return parse_microseconds(str(self._document.get("duration") or "0us"))

    @property
    def topology(self):
        """The mapping; an empty one if it is absent."""
        return self._mapping("topology")

    @property
    def document(self):
        """All of it, as dicts, lists and texts."""
        return self._document

    @property
    def settings(self):
        """{path: text} of all keys; empty if the file cannot be read."""
        return flatten(self._document)

    def value(self, key):
        """The text of a setting by its key as in --set, with items of lists by place, name or match; None without a
        value, or with several."""
        found = self._document
        for part in key.replace('"', "").split("."):
            if isinstance(found, list):
                names = {name: item for name, item in zip(item_names(found), found)}
                found = found[int(part)] if part.isdigit() and int(part) < len(found) else names.get(part)
            else:
                found = found.get(part) if isinstance(found, dict) else None
        return None if found is None or isinstance(found, (dict, list)) else str(found)

    def class_of(self, priority):
        """The name of the traffic class of this priority, or None."""
        for name, spec in self._mapping("priorities").items():
            if isinstance(spec, dict) and str(spec.get("priority")) == str(priority):
                return name
        return None

    def pfc_enabled(self):
        """False only if every switch entry that sets PFC turns it off."""
        said = [e["pfc"].get("enabled") for e in self._switches() if isinstance(e.get("pfc"), dict)]
        return not said or any(value != "false" for value in said)

    def thresholds(self, node, port, priority):
        """(Kmin, Kmax) in bytes of this queue, or None if it is not marked or the port's rate is unknown."""
        found = self._ecn(node, priority)
        if found is None:
            return None
        try:
            kmin, kmax = parse_bytes(found["kmin"]), parse_bytes(found["kmax"])
            if found.get("per_rate") is not None:
                scale = port_rate(self._mapping("topology"), node, port) / parse_rate(found["per_rate"])
                kmin, kmax = kmin * scale, kmax * scale
        except (KeyError, IndexError, TypeError, ValueError, ZeroDivisionError):
            return None
        return kmin, kmax

    def marking(self, node, port, priority):
        """(Kmin, Kmax, Pmax) of this queue, the last as a share of 1; None if one is unknown."""
        between = self.thresholds(node, port, priority)
        try:
            return between and (*between, parse_quantity(str(self._ecn(node, priority)["pmax"])).value)
        except (KeyError, ValueError):
            return None

    def marks_by_rate(self, node, priority):
        """Whether a link of twice the rate has twice the thresholds."""
        return (self._ecn(node, priority) or {}).get("per_rate") is not None

    def _ecn(self, node, priority):
        """The text of the queue's curve; None for a queue without a curve. A SONiC configuration gives the values that
        its own entry leaves out, regardless of earlier entries."""
        name = self.class_of(priority)
        found = None
        for entry in self._switches():
            if not matches(entry.get("match", "*"), node):
                continue
            buffer, ecn = entry.get("buffer"), entry.get("ecn")
            if isinstance(buffer, dict) and "sonic" in buffer:
                found = None
            if isinstance(ecn, dict) and name in ecn:
                found = ecn[name]
        return found if isinstance(found, dict) else None

    def _mapping(self, key):
        value = self._document.get(key)
        return value if isinstance(value, dict) else {}

    def _switches(self):
        value = self._document.get("switches")
        return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
