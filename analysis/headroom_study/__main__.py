"""python3 -m headroom_study sweep|tune …

Exit codes: 0 done; 1 runs failed; 2 bad usage or bad input, nothing was run; 3 interrupted or stopped, what is
finished is kept.
"""

import os
import re
import signal
import sys

from .errors import InputError, Stopped


def _require_utf8(words):
    """The database of a study holds text, and so does its answer."""
    for word in words:
        try:
            word.encode("utf-8")
        except UnicodeEncodeError as error:
            shown = os.fsencode(word).decode("utf-8", "backslashreplace")
            raise InputError(f"{shown}: is no text in UTF-8, which a study keeps; give it another name") from error


def main(words):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `… | head` is no error
    # Matrices are small, and cores have runs to do; and sums in another order could lead to another proposal.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    name, rest = words[0], words[1:]
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    try:
        _require_utf8(rest)
        if name == "sweep":
            from .sweep import sweep as command
        else:
            from .tune import tune as command
        return command(rest)
    except InputError as error:
        placed = re.match(r"--set |[^:]+:\d+:\d+: ", str(error))
        print(error if placed else f"headroom {name}: {error}", file=sys.stderr)
        return 2
    except Stopped as error:
        print(f"headroom {name}: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print(f"headroom {name}: interrupted", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
