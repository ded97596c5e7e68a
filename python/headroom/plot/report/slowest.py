"""The slowest messages of a run, with their parts and the places of their waits, and links to the rows of these queues."""

from html import escape

from headroom.csv_file import MESSAGE_PARTS
from headroom.format import format_bytes, format_percent, format_time
from headroom.plot.report.page import text_html

_LEAST = 0.05  # share of a message's time: smaller parts are left out


def _story(row, took, waited, queues):
    """HTML: the largest parts, and the places of waiting."""
    parts = sorted(((row[f"{part}_ns"] / took, part) for part in MESSAGE_PARTS), reverse=True)
    told = ", ".join(f"{format_percent(share)} {part.replace('_', ' ')}" for share, part in parts if share >= _LEAST)
    places = sorted(waited.items(), key=lambda item: -sum(item[1]))
    links = [
        f'<a href="#{queues.anchor(place)}">{escape(place)}</a> {text_html(format_time((queued + paused) / 1e3))}'
        + (text_html(f", {format_time(paused / 1e3)} of it paused") if paused else "")
        for place, (queued, paused) in places
        if queued + paused >= _LEAST * took
    ]
    return text_html(told) + (f"<small>at {'; '.join(links)}</small>" if links else "")


def _workload(name, found, queues):
    rows = []
    for row in found:
        took = row["completed_ns"] - row["start_ns"]
        about = f"{row['src']} → {row['dst']}, {format_bytes(row['bytes'])}"
        cells = f"<td>{text_html(format_time(took / 1e3))}</td><td>{text_html(format_time(row['start_ns'] / 1e3))}</td>"
        story = _story(row, took, queues.waits[row["id"]], queues)
        rows.append(f'<tr id="{queues.message_anchor(row["id"])}"><td>{text_html(about)}</td>{cells}<td>{story}</td></tr>')
    head = "<tr><th>Message</th><th>took</th><th>from</th><th>where its time went</th></tr>"
    summary = f"{name}: {len(rows)} of the slowest messages, those that waited in queues" if len(rows) > 1 else f"{name}: the slowest message"
    return (
        f'<details><summary>{escape(summary)}</summary><div class="scroll"><table class="told"><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></details>"
    )


def slowest(result, queues):
    """(HTML elements, the ids of the messages that have a row); empty for several seeds, or if messages' times were not
    split. `queues`: the result's Queues."""
    if len(result.runs) != 1:
        return [], ()
    messages = result.runs[0].table("messages")
    if not queues.waits or messages is None or f"{MESSAGE_PARTS[0]}_ns" not in messages.columns:
        return [], ()
    messages = messages[messages["id"].isin(queues.waits.keys()) & (messages["finished"] == "1")]
    found = {}
    for _, row in messages.assign(took=messages["completed_ns"] - messages["start_ns"]).sort_values("took", ascending=False).iterrows():
        found.setdefault(row["workload"], []).append(row)
    if not found:
        return [], ()
    note = "Data: messages.csv, message_waits.csv."
    return [
        "<h2>The slowest messages</h2>",
        *(_workload(name, rows, queues) for name, rows in found.items()),
        f"<p><small>{text_html(note)}</small></p>",
    ], {row["id"] for rows in found.values() for row in rows}
