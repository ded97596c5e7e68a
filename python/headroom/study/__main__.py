"""python3 -m headroom.study sweep|tune …

Exit codes: 0 done; 1 runs failed; 2 wrong usage or wrong input, nothing was run; 3 interrupted or stopped, finished
runs are kept.
"""

import os
import signal
import sys

from headroom.command import ended
from headroom.errors import InputError


def _require_utf8(words):
    """The database of a study contains text, and so does its answer."""
    for word in words:
        try:
            word.encode("utf-8")
        except UnicodeEncodeError as error:
            shown = os.fsencode(word).decode("utf-8", "backslashreplace")
            raise InputError(f"{shown}: is not UTF-8, which a study needs; give it another name") from error


def _command(name, words):
    _require_utf8(words)
    if name == "sweep":
        from headroom.study.sweep import sweep as command
    else:
        from headroom.study.tune import tune as command
    return command(words)


def main(words):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `… | head` is not an error
    # Matrices are small, and cores are needed for runs; and sums in another order could lead to another proposal.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    return ended(
        words[0],
        lambda: _command(words[0], words[1:]),
        "python3-optuna python3-yaml",
        "finished runs are kept",
        interrupted="interrupted",
        placed_alone=True,
        in_the_way=3,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
