"""Changes of switches' shared buffers for counterfactuals.py: alpha, policy, memory, headroom."""

import copy
import math

from headroom.quantity import parse_bytes, parse_quantity, quantity_text
from headroom.settings import matches


def alphas(case):
    stated = {i: entry["buffer"] for i, entry in case.entries("switches") if "profile" in (entry.get("buffer") or {}) and _policy_of(entry) not in ("static", "complete_sharing")}
    now = {buffer["alpha"] for buffer in stated.values() if "alpha" in buffer} or _alpha_of_profile(case.checked)
    if len(now) != 1:
        return
    exponent = math.log2(parse_quantity(next(iter(now))).value)
    for step in (1, 2, 3, -1, -2, -3):
        alpha = (math.floor(exponent) if step > 0 else math.ceil(exponent)) + step
        if -8 <= alpha <= 3:  # SONiC's dynamic_th
            text = str(2**alpha) if alpha >= 0 else f"1/{2**-alpha}"
            yield f"{step:+d}", f"alpha {text}", [(("switches", i, "buffer"), buffer | {"alpha": text}) for i, buffer in stated.items()], abs(step)


def _policy_of(entry):
    policy = (entry.get("buffer") or {}).get("policy", "dynamic")
    return policy["type"] if isinstance(policy, dict) else policy


def policy(case):
    others = [i for i, entry in case.entries("switches") if _policy_of(entry) != "dynamic"]
    yield "", "SONiC's dynamic limits of buffers", [(("switches", i, "buffer", "policy"), "dynamic") for i in others]


def _alpha_of_profile(checked):
    """A lone group takes alpha / (1 + alpha) of the shared pool."""
    rows = [(row["xoff_bytes"].get("1"), row["shared_bytes"]) for row in checked.get("thresholds") or ()]
    found = {round(math.log2(xoff / (shared - xoff))) for xoff, shared in rows if xoff and shared and xoff < shared}
    return {str(2**n) if n >= 0 else f"1/{2**-n}" for n in found}


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
