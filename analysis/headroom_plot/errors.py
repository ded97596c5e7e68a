"""The one exception that a user's mistake raises, and a mistake that all commands know."""

from headroom_study.errors import InputError


def require_names(inputs, out):
    """InputError where a path is empty: it would be the working directory, or no path at all."""
    if "" in inputs:
        raise InputError('"" is no folder; give one that `headroom run` wrote, such as results/NAME')
    if out == "":
        raise InputError('--out "" names nothing; leave it out, or give a name')
