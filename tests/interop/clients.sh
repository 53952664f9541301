#!/usr/bin/env bash
# The official Python and TypeScript clients against the examples, in both eras.
#
#     clients.sh [stdio] [http]     both unless said
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# against TARGET...: both clients; their counts become ours.
against() {
    local client out passed failed
    for client in "$PYTHON $INTEROP/python_client.py" "$NODE $INTEROP/ts_client.mjs"; do
        # shellcheck disable=SC2086 # two words
        out=$(timeout 900 $client "$@" 2>"$SCRATCH/client.err")
        printf '%s\n' "$out" | sed '$d'
        if [[ ${out##*$'\n'} =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
            passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
            PASSED=$((PASSED + passed))
            FAILED=$((FAILED + failed))
        else
            bad "$client did not finish: ${out##*$'\n'}"
            tail -n 20 "$SCRATCH/client.err"
        fi
    done
}

over_stdio() { against "$TARGET/quickstart" "$TARGET/everything"; }
over_http() { start_server everything && against "$URL"; }

[ $# -gt 0 ] || set -- stdio http
for transport; do "over_$transport"; done
finish
