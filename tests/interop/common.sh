# Sourced by the other scripts: where things are, counting, and a server on a port of its own.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
INTEROP=$ROOT/tests/interop
SCRATCH=$ROOT/.scratch/interop
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}/debug
NODE=$SCRATCH/node_modules/node/bin/node
PYTHON=$SCRATCH/venv/bin/python
export ROOT INTEROP SCRATCH TARGET NODE PYTHON

# The Inspector keeps a catalog and secrets in the home directory: here they are ours.
export MCP_CATALOG_PATH=$SCRATCH/catalog.json MCP_CLIENT_CONFIG_PATH=$SCRATCH/client.json

PASSED=0
FAILED=0

# ok/bad: one line per check, and the count.
ok() {
    PASSED=$((PASSED + 1))
    printf 'ok      %s\n' "$*"
}
bad() {
    FAILED=$((FAILED + 1))
    printf 'FAILED  %s\n' "$*"
}

# The last line of each script, which `.ci/run` adds up.
finish() {
    printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
    [ "$FAILED" -eq 0 ]
}

free_port() {
    "$PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_server NAME: runs the example over HTTP, waits until it listens; sets URL. Ends with the script.
start_server() {
    local name=$1 port waited=0
    port=$(free_port)
    "$TARGET/$name" --http "127.0.0.1:$port" >"$SCRATCH/$name.log" 2>&1 &
    SERVER=$!
    trap 'kill "$SERVER" 2>/dev/null; wait "$SERVER" 2>/dev/null' EXIT
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
        waited=$((waited + 1))
        if ! kill -0 "$SERVER" 2>/dev/null || [ "$waited" -gt 300 ]; then
            bad "$name does not listen on port $port"
            cat "$SCRATCH/$name.log"
            return 1
        fi
        sleep 0.1
    done
    URL=http://localhost:$port/mcp
}
