"""A CSV file of a result, read and checked: a damaged file is refused with the place of the error, and never read as
other data."""

import csv
import difflib
import io
import re

import numpy as np
import pandas as pd

from headroom.errors import InputError
from headroom.format import counted

# Columns that every table has, whichever program wrote it.
COLUMNS = {
    "messages": ["workload", "bytes", "start_ns", "completed_ns", "ideal_ns", "slowdown", "finished"],
    "message_waits": ["id", "way", "node", "port", "queue", "since_ns", "queued_ns", "paused_ns"],
    "operation_waits": ["id", "way", "node", "port", "queue", "since_ns", "queued_ns", "paused_ns"],
    "pfc": ["time_ns", "node", "port", "peer_node", "peer_port", "priority", "direction", "duration_ns"],
    "pfc_causes": ["start_ns", "node", "port", "priority", "duration_ns", "share", "root_kind", "root_node", "root_port", "root_queue", "workload"],
    "events": ["time_ns", "event"],
    "queues": ["time_ns", "node", "port", "queue", "bytes"],
    "rates": ["time_ns", "host", "qp", "rate_bps"],
    "ports": "node port priority tx_bytes tx_packets rx_bytes rx_packets utilisation marked_packets pauses_tx pauses_rx paused_us_tx "
    "paused_us_rx peak_queue_bytes".split(),
    "groups": ["time_ns", "node", "port", "group", "shared_bytes", "headroom_bytes"],
    "cnps": ["time_ns", "host", "qp", "effect"],
    "drops": ["time_ns", "node", "port", "priority", "reason", "bytes"],
    "goodput": ["time_ns", "workload", "bytes"],
    "estats": ["time_ns", "host", "qp", "operation", "status", "count"],
    "watchdog": ["node", "port", "priority", "action", "status"],
    "marking": ["node", "port", "queue", "kmin_bytes", "kmax_bytes", "pmax"],
    "operations": ["workload", "kind", "client", "bytes", "start_ns", "completed_ns", "status", "ramp"],
}
# Results of older versions, or of other simulators, do not have them. The plots then get empty columns.
OPTIONAL = {
    "ports": ["peak_group_bytes", "peak_headroom_bytes", "headroom_configured_bytes"],
    "groups": ["xoff_at_bytes"],
    "rates": ["sent_bytes", "peer"],
    "events": ["node", "port", "priority", "detail"],
}
# The parts of a message's time, along its critical path; they sum to it.
MESSAGE_PARTS = (
    "own_queue own_packets limiter nic port queued paused recovery wire ack_queued ack_paused ack_wire window context other".split()
)
# The parts of an operation's time; they sum to it. If its messages' times were not split, all of it is `network`.
_OF_APPLICATIONS = "copy wake buffer peer".split()
_OWN_PARTS = "core core_queue credits chunk memory device network connection order timeout".split() + _OF_APPLICATIONS + ["other"]
PARTS = _OWN_PARTS + [part for part in MESSAGE_PARTS if part != "other"]
# Parts that a result does not have if no queue pair has a window, no message needs a context, or no application runs.
_SOMETIMES = ("window", "context", *_OF_APPLICATIONS)
# Columns beyond those. Each version added a group: a table has a whole group or none of it, and no group without the
# earlier ones.
_GROUPS = {
    "messages": (
        "id src dst scope priority verb delivered_ns marked_packets retransmitted_packets",
        " ".join(f"{part}_ns" for part in MESSAGE_PARTS if part not in _SOMETIMES),
        "limited_since_ns",
    ),
    "pfc": ("refreshes group_bytes",),
    "ports": ("pfc_frames_tx pfc_frames_rx", "peak_group_shared_bytes peak_queue_shared_bytes"),
    "estats": (
        "peer workload " + " ".join(f"{part}_{statistic}_ns" for part in ("t5_t1", "t6_t1") for statistic in ("p50", "p99", "p999", "max")),
    ),
    "operations": (
        "id service retries server qp " + " ".join(f"t{i}_ns" for i in range(1, 7)),
        " ".join(f"{part}_ns" for part in PARTS if part not in _SOMETIMES),
        "scope",
    ),
    "watchdog": (
        "storms_detected storms_restored tx_ok tx_drop rx_ok rx_drop tx_ok_last tx_drop_last rx_ok_last rx_drop_last",
    ),
}
_MORE = {name: [column for group in groups for column in group.split()] for name, groups in _GROUPS.items()}
# The parts of a time: a line has all of them, or none.
_SPLIT = {"messages": MESSAGE_PARTS, "operations": PARTS}
_FAMILIES = {"ports": "drop_"}  # one column for each reason
_WHOLE = {"priority", "queue", "qp", "group", "root_queue"}  # they are names nevertheless, and stay text
_TEXT = _WHOLE | set(
    "node port peer_node peer_port direction event detail host peer workload effect reason finished operation status action id src "
    "dst scope verb service kind client server ramp way root_node root_port root_kind".split()
)
KINDS_OF_DISKS = ("read", "write")
KINDS_OF_KEYS = ("get", "put", "insert", "read_modify_write")
KINDS_OF_OTHERS = ("send", "transfer", "call", "tensor", "send_receive")  # of connections and applications
_ONE_OF = {"direction": {"rx", "tx"}, "finished": {"0", "1"}, "way": {"data", "ack"}, "kind": {*KINDS_OF_DISKS, *KINDS_OF_KEYS, *KINDS_OF_OTHERS}, "ramp": {"0", "1"},
           "root_kind": {"queue", "blocked", "receiver", "storm", "cycle", "rest"}}
# These fields may be empty: those of unfinished or unposted messages, a lossy group's threshold, the port of an event
# without one.
# A run that ended before its warm-up has no time over which a utilisation could be taken.
_MAY_BE_EMPTY = {"utilisation", "completed_ns", "delivered_ns", "slowdown", "duration_ns", "xoff_at_bytes", "group_bytes"}
_MAY_BE_EMPTY |= set(OPTIONAL["ports"] + OPTIONAL["rates"] + OPTIONAL["events"] + _MORE["estats"])
_MAY_BE_EMPTY |= {f"{part}_ns" for part in (*MESSAGE_PARTS, *PARTS)} | {"limited_since_ns"}
_MAY_BE_EMPTY |= {"qp"} | {c for c in _MORE["operations"] if c.endswith("_ns")}
# Columns that are empty for an unfinished operation, or for a root that is not a queue or has frames without a
# workload.
_NAMES_OF_NOTHING = {"operations": {"status"}, "pfc_causes": {"root_node", "root_port", "root_queue", "workload"}}
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


def _check_text(path, table, column, may_be_empty):
    values = table[column]
    different = values.unique()
    wrong = [v for v in different if not v and not may_be_empty]
    if column in _ONE_OF:
        wrong += [v for v in different if v and v not in _ONE_OF[column]]
        wanted = " or ".join(sorted(_ONE_OF[column])) + " is expected"
    elif column in _WHOLE:
        wrong += [v for v in different if v and not re.fullmatch("[0-9]{1,9}", v)]
        wanted = "a whole number is expected"
    else:
        wanted = "a name is expected"
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


def _require_known(path, name, header):
    """InputError for a missing column, or one that this table never has: its values would count as absent."""
    wanted = list(COLUMNS[name])
    groups = [group.split() for group in _GROUPS.get(name, ())]
    while groups and not set(header) & set(groups[-1]):
        groups.pop()
    for column in sum(groups, wanted):
        if column not in header:
            raise InputError(
                f"{path}:1:1: column {column} is missing; is the file from another version of "
                "Headroom? Run the scenario again with --force"
            )
    known = [*COLUMNS[name], *OPTIONAL.get(name, ()), *_MORE.get(name, ())]
    known += [f"{part}_ns" for part in _SOMETIMES if part in _SPLIT.get(name, ())]
    for place, column in enumerate(header):
        if column in known or name in _FAMILIES and column.startswith(_FAMILIES[name]):
            continue
        near = difflib.get_close_matches(column, known, 1)
        hint = f"did you mean {near[0]}" if near else "is the file from another version of Headroom"
        position = len(",".join(header[:place])) + (2 if place else 1)
        raise InputError(f"{path}:1:{position}: {_shown(column)!r} is not a column of {name}.csv; {hint}? {_AGAIN.capitalize()}")


def read_csv(path, name, columns=None):
    """The table `name` of COLUMNS, or InputError. Names stay text, the rest are numbers; an empty cell is None or NaN.
    Optional columns that are missing in the file are empty. `columns`: only these are read, for a table of millions of
    lines."""
    optional = OPTIONAL.get(name, ())
    data = _read_bytes(path)
    try:
        header = [str(column) for column in pd.read_csv(io.BytesIO(data), nrows=0).columns]
        _require_known(path, name, header)
        columns = [c for c in header if columns is None or c in columns]
        table = pd.read_csv(
            io.BytesIO(data),
            usecols=columns,
            index_col=False,
            low_memory=False,
            dtype={c: str for c in columns if c in _TEXT},
            keep_default_na=False,  # a host may be called NA
            na_values={c: [""] for c in columns if c not in _TEXT},
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError, OverflowError) as error:
        if "out of memory" in str(error):  # this is the C parser's error, for a file that may be correct
            raise MemoryError(str(error)) from error
        raise _damaged(path, f"damaged ({' '.join(str(error).split())})") from error
    for column in columns:
        may_be_empty = column in _MAY_BE_EMPTY and (column not in COLUMNS[name] or column not in _TEXT)
        may_be_empty = may_be_empty or column in _NAMES_OF_NOTHING.get(name, ())
        if column in _TEXT:
            _check_text(path, table, column, may_be_empty)
            if may_be_empty:
                table[column] = table[column].where(table[column] != "", None)
        else:
            table[column] = _check_numbers(path, table, column, may_be_empty)
    for part in _SOMETIMES if "wire_ns" in table else ():
        if part in _SPLIT.get(name, ()) and f"{part}_ns" not in table:
            table[f"{part}_ns"] = 0 * table["wire_ns"]  # if times are split, none belong to it
    _check_parts(path, table, [f"{part}_ns" for part in _SPLIT.get(name, ()) if f"{part}_ns" in table])
    for column in optional:
        if column not in table:
            table[column] = None if column in _TEXT else np.nan
    return table


# The unit of a column's numbers, by the ending of its name.
_UNITS = {"ns": "ns", "us": "us", "bytes": "B", "bps": "bit/s", "gbps": "Gbit/s", "packets": "packets"}


def unit_of(column):
    """The unit in a column's name, "ns" of completed_ns, or None."""
    words = re.split("[_.]", column.removesuffix("_tx").removesuffix("_rx"))
    return _UNITS.get(words[-1])


def for_people(table):
    """The table in the form for users: priorities, queues and queue pairs are numbers, `finished` and `ramp` are true
    or false, and `attrs["units"]` has the units of the columns."""
    table = table.copy()
    for column in _WHOLE & set(table.columns):
        numbers = pd.to_numeric(table[column])
        table[column] = numbers.astype("Int64" if numbers.isna().any() else "int64")
    for column in {"finished", "ramp"} & set(table.columns):
        table[column] = table[column] == "1"
    table.attrs["units"] = {column: unit for column in table.columns if (unit := unit_of(column))}
    return table
