"""The list of files that Headroom wrote into a folder, so that it replaces exactly these: the folder's file .headroom,
which src/files/manifest.h describes."""

import contextlib
import fcntl
import os
import re
import zlib
from pathlib import Path

from headroom.errors import InputError
from headroom.partial import write_whole, writing

NAME = ".headroom"
_HEAD = "# Files that Headroom wrote here and may replace: bytes, CRC-32, command, name.\n"
_LINE = re.compile(r"(\d+ [0-9a-f]{8}) (\S+) (.+)")


def digest(path):
    """"BYTES CRC" of a file, or of a link's target."""
    if path.is_symlink():
        leads = os.fsencode(os.readlink(path))
        return f"{len(leads)} {zlib.crc32(leads):08x}"
    size = crc = 0
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            size, crc = size + len(part), zlib.crc32(part, crc)
    return f"{size} {crc:08x}"


def _read(folder):
    """[(digest, command, name)]; empty without a manifest."""
    try:
        text = (folder / NAME).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return []
    return [found.groups() for line in text.split("\n") if (found := _LINE.fullmatch(line))]


def _write(folder, lines):
    text = _HEAD + "".join(f"{' '.join(line)}\n" for line in lines)
    write_whole(folder / NAME, lambda file: file.write(text), errors="surrogateescape")


def _require_free(folder, command, name, lines, force):
    path = folder / name
    if not os.path.lexists(path):
        return
    if path.is_dir() and not path.is_symlink():
        raise InputError(f"{path}: is a folder, but a file goes there; move it away, or give another --out")
    written = {digest for digest, by, other in lines if (by, other) == (command, name)}
    if not written:
        raise InputError(f"{path}: exists, and `headroom {command}` did not write it; move it away, or give another --out")
    if not force and digest(path) not in written:
        raise InputError(f"{path}: was changed since `headroom {command}` wrote it; give --force to replace it, or another --out")


def require_free(folder, command, names, force=False):
    """Raises the InputError that `place` would raise for files with these names."""
    lines = _read(folder)
    for name in names:
        _require_free(folder, command, name, lines, force)


@contextlib.contextmanager
def _alone(folder):
    """Only one process at a time runs this, if the file system has locks."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def place(fresh, folder, command, force=False):
    """Moves the files below `fresh` to their names below `folder`, removes files of an earlier `command` without a
    successor, and writes the new list. InputError, before any move, if this command did not write a file that would be
    lost or, without `force`, if the file has changed since."""
    fresh, folder = Path(fresh), Path(folder)
    made = {str(path.relative_to(fresh)): path for path in sorted(fresh.rglob("*")) if path.is_symlink() or not path.is_dir()}
    with _alone(folder):
        before = _read(folder)
        old = {name for _, by, name in before if by == command} - set(made)
        for name in [*made, *sorted(old)]:
            _require_free(folder, command, name, before, force)
        added = [(digest(path), command, name) for name, path in made.items()]
        _write(folder, before + added)  # after a kill at any point, one of its lines describes the file
        for name, path in made.items():
            with writing(folder / name):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, folder / name)
        for name in sorted(old):
            (folder / name).unlink(missing_ok=True)
        _write(folder, [line for line in before if line[1] != command] + added)
