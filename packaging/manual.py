"""headroom(1), in roff."""

import itertools
import re

_FILES = [
    ("/usr/share/headroom/scenarios", "scenarios that come with the program; copy them to where you work"),
    ("/usr/share/headroom/schema", "JSON Schemas of scenario files and study files, for editors"),
    ("/usr/share/doc/headroom", "README and the pages of the models, of plots, studies and of every task"),
    ("results/NAME/", "what a run leaves behind, below the working directory"),
]


def _plain(text):
    """Escapes the text, so that roff prints it unchanged."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.M)


def _text(lines):
    """Paragraphs are filled; indented text stays as it is, right below its introduction."""
    out = []
    for indented, block in itertools.groupby(lines, lambda line: line.startswith(" ") if line else None):
        if indented is not None:
            text = map(_plain, block)
            out += [".nf", *text, ".fi"] if indented else [".PP", *text]
    return out


def _option(option):
    flags = ", ".join(f"\\fB{_plain(flag)}\\fR" for flag in option.flags)
    value = f" \\fI{_plain(option.value)}\\fR" if option.value else ""
    default = f" (default: {option.default})" if option.default else ""
    return [".TP", flags + value, _plain(option.help + default)]


def _exit_codes(below):
    """(code, meaning) pairs of the paragraph "exit codes: 0 done; 1 …."."""
    told = next(paragraph for paragraph in below if paragraph.startswith("exit codes: "))
    return re.findall(r"(\d) ([^;]+[^;.])", " ".join(told.split()))


def manual(version, commands, below):
    lines = [
        "'\\\" -*- coding: utf-8 -*-",
        f'.TH HEADROOM 1 "" "Headroom {version}" "User Commands"',
        ".\\\" Lines of examples stay whole; text is not spread.",
        ".ad l",
        ".nh",
        ".SH NAME",
        "headroom \\- datacenter congestion control and switch buffers, packet by packet",
        ".SH SYNOPSIS",
        ".B headroom",
        "\\fICOMMAND\\fR ...",
        ".SH DESCRIPTION",
        "Simulates RDMA datacenters packet by packet: RoCEv2 hosts, shared\\-buffer Ethernet switches, PFC, ECN and DCQCN.",
        "A network and its traffic are one YAML file; completion times, pauses, marks and buffer use come out.",
        ".SH COMMANDS",
    ]
    for command in commands:
        lines += [".TP", f".B {command.name}", _plain(command.does)]
    for paragraph in below:
        if not paragraph.startswith("exit codes: "):
            lines += [".PP", *map(_plain, paragraph.split("\n"))]
    for command in commands:
        lines += [f'.SH "HEADROOM {command.name.upper()}"']
        lines += [f"\\fBheadroom\\fR {_plain(command.usage)}", *_text(command.text)]
        for option in command.options:
            lines += _option(option)
    lines += [".SH \"EXIT STATUS\""]
    for code, means in _exit_codes(below):
        lines += [".TP", f".B {code}", _plain(means)]
    lines += [".SH FILES"]
    for path, what in _FILES:
        lines += [".TP", f".I {_plain(path)}", _plain(what)]
    return "\n".join(lines) + "\n"
