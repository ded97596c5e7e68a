"""The single-file report: words and tables first, then the plots, inlined. It loads no other files."""

import re
from html import escape

from headroom.difference import differences, left_out_words, sentence, too_small_to_show
from headroom.format import format_percent
from headroom.metrics import capital
from headroom.plot.drawing.style import shorten
from headroom.plot.network.drawing import Map, map_html
from headroom.plot.network.groups import groups_of
from headroom.plot.network.links import network_of
from headroom.plot.network.measures import measures, ports_of
from headroom.plot.report import operation_words
from headroom.plot.report import result_words as words
from headroom.plot.report.answer import answers
from headroom.plot.report.page import cell, figure, page, scenario_element, text_html
from headroom.plot.report.queues import Queues
from headroom.plot.report.slowest import slowest
from headroom.settings import changed_settings

_MOST_SETTINGS = 20
_CODE = re.compile("`([^`]+)`")
_FIRST = ("message-parts", "operation-times")  # the figures below the map


def _heading(result, colours, several):
    swatch = f'<span class="swatch" style="background:{colours[result.name]}"></span>' if several else ""
    return swatch + escape(result.name)


def _warnings(results):
    """Reasons why a result is partial or wrong: before everything else."""
    return [
        f'<p class="warning">{escape(f"{result.name}: {text}" if len(results) > 1 else text)}</p>'
        for result in results
        for text in words.warnings(result)
    ]


def _words(results, colours):
    out = []
    for result in results:
        if len(results) > 1:
            out.append(f"<h3>{_heading(result, colours, True)}</h3>")
        first, *more = words.sentences(result)
        items = "".join(f"<li>{text_html(text)}</li>" for text in more)
        out.append(f"<p>{text_html(first)}</p><ul>{items}</ul>")
    return out


def _against(number, first):
    """The difference from the first result, as a small line under the value."""
    if number is None or not first:
        return ""
    change = number / first - 1
    if abs(change) < 0.0005:
        return "<small>same</small>"
    return f"<small>{'+' if change > 0 else '−'}{format_percent(abs(change))}</small>"


def _cell(text):
    """The interval is under its mean: a row of `137 ± 0.45 µs` would be wider than paper."""
    mean, plus_minus, half = text.partition(" ± ")
    if not plus_minus:
        return text_html(text)
    return text_html(f"{mean} {half.partition(' ')[2]}".strip()) + f"<small>{text_html('± ' + half)}</small>"


def _row(heading, row, columns, first):
    """`first`: the base of differences, or None."""
    told = {c: _cell(text) + (_against(number, first[c][1]) if first else "") for c, (text, number) in row.items()}
    cells = "".join(cell(column, told.get(column, "")) for column in columns)
    return f"<tr><th>{heading}</th>{cells}</tr>"


def _table(corner, columns, rows):
    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    return (
        f'<div class="scroll"><table class="times"><thead><tr><th>{corner}</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _tables_of(found, results, colours):
    """`found`: {name: [(result, row)]}. For one result there is a row for each name; for several a table for each, with
    a row for each result."""
    if len(results) == 1:
        columns = list(next(iter(found.values()))[0][1])
        rows = [_row(escape(name), rows[0][1], columns, None) for name, rows in found.items()]
        return [_table("Workload", columns, rows)]
    out = []
    for name, of_results in found.items():
        first = of_results[0][1]
        columns = list(first)
        rows = [_row(_heading(r, colours, True), row, columns, None if row is first else first) for r, row in of_results]
        out += [f"<h3>{escape(name)}</h3>", _table("Result", columns, rows)]
    return out


def _operations_table(results, colours):
    """Heading and tables of operations; empty without any."""
    kinds = dict.fromkeys(found for result in results for found in result.operation_kinds)
    troubles = operation_words.troubles(results)
    found = {
        f"{w} {k.replace('_', '-')}": [(r, row) for r in results if (row := operation_words.row(r, w, k, troubles))] for w, k in kinds
    }
    if not found:
        return []
    note = "Latencies of all operations, nearest rank. ≥: unfinished ones matter. IOPS, Mops (million a second) and Gb/s: of those that ended well."
    if any(len(result.runs) > 1 for result in results):
        note += " Of several seeds: sums of counts, means of the rest ± half of their 95 % interval."
    if not troubles:
        note += " All finished well."
    if len(results) > 1:
        note += f" Differences are to {results[0].name}."
    return ["<h2>Operations</h2>", *_tables_of(found, results, colours), f"<p><small>{text_html(note)}</small></p>"]


def _times_table(results, colours):
    """Heading and tables of messages; empty if there are operations instead."""
    workloads = dict.fromkeys(name for result in results for name in result.workloads)
    found = {}
    for w in workloads:
        found[w] = [(r, row) for r in results if (row := words.workload_row(r, w))]
        found[f"{w}, delivered"] = [(r, row) for r in results if (row := words.delivery_row(r, w))]
    found = {name: rows for name, rows in found.items() if rows}
    if not found and any(result.operation_kinds for result in results):
        return []
    heading = "<h2>Completion times</h2>"
    if not found:
        return [heading, "<p>No message was offered after the warm-up.</p>"]
    out = [heading, *_tables_of(found, results, colours)]
    note = "Completion times, to the last ACK, nearest rank; slowdown is completion over ideal. Delivered: to the last byte at "
    note += "the receiver; the rest is the way back. ≥: unfinished ones matter."
    if any(len(result.runs) > 1 for result in results):
        note += " Of several seeds: means over the seeds ± half of their 95 % interval. Percentiles in the plots are pooled: over the"
        note += " messages of all seeds together, so they differ from these."
    if len(results) > 1:
        note += f" Differences are to {results[0].name}."
    return out + [f"<p><small>{text_html(note)}</small></p>"]


def _network_table(results, colours):
    head = "".join(f"<th>{_heading(r, colours, len(results) > 1)}</th>" for r in results)
    body = "".join(
        f"<tr><th>{escape(what)}</th>" + "".join(f"<td>{text_html(cell)}</td>" for cell in cells) + "</tr>"
        for what, cells in words.network_rows(results)
    )
    return [
        f'<div class="scroll"><table><thead><tr><th></th>{head}</tr></thead>',
        f"<tbody>{body}</tbody></table></div>",
    ]


def _changes(results):
    """Changes from the first result: significant ones, then those that may be chance; empty for a single result."""
    out = []
    for result in results[1:]:
        found = differences(results[0], result)
        if not found:
            if not {run.seed for run in result.runs} & {run.seed for run in results[0].runs}:
                told = f"{result.name} and {results[0].name} have no seed in common: differences could be those of arrivals."
                out.append(f"<p>{escape(told)}</p>")
            continue
        out.append(f"<h3>{escape(result.name)} against {escape(results[0].name)}</h3>")
        several = found[0].change.half_width is not None
        left_out = left_out_words(results[0], result)
        out += [f"<p>{text_html(left_out)}</p>"] if left_out else []
        told = [d for d in found if d.shows and (d.sure or not several)]
        small = too_small_to_show(found)
        if told:
            items = "".join(f"<li>{text_html(capital(sentence(d)))}.</li>" for d in told)
            out.append(f"<ul>{items}</ul>")
        if small:
            out.append(f"<p>{text_html(small)}</p>")
        if not told and not small:
            out.append(f"<p>Nothing changed{' by more than chance explains' if several else ''}.</p>")
        rest = [d for d in found if not d.sure]
        if rest and several:
            listed = "; ".join(f"{d.words} {d.before_text} and {d.after_text}" for d in rest)
            seeds = found[0].change.n
            open_too = ", or unfinished messages leave it open" if any(not d.direction_known for d in rest) else ""
            out.append(
                f"<p>Not told apart by {seeds} seeds (the interval of the difference holds 0{open_too}): {text_html(listed)}.</p>"
            )
        if not several:
            out.append("<p>One seed in common, so nobody knows what is chance: run both with --seeds 10.</p>")
    return out


def _settings(results, colours):
    """Differences of the results' scenarios; empty for a single one."""
    if len(results) == 1:
        return []
    scenarios = [result.runs[0].scenario for result in results]
    out = ["<h2>Settings that differ</h2>"]
    unread = next((scenario.trouble for scenario in scenarios if scenario.trouble), None)
    if unread:
        return [*out, f"<p>Not known: {escape(unread)}.</p>"]
    rows = changed_settings([scenario.settings for scenario in scenarios])
    if not rows:
        return [*out, "<p>None: the scenarios are the same.</p>"]
    head = "".join(f"<th>{_heading(r, colours, True)}</th>" for r in results)
    body = "".join(
        f"<tr><th>{escape(path)}</th>" + "".join(f"<td>{escape(shorten(t, 60))}</td>" for t in texts) + "</tr>"
        for path, texts in rows[:_MOST_SETTINGS]
    )
    out.append(f'<div class="scroll"><table><thead><tr><th>Key</th>{head}</tr></thead>')
    out.append(f"<tbody>{body}</tbody></table></div>")
    if len(rows) > _MOST_SETTINGS:
        more = len(rows) - _MOST_SETTINGS
        out.append(f"<p><small>And {more} more, which <code>headroom compare</code> lists.</small></p>")
    return out


def _scenarios(results):
    files = [(result.runs[0].path / "resolved.yaml", result.name) for result in results]
    return ["<h2>The resolved scenario</h2>", *(scenario_element(path, name) for path, name in files)]


def _answer(results, colours):
    """The parts of the time of the slowest messages, for each result."""
    out = []
    for result in results:
        told, more = answers(result)
        if not told:
            continue
        if len(results) > 1:
            out.append(f"<h3>{_heading(result, colours, True)}</h3>")
        seeds = f"Mean of {len(result.runs)} seeds: " if len(result.runs) > 1 else ""
        out += ['<p class="answer">' + _CODE.sub(r"<b>\1</b>", text_html(seeds + text)) + "</p>" for text in told]
        if more:
            out.append(f"<p><small>{text_html(f'And {more} more, in the tables and bars below.')}</small></p>")
    return out and ["<h2>Where the time of the slowest went</h2>", *out]


def _maps(results, colours, stems):
    """(elements with the maps, [Queues] of the results)"""
    networks = [network_of(result.runs[0]) for result in results]
    all_ports = [ports_of(result) for result in results]
    by, out, queues, lacking = measures(all_ports), [], [], []
    for number, (result, network, ports) in enumerate(zip(results, networks, all_ports)):
        ends = {end: other for link in network.links for end, other in ((link.a, link.b), (link.b, link.a))} if network else {}
        prefix = f"r{number}-" if len(results) > 1 else ""
        queues.append(Queues(result, ports, ends, prefix, "pauses" in stems))
        if network is None:
            if ports and result.runs[0].links is None:
                lacking.append(f"{result.name} has no map of the network: links.csv is missing; run the scenario again with --force.")
            continue
        groups, bundles = groups_of(network)
        drawn = Map(groups, bundles, ports, by, queues[-1].of_port)
        if len(results) > 1:
            out.append(f"<h3>{_heading(result, colours, True)}</h3>")
        out.append(map_html(drawn, number, f"Map of the network of {result.name}"))
    lacking = [f"<p>{text_html(words)}</p>" for words in lacking]
    if not out:
        return lacking, queues
    note = "The half of a link beside a node is that node's port. A click on this half leads to the port's queue and the messages that waited there."
    if any(network and len(groups_of(network)[0]) < len(network.tiers) for network in networks):
        note += " Nodes of the same switches are drawn as one; links of several ports have the colour of the highest, and show the mean too."
    if any(len(result.runs) > 1 for result in results):
        note += " Of several seeds: means."
    return ["<h2>Map of the network</h2>", f"<p>{text_html(note)}</p>", *out, *lacking], queues


def _queues(results, colours, queues):
    """The slowest messages of each result, and the queues to which the map and they lead."""
    out, tables = [], []
    for result, own_queues in zip(results, queues):
        heading = [f"<h3>{_heading(result, colours, True)}</h3>"] if len(results) > 1 else []
        told, linked = slowest(result, own_queues) if len(results) == 1 else ([], ())
        out += told
        table = own_queues.html(linked)
        tables += [*heading, *table] if table else []
    return [*out, *(["<h2>Queues</h2>", *tables] if tables else [])]


def report_html(results, plots, svgs, colours):
    """The page as text. `svgs`: {stem: SVG text}."""
    title = "Headroom: " + " and ".join(r.name for r in results)
    versions = sorted(
        {str(run.summary["version"]) for r in results for run in r.runs if run.summary.get("version")}
    )
    maps, queues = _maps(results, colours, {plot.stem for plot in plots if plot.drawn})
    several = len(results) > 1
    # The answer of a comparison is the changes.
    parts = [*_warnings(results), *(["<h2>In words</h2>", *_changes(results)] if several else [])]
    parts += [*_answer(results, colours), *maps]
    for plot in plots:
        parts += figure(plot, svgs[plot.stem]) if plot.stem in _FIRST else []
    parts += [f"<h2>{'Each result in words' if several else 'In words'}</h2>", *_words(results, colours)]
    parts += _queues(results, colours, queues)
    parts += _settings(results, colours)
    parts += _times_table(results, colours) + _operations_table(results, colours)
    parts += ["<h2>The network</h2>", *_network_table(results, colours)]
    for plot in plots:
        parts += figure(plot, svgs[plot.stem]) if plot.stem not in _FIRST else []
    parts += _scenarios(results)
    made = f"Made by Headroom {', '.join(versions)}." if versions else "Made by Headroom."
    return page(title, parts, plots, made)
