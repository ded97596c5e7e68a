"""The space that a study searches: parameters, each from a coordinate in [0, 1] to a value of the scenario.

A bound may be another parameter that is declared before it (kmax: {min: kmin, …}). Then the coordinate covers the
remaining range, so every point of the cube is a possible setting, and a search of the cube searches such pairs
together.

`places` of a parameter: the positions of its fields in the file, {field: marked_yaml.Value}.
"""

import math

from headroom.quantity import multiple_text, quantity_text


class Choice:
    """One of a list of values."""

    def __init__(self, name, keys, values):
        self.name, self.keys, self.values, self.places = name, keys, values, {}

    def value(self, chosen, _earlier):
        """(text for the scenario, None)"""
        return chosen, None


class Range:
    """A quantity between bounds: each a number in the smallest unit, or the name of an earlier parameter. `step`: a
    Quantity that values are multiples of, or None."""

    def __init__(self, name, keys, low, high, unit, scale, step=None):
        self.name, self.keys, self.unit, self.scale, self.step = name, keys, unit, scale, step
        self.low, self.high, self.places = low, high, {}

    def _bound(self, bound, earlier):
        return earlier[bound] if isinstance(bound, str) else (None, bound)

    def value(self, coordinate, earlier):
        """(text, number) at this coordinate, with the values of the earlier parameters in `earlier`."""
        low_text, low = self._bound(self.low, earlier)
        high_text, high = self._bound(self.high, earlier)
        if self.scale == "integer":
            whole = min(int(high), math.floor(low + coordinate * (high - low + 1)))
            return quantity_text(whole, self.unit), whole
        if self.scale == "log":
            exact = low * (high / low) ** coordinate
        else:
            exact = low + coordinate * (high - low)
        if self.step is not None:
            count = max(math.ceil(low / self.step.value - 1e-9), round(exact / self.step.value))
            count = min(math.floor(high / self.step.value + 1e-9), count)
            if count * self.step.value >= low * (1 - 1e-9):
                return multiple_text(count, self.step), count * self.step.value
            exact = low  # no multiple is left between the bounds
        # Rounding to a readable number must not leave the bounds of this very point.
        if low_text is not None and exact <= low * 1.005:
            return low_text, low
        if high_text is not None and exact >= high / 1.005:
            return high_text, high
        return quantity_text(exact, self.unit), exact


class Space:
    def __init__(self, parameters):
        self.parameters = parameters

    def values(self, coordinates):
        """{name: text} at a point: {name: coordinate, or the choice}."""
        found = {}
        for parameter in self.parameters:
            found[parameter.name] = parameter.value(coordinates[parameter.name], found)
        return {name: text for name, (text, _) in found.items()}

    def settings(self, values):
        """{key: text} for the scenario, from {name: text}."""
        return {key: values[parameter.name] for parameter in self.parameters for key in parameter.keys}
