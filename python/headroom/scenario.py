"""The values of resolved.yaml for plots: warm-up, class names, ECN thresholds, whether PFC is on."""

from headroom.errors import InputError
from headroom.quantity import parse_microseconds
from headroom.settings import flatten, item_names
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

    def _mapping(self, key):
        value = self._document.get(key)
        return value if isinstance(value, dict) else {}

    def _switches(self):
        value = self._document.get("switches")
        return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
