"""The single-file report: words and tables first, then the plots, inlined. It loads nothing from anywhere."""

import re
from html import escape

from . import words
from .quantities import format_percent

_CSS = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #222; background: #fff;
  max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.warning { border-left: 4px solid #B03A00; background: #fdf3ec; padding: .5rem .75rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 2px solid #888; white-space: nowrap; }
th:first-child, td.text { text-align: left; }
.times td { white-space: nowrap; }
small { color: #5f5f5f; display: block; }
figure { margin: 0 0 1.5rem; }
figure svg { display: block; width: 100%; min-width: 40rem; height: auto; }
figcaption, footer { color: #5f5f5f; font-size: .85rem; }
.hint { display: none; }
@media (max-width: 42rem) { .hint { display: block; } body { padding: .75rem; } }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; }
  figure svg { min-width: 0; }
  figure, table, .warning { break-inside: avoid; }
  h2 { break-after: avoid; }
  .hint { display: none; }
}
"""


def _inline(svg, stem):
    """The <svg> element alone, its ids made unique in the page, sized by the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\bid="', f'id="{stem}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{stem}-", svg)
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, 1), 1
    )


def _heading(result, colours, several):
    swatch = f'<span class="swatch" style="background:{colours[result.name]}"></span>' if several else ""
    return swatch + escape(result.name)


def _words(results, colours):
    out = []
    for result in results:
        if len(results) > 1:
            out.append(f"<h3>{_heading(result, colours, True)}</h3>")
        out += [f'<p class="warning">{escape(text)}</p>' for text in words.warnings(result)]
        out.append(f"<p>{escape(' '.join(words.sentences(result)))}</p>")
    return out


def _against(number, first):
    """The difference to the first result, as a small line under the value."""
    if number is None or not first:
        return ""
    change = number / first - 1
    if abs(change) < 0.0005:
        return "<small>same</small>"
    return f"<small>{'+' if change > 0 else '−'}{format_percent(abs(change))}</small>"


def _times_table(results, colours):
    out = []
    for workload in dict.fromkeys(name for result in results for name in result.workloads):
        rows = [(result, words.workload_row(result, workload)) for result in results]
        rows = [(result, row) for result, row in rows if row]
        if not rows:
            continue
        columns = list(rows[0][1])
        out.append(
            f'<h3>{escape(workload)}</h3><div class="scroll"><table class="times"><thead><tr><th>'
            + "Result</th>"
            + "".join(f"<th>{escape(c)}</th>" for c in columns)
            + "</tr></thead><tbody>"
        )
        first = rows[0][1]
        for result, row in rows:
            cells = "".join(
                f"<td>{escape(text)}" + (_against(number, first[c][1]) if row is not first else "") + "</td>"
                for c, (text, number) in row.items()
            )
            out.append(f"<tr><th>{_heading(result, colours, len(results) > 1)}</th>{cells}</tr>")
        out.append("</tbody></table></div>")
    if not out:
        return ["<p>No message was offered after the warm-up.</p>"]
    note = "Completion times, nearest rank; slowdown is completion over ideal. ≥: unfinished ones matter."
    if len(results) > 1:
        note += f" Differences are to {results[0].name}."
    return out + [f"<p><small>{escape(note)}</small></p>"]


def _network_table(results, colours):
    head = "".join(f"<th>{_heading(r, colours, len(results) > 1)}</th>" for r in results)
    body = "".join(
        f"<tr><th>{escape(what)}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for what, cells in words.network_rows(results)
    )
    return [
        f'<div class="scroll"><table><thead><tr><th></th>{head}</tr></thead>',
        f"<tbody>{body}</tbody></table></div>",
    ]


def _figure(plot, svg):
    if not plot.drawn:
        return [f"<h2>{escape(plot.heading)}</h2>", f"<p>{escape(plot.caption)}</p>"]
    data = ", ".join(f"plots/{name}.csv" for name in plot.tables)
    seen = " ".join([plot.caption, *(text if text.endswith(".") else text + "." for text in plot.details)])
    return [
        f"<h2>{escape(plot.heading)}</h2>",
        '<p class="hint"><small>The figure scrolls sideways.</small></p>',
        f'<figure><div class="scroll" role="img" aria-label="{escape(seen)}">{_inline(svg, plot.stem)}</div>',
        f"<figcaption>{escape(plot.caption)} Data: {escape(data)}.</figcaption></figure>",
    ]


def report_html(results, plots, svgs, colours):
    """The page as text. `svgs`: {stem: SVG text}."""
    title = "Headroom: " + " and ".join(r.name for r in results)
    versions = sorted(
        {str(run.summary["version"]) for r in results for run in r.runs if run.summary.get("version")}
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_CSS}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    parts += ["<h2>In words</h2>", *_words(results, colours)]
    parts += ["<h2>Completion times</h2>", *_times_table(results, colours)]
    parts += ["<h2>The network</h2>", *_network_table(results, colours)]
    for plot in plots:
        parts += _figure(plot, svgs[plot.stem])
    made = f"Made by Headroom {', '.join(versions)}." if versions else "Made by Headroom."
    parts += [f"<footer><p>{escape(made)}</p></footer>", "</body></html>"]
    return "\n".join(parts) + "\n"
