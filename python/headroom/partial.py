"""Files and folders that are made in a temporary place and moved as a whole, with the temporary names of the program's
results (src/files/staged_directory.h)."""

import contextlib
import glob
import os
import shutil
import socket
from pathlib import Path

from headroom.errors import InputError


def _runs(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def partial_beside(path):
    """A temporary name beside `path` for this process. Remains of dead processes of this machine with such names are
    removed."""
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
    """A failure in this block without the name of a file, as on a full disk, gets this name."""
    try:
        yield path
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def _open_descriptor(path):
    """The open file of this process to which `path` leads, or None: stdout, stderr, or the target of a link through
    /proc/self/fd, such as /dev/stdout. To open such a file again would overwrite its beginning."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), found):
                return descriptor
    descriptors = os.path.realpath("/proc/self/fd")
    while os.path.islink(path):
        folder, name = os.path.split(os.path.abspath(path))
        if os.path.realpath(folder) == descriptors:
            return int(name)
        path = os.path.join(folder, os.readlink(path))
    return None


def _begins(path, begin):
    """Whether a file begins with this text, or is empty."""
    with open(path, "rb") as file:
        return file.read(len(begin)) in (begin, b"")


def write_where_it_leads(path, write, command, begin, force=False):
    """`write(file)` into a file opened for text, completely or not at all, at a link's target. A device is written
    directly and never replaced; so is a file that this process already has open. OSError with the path; InputError if a
    file exists, unless `force`, and the file begins like those of `command`."""
    descriptor = _open_descriptor(path)
    if descriptor is None and Path(path).is_file():
        if not _begins(path, begin.encode()):
            raise InputError(f"{path}: exists, and `headroom {command}` did not write it; move it away, or give another --out")
        if not force:
            raise InputError(f"{path}: exists; give --force to replace it, or another --out")
    path = Path(path if descriptor is not None else os.path.realpath(path))
    if descriptor is None and (path.is_file() or not path.exists()):
        write_whole(path, write)
        return
    with writing(path), open(path if descriptor is None else os.dup(descriptor), "w", encoding="utf-8") as file:
        write(file)


def write_whole(path, write, errors="strict"):
    """Puts the text that `write(file)` writes in its place, completely or not at all. OSError with the path."""
    partial = partial_beside(path)
    try:
        with writing(path), open(partial, "w", encoding="utf-8", errors=errors) as file:
            write(file)
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
