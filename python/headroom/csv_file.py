"""A CSV file of a result, read and checked: a damaged file is refused with the place of the error, and never read as
other data."""

import csv
import difflib
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd

from headroom.errors import InputError
from headroom.format import counted

# {table: {"help", "columns": {column: {"type", "unit", "empty", "since", "when", "part", "values", "help"}}}}: the answer of
# `headroom columns --json`. `since`: the version of the file that added the column. Columns with the same `when` come
# together, in some runs only. The parts of a row's time sum to it.
FILES = json.loads((Path(__file__).resolve().parents[2] / "schema/columns.json").read_text(encoding="utf-8"))


def columns_of(name):
    """{column: description} of a table."""
    return FILES[name]["columns"]


def _parts(name):
    return tuple(column.removesuffix("_ns") for column, about in columns_of(name).items() if about.get("part"))


# The parts of a message's and an operation's time, along the critical path.
MESSAGE_PARTS, PARTS = _parts("messages"), _parts("operations")
# Columns that a table has in every result, of any version and from other tools.
COLUMNS = {name: [column for column, about in columns_of(name).items() if about["since"] == 1 and "when" not in about] for name in FILES}
_WANTED = {"index": "a whole number is expected", "name": "a name is expected", "text": "a name is expected"}
_AGAIN = "run the scenario again with --force"


def _damaged(path, what, row=None):
    place = f"{path}:{row}:1" if row else str(path)
    return InputError(f"{place}: {what}; {_AGAIN}")


def _shown(value):
    text = str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _read_bytes(path):
    """The file's bytes. InputError for incomplete lines, which a reader would take for others."""
    data = path.read_bytes()
    if not data.strip():
        raise _damaged(path, "empty, without a header", 1)
    if b"\0" in data:
        raise _damaged(path, "damaged (a byte 0)", data.count(b"\n", 0, data.index(b"\0")) + 1)
    if not data.endswith(b"\n"):
        raise _damaged(path, "the last line is incomplete", data.count(b"\n") + 1)
    commas = data.partition(b"\n")[0].count(b",")
    if b'"' in data:  # then commas may be part of a name
        try:
            lines = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
            widths = [len(line) for line in lines]
        except (UnicodeDecodeError, csv.Error) as error:
            raise _damaged(path, f"damaged ({error})") from error
    elif data.count(b",") != commas * data.count(b"\n"):
        widths = [line.count(b",") + 1 for line in data.split(b"\n")[:-1]]
    else:
        return data
    for row, width in enumerate(widths, 1):
        if width != widths[0]:
            raise _damaged(path, f"{counted(width, 'value')} for {widths[0]} columns", row)
    return data


def _refuse_first(path, table, column, bad, wanted):
    if bad.any():
        row = int(np.asarray(bad).argmax())
        raise InputError(f"{path}:{row + 2}:1: {column} is '{_shown(table[column].iloc[row])}'; {wanted}")


def _is_text(about):
    return about["type"] not in ("integer", "number")


def _check_text(path, table, column, about):
    values = table[column]
    allowed = ["0", "1"] if about["type"] == "flag" else about.get("values")
    wrong = [v for v in values.unique() if not v and not about["empty"]]
    if allowed:
        wrong += [v for v in values.unique() if v and v not in allowed]
        wanted = " or ".join(sorted(allowed)) + " is expected"
    else:
        wrong += [v for v in values.unique() if v and about["type"] == "index" and not re.fullmatch("[0-9]{1,9}", v)]
        wanted = _WANTED[about["type"]]
    if wrong:
        _refuse_first(path, table, column, values.isin(wrong), wanted)


def _check_numbers(path, table, column, may_be_empty):
    numbers = table[column]
    if not pd.api.types.is_numeric_dtype(numbers) or pd.api.types.is_bool_dtype(numbers):
        written = numbers.astype(object).where(numbers.notna(), "").astype(str).str.strip()
        is_number = written.str.fullmatch(r"[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]{1,3})?")
        _refuse_first(path, table, column, ~is_number & (written != ""), "a number is expected")
        numbers = pd.to_numeric(written.where(written != "", None), errors="coerce")
    empty = numbers.isna()
    if not may_be_empty:
        _refuse_first(path, table.fillna({column: ""}), column, empty, "a number is expected")
    _refuse_first(path, table, column, (numbers < 0) | np.isinf(numbers), "a number, 0 or more, is expected")
    return numbers


def _check_parts(path, table, parts):
    """InputError if a line has some of the parts of its time, but not all."""
    empty = table[parts].isna()
    torn = empty.any(axis=1) & ~empty.all(axis=1)
    if torn.any():
        row = int(torn.to_numpy().argmax())
        column = parts[int(empty.iloc[row].to_numpy().argmax())]
        raise _damaged(path, f"{column} is empty, but other parts of that time are not", row + 2)


def _require(path, wanted, header):
    for column in wanted:
        if column not in header:
            raise InputError(
                f"{path}:1:1: column {column} is missing; is the file from another version of "
                "Headroom? Run the scenario again with --force"
            )


def _require_known(path, name, header):
    """InputError for a missing column, or one that this table never has: its values would count as absent."""
    known = columns_of(name)
    _require(path, COLUMNS[name], header)
    for place, column in enumerate(header):
        if column in known:
            continue
        near = difflib.get_close_matches(column, known, 1)
        hint = f"did you mean {near[0]}" if near else "is the file from another version of Headroom"
        position = len(",".join(header[:place])) + (2 if place else 1)
        raise InputError(f"{path}:1:{position}: {_shown(column)!r} is not a column of {name}.csv; {hint}? {_AGAIN.capitalize()}")
    for when in dict.fromkeys(about.get("when") for about in known.values()):
        since = {column: about["since"] for column, about in known.items() if about.get("when") == when}
        version = max((since[column] for column in header if column in since), default=0)
        _require(path, [column for column in since if since[column] <= version], header)


def read_csv(path, name, columns=None):
    """The table `name` of FILES, or InputError. Names stay text, the rest are numbers; an empty cell is None or NaN.
    Columns of later versions than the file's are empty. `columns`: only these are read, for a table of millions of
    lines."""
    known = columns_of(name)
    data = _read_bytes(path)
    try:
        header = [str(column) for column in pd.read_csv(io.BytesIO(data), nrows=0).columns]
        _require_known(path, name, header)
        whole, columns = columns is None, [c for c in header if columns is None or c in columns]
        table = pd.read_csv(
            io.BytesIO(data),
            usecols=columns,
            index_col=False,
            low_memory=False,
            dtype={c: str for c in columns if _is_text(known[c])},
            keep_default_na=False,  # a host may be called NA
            na_values={c: [""] for c in columns if not _is_text(known[c])},
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError, OverflowError) as error:
        if "out of memory" in str(error):  # this is the C parser's error, for a file that may be correct
            raise MemoryError(str(error)) from error
        raise _damaged(path, f"damaged ({' '.join(str(error).split())})") from error
    for column in columns:
        about = known[column]
        if _is_text(about):
            _check_text(path, table, column, about)
            if about["empty"]:
                table[column] = table[column].where(table[column] != "", None)
        else:
            table[column] = _check_numbers(path, table, column, about["empty"])
    parts = [column for column, about in known.items() if about.get("part")]
    _check_parts(path, table, [column for column in parts if column in table])
    split = next((table[column] for column in parts if column in table), None)
    for column, about in known.items() if whole else ():
        if column in table:
            continue
        if about.get("part") and split is not None:
            table[column] = 0 * split  # if times are split, none belong to it
        elif "when" not in about and not about.get("part"):
            table[column] = None if _is_text(about) else np.nan
    return table


def for_people(table, name):
    """The table `name` in the form for users: priorities, queues and queue pairs are numbers, flags are true or false, and
    `attrs["units"]` has the units of the columns."""
    table, known = table.copy(), columns_of(name)
    for column in known.keys() & set(table.columns):
        if known[column]["type"] == "index":
            numbers = pd.to_numeric(table[column])
            table[column] = numbers.astype("Int64" if numbers.isna().any() else "int64")
        elif known[column]["type"] == "flag":
            table[column] = table[column] == "1"
    table.attrs["units"] = {column: known[column]["unit"] for column in table.columns if "unit" in known.get(column, ())}
    return table
