"""Parses the program's --help, for the manual page and the completions. Boost writes the help of some commands, argparse
that of others."""

import os
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Option:
    flags: list  # ["-s", "--size"]
    value: str  # "BYTES"; "" where it takes none
    default: str  # "RC"; "" if the help has none
    help: str

    def choices(self):
        """The words that the option accepts, if its help names all of them."""
        if self.value.startswith("{"):
            return self.value.strip("{}").split(",")
        named = re.fullmatch(r"(\w+(?:, \w+)*) or (\w+)", self.help)
        return [*named[1].split(", "), named[2]] if named else []


@dataclass
class Command:
    name: str
    does: str  # its line in `headroom --help`
    usage: str = ""  # the text after "headroom "
    text: list = field(default_factory=list)  # lines between usage and options, and after the options
    options: list = field(default_factory=list)

    def listed(self, heading):
        """First column of the lines below the heading that begins with `heading`, for example names of tables."""
        names, inside = [], False
        for line in self.text:
            if not line.startswith(" "):
                inside = line.startswith(heading)
            elif inside:
                names.append(re.split(r"\s{2,}", line.strip())[0])
        return names

    def forms(self, option):
        """Values of `option` that the text lists, as `  --to sonic-patch      RFC 6902, …` does."""
        found = (re.match(rf"  {option} (\S+)\s{{2,}}", line) for line in self.text)
        return [match[1] for match in found if match]


def _say(program, *words):
    # argparse breaks lines at COLUMNS.
    return subprocess.run(
        [program, *words, "--help"], check=True, text=True, encoding="utf-8", stdout=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "100"},
    ).stdout


def _option(spec, text):
    default = re.search(r"\(=(.*)\)", spec)
    bare = re.sub(r"\(=.*\)", "", spec)
    flags = re.findall(r"(?<!\S)--?[A-Za-z][\w-]*", bare)
    value = re.sub(r"(?<!\S)--?[A-Za-z][\w-]*|(?<!\S)[\[\],](?!\S)|,(?= )", " ", bare)
    return Option(flags, " ".join(value.split()), default[1] if default else "", " ".join(text))


def _options(lines):
    """The options of the block below "options:". Every help text begins in the column of the help of --help."""
    column = next(re.search(r"--help[\] ]*", line).end() for line in lines if "--help" in line)
    options, spec, text = [], "", []
    for line in [*lines, "  -"]:
        if not line.startswith("  -"):
            text.append(line.strip())
            continue
        if spec:
            options.append(_option(spec, text))
        fits = line[column - 1 : column] == " "
        spec, text = (line[:column].strip(), [line[column:].strip()]) if fits else (line.strip(), [])
    return options


def _command(program, name, does):
    lines = _say(program, name).split("\n")
    command = Command(name, does)
    blank = lines.index("")
    command.usage = " ".join(" ".join(lines[:blank]).split()).removeprefix("usage: headroom ")
    start = lines.index("options:")
    end = next((i for i in range(start, len(lines)) if not lines[i]), len(lines))
    command.options = _options(lines[start + 1 : end])
    command.text = "\n".join(lines[blank + 1 : start] + lines[end + 1 :]).strip("\n").split("\n")
    return command


def version(program):
    return subprocess.run([program, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()[-1]


def read(program):
    """All commands in the order of `headroom --help`, and the paragraphs below its list of them."""
    said = _say(program)
    commands = re.findall(r"^  (\w+) +(.+)$", said, re.M)
    below = said.split("\n\n")[3:]
    return [_command(program, *one) for one in commands], [paragraph.strip("\n") for paragraph in below]
