"""from_help.py PROGRAM SHARE: headroom(1) and completions for bash and zsh, made from PROGRAM --help, into the folders
below SHARE (/usr/share) where Debian looks for them."""

import gzip
import pathlib
import sys

import help_text
from completion import bash, zsh
from manual import manual


def main(program, share):
    commands, below = help_text.read(program)
    page = manual(help_text.version(program), commands, below).encode()
    for path, content in {
        "man/man1/headroom.1.gz": gzip.compress(page, 9, mtime=0),
        "bash-completion/completions/headroom": bash(commands).encode(),
        "zsh/vendor-completions/_headroom": zsh(commands).encode(),
    }.items():
        file = pathlib.Path(share, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(0o644)
        print(f"-- Installing: {file}")


if __name__ == "__main__":
    main(*sys.argv[1:])
