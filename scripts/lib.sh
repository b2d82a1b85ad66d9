# shellcheck shell=bash
# Shared by the scripts: paths, messages, running a long step. Sourced, never executed.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
SPEAKER=$(basename "$0")

# Progress and errors go to stderr: stdout belongs to the program that scripts/run starts.
say() { printf '%s: %s\n' "$SPEAKER" "$*" >&2; }
die() {
  say "error: $1"
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# usable FOLDER: it exists or can be created, and is writable.
usable() { mkdir -p "$1" 2>/dev/null && [ -w "$1" ]; }

# Where the dependencies go. cmake/Dependencies.cmake looks in the same places, in the same order.
deps_prefix() {
  local cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  if [ -n "${GPUTOP_DEPS:-}" ]; then
    usable "$GPUTOP_DEPS" || die "GPUTOP_DEPS=$GPUTOP_DEPS is not writable" "Choose a writable folder, or unset it."
    (cd "$GPUTOP_DEPS" && pwd)
  elif [ -n "$cache" ] && usable "$cache/gputop-deps"; then
    printf '%s\n' "$cache/gputop-deps"
  elif usable "$ROOT/build/deps"; then
    printf '%s\n' "$ROOT/build/deps"
  else
    die "no folder for dependencies: neither the home folder nor $ROOT/build is writable" \
      "Set GPUTOP_DEPS to a writable folder."
  fi
}

# Prints the progress of LOG every ten seconds, until its standard input is closed.
heartbeat() {
  local log=$1 start=$SECONDS line status
  while true; do
    status=0
    read -r -t 10 || status=$?
    [ "$status" -gt 128 ] || return 0
    line=$(tr '\r' '\n' <"$log" | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c 1-100)
    say "  … $((SECONDS - start)) s: $line"
  done
}

# step WHAT LOG COMMAND…: runs COMMAND with its output in LOG, shows progress, and prints the end of LOG on failure.
step() {
  local what=$1 log=$2 start=$SECONDS status=0 beat
  shift 2
  say "$what"
  mkdir -p "$(dirname "$log")"
  : >"$log"
  exec {beat}> >(heartbeat "$log")
  "$@" >"$log" 2>&1 </dev/null {beat}>&- || status=$?
  exec {beat}>&-
  if [ "$status" -ne 0 ]; then
    say "failed after $((SECONDS - start)) s (exit $status): $what"
    tail -n 15 "$log" | sed 's/^/  | /' >&2
    say "the whole log: $log"
  fi
  return "$status"
}
