"""Arguments of a command, with the same errors and help as the other commands."""

import argparse
import difflib
import re
import sys

from headroom.errors import InputError
from headroom.say import say, visible
from headroom.study.cores import RANKS_HELP, ranks_of


class Parser(argparse.ArgumentParser):
    """Prints `examples` below the options. For a mistyped option it suggests the nearest one."""

    def __init__(self, prog, description, examples):
        super().__init__(
            prog=prog,
            description=description,
            epilog="\n".join(["examples:", *(f"  {line}" for line in examples)]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message):
        unknown = re.match(r"unrecognized arguments: (?:.* )?(--?[^ =]+)", message)
        if unknown:
            message = f"unrecognised option '{unknown[1]}'"
            near = difflib.get_close_matches(unknown[1], self._option_string_actions, 1)
            message += f'; did you mean "{near[0]}"' if near else ""
        message = re.sub(r"^argument (--?[a-z-]+): \"\"", r'\1 ""', message)
        print(visible(f"{self.prog}: {message}; see {self.prog} --help"), file=sys.stderr)
        sys.exit(2)

    def print_help(self, file=None):
        say(self.format_help().rstrip("\n"))


def folder(text):
    """A type of arguments: "" would be the working directory."""
    if not text:
        raise argparse.ArgumentTypeError('"" names no folder')
    return text


def add_ranks(parser):
    """--ranks; its value is None for auto."""
    parser.add_argument("--ranks", type=ranks_of, metavar="N|auto", help=RANKS_HELP)


def add_launcher(parser, help_text):
    """--launcher and --sbatch. `help_text`: the effect of Slurm on this command."""
    parser.add_argument("--launcher", choices=("local", "slurm"), default="local", help=help_text)
    parser.add_argument(
        "--sbatch", action="append", default=[], metavar="OPTION", help="option for Slurm, such as --sbatch=--partition=long"
    )


def require_launcher(parser, options):
    if options.sbatch and options.launcher != "slurm":
        parser.error("--sbatch needs --launcher slurm")


def assignments(option, texts):
    """[(text, {key: value})] of KEY=VALUE; InputError for other texts."""
    out = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise InputError(f"--{option} {text}: not an assignment; give KEY=VALUE, with a KEY as for `headroom run --set`")
        out.append((text, {key.strip(): value.strip()}))
    return out


def seconds(text):
    """Seconds in 90s, 5min, 2h; InputError for other texts."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(s|min|h)", text)
    if not found or not float(found[1]):
        raise InputError(f"--budget {text}: not a time; give a number above 0 with s, min or h, such as 5min")
    return float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]]
