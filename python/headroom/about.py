"""A file's description of itself: the comment at its beginning."""

import codecs
from pathlib import Path


def encoding(data):
    """A file's encoding, by its first bytes; the program reads all of these."""
    return "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def decoded(data):
    """The text of a file. UnicodeDecodeError."""
    return data.decode(encoding(data))


def about(path):
    """The comment's text, line by line; empty without a comment or a file."""
    try:
        lines = decoded(Path(path).read_bytes()).splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    said = []
    for line in lines:
        if not line.startswith("#"):
            break
        said.append(line[1:].removeprefix(" "))
    # this line is for an editor, not for a person
    return "\n".join(line for line in said if not line.startswith("yaml-language-server:"))
