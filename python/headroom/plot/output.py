"""Writes all files or none: they are made in a temporary folder and moved at the end."""

import contextlib
import io
import os
import shutil
from pathlib import Path

from headroom.manifest import place
from headroom.partial import partial_beside, writing

_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def _svg(figure):
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    return buffer.getvalue()


def write_plot(folder, plot):
    """Writes the figure as SVG and PNG and its tables as CSV into the folder; returns the SVG."""
    svg = _svg(plot.figure)
    _write_text(folder / f"{plot.stem}.svg", svg)
    with writing(folder / f"{plot.stem}.png") as path:
        plot.figure.savefig(path, dpi=150, metadata={"Software": None})
    for name, table in plot.tables.items():
        with writing(folder / f"{name}.csv") as path:
            table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")
    return svg


def _write_text(path, text):
    with writing(path):
        path.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def staged(folder):
    """Yields a new folder in `folder`, whose files are then placed (manifest.py); it is removed. If an exception is
    raised, `folder` is removed, unless it existed before; an OSError names the final place, not the temporary one."""
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    fresh = None
    try:
        fresh = partial_beside(folder / "plots")
        fresh.mkdir()
        yield fresh
    except BaseException as error:
        if not existed:
            shutil.rmtree(folder, ignore_errors=True)
        made_in = f"{fresh}{os.sep}"
        if isinstance(error, OSError) and str(error.filename).startswith(made_in):
            error.filename = str(folder / str(error.filename).removeprefix(made_in))
        raise
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)


def write_all(folder, plots, html_of, force=False):
    """Writes folder/plots/*.{svg,png,csv} and folder/report.html, which `html_of` makes of {stem: SVG text}. OSError if
    the folder cannot be written; InputError if another program's file is in the way, or without `force` one that was
    changed."""
    folder = Path(folder)
    with staged(folder) as fresh:
        (fresh / "plots").mkdir()
        svgs = {}
        for plot in plots:
            svgs[plot.stem] = write_plot(fresh / "plots", plot)
        _write_text(fresh / "report.html", html_of(svgs))
        place(fresh, folder, "plot", force)
