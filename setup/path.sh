# Sourced first by the scripts of this tree, before they call any program by its name.

# Scripts search for programs in absolute folders only. With PATH=.:/usr/bin a script would run programs of the current
# folder. An empty PATH would mean the current folder, too.
absolute_folders() {
  local folder kept=
  local IFS=:
  set -f
  for folder in $PATH; do
    case $folder in /*) kept=$kept${kept:+:}$folder ;; esac
  done
  set +f
  export PATH="${kept:-/usr/local/bin:/usr/bin:/bin}"
}
absolute_folders
unset -f absolute_folders
