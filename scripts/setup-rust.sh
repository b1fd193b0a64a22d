#!/usr/bin/env bash
# Installs Rust with rustup when cargo is missing; with --test also cargo-nextest.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_cargo_home

# rust-version of the workspace, the oldest compiler that builds it.
OLDEST="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml")"

install_rust() {
    say "installing Rust with rustup"
    local script
    script="$(mktemp)"
    curl --proto '=https' --tlsv1.2 -fsSL https://sh.rustup.rs -o "$script" || die "rustup cannot be downloaded"
    sh "$script" -y --profile minimal --component clippy --component rustfmt --no-modify-path
    rm -f "$script"
}

check_rust() {
    local version
    version="$(rustc --version | cut -d' ' -f2)"
    printf '%s\n%s\n' "$OLDEST" "$version" | sort --version-sort --check=quiet ||
        die "Rust $version is older than $OLDEST; run: rustup update stable"
}

install_nextest() {
    say "installing cargo-nextest"
    if have cargo-binstall && cargo binstall --no-confirm cargo-nextest; then
        return
    fi
    cargo install cargo-nextest --locked
}

have cargo || install_rust
check_rust
if [ "${1:-}" = --test ] && ! have cargo-nextest; then
    install_nextest
fi
