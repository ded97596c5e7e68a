"""YAML files: values that know their positions, for messages FILE:LINE:COL, or plain ones. Scalars stay text."""

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
        return _error(self._file, self._node.start_mark, wrong)

    def text(self):
        if not isinstance(self._node, yaml.ScalarNode):
            raise self.error("a single value is needed here")
        return self._node.value

    def setting(self):
        """The value in the form of `--set`: YAML on one line."""
        if isinstance(self._node, yaml.ScalarNode):
            return self._node.value
        return yaml.serialize(_in_flow(self._node), width=10**9).strip()

    def plain(self):
        """The value as dicts, lists and texts."""
        if isinstance(self._node, yaml.ScalarNode):
            return self._node.value
        if isinstance(self._node, yaml.SequenceNode):
            return [item.plain() for item in self.list()]
        return {key: value.plain() for key, value in self.items()}

    def list(self):
        if not isinstance(self._node, yaml.SequenceNode):
            raise self.error("a list is needed here")
        return [Value(item, self._file) for item in self._node.value]

    def items(self):
        """[(key, Value)]"""
        if not isinstance(self._node, yaml.MappingNode):
            raise self.error("a mapping, key: value, is needed here")
        pairs = [(Value(key, self._file).text(), Value(value, self._file)) for key, value in self._node.value]
        seen = set()
        for key, value in pairs:
            if key in seen:
                raise value.error(f'"{key}" appears twice')
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
    """FILE:LINE:COL of the position after that text."""
    line = before.count("\n") + 1
    return f"{path}:{line}:{len(before) - before.rfind(chr(10))}"


def _error(path, mark, wrong):
    return InputError(f"{path}:{mark.line + 1}:{mark.column + 1}: {wrong}")


def _read(path, parse):
    """The result of `parse` on the file's text."""
    try:
        data = Path(path).read_bytes()
        text = decoded(data)
        return parse(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        place = _place(path, data[: error.start].decode(encoding(data), "replace"))
        raise InputError(f"{place}: not text in UTF-8 or UTF-16 ({error.reason})") from error
    except yaml.reader.ReaderError as error:
        place = _place(path, text[: error.position])
        raise InputError(f"{place}: {chr(error.character)!r} is not a character of YAML") from error
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or error
        raise (_error(path, mark, problem) if mark else InputError(f"{path}: {problem}")) from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply") from error


def _refuse_tags(path, text):
    """As in the program's scenarios: nodes do not distinguish `!!str` from a text without a tag."""
    for event in yaml.parse(text, yaml.BaseLoader):
        tag = getattr(event, "tag", None)
        if tag and tag != "!":
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            rule = "leave it out: the key determines the kind of its value"
            raise _error(path, event.start_mark, f'the YAML tag "{shown}" is not supported; {rule}')


def _compose(path, text):
    _refuse_tags(path, text)
    return yaml.compose(text, yaml.BaseLoader)


def read_yaml(path):
    """The Value of the file's one document."""
    node = _read(path, lambda text: _compose(path, text))
    if node is None:
        raise InputError(f"{path}:1:1: the file is empty")
    return Value(node, path)


def read_plain(path):
    """The file's document as dicts, lists, texts and None; None without a document. Aliases are refused: a few lines of
    them may expand beyond the memory."""
    return _read(path, lambda text: _plain(path, yaml.parse(text, yaml.CBaseLoader)))


def _plain(path, events):
    """The code uses events: a long list of messages takes a tenth of the time that nodes would."""
    opened, key, root = [], [], None  # collections that are not closed yet; for each mapping the key that waits
    for event in events:
        if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            opened.pop()
            key.pop()
            continue
        if isinstance(event, yaml.ScalarEvent):
            is_null = event.style in (None, "") and event.value in ("", "~", "null")
            value = None if is_null else event.value
        elif isinstance(event, yaml.MappingStartEvent):
            value = {}
        elif isinstance(event, yaml.SequenceStartEvent):
            value = []
        elif isinstance(event, yaml.AliasEvent):
            raise _error(path, event.start_mark, "an alias, which results do not use")
        else:
            continue
        if not opened:
            root = value
        elif isinstance(opened[-1], list):
            opened[-1].append(value)
        elif key[-1] is None:
            if not isinstance(value, str):
                raise _error(path, event.start_mark, "a key must be a single value")
            key[-1] = value
            continue
        else:
            opened[-1][key[-1]] = value
            key[-1] = None
        if isinstance(value, (dict, list)):
            opened.append(value)
            key.append(None)
    return root
