"""Tables of text: a header, a line of dashes that gives the columns, and rows, as SONiC's commands and `headroom show`
print them; and the same tables as `headroom show --json` prints them."""

import re
from dataclasses import dataclass

from headroom.measured.formats.row import parse_number
from headroom.quantity import shortened

# Lines outside tables that carry no numbers: prompts with the command, notes of SONiC's tools, comments.
_QUIET = re.compile(
    r"\s*$|\s*#|\S*[$#] |Last cached time was |For namespace|Warning:|[A-Z][\w .-]*:\s*$|nothing was counted$"
)
_NODE = re.compile(r"(?:switch|host) (\S+)$")
_PROMPT = re.compile(r"\s*[\w.-]+@([\w.-]+):\S*[$#] ")
_DASHES = re.compile(r"\s*-{2,}(?:\s+-{2,})*\s*$")


@dataclass
class Table:
    """`rows`: [(line, {column: cell})]; cells are text. `node`: the device if the text names it."""

    title: str
    header: list
    rows: list
    node: str
    line: int

    def numbers(self, source, columns):
        """Yields (line, row, column, number) for the cells of these columns that have a number; "N/A" is none."""
        for line, row in self.rows:
            for column in columns:
                value = cell_number(source, line, column, row[column])
                if value is not None:
                    yield line, row, column, value


def cell_number(source, line, column, cell, whole=True):
    """The number of a cell; None for N/A."""
    if cell == "N/A":
        return None
    value = parse_number(cell, whole)
    if value is None:
        raise source.error(line, f"{column}: a whole number is expected, not {shortened(cell)!r}; capture the output again")
    return value


def numbered(table, prefix):
    """{column: number} of the columns PREFIX0, PREFIX1 …"""
    return {name: name.removeprefix(prefix) for name in table.header if re.fullmatch(prefix + r"\d{1,3}", name)}


def _spans(line):
    return [match.span() for match in re.finditer("-+", line)]


def _cut(source, number, line, spans, header):
    """The cells of a row. InputError if it does not fit the columns."""
    cells, at = [], 0
    for index, (start, end) in enumerate(spans):
        if line[at:start].strip():
            raise source.error(number, f"a row does not fit its columns before {header[index]}; capture the output again", at + 1)
        cells.append(line[start:end].strip())
        at = end
    if line[at:].strip():
        raise source.error(number, "a row is longer than its header; capture the output again", at + 1)
    for name, cell, (start, _) in zip(header, cells, spans):
        if not cell:
            raise source.error(number, f"{name or 'the first column'}: the cell is empty; capture the output again", start + 1)
    return cells


def _header(source, number, line, spans):
    names = [line[start:end].strip() for start, end in spans]
    outside = "".join(line[a:b] for a, b in zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(line)]))
    if outside.strip() or not all(names) or len(set(names)) < len(names):
        raise source.error(number, "the header does not fit the line of dashes below it; capture the output again")
    return names


def _is_end(line):
    return not line.strip() or _QUIET.match(line) or _NODE.match(line)


def _read_table(source, number, title, node):
    """(Table, number of its first line after it); lines count from 0."""
    lines = source.lines
    dashes = lines[number + 1].rstrip()
    spans = _spans(dashes)
    header = _header(source, number + 1, lines[number].rstrip(), spans)
    flush_right = len(lines[number].rstrip()) == len(dashes)  # then every row ends where the dashes end
    rows, at = [], number + 2
    while at < len(lines) and not _is_end(lines[at]) and not _DASHES.match("".join(lines[at + 1 : at + 2])):
        line = lines[at].rstrip()
        if flush_right and len(line) != len(dashes):
            raise source.error(at + 1, "the row is cut off, or not of this table; capture the output again", len(line) + 1)
        cells = _cut(source, at + 1, line, spans, header)
        if not _DASHES.match(line):
            rows.append((at + 1, dict(zip(header, cells))))
        at += 1
    return Table(title, header, rows, node, number + 1), at


def text_tables(source):
    """[Table] of a text file. InputError for a line that is neither part of a table nor known."""
    tables, title, node, at, lines = [], "", "", 0, source.lines
    while at < len(lines):
        line = lines[at]
        if _DASHES.match("".join(lines[at + 1 : at + 2])) and line.strip():
            table, at = _read_table(source, at, title, node)
            tables.append(table)
            continue
        named = _NODE.match(line) or _PROMPT.match(line)
        if named:
            node, title = named[1], ""
        elif line.rstrip().endswith(":"):
            title = line.strip()
        elif not _QUIET.match(line):
            raise source.error(at + 1, f"neither a table nor a note: {shortened(line.strip())}; remove the line, or put # before it")
        at += 1
    return tables


def shown_tables(source):
    """[Table] of what `headroom show --json` prints."""
    found = source.object(source.json)
    tables = []
    for one in _list(source, found.get("tables"), "tables"):
        one = source.object(one, "tables")
        node = one.get("switch", one.get("host"))
        if not isinstance(node, str):
            raise source.wrong(["tables", "switch"], "the name of a switch is expected")
        rows = [source.object(row, "tables", "rows") for row in _list(source, one.get("rows"), "tables", "rows")]
        texts = [(source.line_of("tables", "rows"), {key: _cell(source, key, value) for key, value in row.items()}) for row in rows]
        title = one.get("title", "")
        header = list(texts[0][1]) if texts else []
        if any(list(row) != header for _, row in texts):
            raise source.wrong(["tables", "rows"], "rows of one table have different columns")
        tables.append(Table(str(title), header, texts, node, source.line_of("tables")))
    return tables


def _cell(source, key, value):
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise source.wrong(["tables", "rows", key], "a number or a text is expected")
    return str(value)


def _list(source, value, *keys):
    if not isinstance(value, list):
        raise source.wrong(keys, "a list is expected")
    return value
