"""Turns the reason why a command ended into its message and its exit code, for all commands in one place."""

import errno
import os
import re
import signal
import sys

from headroom.errors import InputError, Stopped
from headroom.say import visible


def require_names(inputs, out):
    """InputError if a path is empty: it would be the working directory, or no path at all."""
    if "" in inputs:
        raise InputError('"" is not a folder; give one that `headroom run` wrote, such as results/NAME')
    if out == "":
        raise InputError('--out "" is empty; leave it out, or give a name')


class _Interrupts:
    """While this is entered Ctrl-C and SIGTERM raise KeyboardInterrupt, and `came` reports them: code in C may make
    another exception of it, as numpy does during its import."""

    def __enter__(self):
        self.came = False
        # A shell's background jobs ignore Ctrl-C, and continue to do so.
        caught = [signal.SIGTERM] + [signal.SIGINT] * (signal.getsignal(signal.SIGINT) is not signal.SIG_IGN)
        self._before = {number: signal.signal(number, self._note) for number in caught}
        return self

    def _note(self, *_):
        self.came = True
        raise KeyboardInterrupt

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler)


def lacks_memory(error):
    """Whether a module or its folder exists, but the memory to load it does not suffice."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    return isinstance(error, ImportError) and re.search("failed to map segment|annot allocate memory", str(error)) is not None


def ended(name, work, packages, advice, interrupted="interrupted, nothing written", placed_alone=False, in_the_way=2):
    """Does `work` for `headroom NAME` and returns the exit code: the value of `work`, 0 for None; otherwise the reason
    of the end is on standard error. `packages`: what to install if a module is missing. `advice`: what to do if a file
    cannot be read or written, which ends with code `in_the_way`. `placed_alone`: messages that begin with their place
    have no other beginning."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")

    def told(text, code):
        alone = placed_alone and re.match(r"--set |[^:]+:\d+:\d+: ", text)
        print(visible(text if alone else f"headroom {name}: {text}"), file=sys.stderr)
        return code

    with _Interrupts() as interrupts:
        try:
            return work() or 0
        except KeyboardInterrupt:
            return told(interrupted, 3)
        except Exception as error:  # noqa: BLE001 - what is not known here goes on
            if interrupts.came:
                return told(interrupted, 3)
            if isinstance(error, InputError):
                return told(str(error), 2)
            if isinstance(error, Stopped):
                return told(str(error), 3)
            if isinstance(error, MemoryError) or lacks_memory(error):
                return told("out of memory; end other programs, or raise the limit (ulimit -v)", 2)
            if isinstance(error, ImportError):
                return told(f"{error}; type: sudo apt-get install {packages}", 2)
            if isinstance(error, OSError):
                what = f"cannot read or write {error.filename or 'a file'}: {error.strerror or error}"
                return told(f"{what}; {advice}", in_the_way)
            raise
