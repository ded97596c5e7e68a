"""The one exception that a user's mistake raises, and the mistake that all commands know."""


class InputError(Exception):
    """Input that cannot be plotted. The text says what is wrong, where, and what to do about it."""


def require_names(inputs, out):
    """InputError where a path is empty: it would be the working directory, or no path at all."""
    if "" in inputs:
        raise InputError('"" is no folder; give one that `headroom run` wrote, such as results/NAME')
    if out == "":
        raise InputError('--out "" names nothing; leave it out, or give a name')
