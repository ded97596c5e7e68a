"""What is made beside its place and put there whole, under names as the program's results have them (src/files/staged_directory.h)."""

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


@contextlib.contextmanager
def writing(path):
    """What fails in here without the name of a file, as on a full disk, fails with this one."""
    try:
        yield path
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def write_whole(path, write):
    """Puts in place what `write(file)` writes into a file opened for text, or nothing. OSError with the path."""
    partial = partial_beside(path)
    try:
        with writing(path), open(partial, "w", encoding="utf-8") as file:
            write(file)
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
