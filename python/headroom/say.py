"""Output of commands: all of it arrives, or they report that it did not."""

import os
import sys
import unicodedata

from headroom.errors import Stopped


def visible(text):
    """The text with control characters, except line breaks, as \\x1B: a path must not command the terminal."""
    return "".join(c if c == "\n" or unicodedata.category(c) != "Cc" else f"\\x{ord(c):02X}" for c in str(text))


def say(text):
    """Prints the text at once. Stopped if standard output is closed or accepts no more."""
    try:
        if sys.stdout is None:
            raise OSError("it is closed")
        print(visible(text), flush=True)
    except OSError as error:
        if sys.stdout is not None:
            # Otherwise Python would try to write the rest again at the end, and fail with a traceback.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Stopped(f"standard output cannot be written: {error.strerror or error}") from error
