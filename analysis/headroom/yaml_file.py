"""YAML whose values know their place, for messages FILE:LINE:COL. Scalars stay texts."""

import difflib
from pathlib import Path

import yaml

from headroom.about import decoded, encoding
from headroom.errors import InputError
from headroom.quantity import shortened


class Value:
    """A mapping, list or text of the file."""

    def __init__(self, node, file):
        self._node, self._file = node, file

    def error(self, wrong):
        mark = self._node.start_mark
        return InputError(f"{self._file}:{mark.line + 1}:{mark.column + 1}: {wrong}")

    def text(self):
        if not isinstance(self._node, yaml.ScalarNode):
            raise self.error("a single value is wanted here")
        return self._node.value

    def setting(self):
        """The value as `--set` takes it: YAML on one line."""
        if isinstance(self._node, yaml.ScalarNode):
            return self._node.value
        return yaml.serialize(_in_flow(self._node), width=10**9).strip()

    def list(self):
        if not isinstance(self._node, yaml.SequenceNode):
            raise self.error("a list is wanted here")
        return [Value(item, self._file) for item in self._node.value]

    def items(self):
        """[(key, Value)]"""
        if not isinstance(self._node, yaml.MappingNode):
            raise self.error("a mapping, key: value, is wanted here")
        pairs = [(Value(key, self._file).text(), Value(value, self._file)) for key, value in self._node.value]
        seen = set()
        for key, value in pairs:
            if key in seen:
                raise value.error(f'"{key}" stands here twice')
            seen.add(key)
        return pairs

    def fields(self, allowed, needed=()):
        """{key: Value} of a mapping with known keys."""
        found = {}
        for key, value in self.items():
            if key not in allowed:
                near = difflib.get_close_matches(key, allowed, n=1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise value.error(f'unknown key "{key}"; allowed: {", ".join(allowed)}{hint}')
            found[key] = value
        for key in needed:
            if key not in found:
                raise self.error(f'"{key}" is missing')
        return found

    def is_list(self):
        return isinstance(self._node, yaml.SequenceNode)

    def whole(self, least, most):
        text = self.text()
        if not text.isdecimal() or len(text) > 18 or not least <= int(text) <= most:
            raise self.error(f"'{shortened(text)}' is not a whole number from {least} to {most}")
        return int(text)


def _in_flow(node):
    if not isinstance(node, yaml.ScalarNode):
        node.flow_style = True
        for item in node.value:
            for part in item if isinstance(item, tuple) else (item,):
                _in_flow(part)
    return node


def _place(path, before):
    """FILE:LINE:COL of what comes after that text."""
    line = before.count("\n") + 1
    return f"{path}:{line}:{len(before) - before.rfind(chr(10))}"


def read_yaml(path):
    """The file's one document."""
    try:
        data = Path(path).read_bytes()
        text = decoded(data)
        node = yaml.compose(text, yaml.BaseLoader)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        place = _place(path, data[: error.start].decode(encoding(data), "replace"))
        raise InputError(f"{place}: not text in UTF-8 or UTF-16 ({error.reason})") from error
    except yaml.reader.ReaderError as error:
        place = _place(path, text[: error.position])
        raise InputError(f"{place}: {chr(error.character)!r} is no character of YAML") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise InputError(f"{place}: {getattr(error, 'problem', None) or error}") from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply") from error
    if node is None:
        raise InputError(f"{path}:1:1: the file is empty")
    return Value(node, path)
