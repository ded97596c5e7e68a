"""What would help: settings that change what holds the tail, one thing at a time.

Each is there because of a part of the time that it acts on; whether it helps is measured, not concluded.
"""

import re
from dataclasses import dataclass, field

from headroom.quantity import parse_bytes, parse_rate, quantity_text

_LEAST = 0.05  # of the time: what acts on a part that holds less is not tried
_TREE_LINKS = r"topology\.(fabric_link|edge_link|core_link|bottleneck|links\.(t0_t1|t1_t2|t2_rh))\.rate"


@dataclass
class Counterfactual:
    name: str
    settings: dict = field(default_factory=dict)  # {key: value} as --set takes them


def _quoted(key):
    """Items of lists named by patterns, as --set takes them: switches."*".ecn…"""
    section, _, rest = key.partition(".")
    match = re.match(r"(.+?)\.(ecn|buffer|transport|resources|congestion_control)(\.|$)", rest)
    return f'{section}."{match[1]}".{rest[len(match[1]) + 1:]}' if match else key


def _scaled_ecn(settings, factor):
    found = {}
    for key, value in settings.items():
        if re.fullmatch(r"switches\..+\.ecn\.[^.]+\.(kmin|kmax)", key):
            found[_quoted(key)] = quantity_text(parse_bytes(value) * factor, "B")
    return found


def _faster_uplinks(settings):
    return {
        key: quantity_text(2 * parse_rate(value), "bps") for key, value in settings.items() if re.fullmatch(_TREE_LINKS, key)
    }


def _narrower_incasts(settings):
    found = {}
    for key, value in settings.items():
        if re.fullmatch(r"workloads\.[^.]+\.fan_in", key) and value.isdecimal() and int(value) > 1:
            found[key] = str(int(value) // 2)
    return found


def _alphas(settings):
    """Powers of two on both sides of the one that is stated; else those of 1/16 and 1/4: profiles mostly have 1/8."""
    stated = {value for key, value in settings.items() if re.fullmatch(r"switches\..+\.buffer\.alpha", key)}
    steps = ["1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    if len(stated) == 1 and (one := stated.pop()) in steps:
        at = steps.index(one)
        return [step for step in steps[max(0, at - 1) : at + 2] if step != one]
    return ["1/16", "1/4"] if not stated else []


def fitting(workload, parts, settings):
    """[Counterfactual] for a workload whose time went to `parts` ({part: share}); `settings`: {key: text} of the scenario."""

    def held(*names):
        return sum(parts.get(name, 0) for name in names) >= _LEAST

    out = []
    if held("ack_queued", "ack_paused") and any(
        key.endswith(".transport.ack_priority") and value == "same" for key, value in settings.items()
    ):
        out.append(Counterfactual("ACKs in the class of CNPs", {'nics."*".transport.ack_priority': "cnp"}))
    if held("queued", "paused", "ack_queued", "ack_paused", "limiter"):
        out.append(Counterfactual("ECN thresholds doubled", _scaled_ecn(settings, 2)))
        out.append(Counterfactual("ECN thresholds halved", _scaled_ecn(settings, 0.5)))
    if held("paused", "ack_paused"):
        out += [Counterfactual(f"alpha {alpha}", {'switches."*".buffer.alpha': alpha}) for alpha in _alphas(settings)]
    if held("queued", "paused", "ack_queued", "ack_paused"):
        out.append(Counterfactual("uplinks twice as fast", _faster_uplinks(settings)))
        out.append(Counterfactual("incasts half as wide", _narrower_incasts(settings)))
    if held("limiter"):
        out.append(Counterfactual("no congestion control", {'nics."*".congestion_control': "none"}))
    if held("nic"):
        out.append(Counterfactual("ideal NICs", {'nics."*".resources': "ideal"}))
    if held("own_queue"):
        key = f"workloads.{workload}.qp.per_pair"
        if settings.get(key, "").isdecimal():
            out.append(Counterfactual("four times the queue pairs", {key: str(4 * int(settings[key]))}))
    return [one for one in out if one.settings]
