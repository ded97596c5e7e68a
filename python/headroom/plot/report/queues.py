"""The queues of the map's ports and of the slowest messages: a table to whose rows links of the map and of messages
lead."""

from html import escape

from headroom.format import format_percent, format_time
from headroom.pause_roots import roots_by_port
from headroom.plot.network.links import natural
from headroom.plot.network.measures import Queue
from headroom.plot.report.page import text_html

_MOST_ROOTS = 3
_MOST_MESSAGES = 8  # named messages in a row


def waits_on_record(run):
    """{id: {place: [behind others, paused]}} of the slowest of each workload, ns."""
    found = {}
    for name in ("message_waits", "operation_waits"):
        table = run.table(name)
        if table is None:
            continue
        for message, node, port, queue, queued, paused in zip(*(table[c] for c in ("id", "node", "port", "queue", "queued_ns", "paused_ns"))):
            waited = found.setdefault(message, {}).setdefault(f"{node}:{port}:{queue}", [0.0, 0.0])
            waited[0] += queued
            waited[1] += paused
    return found


def _root_words(roots, pauses_shown):
    total = sum(roots.values())
    best = sorted(roots.items(), key=lambda item: -item[1])[:_MOST_ROOTS]
    told = "; ".join(
        text_html(f"{format_percent(weight / total)} " + (f"from {node}:{port}, {kind}" if node else "from elsewhere"))
        for (kind, node, port, _, _), weight in best
    )
    return told + ('<small><a href="#pauses">who paused whom</a></small>' if pauses_shown else "")


class Queues:
    """The queues of one result. `ports`: {(node, port): Port} of measures; `peers`: {(node, port): (node, port)};
    `prefix`: beginning of ids."""

    def __init__(self, result, ports, peers, prefix="", pauses_shown=False):
        self._ports, self._peers, self._prefix, self._pauses_shown = ports, peers, prefix, pauses_shown
        self._run = result.runs[0] if len(result.runs) == 1 else None
        self.waits = waits_on_record(self._run) if self._run else {}
        self._held = {}  # {place: {id: [behind others, paused]}}
        for name, places in self.waits.items():
            for place, waited in places.items():
                self._held.setdefault(place, {})[name] = waited
        self._ids, self._taken, self._shown = {}, set(), {}

    def anchor(self, place):
        """The id of the row of "node:port:queue"."""
        if place not in self._ids:
            base = self._prefix + "at-" + "".join(c if c.isalnum() else "-" for c in place)
            names = (base if number == 0 else f"{base}-{number}" for number in range(len(self._taken) + 1))
            self._ids[place] = next(name for name in names if name not in self._taken)
            self._taken.add(self._ids[place])
        return self._ids[place]

    def message_anchor(self, name):
        return self.anchor(f"message {name}")

    def of_port(self, place):
        """The id of the row of the port's queue that waited longest, else was paused, marked, or sent most."""
        queues = self._ports[place].queues
        held = {queue: sum(map(sum, self._held.get(f"{place[0]}:{place[1]}:{queue}", {}).values())) for queue in queues}
        queue = max(queues, key=lambda q: (queues[q].waited_us, held[q], queues[q].paused_us, queues[q].marked, queues[q].tx_bytes))
        name = f"{place[0]}:{place[1]}:{queue}"
        self._shown[name] = None
        return self.anchor(name)

    def _messages(self, place, linked):
        held = sorted(self._held.get(place, {}).items(), key=lambda item: -sum(item[1]))
        if not held:
            return ""
        told = []
        for name, waited in held[:_MOST_MESSAGES]:
            text = escape(name)
            if name in linked:
                text = f'<a href="#{self.message_anchor(name)}">{text}</a>'
            told.append(f"<li>{text} {text_html(format_time(sum(waited) / 1e3))}</li>")
        more = f"<small>and {len(held) - _MOST_MESSAGES} more</small>" if len(held) > _MOST_MESSAGES else ""
        return f"<details><summary>{len(held)}</summary><ol>{''.join(told)}</ol>{more}</details>"

    def _order(self, place):
        """Sort key: the queue that delayed messages most comes first."""
        queue, held = self._queue(place) or Queue(), sum(map(sum, self._held.get(place, {}).values()))
        return -held, -queue.waited_us, -queue.paused_us, -queue.marked, -queue.utilisation, natural(place)

    def _queue(self, place):
        node, port, queue = place.rsplit(":", 2)
        port_of = self._ports.get((node, port))
        return port_of.queues.get(queue) if port_of else None

    def _cells(self, place, roots, linked):
        """{column: HTML}, in order; zero is empty."""
        node, port, _ = place.rsplit(":", 2)
        queue, held = self._queue(place) or Queue(), self._held.get(place, {})
        behind, paused = (sum(waited[i] for waited in held.values()) / 1e3 for i in (0, 1))
        peer, found = self._peers.get((node, port)), roots.get((node, port)) if paused or queue.paused_us else None

        def told(value, write):
            return text_html(write(value)) if value else ""

        return {
            "towards": escape(":".join(peer or ())),
            "sent": told(queue.utilisation, format_percent),
            "paused time": told(queue.paused_us, format_time),
            "marked": told(queue.marked, format_percent),
            "wait at p99": told(queue.waited_us, format_time) + (f"<small>{escape(queue.waited_by)}</small>" if queue.waited_us else ""),
            "slowest held": self._messages(place, linked),
            "behind others": told(behind, format_time),
            "by pauses": told(paused, format_time),
            "its pauses come from": _root_words(found, self._pauses_shown) if found else "",
        }

    def html(self, linked=()):
        """The table; empty without a queue. `linked`: ids of messages that have their own row."""
        places = sorted({**self._shown, **self._held}, key=self._order)
        if not places:
            return []
        roots = roots_by_port(self._run) if self._run else {}
        cells = {place: self._cells(place, roots, linked) for place in places}
        columns = [column for column in cells[places[0]] if any(row[column] for row in cells.values())]
        head = "".join(f"<th>{escape(column)}</th>" for column in ["Queue", *columns])
        rows = [
            f'<tr id="{self.anchor(place)}"><td>{escape(place)}</td>' + "".join(f"<td>{row[column]}</td>" for column in columns) + "</tr>"
            for place, row in cells.items()
        ]
        note = (
            "A queue is node:port:queue. Sent: share of the port's rate. Marked: share of the packets sent. Wait at p99: of messages and "
            "operations around p99, on average, of the workload named. Slowest held: how many of the slowest on record waited here, with "
            "the sums of their times behind others and by pauses. Data: ports.csv, summary.json, message_waits.csv, operation_waits.csv, "
            "pfc_causes.csv."
        )
        return [
            f'<div class="scroll tall" tabindex="0" aria-label="Queues, scrolls"><table class="told queues"><thead><tr>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div>",
            f"<p><small>{text_html(note)}</small></p>",
        ]
