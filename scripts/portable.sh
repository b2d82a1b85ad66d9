# shellcheck shell=bash
# What scripts/setup --portable ARCH gets: zig's C++ compiler from PyPI, which carries glibc's symbol versions and a libc++ of its
# own, and every library gputop links, built from source with it. Sourced by scripts/setup after apt.sh, never run.
# Into PREFIX/portable/: zig (the compiler, in a virtual environment), ARCH/bin (its commands), ARCH (the libraries).

ZIG=0.17.0
ZIG_SHA256=(
  97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b
  d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3
)
GLIBC=2.17  # of RHEL 7, and what manylinux_2_17 means
YAML_CPP=(yaml-cpp 0.8.0+dfsg 32c85a5f36633a9005b20261b35fccb0d8ec69e9ef16c67de7d5d007944e3709)
ZSTD=(libzstd 1.5.7+dfsg 0c092ef267edce57ba7f3f2645c861f72eaf5e76273c6c3632869423464b90a5)
HEADERS=(libboost-dev libcli11-dev nlohmann-json3-dev)
TSM=(libtsm-dev libtsm4)  # the latter for its licence

install_zig() {
  rm -rf "$PREFIX/portable/zig"
  python3 -m venv "$PREFIX/portable/zig" &&
    printf 'ziglang==%s %s\n' "$ZIG" "${ZIG_SHA256[*]/#/--hash=sha256:}" >"$PREFIX/portable/zig/requirements.txt" &&
    "$PREFIX/portable/zig/bin/pip" install --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
      -r "$PREFIX/portable/zig/requirements.txt"
}

# The commands that CMake calls. Named so that ccache knows how to speak to them.
write_commands() {  # ARCH
  local bin=$PREFIX/portable/$1/bin zig command
  zig=$(find "$PREFIX"/portable/zig/lib*/python3*/site-packages/ziglang -maxdepth 1 -name zig | head -n 1)
  [ -x "$zig" ] || return
  mkdir -p "$bin"
  local target="-target $1-linux-gnu.$GLIBC"
  for command in "clang:cc $target" "clang++:c++ $target" ar:ar ranlib:ranlib; do
    cat >"$bin/zig-${command%%:*}" <<END
#!/bin/sh
# zig $ZIG
export ZIG_GLOBAL_CACHE_DIR="\${ZIG_GLOBAL_CACHE_DIR:-$PREFIX/portable/cache}"
exec "$zig" ${command#*:} "\$@"
END
    chmod 755 "$bin/zig-${command%%:*}"
  done
  cat >"$bin/zig-fold" <<END
#!/bin/sh
# zig-fold COMMAND…: links, then once more with the linker that zig used and --icf=safe, which zig does not pass on: identical
# functions are folded into one. Where that fails, what zig made stays.
said=\$(ZIG_VERBOSE_LINK=1 "\$@" 2>&1) || { printf '%s\n' "\$said" >&2; exit 1; }
line=\$(printf '%s\n' "\$said" | sed -n 's/^ld\.lld //p' | tail -n 1)
[ -z "\$line" ] || "$zig" ld.lld --icf=safe \$line 2>/dev/null || exec "\$@"
END
  chmod 755 "$bin/zig-fold"
}

get_headers() {  # ARCH: headers are the same everywhere; their CMake files are found where no architecture is named
  unpack_into "$PREFIX/portable/$1/libraries" "${HEADERS[@]}" &&
    { [ -e "$PREFIX/portable/$1/libraries/usr/lib/cmake" ] ||
      ln -s "$(uname -m)-linux-gnu/cmake" "$PREFIX/portable/$1/libraries/usr/lib/cmake"; }
}

# The one library that is not built here: mirrors do not carry its source. Debian's archive is plain C that asks glibc for
# nothing newer than 2.17, so it is linked as it is.
get_tsm() {  # ARCH
  local debian=amd64 folder=$APT/tsm package into=$PREFIX/portable/$1 name=foreign
  [ "$1" = x86_64 ] || debian=arm64
  mkdir -p "$APT/$name"
  printf 'deb [signed-by=%s] %s %s main\n' "$KEYRING" "$(private_update own >&2 && mirror)" trixie >"$APT/$name/sources.list"
  local options=(-o APT::Architecture="$debian" -o APT::Architectures="$debian")
  download_folder "$folder"
  private_apt "$name" apt-get "${options[@]}" update &&
    (cd "$folder" && private_apt "$name" apt-get "${options[@]}" download "${TSM[@]}") &&
    for package in "$folder"/*.deb; do new_enough "$package" && dpkg-deb -x "$package" "$folder/unpacked" || return; done &&
    install -D -m 644 "$folder"/unpacked/usr/lib/*/libtsm.a "$into/lib/libtsm.a" &&
    install -D -m 644 "$folder"/unpacked/usr/include/libtsm.h "$into/include/libtsm.h" &&
    install -D -m 644 "$folder"/unpacked/usr/share/doc/libtsm4/copyright "$into/share/doc/libtsm/LICENSE" &&
    install -D -m 644 "$folder"/unpacked/usr/lib/*/pkgconfig/libtsm.pc "$into/lib/pkgconfig/libtsm.pc"
}

get_portable() {  # ARCH
  local arch=$1 base=$PREFIX
  mkdir -p "$base/portable/$arch"
  if ! is_done zig "$ZIG"; then
    step "getting zig $ZIG from PyPI" "$base/log/zig.log" install_zig ||
      die "zig $ZIG could not be installed" "It needs python3 with venv (Debian: python3-venv) and PyPI."
    mark_done zig "$ZIG"
  fi
  write_commands "$arch" || die "zig is not where pip should have put it: remove $base/portable and run this again"
  if ! is_done "portable-$arch-headers" "${HEADERS[*]}"; then
    step "unpacking ${HEADERS[*]}" "$base/log/portable-headers.log" get_headers "$arch" || die "the headers could not be had"
    mark_done "portable-$arch-headers" "${HEADERS[*]}"
  fi
  if ! is_done "portable-$arch-tsm" "${TSM[*]}"; then
    step "unpacking ${TSM[*]} for $arch" "$base/log/portable-tsm.log" get_tsm "$arch" || die "libtsm could not be had"
    mark_done "portable-$arch-tsm" "${TSM[*]}"
  fi
  # shellcheck disable=SC2034  # of build_source()
  INTO=$base/portable/$arch TOOLCHAIN=$ROOT/cmake/Zig.cmake GPUTOP_PORTABLE=$base/portable/$arch
  export GPUTOP_PORTABLE
  SUBFOLDER=build/cmake get_source "${ZSTD[@]}" -DCMAKE_UNITY_BUILD=OFF -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_TESTS=OFF \
    -DZSTD_LEGACY_SUPPORT=OFF
  get_source "${YAML_CPP[@]}" -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF
  get_ftxui
  if $WITH_TESTS; then get_catch2; fi
}
