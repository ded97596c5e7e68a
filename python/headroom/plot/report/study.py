"""The report of a study: the recommended or best setting in words, a table of settings, plots, the scenario."""

from html import escape
from itertools import groupby

from headroom.plot.report import study_words
from headroom.plot.report.page import cell, figure, page, scenario_element, text_html


def _table(header, rows, css=""):
    head = "".join(f"<th>{escape(h)}</th>" for h in header)
    folds = "times" in css

    def element(column, text):
        return cell(column, text_html(text)) if folds else f"<td>{text_html(text)}</td>"

    body = "".join("<tr>" + "".join(map(element, header, row)) + "</tr>" for row in rows)
    return (
        f'<div class="scroll"><table{css}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _about(text):
    """The description in the study's file: paragraphs; indented lines are commands."""
    parts = []
    for block in text.split("\n\n"):
        for is_code, lines in groupby(block.splitlines(), key=lambda line: line.startswith("  ")):
            tag, joint = ("pre", "\n") if is_code else ("p", " ")
            parts.append(f"<{tag}>{escape(joint.join(line.strip() for line in lines))}</{tag}>")
    return ["<h2>What it is about</h2>", *parts] if text.strip() else []


def _scenario(study):
    """The resolved scenario of a run with the baseline's settings, or of the first."""
    points = [p for p in study.points if study.is_baseline(p)] or study.points
    runs = [r for p in points for r in p.runs.values() if r.path]
    if not runs:
        return []
    return [
        scenario_element(
            study.path / runs[0].path / "resolved.yaml", f"as run with {study.settings_words(points[0])}"
        )
    ]


def study_html(study, plots, svgs):
    """The page as text. `svgs`: {stem: SVG text}."""
    parts = [*_about(study.about.get("about") or ""), "<h2>In words</h2>"]
    told = study_words.recommendation(study)
    if told:
        parts.append("<ul>" + "".join(f"<li>{text_html(text)}</li>" for text in told) + "</ul>")
    changes = study_words.other_changes(study)
    if changes:
        header, rows, small = changes
        parts += ["<h3>What else changes</h3>", _table(header, rows)] if rows else []
        parts += [f"<p>{text_html(small)}</p>"] if small else []
    parts += [f"<p>{text_html(text)}</p>" for text in study_words.sentences(study)]
    for lead, items, more in study_words.comparisons(study):
        parts.append(f"<p>{text_html(lead)}</p>")
        parts.append("<ul>" + "".join(f"<li>{text_html(text)}</li>" for text in items) + "</ul>")
        parts += [f"<p>{text_html(more)}</p>"] if more else []
    parts.append("<h2>Settings</h2>")
    for words, header, rows, count in study_words.settings_tables(study):
        more = f" {len(rows)} of {count} are shown; all are in study.sqlite." if count > len(rows) else ""
        parts += [_table(header, rows, ' class="times"'), f"<p><small>{text_html(words + more)}</small></p>"]
    if study.named_values:
        parts.append(_table(("name", "key", "value"), study.named_values, ' class="named"'))
    for plot in plots:
        parts += figure(plot, svgs[plot.stem])
    for match, settings in study_words.vendor_rows(study):
        if settings:
            parts.append(f"<h2>NIC {escape(', '.join(match))}, by the names of mlxconfig</h2>")
            if not any(key.startswith("nics") for key in study.answer["recommended"]["settings"]):
                parts.append("<p>No setting of a NIC was searched: these are the scenario's own.</p>")
            parts.append(_table(("name", "value", "unit", "note"), settings, ' class="noted"'))
    parts += ["<h2>The resolved scenario</h2>", *_scenario(study)]
    made = f"Made by Headroom {study.about.get('version', '')}."
    return page(f"Headroom: study {study.name}", parts, plots, made)
