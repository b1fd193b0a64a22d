#!/usr/bin/env bash
# Runs every suite, also after one has failed, and ends with the closing line of each.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_cargo_home
cd "$ROOT" || exit

LOGS="$(mktemp -d)"
failed=()
count=0

suite() {
    local name="$1"
    shift
    count=$((count + 1))
    say "$name"
    "$@" 2>&1 | tee "$LOGS/$count" || failed+=("$name")
}

# Cargo cannot link a test of the extension module: its Python symbols come from the interpreter.
RUST=(--workspace --exclude freeloom-python)
GIL=(.venv/bin/python -m pytest)
FREE_THREADED=(env FREELOOM_EXPECT_GIL=off .venv-ft/bin/python -m pytest)

suite "Rust tests" cargo nextest run "${RUST[@]}"
suite "Rust documentation examples" cargo test --doc "${RUST[@]}"
suite "Python, with the GIL" "${GIL[@]}"
suite "Python, free-threaded" "${FREE_THREADED[@]}"
suite "Python, free-threaded, each test in 4 threads" "${FREE_THREADED[@]}" --parallel-threads=4

say "closing lines"
sed 's/\x1b\[[0-9;]*m//g' "$LOGS"/* |
    grep -E '^ *Summary \[|^test result: .* [1-9][0-9]* passed|^test result: FAILED|^=+ .*(passed|failed|error|no tests ran).* =+$' || true
rm -rf "$LOGS"

if [ "${#failed[@]}" -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
