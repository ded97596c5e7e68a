"""What makes the report a separate page: its style, and the program that draws its figures, both inside.

plotly.js comes from Debian's python3-plotly and is compressed in the page; the browser decompresses it. A browser that
cannot, one without JavaScript, and a printer show the still pictures instead.
"""

import base64
import json
import re
import zlib
from html import escape
from pathlib import Path

from headroom.errors import InputError
from headroom.plot.network.drawing import CSS

_LARGEST_SCENARIO = 100_000  # displayed characters of it
_PLOTLY = Path("/usr/share/python3-plotly/plotly.js")

# Names may contain the end of a script element ("</script>"), text that hides its end ("<!--<script>"), or a line end.
_IN_SCRIPT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}

_CSS = """
:root { color-scheme: only light; } /* a darkened page would leave dark text in its figures */
* { box-sizing: border-box; }
html { scroll-padding-top: 3rem; }
body { font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #222; background: #fff;
  margin: 0; overflow-wrap: break-word; }
main { max-width: 72rem; margin: 0 auto; padding: 0 1rem 1rem; min-width: 0; }
nav { position: sticky; top: 0; z-index: 5; background: #fff; border-bottom: 1px solid #ccc; overflow-x: auto; white-space: nowrap;
  font-size: .85rem; padding: .4rem 1rem; }
nav a { color: #005a8e; text-decoration: none; margin-right: 1rem; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
.answer { font-size: 1.05rem; border-left: 4px solid #0072B2; padding: .1rem 0 .1rem .75rem; max-width: 52rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0 .75rem; }
li { margin: .15rem 0; }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.warning { border-left: 4px solid #B03A00; background: #fdf3ec; padding: .5rem .75rem; }
.scroll { overflow-x: auto; scrollbar-width: auto; }
.scroll.tall { overflow: auto; max-height: 80vh; border: 1px solid #ddd; }
.tall thead th { position: sticky; top: 0; background: #fff; z-index: 1; }
/* A shadow at an edge beyond which there is more, and a bar where the browser lets pages have one. */
.scroll { background: linear-gradient(to right, #fff 30%, #fff0) left / 2.5rem 100%, linear-gradient(to left, #fff 30%, #fff0) right / 2.5rem 100%,
  linear-gradient(to right, #0004, #0000) left / .8rem 100%, linear-gradient(to left, #0004, #0000) right / .8rem 100%;
  background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 2px solid #888; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.times td { white-space: nowrap; }
.times tbody th { min-width: 6rem; overflow-wrap: anywhere; }
.named th, .named td { text-align: left; }
.named td { overflow-wrap: anywhere; }
.named td:first-child { white-space: nowrap; }
.told th, .told td { text-align: left; }
.told td:first-child { min-width: 9rem; overflow-wrap: anywhere; }
.told td:nth-child(2), .told td:nth-child(3) { white-space: nowrap; }
.told tr:target { background: #fdf3ec; }
table.queues { font-size: .85rem; }
.queues td, .queues th { padding: .3rem .4rem; }
.queues thead th { white-space: normal; vertical-align: bottom; }
table.queues td:first-child, table.queues td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; min-width: 8.6rem; }
.queues td:last-child:not(:empty) { min-width: 9rem; }
.queues details ol { margin: .2rem 0 0; padding-left: 1.2rem; min-width: 13rem; }
tr[id] { scroll-margin-top: 5rem; }
.noted td:nth-child(3) { white-space: nowrap; }
.noted td:last-child, .noted th:last-child { text-align: left; }
.times thead th { white-space: normal; vertical-align: bottom; }
.times th, .times td { padding: .3rem .45rem; }
small { color: #5f5f5f; display: block; }
figure { margin: 0 0 1.5rem; }
figure svg { height: auto; }
.still svg { display: block; width: 100%; min-width: 40rem; }
figcaption, footer { color: #5f5f5f; font-size: .85rem; }
pre { font-size: .8rem; overflow-x: auto; background: #f6f6f6; padding: .75rem; }
summary { cursor: pointer; }
.hint, .live, .use { display: none; }
.interactive .live, .interactive .use { display: block; }
.interactive .lively .still, .interactive .lively .hint { display: none; }
@media (max-width: 42rem) { .hint { display: block; } main { padding: 0 .75rem .75rem; } }
@media screen and (max-width: 42rem) {
  .queues td:last-child:not(:empty) { min-width: 22rem; }
  .times, .times tbody { display: block; }
  .times thead, .times td:empty { display: none; }
  .times tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(4.7rem, 1fr)); gap: .15rem .5rem;
    padding: .4rem 0; border-bottom: 1px solid #ddd; }
  .times tbody th { grid-column: 1 / -1; }
  .times th, .times td { padding: 0; border: 0; text-align: left; white-space: normal; }
  .times td::before { content: attr(data-column); display: block; color: #5f5f5f; font-size: .7rem; }
}
@media screen and (min-width: 80rem) {
  body { display: grid; grid-template-columns: 13rem minmax(0, 1fr); }
  nav { align-self: start; height: 100vh; overflow: auto; white-space: normal; border: 0; border-right: 1px solid #ddd; padding: 1rem; }
  nav a { display: block; margin: .45rem 0; }
  html { scroll-padding-top: .5rem; }
}
@media print {
  body { display: block; font-size: 10pt; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  .scroll.tall { max-height: none; }
  .queues tbody tr:nth-child(n+41) { display: none; }
  .scroll { overflow: visible; }
  .scroll th, .scroll td { padding: .15rem .25rem; font-size: 7.5pt; white-space: normal; }
  .live, .interactive .live, .use, .interactive .use, .hint { display: none; }
  .interactive .lively .still { display: block; }
  .still svg { min-width: 0; max-height: 24cm; }
  figure, table, .warning { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  pre { white-space: pre-wrap; }
}
"""

# Figures are drawn after the page is loaded, one after the other. `drawn` on the body shows that all are complete.
_PROGRAM = """
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  target.querySelectorAll("details").forEach(d => { d.open = true; });
  target.scrollIntoView({block: target.tagName === "TR" ? "center" : "start"});
};
addEventListener("hashchange", unfold);
addEventListener("change", event => {  // all maps show the same
  const by = event.target.className;
  if (by.startsWith("by")) document.querySelectorAll("input." + by).forEach(input => { input.checked = true; });
});
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
(async () => {
  if (typeof DecompressionStream === "undefined") return;
  const packed = atob(document.getElementById("plotly").textContent);
  const bytes = Uint8Array.from(packed, c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
  const figures = JSON.parse(document.getElementById("figures").textContent);
  document.body.classList.add("interactive");
  for (const [stem, found] of Object.entries(figures)) {
    for (const figure of [].concat(found)) {
      const place = document.createElement("div");
      document.getElementById("live-" + stem).append(place);
      await Plotly.newPlot(place, figure.data, figure.layout, {responsive: true, displayModeBar: false});
    }
  }
  document.body.classList.add("drawn");
})();
"""


def _scripts(figures):
    """The elements at the page's end that draw {stem: figure}. InputError without plotly.js."""
    try:
        packed = base64.b64encode(zlib.compress(_PLOTLY.read_bytes(), 4)).decode("ascii")
    except OSError as error:
        raise InputError(
            f"{_PLOTLY} cannot be read ({error.strerror}); type: sudo apt-get install python3-plotly"
        ) from error
    data = json.dumps(figures, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_IN_SCRIPT)
    return [
        f'<script type="text/plain" id="plotly">{packed}</script>',
        f'<script type="application/json" id="figures">{data}</script>',
        f"<script>{_PROGRAM}</script>",
    ]


def _inline(svg, stem):
    """The <svg> element alone, with ids that are unique in the page, sized by the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\bid="', f'id="{stem}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{stem}-", svg)
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, 1), 1
    )


def text_html(text):
    """Escaped text, in which a number is never separated from its unit or its interval."""
    kept = re.sub(r"(?<=\d) (?=[µnm]?s\b|[kMGT]?B\b|[kMGT]?b/s|%)| (?=±)|(?<=±) ", "\u00a0", text)
    return escape(kept)


def cell(column, html):
    """An element of a table of class `times`: on a phone, where rows are folded, it carries the name of its column."""
    return f'<td data-column="{escape(column)}">{html}</td>'


def figure(plot, svg):
    """The elements of one plot: its still picture, and the place of the live one."""
    heading = f"<h2>{escape(plot.heading)}</h2>"
    if not plot.drawn:
        return [heading, f"<p>{escape(plot.caption)}</p>"]
    data = ", ".join(f"plots/{name}.csv" for name in plot.tables)
    seen = " ".join([plot.caption, *(text if text.endswith(".") else text + "." for text in plot.details)])
    live = f'<div class="live" id="live-{plot.stem}"></div>' if plot.live else ""
    return [
        heading,
        f'<figure id="{plot.stem}" class="lively">' if plot.live else f'<figure id="{plot.stem}">',
        '<p class="hint"><small>The figure scrolls sideways.</small></p>',
        f'{live}<div class="still scroll" role="img" aria-label="{escape(seen)}">{_inline(svg, plot.stem)}</div>',
        f"<figcaption>{escape(plot.caption)} Data: {escape(data)}.</figcaption></figure>",
    ]


def scenario_element(path, name):
    """A scenario's text, folded on the screen and open in print."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return f"<p>{escape(name)}: {escape(path.name)} cannot be read.</p>"
    if len(text) > _LARGEST_SCENARIO:
        text = text[:_LARGEST_SCENARIO] + f"\n… the rest is in {path.name}\n"
    return f"<details><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>"


def _contents(parts):
    """(the element with links to all headings, the parts with ids at their headings)"""
    links, out = [], []

    def numbered(found):
        name = f"part-{len(links)}"
        links.append(f'<a href="#{name}">{found[1]}</a>')
        return f'<h2 id="{name}">{found[1]}</h2>'

    for part in parts:
        out.append(re.sub("^<h2>(.*?)</h2>", numbered, part, flags=re.S))
    return f'<nav aria-label="Contents">{"".join(links)}</nav>', out


def page(title, parts, plots, made):
    """The entire page as text: `parts` between the title and the footer, with the code for the live plots."""
    figures = {plot.stem: plot.live for plot in plots if plot.drawn and plot.live}
    use = (
        "In the figures: a click on a name hides or shows it, a double click shows it alone; drag to zoom, double-click "
        "to go back; the pictures under plots/ are for print."
    )
    contents, parts = _contents(parts)
    return (
        "\n".join(
            [
                "<!DOCTYPE html>",
                '<html lang="en"><head><meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{escape(title)}</title><style>{_CSS}{CSS}</style></head><body>",
                contents,
                f"<main><h1>{escape(title)}</h1>",
                *parts,
                f'<p class="use"><small>{use}</small></p>',
                f"<footer><p>{escape(made)}</p></footer></main>",
                *_scripts(figures),
                "</body></html>",
            ]
        )
        + "\n"
    )
