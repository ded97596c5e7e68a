"""python3 -m headroom.plot DIR... [--out DIR] [--force]

Exit codes: 0 done; 2 wrong usage or wrong input, nothing written; 3 interrupted, nothing written, or written and
standard output is closed."""

import argparse
import sys
from pathlib import Path

from headroom.command import ended, require_names
from headroom.errors import InputError
from headroom.say import say


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="headroom plot",
        description="Draws plots and a single-file HTML report of one result, of several side by side, or of a study.",
    )
    parser.add_argument(
        "results", nargs="+", metavar="DIR", help="a folder that `headroom run`, `sweep` or `tune` wrote"
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="where plots/ and report.html go (default: the result itself; of "
        "several, a folder beside the first named after all)",
    )
    parser.add_argument("--force", action="store_true", help="replace plots that were changed since plot drew them")
    return parser.parse_args(arguments)


def _default_folder(results):
    """The target of plots without --out."""
    if len(results) == 1:
        return results[0].path
    names = [result.name.replace("/", "-") for result in results]
    told = "-vs-".join(names) if len(names) <= 3 else f"{names[0]}-vs-{len(names) - 1}-others"
    return results[0].path.resolve().parent / told


def _shown(path):
    """The path as a user in this folder would type it."""
    try:
        return path.resolve().relative_to(Path.cwd())
    except ValueError:
        return path


def _of_results(results):
    """(plots, function that makes the report)"""
    from headroom.plot.figures.completion import completion_plot
    from headroom.plot.figures.difference import difference_plot
    from headroom.plot.figures.groups import groups_plot
    from headroom.plot.figures.operations import operations_plot
    from headroom.plot.figures.occupancy import occupancy_plot
    from headroom.plot.figures.parts import message_parts_plot, operation_parts_plot
    from headroom.plot.figures.pauses import pauses_plot
    from headroom.plot.drawing.plot import result_colours
    from headroom.plot.figures.rates import rates_plot
    from headroom.plot.report.results import report_html
    from headroom.plot.figures.slowdown import slowdown_plot
    from headroom.plot.figures.timeline import timeline_plot
    from headroom.plot.figures.watermarks import watermarks_plot

    drawing = (
        difference_plot,
        message_parts_plot,
        operation_parts_plot,
        completion_plot,
        slowdown_plot,
        operations_plot,
        timeline_plot,
        pauses_plot,
        groups_plot,
        occupancy_plot,
        watermarks_plot,
        rates_plot,
    )
    plots = [plot for draw in drawing if (plot := draw(results)) is not None]
    return plots, lambda svgs: report_html(results, plots, svgs, result_colours(results))


def _of_study(study):
    """(plots, function that makes the report)"""
    from headroom.plot.figures.pareto import pareto_plot
    from headroom.plot.report.study import study_html
    from headroom.plot.figures.surface import surface_plots
    from headroom.plot.figures.sweep_curves import sweep_plot
    from headroom.plot.figures.tails import tails_plot
    from headroom.plot.figures.verdict import verdict_plot

    plots = [verdict_plot(study), tails_plot(study), sweep_plot(study), *surface_plots(study), pareto_plot(study)]
    plots = [plot for plot in plots if plot is not None]
    return plots, lambda svgs: study_html(study, plots, svgs)


def _plot(options):
    from headroom.plot.output import write_all
    from headroom.result import load_results
    from headroom.study_folder import Study, is_study
    from headroom.plot.drawing.style import apply_style

    require_names(options.results, options.out)
    studies = [folder for folder in options.results if is_study(folder)]
    if studies and len(options.results) > 1:
        raise InputError(f"{studies[0]} is a study; plot it alone, or give results of its runs")
    if studies:
        folder, contents_of, read = Path(studies[0]), _of_study, Study(studies[0])
    else:
        read, contents_of = load_results(options.results), _of_results
        folder = _default_folder(read)
    apply_style()
    plots, html_of = contents_of(read)
    folder = Path(options.out) if options.out else folder
    write_all(folder, plots, html_of, options.force)
    say(
        f"{_shown(folder / 'report.html')}\n{_shown(folder / 'plots')}/: "
        + (", ".join(plot.stem for plot in plots) or "nothing to draw")
        + " (.svg, .png, .csv)"
    )


def main(arguments=None):
    """The whole command; returns its exit code."""
    options = _arguments(arguments)
    return ended(
        "plot",
        lambda: _plot(options),
        "python3-matplotlib python3-pandas python3-plotly python3-yaml",
        "give a folder that can be written: --out DIR",
    )


if __name__ == "__main__":
    sys.exit(main())
