#!/usr/bin/env bash
# Prints the path of a CPython 3.11 or newer with a GIL; PYTHON=… overrides the choice.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

suitable() {
    "$1" -c 'import ensurepip, sys, sysconfig, venv
sys.exit(not (sys.version_info >= (3, 11) and sysconfig.get_config_var("Py_GIL_DISABLED") != 1))' \
        >/dev/null 2>&1
}

# The oldest supported version first: what works there works on the newer ones.
for candidate in ${PYTHON:-python3.11 python3 python3.12 python3.13 python3.14}; do
    if suitable "$candidate"; then
        "$candidate" -c 'import sys; print(sys.executable)'
        exit
    fi
done
die "no CPython 3.11 or newer (with ensurepip and venv) was found; set PYTHON to one"
