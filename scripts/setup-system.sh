#!/usr/bin/env bash
# Installs the system packages: compiler, LLVM with its static libraries, headers for building CPython.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PACKAGES=(
    ca-certificates curl xz-utils build-essential pkg-config
    "llvm-$LLVM_MAJOR-dev" "libpolly-$LLVM_MAJOR-dev"
    libz3-dev libzstd-dev zlib1g-dev libxml2-dev
    libssl-dev libffi-dev libbz2-dev liblzma-dev libsqlite3-dev
)

# A Python that manages its own venvs (pyenv, a custom build) needs none of Debian's packages.
if ! python3 -c 'import ensurepip, venv' >/dev/null 2>&1; then
    PACKAGES+=(python3-venv python3-dev)
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing() {
    local package
    for package in "${PACKAGES[@]}"; do
        installed "$package" || printf '%s\n' "$package"
    done
}

has_candidate() {
    local policy
    policy="$(LC_ALL=C apt-cache policy "$1")"
    [[ "$policy" == *"Candidate: "* && "$policy" != *"Candidate: (none)"* ]]
}

add_llvm_repository() {
    local codename key=/etc/apt/keyrings/apt.llvm.org.asc
    codename="$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")"
    [ -n "$codename" ] || die "cannot tell this distribution's codename; install llvm-$LLVM_MAJOR-dev by hand"
    say "this distribution has no llvm-$LLVM_MAJOR-dev: adding the LLVM project's repository (apt.llvm.org)"
    as_root apt-get install -y --no-install-recommends ca-certificates curl
    as_root install -d -m 0755 /etc/apt/keyrings
    as_root curl -fsSL https://apt.llvm.org/llvm-snapshot.gpg.key -o "$key" ||
        die "apt.llvm.org cannot be reached; install llvm-$LLVM_MAJOR-dev and libpolly-$LLVM_MAJOR-dev by hand"
    printf 'deb [signed-by=%s] https://apt.llvm.org/%s/ llvm-toolchain-%s-%s main\n' \
        "$key" "$codename" "$codename" "$LLVM_MAJOR" |
        as_root tee "/etc/apt/sources.list.d/llvm-$LLVM_MAJOR.list" >/dev/null
    as_root apt-get update
}

main() {
    local wanted
    have apt-get || die "this script knows Debian and Ubuntu only; CONTRIBUTING.md lists what it installs"
    mapfile -t wanted < <(missing)
    if [ "${#wanted[@]}" -eq 0 ]; then
        return
    fi
    say "installing: ${wanted[*]}"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update
    has_candidate "llvm-$LLVM_MAJOR-dev" || add_llvm_repository
    as_root apt-get install -y --no-install-recommends "${wanted[@]}"
}

main
[ -x "$LLVM_PREFIX/bin/llvm-config" ] || die "LLVM $LLVM_MAJOR is not in $LLVM_PREFIX"
