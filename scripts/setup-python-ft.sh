#!/usr/bin/env bash
# Finds or builds a free-threaded CPython 3.14 and prints the path of its interpreter.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VERSION=3.14.7
SOURCE_PATH="pool/main/p/python3.14/python3.14_$VERSION.orig.tar.xz"
SOURCE_SHA256=3b48dac8fb59f62eaa67ac83c1eb12bda1b7a08406dd286e252c11a66be27f81
PREFIX="$DEV_CACHE/python-$VERSION-freethreaded"

is_free_threaded() {
    "$1" -c 'import sys, sysconfig
sys.exit(not (sys.version_info[:2] == (3, 14) and sysconfig.get_config_var("Py_GIL_DISABLED") == 1))' \
        >/dev/null 2>&1
}

from_path() {
    have python3.14t && is_free_threaded python3.14t && command -v python3.14t
}

from_uv() {
    have uv || return 1
    uv python find 3.14t 2>/dev/null && return
    say "asking uv for 3.14t" >&2
    uv python install 3.14t >&2 && uv python find 3.14t
}

# The mirror is whichever Debian one apt already uses, so that proxies and local mirrors keep working.
debian_mirror() {
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' "$file"
    done | grep -E '/debian/?$' | head -n 1
}

debian_mirror_one_line() {
    [ -f /etc/apt/sources.list ] || return 1
    sed -n 's/^deb[[:space:]]\{1,\}\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\).*/\2/p' /etc/apt/sources.list |
        grep -E '/debian/?$' | head -n 1
}

download() {
    local mirror
    mirror="$(debian_mirror || debian_mirror_one_line)" || return 1
    /usr/lib/apt/apt-helper download-file "${mirror%/}/$SOURCE_PATH" "$1" "SHA256:$SOURCE_SHA256" >&2
}

unpack() {
    mkdir "$2" && tar -xJf "$1" -C "$2" --strip-components=1
}

# Every step reports its own failure: the shell does not stop inside a function whose result is tested.
build() (
    work="$(mktemp -d)" || exit 1
    trap 'rm -rf "$work"' EXIT
    say "building CPython $VERSION without the GIL (a few minutes, once)" >&2
    download "$work/python.tar.xz" || exit 1
    unpack "$work/python.tar.xz" "$work/source" && cd "$work/source" || exit 1
    # The prefix appears only when complete, so an interrupted build is not mistaken for an interpreter.
    quietly ./configure --prefix="$PREFIX" --disable-gil --disable-test-modules --with-ensurepip=install
    quietly make -j"$(nproc)"
    quietly make install DESTDIR="$work/root"
    mkdir -p "$DEV_CACHE" && rm -rf "$PREFIX" && mv "$work/root$PREFIX" "$PREFIX"
)

from_source() {
    local python="$PREFIX/bin/python3.14t"
    is_free_threaded "$python" || build || return 1
    printf '%s\n' "$python"
}

PYTHON="$(from_path || from_uv || from_source)" || die "no free-threaded CPython 3.14 could be found, installed or built.
Put a python3.14t on PATH (python.org, deadsnakes, pyenv install 3.14t, or uv python install 3.14t) and run this again."
is_free_threaded "$PYTHON" || die "$PYTHON is not a free-threaded CPython 3.14"
printf '%s\n' "$PYTHON"
