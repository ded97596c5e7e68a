"""What ends a command, or a call, before its end. The text names the error, its place, and the remedy."""


class InputError(Exception):
    """Bad usage or bad input: nothing was run, nothing written. Exit code 2 of a command."""


class ProgramError(InputError):
    """The program refused, in its own words. `code`: its exit code."""

    def __init__(self, said, code):
        super().__init__(said)
        self.code = code


class Stopped(Exception):
    """Something outside ended it early; finished runs are kept. Exit code 3 of a command."""
