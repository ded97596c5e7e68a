"""Changes of switches' shared buffers for counterfactuals.py: memory and headroom."""

import copy

from headroom.quantity import parse_bytes, quantity_text
from headroom.settings import matches


def memory(case):
    edits = []
    for i, entry in case.entries("switches"):
        buffer = copy.deepcopy(entry.get("buffer") or {})
        size = next((bytes_of_memory for switch, bytes_of_memory in case.sizes.items() if matches(entry["match"], switch)), None)
        if size is None or "lookup" in buffer or "sonic" in buffer:
            continue
        buffer["size"] = quantity_text(4 * size, "B")
        for pool in ((buffer.get("tables") or {}).get("BUFFER_POOL") or {}).values():
            pool.update({key: quantity_text(4 * parse_bytes(pool[key]), "B") for key in ("size", "xoff") if key in pool})
        edits.append((("switches", i, "buffer"), buffer))
    yield "", "four times the buffer", edits


def headroom(case):
    """The headroom that the longest and fastest link needs, if some group has less."""
    found = [row for row in case.checked.get("headroom") or () if row.get("pfc") and row.get("xoff_bytes") is not None]
    if all(row["xoff_bytes"] >= row["need_bytes"]["total"] for row in found):
        return
    need = str(max(row["need_bytes"]["total"] for row in found))
    path = ("buffer", "tables", "BUFFER_PROFILE", "ingress_lossless", "xoff")
    yield "", "the headroom that check computes", [(("switches", i, *path), need) for i, entry in case.entries("switches") if "profile" in (entry.get("buffer") or {})]
