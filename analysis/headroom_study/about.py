"""What a file says of itself: the comment at its head."""

from pathlib import Path


def about(path):
    """The comment's text, line by line; empty where there is none, or no file."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    said = []
    for line in lines:
        if not line.startswith("#"):
            break
        said.append(line[1:].removeprefix(" "))
    # For an editor, not for a person.
    return "\n".join(line for line in said if not line.startswith("yaml-language-server:"))
