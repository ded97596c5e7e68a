"""Reads the part of YAML that resolved.yaml is written in.

    document := block mapping | block sequence | flow value
    flow     := {key: flow, ...} | [flow, ...] | scalar, over several lines if need be
    scalar   := plain | "double quoted" | 'single quoted'

Every scalar stays a string. Anchors, tags and multi-line scalars are refused with the line: a file that has
them is not one that Headroom wrote. Debian's python3-matplotlib and python3-pandas bring no YAML reader, and
only a few keys are wanted here.
"""

import re

_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s'"\[\]{},#][^\[\]{},]*?)\s*:(?=\s|$)""")
_QUOTED = re.compile(r"""[^'"#]|(?<=\w)['"]|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<=\S)#""")
_UNSUPPORTED = ("&", "!", "|", ">", "%", "@", "`")


class YamlError(ValueError):
    """Text outside the subset; the message begins with the line."""


def _scalar(text, number):
    if text[:1] == '"':
        return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text[1:-1])
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text.startswith(_UNSUPPORTED) or (text.startswith("*") and len(text) > 1):
        raise YamlError(f"line {number}: '{text}' is YAML that resolved files do not use")
    return None if text in ("", "~", "null") else text


def _without_comment(line):
    end = 0
    while (match := _QUOTED.match(line, end)) is not None:
        end = match.end()
    return line[:end].rstrip()


def _lines(text):
    """[(line number, indentation, content)], flow collections joined into one line each."""
    out = []
    depth = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        content = line.lstrip(" ")
        if not content or content in ("---", "..."):
            continue
        if depth > 0:
            out[-1] = (out[-1][0], out[-1][1], out[-1][2] + " " + content)
        else:
            out.append((number, len(line) - len(content), content))
        bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'', "", content)
        depth += sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}")
    if depth != 0:
        raise YamlError(f"line {out[-1][0]}: a bracket is not closed")
    return out


class _Flow:
    """Recursive descent over one line's flow value."""

    _TOKEN = re.compile(
        r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\[\]{},]|:(?=\s|$)|(?:[^\[\]{},:]|:(?!\s|$))+)\s*"""
    )

    def __init__(self, text, number):
        self.tokens = []
        self.number = number
        at = 0
        while at < len(text):
            match = self._TOKEN.match(text, at)
            if not match:
                raise YamlError(f"line {number}: cannot read '{text[at:at + 20]}'")
            self.tokens.append(match[1].strip())
            at = match.end()
        self.at = 0

    def _next(self):
        if self.at >= len(self.tokens):
            raise YamlError(f"line {self.number}: the value ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def value(self):
        token = self._next()
        if token == "[":
            items = []
            while self._peek() != "]":
                items.append(self.value())
                self._separator("]")
            self._next()
            return items
        if token == "{":
            mapping = {}
            while self._peek() != "}":
                key = _scalar(self._next(), self.number)
                if self._next() != ":":
                    raise YamlError(f"line {self.number}: '{key}' has no value")
                mapping[key] = None if self._peek() in (",", "}") else self.value()
                self._separator("}")
            self._next()
            return mapping
        if token in ("]", "}", ",", ":"):
            raise YamlError(f"line {self.number}: unexpected '{token}'")
        return _scalar(token, self.number)

    def _separator(self, closing):
        if self._peek() == ",":
            self._next()
        elif self._peek() != closing:
            raise YamlError(f"line {self.number}: expected ',' or '{closing}'")

    def whole(self):
        value = self.value()
        if self.at != len(self.tokens):
            raise YamlError(f"line {self.number}: text after the value")
        return value


def _inline(text, number):
    return _Flow(text, number).whole() if text[0] in "[{" else _scalar(text, number)


def _is_item(content):
    return content == "-" or content.startswith("- ")


def _block(lines, at, indent):
    """The value that starts at lines[at] with this indentation, and the index of the line after it."""
    number, _, content = lines[at]
    if _is_item(content):
        items = []
        while at < len(lines) and lines[at][1] == indent and _is_item(lines[at][2]):
            number, _, content = lines[at]
            rest = content[1:].lstrip(" ")
            if not rest:
                item, at = _nested(lines, at + 1, indent + 1)
            elif _is_item(rest) or (rest[0] not in "[{" and _KEY.match(rest)):
                # The item's own mapping or list begins on the dash's line: read on as if on a line of its own.
                lines[at] = (number, indent + len(content) - len(rest), rest)
                item, at = _block(lines, at, lines[at][1])
            else:
                item, at = _inline(rest, number), at + 1
            items.append(item)
        return items, at
    if content[0] in "[{" or not _KEY.match(content):
        return _inline(content, number), at + 1
    mapping = {}
    while at < len(lines) and lines[at][1] == indent and not _is_item(lines[at][2]):
        number, _, content = lines[at]
        match = _KEY.match(content)
        if not match:
            raise YamlError(f"line {number}: expected 'key: value', found '{content}'")
        rest = content[match.end() :].strip()
        if rest:
            value, at = _inline(rest, number), at + 1
        else:
            # A sequence may stand at its key's own indentation.
            same = at + 1 < len(lines) and lines[at + 1][1] == indent and _is_item(lines[at + 1][2])
            value, at = _nested(lines, at + 1, indent if same else indent + 1)
        mapping[_scalar(match[1], number)] = value
    return mapping, at


def _nested(lines, at, least):
    if at >= len(lines) or lines[at][1] < least:
        return None, at
    return _block(lines, at, lines[at][1])


def parse_yaml(text):
    """`text` as dicts, lists, strings and None. YamlError where it leaves the subset."""
    lines = _lines(text)
    if not lines:
        return None
    value, at = _block(lines, 0, lines[0][1])
    if at != len(lines):
        raise YamlError(f"line {lines[at][0]}: wrong indentation")
    return value
