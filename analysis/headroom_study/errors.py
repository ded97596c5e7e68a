"""What ends a command before its end. The text says what is wrong, where, and what to do about it."""


class InputError(Exception):
    """Bad usage or bad input: nothing was run. Exit code 2."""


class Stopped(Exception):
    """Something outside ended the study early; what is finished is kept. Exit code 3."""
