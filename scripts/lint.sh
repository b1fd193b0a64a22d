#!/usr/bin/env bash
# Runs every check, also after one has failed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_cargo_home
cd "$ROOT" || exit

failed=()

check() {
    local name="$1"
    shift
    say "$name"
    "$@" || failed+=("$name")
}

PYTHON=.venv/bin/python
check "Rust format" cargo fmt --all --check
check "Rust lints" cargo clippy --workspace --all-targets -- -D warnings
check "Python format" "$PYTHON" -m ruff format --check .
check "Python lints" "$PYTHON" -m ruff check .
check "Python types" "$PYTHON" -m mypy
check "stubs against the binary" "$PYTHON" -m mypy.stubtest freeloom
check "links" "$PYTHON" scripts/check_links.py
if have shellcheck; then
    check "shell scripts" shellcheck scripts/*.sh .ci/run
fi

if [ "${#failed[@]}" -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
