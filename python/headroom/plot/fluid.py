"""python3 -m headroom.plot.fluid DIR [--force] < ANSWER

Draws DCQCN's fluid model (figures/fluid.py). ANSWER is the JSON of `headroom fluid` with the runs of its
equations. Writes DIR/fluid.json and DIR/plots/fluid.{svg,png,csv}.

Exit codes: 0 done; 2 wrong input, or a folder that cannot be written, 3 interrupted; then nothing is written.
"""

import json
import sys
from pathlib import Path

from headroom.command import ended
from headroom.errors import InputError
from headroom.manifest import place
from headroom.partial import writing
from headroom.say import say


def write(folder, answer, plot, force=False):
    """Writes all files or none. OSError if the folder cannot be written, InputError if a file is in the way."""
    from headroom.plot.output import staged, write_plot

    folder = Path(folder)
    with staged(folder) as fresh:
        (fresh / "plots").mkdir()
        write_plot(fresh / "plots", plot)
        with writing(fresh / "fluid.json") as path:
            path.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
        place(fresh, folder, "fluid", force)


def _fluid(folder, force):
    from headroom.plot.drawing.style import apply_style
    from headroom.plot.figures.fluid import fluid_plot

    answer = json.load(sys.stdin)
    if not answer["runs"]:
        raise InputError("no queue to draw: flows are held back by their own links alone")
    apply_style()
    write(folder, answer, fluid_plot(answer), force)
    say(f"{folder}/plots/: fluid (.svg, .png, .csv)")


def main(arguments=None):
    """The whole command; returns its exit code."""
    folder, *options = sys.argv[1:] if arguments is None else arguments
    advice = "give a folder that can be written: --out DIR"
    return ended("fluid", lambda: _fluid(folder, "--force" in options), "python3-matplotlib python3-pandas python3-yaml", advice)


if __name__ == "__main__":
    sys.exit(main())
