"""The file that states what `headroom tune` searches.

    name: incast
    scenario: incast.yaml             # relative to this file
    set: {KEY: VALUE}                 # for all runs, the baseline too
    baseline: {KEY: VALUE}            # what the answer is compared with; default: the scenario as it is
    parameters:
      kmin:   {key: switches.0.ecn.storage.kmin, min: 20KB, max: 1MB, scale: log}
      kmax:   {key: switches.0.ecn.storage.kmax, min: kmin, max: 4MB, scale: log}
      pmax:   {key: switches.0.ecn.storage.pmax, min: 1%, max: 100%, scale: log, step: 1%}
      stages:   {key: nics.0.dcqcn.rp.fast_recovery, min: 1, max: 5, scale: integer}
      buffer:   {key: switches.0.buffer.profile, choice: [azure-24mb, azure-deep]}
    objectives:  [{metric: messages.reads.completion_us.p99, goal: minimise}]
    constraints: [{metric: drops.lossless, max: 0}]
    rule_out: {pfc_before_ecn: 1}     # without a run: where PFC fires before ECN with so many groups congested, or fewer;
                                      # phase_margin: 5: where the fluid model gives DCQCN less than so many degrees
    budget: 80                        # one setting, one seed, full duration is 1
    seeds: 5                          # for those that get so far; the answer is measured with as many fresh ones
    resolution: 3%                    # the smallest gain that matters
    confidence: 95%                   # of the verdict
    short: 25%                        # the first look at a setting is a run of this share of the duration
    search: tpe                       # or random
"""

import math
from pathlib import Path

from headroom.quantity import parse_quantity, shortened
from headroom.study.space import Choice, Range, Space
from headroom.verdict import CONFIDENCE, RESOLUTION
from headroom.yaml_file import read_yaml

LENGTH = ("duration", "deadline")  # keys that a short run sets
_KEYS = (
    "name scenario set baseline parameters objectives constraints rule_out budget seeds resolution confidence short search seed".split()
)


class Goal:
    """A metric to be minimised (`sign` 1) or maximised (−1)."""

    def __init__(self, metric, sign):
        self.metric, self.sign = metric, sign


class Bound:
    """A metric that must stay within bounds, at every seed."""

    def __init__(self, metric, least, most):
        self.metric, self.least, self.most = metric, least, most

    def excess(self, value):
        """How far a value is beyond the bound, 0 within."""
        over = value - self.most if self.most is not None else 0
        under = self.least - value if self.least is not None else 0
        return max(0.0, over, under)

    def violation(self, value):
        """The excess as a share of the bound, so that constraints of any unit add up; for a bound of 0, in its unit."""
        return self.excess(value) / (self.size or 1)

    @property
    def size(self):
        return max(abs(end) for end in (self.least, self.most) if end is not None)

    def is_within(self, value):
        """Strictly within: there is room to the bound."""
        return (self.least is None or value > self.least) and (self.most is None or value < self.most)

    @property
    def sign(self):
        """1: less is better, as for a Goal; −1: more is better; 0: it has both ends."""
        return (self.most is not None) - (self.least is not None)

    def text(self):
        if self.least is None:
            return f"{self.metric} at most {self.most:.12g}"
        if self.most is None:
            return f"{self.metric} at least {self.least:.12g}"
        return f"{self.metric} from {self.least:.12g} to {self.most:.12g}"


class StudyFile:
    """The file, read and checked, except for what only runs show."""

    def __init__(self, path):
        path = Path(path)
        top = read_yaml(path)
        f = top.fields(_KEYS, ("name", "scenario", "parameters", "objectives", "budget"))
        self.path = path
        self.name = f["name"].text()
        if not self.name or not all(c.isascii() and (c.isalnum() or c in "_-") for c in self.name):
            raise f["name"].error("a name is made of letters, digits, _ and -")
        self.scenario = path.parent / f["scenario"].text()
        self.fixed = _settings(f.get("set"))
        self.baseline = _settings(f.get("baseline"))
        self.space = _space(f["parameters"])
        self.goals = [_goal(item) for item in f["objectives"].list()]
        if not self.goals:
            raise f["objectives"].error("an objective is needed")
        self.bounds = [_bound(item) for item in f["constraints"].list()] if "constraints" in f else []
        self.pfc_before_ecn, self.phase_margin = 1, None
        if "rule_out" in f:
            rules = f["rule_out"].fields(("pfc_before_ecn", "phase_margin"))
            if "phase_margin" in rules:
                self.phase_margin = _number(rules["phase_margin"], "give a margin in degrees, without a unit")
            if "pfc_before_ecn" in rules:
                self.pfc_before_ecn = rules["pfc_before_ecn"].whole(0, 10**6)
        self.seeds = f["seeds"].whole(2, 1000) if "seeds" in f else 5
        self.seed = f["seed"].whole(1, 10**12) if "seed" in f else None
        self.budget = f["budget"].whole(1, 10**6)
        # Two finalists with all seeds, and other settings from which to choose them.
        least = (10 + (len(self.goals) > 1)) * self.seeds - 8
        if self.budget < least:
            raise f["budget"].error(f"{self.budget} is too little; with {self.seeds} seeds, at least {least}")
        self.resolution = _share(f["resolution"], 0.001, 0.5) if "resolution" in f else RESOLUTION
        self.confidence = _share(f["confidence"], 0.8, 0.999) if "confidence" in f else CONFIDENCE
        self.short = _share(f["short"], 0.01, 1) if "short" in f else 0.25
        self._require_one_length(f)
        self.search = f["search"].text() if "search" in f else "tpe"
        if self.search not in ("tpe", "random"):
            raise f["search"].error(f"'{self.search}' is not one of tpe, random")


    def _require_one_length(self, f):
        """A short run has a share of the scenario's duration, whatever its setting is."""
        if self.short == 1:
            return
        keys = [(key, p.places["key"]) for p in self.space.parameters for key in p.keys]
        keys += [(key, item) for key, item in (f["baseline"].items() if "baseline" in f else ())]
        for key, place in keys:
            if key in LENGTH:
                raise place.error(f"{key} differs between settings, so short runs do not compare: give short: 100%, or set it in set:")


def _settings(value):
    return {key: item.setting() for key, item in value.items()} if value else {}


def _share(value, least, most):
    try:
        share = parse_quantity(value.text())
    except ValueError as error:
        raise value.error(str(error)) from error
    if share.kind != "number" or not least <= share.value <= most:
        raise value.error(f"'{value.text()}' is not a share from {100 * least:g}% to {100 * most:g}%")
    return share.value


def _number(value, unit="give a number in the unit that the metric's name ends with"):
    try:
        number = float(value.text())
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise value.error(f"'{shortened(value.text())}' is not a number; {unit}")
    return number


def _goal(item):
    f = item.fields(("metric", "goal"), ("metric",))
    goal = f["goal"].text() if "goal" in f else "minimise"
    if goal not in ("minimise", "maximise"):
        raise f["goal"].error(f"'{goal}' is not one of minimise, maximise")
    return Goal(f["metric"].text(), 1 if goal == "minimise" else -1)


def _bound(item):
    f = item.fields(("metric", "min", "max"), ("metric",))
    if "min" not in f and "max" not in f:
        raise item.error("a constraint has min, max or both")
    least, most = (_number(f[key]) if key in f else None for key in ("min", "max"))
    if least is not None and most is not None and least > most:
        raise f["max"].error(f"max {most:.12g} is below min {least:.12g}: no value keeps both")
    return Bound(f["metric"].text(), least, most)


def _require_own_keys(name, keys, place, before):
    """A key that another parameter overwrites, completely or partly, would have no effect."""
    for key in keys:
        if keys.count(key) > 1:
            raise place.error(f"{key} appears twice")
        for other in before.values():
            for theirs in other.keys:
                if theirs == key or theirs.startswith(key + "."):
                    raise place.error(f"{name} and {other.name} set the same key, {theirs}: one parameter per key")


def _space(value):
    parameters = {}
    for name, item in value.items():
        f = item.fields(("key", "min", "max", "scale", "step", "choice"), ("key",))
        keys = [key.text() for key in f["key"].list()] if f["key"].is_list() else [f["key"].text()]
        _require_own_keys(name, keys, f["key"], parameters)
        if "choice" in f:
            for key in ("min", "max", "scale", "step"):
                if key in f:
                    raise f[key].error(f'"{key}" does not go with "choice"')
            choices = [choice.setting() for choice in f["choice"].list()]
            if len(set(choices)) < 2:
                raise f["choice"].error("a choice needs at least two different values")
            parameters[name] = Choice(name, keys, choices)
        else:
            parameters[name] = _range(name, keys, item, f, parameters)
        parameters[name].places = f
    if not parameters:
        raise value.error("a parameter is needed")
    return Space(list(parameters.values()))


def _range(name, keys, item, f, before):
    """Bounds that are quantities have one kind; those that name an earlier parameter have its kind and stay within its
    possible values."""
    for key in ("min", "max"):
        if key not in f:
            raise item.error(f'"{key}" is missing (or "choice")')
    scale = f["scale"].text() if "scale" in f else "linear"
    if scale not in ("linear", "log", "integer"):
        raise f["scale"].error(f"'{scale}' is not one of linear, log, integer")
    bounds, extremes, least, kinds, unit = {}, {}, {}, set(), None
    for key in ("min", "max"):
        text = f[key].text()
        other = before.get(text)
        if isinstance(other, Range):
            bounds[key] = text
            extremes[key] = _extreme(other, key == "min", before)
            least[key] = _extreme(other, False, before)
            kinds.add(parse_quantity("1" + other.unit).kind)
            unit = unit or other.unit
            continue
        try:
            quantity = parse_quantity(text)
        except ValueError as error:
            names = [n for n, p in before.items() if isinstance(p, Range)]
            hint = f", or a parameter above it: {', '.join(names)}" if names else ""
            raise f[key].error(f"{error}{hint}") from error
        bounds[key] = extremes[key] = least[key] = quantity.value
        kinds.add(quantity.kind)
        unit = quantity.unit
    if len(kinds) > 1:
        raise item.error("min and max are of different kinds")
    # A parameter that bounds this one may extend to the other bound, but not beyond.
    if extremes["min"] > extremes["max"] or (bounds["min"] == bounds["max"]):
        raise f["max"].error(f"max is below the possible values of min: there is no value for {name}")
    if scale == "log" and least["min"] <= 0:
        raise f["min"].error("a logarithmic scale must begin above 0")
    if scale == "integer" and (extremes["min"] % 1 or extremes["max"] % 1):
        raise item.error("min and max must be whole numbers for scale: integer")
    step = _step(f["step"], scale, kinds, extremes) if "step" in f else None
    return Range(name, keys, bounds["min"], bounds["max"], unit, scale, step)


def _step(value, scale, kinds, extremes):
    try:
        step = parse_quantity(value.text())
    except ValueError as error:
        raise value.error(str(error)) from error
    if scale == "integer":
        raise value.error('"step" does not go with "scale: integer", which has a step of 1')
    if step.kind not in kinds:
        raise value.error(f"'{value.text()}' is not of the kind of min and max")
    if not 0 < step.value <= extremes["max"] - extremes["min"]:
        raise value.error(f"'{value.text()}' is not a step between min and max")
    return step


def _extreme(parameter, most, before):
    """The largest, or the smallest, possible value of a parameter."""
    bound = parameter.high if most else parameter.low
    return _extreme(before[bound], most, before) if isinstance(bound, str) else bound
