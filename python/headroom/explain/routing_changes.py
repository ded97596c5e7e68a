"""Routings that send packets of one flow over several paths, and the change to one path for counterfactuals.py."""

_SPLITTING = ("spray", "flowlet", "adaptive")


def splitting(entry):
    """The routing of an entry of switches if it splits flows; None if it does not, or the entry has none."""
    routing = entry.get("routing")
    kind = routing["type"] if isinstance(routing, dict) else routing
    return kind if kind in _SPLITTING else None


def one_path(case):
    """ECMP instead of a routing that spreads the packets of a flow."""
    yield "", "one path for each flow, by ECMP", [(("switches", i, "routing"), "ecmp") for i, entry in case.entries("switches") if splitting(entry)]
