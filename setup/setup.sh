# Sourced by ./headroom and ./test: installs missing packages and builds, one process at a time.
# The caller sets `root` (the source tree) and `program` (the name before messages). All output goes to stderr.

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# Ends the program with code 2: the machine lacks a requirement, so the request itself was not judged.
give_up() {
  say "$*"
  exit 2
}

# Serialises everything that installs or builds in this tree; released when descriptor 9 closes.
take_lock() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  if ! flock -n 9; then
    say "waiting for another build of this tree"
    flock 9
  fi
}

release_lock() { exec 9>&-; }

# missing_packages PURPOSE...: those of setup/packages.txt with one of these purposes that are not installed.
missing_packages() {
  local wanted
  wanted=$(awk -v purposes=" $* " 'index(purposes, " " $1 " ") && $1 != "#" { print $2 }' \
    "$root/setup/packages.txt")
  # shellcheck disable=SC2086
  dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    awk -v wanted="$(tr '\n' ' ' <<<"$wanted")" '
      $1 == "installed" { present[$2] = 1 }
      END { n = split(wanted, names, " "); for (i = 1; i <= n; i++) if (!(names[i] in present)) print names[i] }'
}

# install_packages PURPOSE...: installs the packages that missing_packages lists.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system; relying on what is installed (setup/packages.txt lists what is needed)"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=(env)
  local by_hand="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "packages are missing; as root, type:  $by_hand"
    as_root=(sudo env)
    [ -t 0 ] || as_root=(sudo -n env)
    by_hand="sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
  fi
  # Installed packages need no copy on disk; those of the tests would take 1.5 GB.
  local apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -o APT::Keep-Downloaded-Packages=false)
  local install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")

  say "installing what is missing: ${missing[*]}"
  # Package lists are fetched only where apt does not know the packages, or knows versions that are gone.
  if ! apt-get -qq --simulate install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
    ! "${install[@]}" >&2; then
    { "${apt[@]}" update && "${install[@]}"; } >&2 ||
      give_up "could not install packages; type:  $by_hand"
  fi
}

# offer_packages COMMAND PURPOSE...: installs what COMMAND lacks, after saying what and how much; asks on a terminal.
offer_packages() {
  local command=$1 missing size answer
  shift
  command -v dpkg-query >/dev/null || return 0
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  size=$(LC_ALL=C apt-get --assume-no --no-install-recommends install "${missing[@]}" 2>/dev/null |
    sed -n 's/^Need to get \(.*\) of archives.*/ (\1 to download)/p') || true
  say "$command needs packages that are not installed$size: ${missing[*]}"
  if [ -t 0 ] && [ -t 2 ]; then
    read -r -p "$program: install them now? [Y/n] " answer || answer=n
    case $answer in [nN]*) give_up "nothing was installed" ;; esac
  fi
  install_packages "$@"
}

# configure PRESET ON|OFF: configures build/PRESET with or without the tests, unless it is configured from this tree
# already. A build folder that has tests keeps them.
configure() {
  local preset=$1 tests=$2 fresh=() dir=$root/build/$1
  if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    fresh=(--fresh) # not configured yet, or configured before the tree was moved
  elif [ -e "$dir/build.ninja" ] &&
    { [ "$tests" = OFF ] || grep -qxF "HEADROOM_TESTS:BOOL=ON" "$dir/CMakeCache.txt"; }; then
    return
  fi
  local said
  said=$(cd "$root" && cmake --preset "$preset" "${fresh[@]}" -DHEADROOM_TESTS="$tests" 2>&1) || {
    printf '%s\n' "$said" >&2
    give_up "configuring build/$preset failed; the reason stands above"
  }
}

# build_minutes CPU_SECONDS: the minutes that a build of CPU_SECONDS takes on this machine.
build_minutes() { echo $((($1 / $(nproc) + 59) / 60)); }

# Prints a line at each tenth of a build, and every line that is not about progress.
tenths() {
  local line told=0 tenth
  # Not awk: Debian's awk reads pipes in blocks, and would report progress only after the build.
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      tenth=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
      [ "${BASH_REMATCH[2]}" -lt 20 ] || [ "$tenth" -le "$told" ] && continue
      told=$tenth
      say "built ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    elif ! [[ $line =~ ^ninja:\ (no\ work\ to\ do|Entering\ directory) ]]; then
      printf '%s\n' "$line"
    fi
  done
}

# build PRESET [TARGET]...: on a terminal the progress is one line that changes.
build() {
  local preset=$1
  shift
  local command=(cmake --build --preset "$preset" ${1:+--target "$@"})
  if [ -t 2 ]; then
    (cd "$root" && "${command[@]}") >&2
  else
    (cd "$root" && "${command[@]}" 2>&1) | tenths >&2
  fi || give_up "building build/$preset failed; the reason stands above"
}
