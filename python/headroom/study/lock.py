"""A process that works on a study holds a lock on a file in it, so that one works at a time.

The kernel releases it with the process, however that ends. Batch jobs share it; a local sweep has it alone.
"""

import errno
import fcntl
import os
import socket

from headroom.errors import InputError, Stopped
from headroom.study.store import is_full, mend


class StudyLock:
    """Held until the process ends. InputError if another process holds it."""

    def __init__(self, folder, shared=False):
        path = folder / ".lock"
        try:
            self._file = open(path, "a+", encoding="utf-8")
        except OSError as error:
            wrong = Stopped if is_full(error) else InputError
            raise wrong(f"{path}: cannot be written: {error.strerror}; give another --out") from error
        try:
            fcntl.flock(self._file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise InputError(f"{path}: cannot be locked: {error.strerror}; give another --out") from error
            self._file.seek(0)
            who = self._file.read().strip() or "a batch job"
            raise InputError(
                f"{folder}: {who} is working on this study; wait for it, or give another --out"
            ) from error
        self._shared = shared
        if not shared:
            self._file.truncate(0)
            self._file.write(f"process {os.getpid()} on {socket.gethostname()}")
            try:
                self._file.flush()
            except OSError as error:
                raise Stopped(f"{path}: cannot be written: {error.strerror}; {mend(error)}, or give another --out") from error

    def release(self):
        if not self._shared:
            self._file.truncate(0)
        self._file.close()
