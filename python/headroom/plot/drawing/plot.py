"""The result of a plotting module, and the series that the message plots share."""

from dataclasses import dataclass

import pandas as pd

from headroom.format import format_amount, format_count
from headroom.plot.drawing.style import QUIET, WARNING, colours, dashes, shorten


_TITLE = 68  # letters of a title that fit in a figure
_MOST_NAMES = 8  # names that a figure explains


@dataclass
class Plot:
    """One figure, the data that it shows, and a description in words."""

    stem: str  # stem of the file names
    heading: str
    caption: str  # one sentence, or several if there is nothing to draw
    figure: object
    tables: dict  # file name without .csv: pandas table
    details: list  # in addition to the caption, facts for readers who cannot see the figure
    drawn: bool = True  # False: the figure only has the caption
    live: object = None  # for a browser: live.figure(), or a list of them one below another; None: the report shows the
                         # still picture


@dataclass
class Series:
    """The messages of one workload in one result, and the look of its line."""

    result: object
    workload: str
    messages: pd.DataFrame  # messages with a line
    label: str
    colour: str
    dash: object

    @property
    def unfinished(self):
        return int((~self.messages["finished"]).sum())

    @property
    def offered(self):
        """The count includes messages without a line."""
        return max(len(self.messages), sum(self.result.by_seed(f"messages.{self.workload}.offered").values()))

    @property
    def whole(self):
        return len(self.messages) == self.offered


def result_colours(results):
    return dict(zip((r.name for r in results), colours(len(results))))


def series_of(results):
    """One per result and workload that has messages: colour by result, dashes by workload.

    With only one result its workloads also differ by colour.
    """
    workloads = list(dict.fromkeys(name for result in results for name in result.workloads))
    by_result = result_colours(results)
    by_workload = dict(zip(workloads, colours(len(workloads))))
    out = []
    for workload in workloads:
        for result in results:
            messages = result.messages[result.messages["workload"] == workload]
            if len(messages) == 0:
                continue
            label = workload if len(results) == 1 else f"{workload}, {shorten(result.name)}"
            colour = by_workload[workload] if len(results) == 1 else by_result[result.name]
            out.append(Series(result, workload, messages, label, colour, dashes(workloads.index(workload))))
    return out


def title_of(what, results):
    """The figure's title: its subject, and the result's name if there is only one."""
    return f"{what}: {shorten(results[0].name, max(16, _TITLE - len(what)))}" if len(results) == 1 else what


def notes_of(results, seeds="pooled"):
    """Lines under the title that every reader must see: partial results, seeds, messages that the warm-up leaves
    out."""
    notes = []
    for result in results:
        name = "" if len(results) == 1 else f" {shorten(result.name)}"
        if result.partial:
            notes.append((f"PARTIAL RESULT{name}: {result.partial}.", WARNING))
        if len(result.runs) > 1:
            first = result.runs[0].path.name
            how = {
                "lines": "all pooled; thin lines are single seeds",
                "pooled": "all pooled",
                "highest": "the highest of all",
                "first": f"this shows {first}",
            }[seeds]
            notes.append((f"{shorten(result.name)}: {format_count(len(result.runs))} seeds, {how}.", QUIET))
    return notes


def kept_notes(all_series):
    """The statement that curves do not include all messages, if they do not."""
    if all(series.whole for series in all_series):
        return []
    return [("Only messages with a line in messages.csv (observe: {messages: …}), which are not all.", QUIET)]


def nothing_to_draw(results, what):
    """The reason why no message can be drawn, so that there is no `what` to show."""
    if any(sum(result.by_seed(f"messages.{name}.offered").values()) for result in results for name in result.workloads):
        return f"No line of a message was kept (observe: {{messages: …}}), so there is no {what} to show."
    return f"No message was offered after the warm-up, so there is no {what} to show."


def warmup_notes(results):
    """Notes on data that the message plots leave out."""
    notes = []
    for result in results:
        out = sum(run.before_warmup for run in result.runs)
        if out:
            name = "" if len(results) == 1 else f"{shorten(result.name)}: "
            notes.append(
                (f"{name}{format_amount(out, 'message')} before the end of the warm-up left out.", QUIET)
            )
    return notes


def notes_of_names(study):
    """[(text, colour)]: the values that a study's names stand for."""
    told = [f"{name}: {text}" for name, _, text in study.named_values]
    more = [f"and {len(told) - _MOST_NAMES} more names; the report has all"] if len(told) > _MOST_NAMES else []
    return [(shorten(text, 250), QUIET) for text in told[:_MOST_NAMES] + more]
