"""Figures that are laid out, but not painted: for tests that read words, tables, or what a browser draws.

Painting takes half of a plot's time. test_command.py and test_overprint.py paint every figure.
"""

from pathlib import Path
from unittest import mock

from matplotlib.figure import Figure

_PAINT = Figure.savefig


def _outline(_figure, file, **keywords):
    if keywords.get("format") == "svg":
        file.write('<svg width="1pt" height="1pt" viewBox="0 0 1 1"></svg>')
    else:
        Path(file).write_bytes(b"\x89PNG")


# Both decorate functions, and classes with tests.
unpainted = mock.patch.object(Figure, "savefig", _outline)
painted = mock.patch.object(Figure, "savefig", _PAINT)
