"""Completions for bash and zsh. The kind of an argument follows from its name in the help. DIR, A, B and RESULT are
folders. FILE and SCENARIO are scenarios; for `convert`, and as values of options, any files. TABLE is a table of the help."""

import re
import sys

import help_text

_DIR, _FILE, _YAML, _TABLE = "folder", "file", "scenario", "table"


def _values(command, option):
    """The values of `option`: a list of words, one of the kinds above, or None."""
    flag = option.flags[-1]
    if option.value in ("DIR", "FILE"):
        return _DIR if option.value == "DIR" else _FILE
    return option.choices() or command.forms(flag) or None


def _argument(command):
    """The kind of the command's positional arguments."""
    words = re.findall(r"\w+", re.sub(r"\[?--?[\w-]+( [A-Z]\S*)?", "", command.usage))
    if command.forms("--from"):
        return _FILE
    if "TABLE" in words:
        return _TABLE
    if "FILE" in words:
        return _YAML
    return _DIR if {"DIR", "A", "B"} & set(words) else None


def _flags(command):
    return [flag for option in command.options for flag in option.flags]


def _filled(text, places):
    for name, lines in places.items():
        text = text.replace(f"@{name}@", "\n".join(lines))
    return text


_BASH_KINDS = {
    _DIR: "_headroom_paths -d",
    _FILE: "_headroom_paths -f",
    _YAML: "_headroom_scenarios",
    _TABLE: "_headroom_table",
}

_BASH = """# Completion of headroom for bash, made from its --help.

_headroom_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

_headroom_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$@" -- "$word")
}

_headroom_scenarios() {
  _headroom_paths -d
  _headroom_paths -f -X '!*.yaml'
}

# The folder of a result, then the words of a table's name one by one.
_headroom_table() {
  local i typed= table
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      @TAKES_VALUE@) i=$((i + 1)) ;;
      -*) ;;
      *) typed+="${COMP_WORDS[i]} " ;;
    esac
  done
  [ -n "$typed" ] || { _headroom_paths -d; return; }
  typed=${typed#* }
  while read -r table; do
    [[ $table == "$typed"* ]] || continue
    table=${table#"$typed"}
    table=${table%% *}
    [[ $table == "$word"* && " ${COMPREPLY[*]} " != *" $table "* ]] && COMPREPLY+=("$table")
  done <<'TABLES'
@TABLES@
TABLES
}

_headroom() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    _headroom_words "@COMMANDS@ --help --version"
    return
  fi
  case "$command $before" in
@VALUES@
    # Options with values that cannot be completed.
@OTHERS@
  esac
  case "$command $word" in
@OPTIONS@
@ARGUMENTS@
  esac
} && complete -F _headroom headroom
"""


def bash(commands):
    values, others, options, arguments, tables, takes_value = [], [], [], [], [], []
    for command in commands:
        unknown = []
        for option in command.options:
            wanted = _values(command, option)
            patterns = [f'"{command.name} {flag}"' for flag in option.flags]
            if wanted:
                does = f'_headroom_words "{" ".join(wanted)}"' if isinstance(wanted, list) else _BASH_KINDS[wanted]
                values.append(f"    {' | '.join(patterns)}) {does}; return ;;")
            elif option.value:
                unknown += patterns
        if unknown:
            others.append(f"    {' | '.join(unknown)}) return ;;")
        options.append(f'    "{command.name} -"*) _headroom_words "{" ".join(_flags(command))}" ;;')
        kind = _argument(command)
        if kind:
            arguments.append(f'    "{command.name} "*) {_BASH_KINDS[kind]} ;;')
        if kind == _TABLE:
            tables = command.listed("tables")
            takes_value = [flag for option in command.options if option.value for flag in option.flags]
    return _filled(_BASH, {
        "TABLES": tables, "TAKES_VALUE": [" | ".join(takes_value)], "VALUES": values, "OTHERS": others,
        "COMMANDS": [" ".join(command.name for command in commands)], "OPTIONS": options, "ARGUMENTS": arguments,
    })


_ZSH_KINDS = {
    _DIR: "_files -/",
    _FILE: "_files",
    _YAML: '_files -g "*.yaml"',
    _TABLE: "_headroom_table",
}

_ZSH = """#compdef headroom
# Completion of headroom for zsh, made from its --help.

# The folder of a result, then the words of a table's name one by one.
_headroom_table() {
  local -a tables=(@TABLES@) typed=(${words[1,CURRENT-1]}) next
  if (( ! $#typed )); then
    _files -/
    return
  fi
  shift typed
  local begun="${(j: :)typed}${typed:+ }" table
  for table in $tables; do
    [[ $table == "$begun"* ]] && next+=(${${table#$begun}%% *})
  done
  compadd -- ${(u)next}
}

_headroom() {
  local curcontext=$curcontext state line
  local -a commands=(
@COMMANDS@
  )
  _arguments -C '(- *)'{-h,--help}'[say this]' '(- *)--version[print the version]' '1:command:->command' '*::argument:->argument' && return
  if [[ $state == command ]]; then
    _describe -t commands command commands
    return
  fi
  case $words[1] in
@CASES@
  esac
}

_headroom "$@"
"""


def _quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_option(command, option):
    wanted = _values(command, option)
    action = _ZSH_KINDS.get(wanted, "") if not isinstance(wanted, list) else f"({' '.join(wanted)})"
    help = re.sub(r"([\[\]:\\])", r"\\\1", option.help)
    value = "".join(f":{re.sub('[^A-Za-z]+', ' ', name).strip()}:{action}" for name in option.value.split())
    return [_quoted(f"*{flag}[{help}]{value}") for flag in option.flags]


def zsh(commands):
    cases, tables = [], []
    for command in commands:
        kind = _argument(command)
        specs = [spec for option in command.options for spec in _zsh_option(command, option)]
        specs += [_quoted(f"*::{kind}:{_ZSH_KINDS[kind]}")] if kind else []
        cases.append("    {})\n      _arguments \\\n        {}\n      ;;".format(command.name, " \\\n        ".join(specs)))
        tables += command.listed("tables")
    return _filled(_ZSH, {
        "TABLES": [" ".join(map(_quoted, tables))], "CASES": cases,
        "COMMANDS": [f"    {_quoted(command.name + ':' + command.does)}" for command in commands],
    })


def main(program, shell):
    """Prints the completion of a program for a shell that evaluates it: setup/completion.sh."""
    commands = help_text.read(program)[0]
    text = bash(commands) if shell == "bash" else zsh(commands)
    # zsh calls a file of its path as a function, but here the function is only defined.
    print(text.replace('\n_headroom "$@"\n', "\ncompdef _headroom headroom\n"))


if __name__ == "__main__":
    main(*sys.argv[1:])
