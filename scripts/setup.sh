#!/usr/bin/env bash
# usage: setup.sh [--demo]
# Installs what building and testing need; with --demo all but the free-threaded Python and the
# Rust test runner.
# Safe to run again: each step looks at what is there and does nothing when that is enough.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT/scripts" || exit
./setup-system.sh
python="$(./setup-python.sh)"
./setup-venv.sh .venv "$python" "$PWD"/requirements-{build,test,lint}.txt
if [ "${1:-}" = --demo ]; then
    ./setup-rust.sh
    exit
fi
./setup-rust.sh --test
python_ft="$(./setup-python-ft.sh)"
./setup-venv.sh .venv-ft "$python_ft" "$PWD/requirements-test.txt"
