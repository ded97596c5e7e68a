# Sourced first by the scripts of this tree, before they call any program by its name.

# Programs are searched in absolute folders alone: with PATH=.:/usr/bin a script would run what lies in the folder where
# somebody stands. An empty PATH would mean that folder, too.
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
