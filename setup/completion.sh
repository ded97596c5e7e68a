# shellcheck shell=bash
# Completion of ./headroom in bash and zsh: . setup/completion.sh
# It is made from the --help of the program that ./headroom has built, once per build.
if [ -n "${ZSH_VERSION-}" ]; then
  _headroom_shell=zsh
  eval '_headroom_root=${${(%):-%x}:A:h:h}'
else
  _headroom_shell=bash
  _headroom_root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
fi
_headroom_program=$_headroom_root/build/release/headroom
_headroom_text=$_headroom_root/build/release/completion.$_headroom_shell
if [ ! -x "$_headroom_program" ]; then
  echo "setup/completion.sh: run ./headroom once before, which builds the program" >&2
elif [ "$_headroom_text" -nt "$_headroom_program" ] ||
  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$_headroom_root/packaging/completion.py" \
    "$_headroom_program" "$_headroom_shell" >"$_headroom_text"; then
  # shellcheck source=/dev/null
  . "$_headroom_text"
fi
unset _headroom_root _headroom_shell _headroom_program _headroom_text
