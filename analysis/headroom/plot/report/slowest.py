"""The slowest messages of a run, what each one's time went to and where it waited, with links to these places and to the pauses
that held them."""

from html import escape

from headroom.csv_file import MESSAGE_PARTS
from headroom.format import counted, format_bytes, format_percent, format_time
from headroom.pauses import roots_by_port
from headroom.plot.report.page import text_html

_LEAST = 0.05  # of a message's time: what holds less is not told
_MOST_ROOTS = 3


def _anchor(place):
    return "at-" + "".join(c if c.isalnum() else "-" for c in place)


def _waits(run):
    """{id: {place: [behind others, paused]}} of the slowest of each workload, ns; {place: [behind others, paused, messages]}"""
    table, of_messages, of_places = run.table("message_waits"), {}, {}
    if table is None:
        return {}, {}
    rows = zip(*(table[c] for c in ("id", "node", "port", "queue", "queued_ns", "paused_ns")))
    for name, node, port, queue, queued, paused in rows:
        place = f"{node}:{port}:{queue}"
        waited = of_messages.setdefault(name, {}).setdefault(place, [0.0, 0.0])
        total = of_places.setdefault(place, [0.0, 0.0, set()])
        for i, ns in enumerate((queued, paused)):
            waited[i] += ns
            total[i] += ns
        total[2].add(name)
    return of_messages, of_places


def _story(row, took, waited):
    """HTML: the parts that hold most, and where it waited."""
    parts = sorted(((row[f"{part}_ns"] / took, part) for part in MESSAGE_PARTS), reverse=True)
    told = ", ".join(f"{format_percent(share)} {part.replace('_', ' ')}" for share, part in parts if share >= _LEAST)
    places = sorted(waited.items(), key=lambda of: -sum(of[1]))
    links = [
        f'<a href="#{_anchor(place)}">{escape(place)}</a> {text_html(format_time((queued + paused) / 1e3))}'
        + (text_html(f", {format_time(paused / 1e3)} of it paused") if paused else "")
        for place, (queued, paused) in places
        if queued + paused >= _LEAST * took
    ]
    return text_html(told) + (f"<small>at {'; '.join(links)}</small>" if links else "")


def _workload(name, found, waits):
    rows = []
    for row in found:
        took = row["completed_ns"] - row["start_ns"]
        about = f"{row['src']} → {row['dst']}, {format_bytes(row['bytes'])}"
        cells = f"<td>{text_html(format_time(took / 1e3))}</td><td>{text_html(format_time(row['start_ns'] / 1e3))}</td>"
        rows.append(f"<tr><td>{text_html(about)}</td>{cells}<td>{_story(row, took, waits[row['id']])}</td></tr>")
    head = "<tr><th>Message</th><th>took</th><th>from</th><th>where its time went</th></tr>"
    summary = f"{name}: {len(rows)} of the slowest messages, those that waited in queues" if len(rows) > 1 else f"{name}: the slowest message"
    return (
        f'<details><summary>{escape(summary)}</summary><div class="scroll"><table class="told"><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def _root_words(roots, pauses_shown):
    total = sum(roots.values())
    best = sorted(roots.items(), key=lambda of: -of[1])[:_MOST_ROOTS]
    told = "; ".join(
        text_html(f"{format_percent(weight / total)} " + (f"from {node}:{port}, {kind}" if node else "from elsewhere"))
        for (kind, node, port, _, _), weight in best
    )
    return told + ('<small><a href="#pauses">who paused whom</a></small>' if pauses_shown else "")


def _places(places, run, stems):
    roots = roots_by_port(run)
    rows = []
    for place, (queued, paused, names) in sorted(places.items(), key=lambda of: -sum(of[1][:2])):
        node, port, _ = place.split(":")
        of = roots.get((node, port)) if paused else None
        cells = [counted(len(names), "message"), format_time(queued / 1e3), format_time(paused / 1e3) if paused else ""]
        told = _root_words(of, "pauses" in stems) if of else ""
        rows.append(
            f'<tr id="{_anchor(place)}"><td>{escape(place)}</td>'
            + "".join(f"<td>{text_html(text)}</td>" for text in cells)
            + f"<td>{told}</td></tr>"
        )
    if not rows:
        return []
    head = "<tr><th>Queue</th><th>held</th><th>behind others</th><th>paused</th><th>its pauses come from</th></tr>"
    return [
        "<h3>The queues that held them</h3>",
        f'<div class="scroll"><table class="told"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>',
    ]


def slowest(results, plots):
    """HTML elements; nothing of several results or seeds, or where messages' times were not split."""
    if len(results) != 1 or len(results[0].runs) != 1:
        return []
    run = results[0].runs[0]
    waits, places = _waits(run)
    messages = run.table("messages")
    if not waits or messages is None or f"{MESSAGE_PARTS[0]}_ns" not in messages.columns:
        return []
    messages = messages[messages["id"].isin(waits.keys()) & (messages["finished"] == "1")]
    found = {}
    for _, row in messages.assign(took=messages["completed_ns"] - messages["start_ns"]).sort_values("took", ascending=False).iterrows():
        found.setdefault(row["workload"], []).append(row)
    if not found:
        return []
    stems = {plot.stem for plot in plots if plot.drawn}
    note = "By node:port:queue; sums over these messages. Data: messages.csv, message_waits.csv, pfc_causes.csv."
    return [
        "<h2>The slowest messages</h2>",
        *(_workload(name, rows, waits) for name, rows in found.items()),
        *_places(places, run, stems),
        f"<p><small>{text_html(note)}</small></p>",
    ]
