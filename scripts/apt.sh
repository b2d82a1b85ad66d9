# shellcheck shell=bash
# How scripts/setup gets packages and source packages through apt, and builds the latter. Sourced, never run.
#
# Trust: apt checks the suites' signatures with the Debian keyring and downloads as its own user; libraries that are older than
# those gputop is tested with are refused; source archives are pinned by SHA-256 by who asks for them and built by a user without
# rights when this is root. apt's own configuration and state are only read: the lists and downloads here are our own.

NEWER_SUITES=(trixie forky sid)
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
# The oldest version that gputop is tested with.
declare -A OLDEST=([libboost-dev]=1.74 [libyaml-cpp-dev]=0.7 [libcli11-dev]=2.1 [nlohmann-json3-dev]=3.9 [libzstd-dev]=1.5
  [libtsm-dev]=4.0 [python3-pyte]=0.8)
# Of what the packages depend on, only this is unpacked along with them; the rest (libc6, python3) is in the base system.
ALONG='^lib(boost|yaml-cpp|cli11|zstd|tsm)[0-9.-]|^python3-wcwidth$'

is_root() { [ "$(id -u)" -eq 0 ]; }

# --- stamps: what is done, and with what --------------------------------------------------------------------------------
# A prefix may be shared by machines of several releases (a home folder on the network): each stamp names the release.
# shellcheck source=/dev/null
release() { (. /etc/os-release 2>/dev/null; printf '%s' "${ID:-unknown}-${VERSION_ID:-rolling}-$(uname -m)"); }
is_done() { [ "$(cat "$PREFIX/stamps/$1" 2>/dev/null)" = "$RELEASE $2" ]; }
mark_done() { printf '%s\n' "$RELEASE $2" >"$PREFIX/stamps/$1"; }

# --- an apt of our own --------------------------------------------------------------------------------------------------
# Where it keeps its lists and downloads. As root it downloads as the user _apt, who cannot enter a private home folder.
prepare_apt() {  # NAME
  APT=$PREFIX/$1
  if is_root; then
    APT=$(mktemp -d /var/tmp/gputop-setup.XXXXXX)
    chmod 755 "$APT"
    trap 'rm -rf "$APT"' EXIT
  fi
  mkdir -p "$APT"
}

download_folder() {  # FOLDER: empty, and apt's download user may write to it
  rm -rf "$1"
  mkdir -p "$1"
  ! is_root || ! id _apt >/dev/null 2>&1 || chown _apt "$1"
}

# private_apt NAME COMMAND…: COMMAND with apt's state in a folder of its own, so that no root is needed and nothing is changed.
# The sources are the machine's own, or those in APT/NAME/sources.list.
private_apt() {
  local name=$1 state=$APT/$1 config=$APT/$1.conf
  shift
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  {
    printf 'Dir::State "%s"; Dir::State::status "/var/lib/dpkg/status"; Dir::Cache "%s";\n' "$state" "$state"
    printf 'Debug::NoLocking "true"; Acquire::Languages "none"; Acquire::Retries "3";\n'
    if [ -f "$state/sources.list" ]; then
      # What comes from there is pinned by SHA-256, so an index that a slow mirror let expire does no harm.
      printf 'Dir::Etc::SourceList "%s"; Dir::Etc::SourceParts "/dev/null"; Acquire::Check-Valid-Until "false";\n' \
        "$state/sources.list"
    fi
  } >"$config"
  APT_CONFIG=$config "$@"
}

private_update() {  # NAME: at most once a day, and one at a time: two steps may want the same lists
  (
    flock 8
    [ -z "$(find "$APT/$1.updated" -mmin -1440 2>/dev/null)" ] || exit 0
    private_apt "$1" apt-get update && touch "$APT/$1.updated"
  ) 8>"$APT/$1.lock"
}

# The Debian mirror that this machine is already configured to use; no host is written down here.
mirror() {
  # shellcheck disable=SC2016  # $(REPO_URI) is apt's, not the shell's
  private_apt own apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' |
    { grep -v -- '-security' || true; } | head -n 1
}

# --- packages of this release -------------------------------------------------------------------------------------------
missing_packages() {
  local present
  present=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p') || true
  printf '%s\n' "$@" | { grep -vxF -e "$present" || true; }
}

along_with() {  # the packages given and, followed through, their dependencies that match ALONG
  local all=("$@") count=0
  local relations=(--no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances)
  while [ "$count" -ne "${#all[@]}" ]; do
    count=${#all[@]}
    mapfile -t all < <({
      printf '%s\n' "${all[@]}"
      private_apt own apt-cache depends "${relations[@]}" "${all[@]}" |
        sed -n 's/^ *|\{0,1\}Depends: \([a-z0-9][a-z0-9.+-]*\).*/\1/p' | grep -E "$ALONG"
    } | sort -u)
  done
  printf '%s\n' "${all[@]}"
}

download_packages() {  # PACKAGE…: their .deb files, into APT/download
  local packages
  private_update own || return
  mapfile -t packages < <(along_with "$@")
  download_folder "$APT/download"
  (cd "$APT/download" && private_apt own apt-get download "${packages[@]}")
}

new_enough() {  # PACKAGE.deb: not older than OLDEST says
  local name version
  name=$(dpkg-deb -f "$1" Package)
  version=$(dpkg-deb -f "$1" Version)
  [ -z "${OLDEST[$name]:-}" ] || dpkg --compare-versions "$version" ge "${OLDEST[$name]}" ||
    { echo "$name $version is older than ${OLDEST[$name]}, the oldest that gputop is tested with"; return 1; }
}

unpack_into() {  # FOLDER PACKAGE…
  local folder=$1 package
  shift
  if ! download_packages "$@"; then
    rm -f "$APT/own.updated"  # the lists may name packages that the mirror has replaced since
    download_packages "$@" || return
  fi
  rm -rf "$folder"
  mkdir -p "$folder"
  for package in "$APT"/download/*.deb; do new_enough "$package" && dpkg-deb -x "$package" "$folder" || return; done
  rm -rf "$APT/download"
}

get_packages() {  # GROUP PACKAGE…: those that are not installed, below PREFIX/GROUP
  local group=$1 missing
  shift
  if ! have dpkg-query || ! have apt-get; then
    say "no apt on this machine: CMake will look for ${*}, then download them"
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  ! is_done "$group" "${missing[*]}" || return 0
  if step "unpacking ${missing[*]} into $PREFIX/$group" "$PREFIX/log/$group.log" unpack_into "$PREFIX/$group" "${missing[@]}"; then
    mark_done "$group" "${missing[*]}"
  else
    say "going on without: CMake will try to download what it does not find"
  fi
}

# --- source packages of a newer suite -----------------------------------------------------------------------------------
source_archive() {  # NAME VERSION: Debian repacks some as .xz
  local archive=$PREFIX/src/$1_$2.orig.tar
  if [ -e "$archive.xz" ]; then printf '%s\n' "$archive.xz"; else printf '%s\n' "$archive.gz"; fi
}
unpack() { case $1 in *.xz) xz -dc <"$1" ;; *) gzip -dc <"$1" ;; esac; }
install_licence() {  # SOURCE TARGET: whatever its name is
  local file
  for file in "$1"/LICENSE* "$1"/COPYING*; do
    if [ -f "$file" ]; then install -D -m 644 "$file" "$2"; return; fi
  done
  return 1
}
source_is_good() { printf '%s  %s\n' "$3" "$(source_archive "$1" "$2")" | sha256sum --check --status 2>/dev/null; }

fetch_source() {  # NAME VERSION SHA256
  local uri suite package
  [ -r "$KEYRING" ] || { echo "$KEYRING is missing (package debian-archive-keyring)"; return 1; }
  private_update own || return
  uri=$(mirror)
  [ -n "$uri" ] || { echo "apt on this machine has no package source"; return 1; }
  mkdir -p "$APT/newer" "$PREFIX/src"
  download_folder "$APT/source"
  for suite in "${NEWER_SUITES[@]}"; do
    printf 'deb-src [signed-by=%s] %s %s main\n' "$KEYRING" "$uri" "$suite"
  done >"$APT/newer/sources.list"
  private_update newer || echo "not every suite could be read: going on with those that could"
  for package in $(private_apt newer apt-cache showsrc --only-source "$1" | sed -n "s/^Version: \($2-.*\)/\1/p" | sort -u); do
    # apt's verdict on the whole source package does not matter: the one archive we want is there and whole, or it is not.
    (cd "$APT/source" && private_apt newer apt-get source --download-only --tar-only "$1=$package") || true
    cp "$APT/source/$1_$2".orig.tar.[gx]z "$PREFIX/src/" || continue
    ! source_is_good "$@" || return 0
  done
  echo "none of the suites ${NEWER_SUITES[*]} gave $1 $2 with the pinned SHA-256"
  return 1
}

# without_rights COMMAND…: as root, COMMAND runs as nobody and cannot get rights back; else as who this is.
without_rights() {
  if ! is_root || ! have setpriv || ! id nobody >/dev/null 2>&1; then "$@"; return; fi
  env HOME=/nonexistent CCACHE_DISABLE=1 setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --no-new-privs "$@"
}

# build_source NAME VERSION CMAKE-OPTION…: into PREFIX, or with zig into INTO when TOOLCHAIN names its file.
# Somebody else's build files, so they run without rights; with zig they cannot, because it lies in this user's own folder.
build_source() {
  local name=$1 work=$APT/building archive generator=() rights=(without_rights) flags
  archive=$(source_archive "$1" "$2")
  shift 2
  have ninja && generator=(-G Ninja)
  if [ -n "${TOOLCHAIN:-}" ]; then
    rights=()
    set -- -DCMAKE_TOOLCHAIN_FILE="$TOOLCHAIN" "$@"
  fi
  flags="-O2 -DNDEBUG -ffunction-sections -fdata-sections -ffile-prefix-map=$work=."
  rm -rf "$work"
  mkdir -p "$work/source" && { ! is_root || chown -R nobody "$work"; } &&
    unpack "$archive" | "${rights[@]}" tar -xf - -C "$work/source" --strip-components=1 --no-same-owner &&
    "${rights[@]}" cmake -S "$work/source/${SUBFOLDER:-}" -B "$work/build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS_RELEASE="$flags" -DCMAKE_C_FLAGS_RELEASE="$flags" -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_UNITY_BUILD=ON -DCMAKE_INSTALL_PREFIX="$work/installed" -DCMAKE_INSTALL_LIBDIR=lib "$@" &&
    "${rights[@]}" cmake --build "$work/build" -j "$(nproc)" &&
    "${rights[@]}" cmake --install "$work/build" &&
    cp -R --no-dereference "$work/installed/." "${INTO:-$PREFIX}/" &&
    install_licence "$work/source" "${INTO:-$PREFIX}/share/doc/$name/LICENSE" &&
    rm -rf "$work"
}

get_source() {  # NAME VERSION SHA256 CMAKE-OPTION…
  local name=$1 version=$2 sha256=$3
  shift 3
  local stamp=${INTO:+portable-$(basename "$INTO")-}$name
  ! is_done "$stamp" "$sha256" || return 0
  if ! source_is_good "$name" "$version" "$sha256"; then
    if ! have apt-get || ! step "getting the source of $name $version" "$PREFIX/log/$name-source.log" \
      fetch_source "$name" "$version" "$sha256"; then
      say "going on without: CMake will try to download $name $version"
      return 0
    fi
  fi
  step "building $name $version" "$PREFIX/log/$name-build.log" build_source "$name" "$version" "$@" ||
    die "$name $version did not build" "Its source: $(source_archive "$name" "$version")"
  mark_done "$stamp" "$sha256"
}
