# Shared by the scripts in this folder; source it, do not run it.
# shellcheck shell=bash disable=SC2034

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
DEV_CACHE="${FREELOOM_DEV_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/freeloom-dev}"
LLVM_MAJOR=22
LLVM_PREFIX="/usr/lib/llvm-$LLVM_MAJOR"

say() { printf '==> %s\n' "$*"; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        die "this step needs root: run it as root, install sudo, or do it by hand: $*"
    fi
}

# One hash over the contents of the given files.
hash_of() { cat -- "$@" | sha256sum | cut -d' ' -f1; }

# Runs a command quietly; its output is shown only when it fails.
quietly() {
    local log
    log="$(mktemp)"
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        die "failed: $*"
    fi
    rm -f "$log"
}

# A Rust just installed by rustup is not on PATH yet.
use_cargo_home() {
    local bin="${CARGO_HOME:-$HOME/.cargo}/bin"
    case ":$PATH:" in *":$bin:"*) ;; *) PATH="$bin:$PATH" ;; esac
    export PATH
}
