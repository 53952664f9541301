#!/usr/bin/env bash
# Installs the pinned clients and the conformance suite into .scratch/interop. Does nothing when they are there.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

need() { # need COMMAND PACKAGE: asks apt for what a clean machine lacks.
    command -v "$1" >/dev/null && return
    apt-get update -q && apt-get install -qy "$2"
}

mkdir -p "$SCRATCH"
stamp=$(cat "$INTEROP/package.json" "$INTEROP/requirements.txt" "$INTEROP/setup.sh" | sha256sum)
if [ "$(cat "$SCRATCH/stamp" 2>/dev/null)" = "$stamp" ]; then
    exit 0
fi
rm -f "$SCRATCH/stamp"

need npm npm
need python3 python3
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    apt-get update -q && apt-get install -qy python3-venv
fi

# Install scripts are off: the only one we want is the one that fetches Node's binary.
cp "$INTEROP/package.json" "$SCRATCH/"
(
    cd "$SCRATCH"
    npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error
    if [ ! -x "$NODE" ]; then
        (cd node_modules/node && node installArchSpecificPackage.js)
    fi
)
[ -x "$PYTHON" ] || python3 -m venv "$SCRATCH/venv"
"$PYTHON" -m pip install --quiet --disable-pip-version-check -r "$INTEROP/requirements.txt"

case $("$NODE" --version) in
v22.*) ;;
*) echo "setup.sh: node 22 was not installed" >&2 && exit 1 ;;
esac
printf '%s\n' "$stamp" >"$SCRATCH/stamp"
