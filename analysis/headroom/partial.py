"""Names for what is made beside its place, as the program's results have them (src/files/staged_directory.h)."""

import contextlib
import glob
import os
import shutil
import socket


def _runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def partial_beside(path):
    """A name beside `path` for what this process puts in its place. What processes of this machine that are no more
    have left under such names goes."""
    begin = f".{path.name[:150]}.partial-{socket.gethostname()}-"
    for left in path.parent.glob(glob.escape(begin) + "*"):
        process = left.name[len(begin) :]
        if process.isdecimal() and not _runs(int(process)):
            shutil.rmtree(left, ignore_errors=True)
            with contextlib.suppress(OSError):
                left.unlink()
    return path.with_name(f"{begin}{os.getpid()}")
