"""Reasons for the early end of a command or a call. The text names the error, its place, and the remedy."""


class InputError(Exception):
    """Wrong usage or wrong input: nothing was run, nothing was written. Exit code 2 of a command."""


class ProgramError(InputError):
    """The program refused; the text is its message. `code`: its exit code."""

    def __init__(self, said, code):
        super().__init__(said)
        self.code = code


class Stopped(Exception):
    """An external reason ended it early; finished runs are kept. Exit code 3 of a command."""
