"""The one exception that a user's mistake raises."""


class InputError(Exception):
    """Input that cannot be plotted. The text says what is wrong, where, and what to do about it."""
