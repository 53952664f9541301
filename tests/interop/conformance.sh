#!/usr/bin/env bash
# The official conformance suite against examples/everything over HTTP: what both revisions with a requirement set demand,
# the scenarios that the suite itself does not score, and the older revisions. No expected failures.
#
#     conformance.sh [SCENARIO]     one scenario with all its output, at the revision in SPEC_VERSION
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# Scenarios that wait for an issue of their own. Shown, not counted.
WAITING='^(tasks-|sep-2640-)'

SUITE=("$NODE" "$SCRATCH/node_modules/@modelcontextprotocol/conformance/dist/index.js")

# scored REVISION: the names of the server scenarios that it requires.
scored() {
    "${SUITE[@]}" list --requirements "$1" |
        awk '/^Server scenarios/ { on = 1; next } /^[A-Z]/ { on = 0 } on && /^ *- / { print $2 }'
}

# run LABEL SCENARIO... -- OPTION...: runs the suite with the options and judges what it leaves behind.
run() {
    local label=$1 required=() tally out
    shift
    while [ "$1" != -- ]; do
        required+=("$1")
        shift
    done
    shift
    out=$SCRATCH/conformance-${label// /-}
    rm -rf "$out" && mkdir -p "$out"
    "${SUITE[@]}" server --url "$URL" --output-dir "$out" "$@" >"$out.log" 2>&1
    if ! tally=$("$NODE" "$INTEROP/judge.mjs" "$label" "$out" "$WAITING" "${required[@]}"); then
        tail -n 20 "$out.log"
        bad "$label: no results"
        return
    fi
    printf '%s\n' "$tally" | sed '$d'
    read -r passed _ failed _ < <(printf '%s\n' "$tally" | tail -n 1)
    PASSED=$((PASSED + passed))
    FAILED=$((FAILED + failed))
}

start_server everything || {
    finish
    exit 1
}

if [ $# -gt 0 ]; then
    "${SUITE[@]}" server --url "$URL" --scenario "$1" ${SPEC_VERSION:+--spec-version "$SPEC_VERSION"} --verbose
    exit
fi

# The unscored scenarios run with their revision; naming them makes them required.
mapfile -t legacy < <(scored 2025-11-25)
mapfile -t modern < <(scored 2026-07-28)
[ "${#legacy[@]}" -eq 30 ] || bad "2025-11-25 requires ${#legacy[@]} server scenarios, not 30"
[ "${#modern[@]}" -eq 37 ] || bad "2026-07-28 requires ${#modern[@]} server scenarios, not 37"

run 2025-11-25 "${legacy[@]}" json-schema-2020-12 server-sse-polling server-session-lifecycle -- \
    --requirements 2025-11-25
run 2026-07-28 "${modern[@]}" json-schema-2020-12 http-header-validation http-custom-header-server-validation -- \
    --requirements 2026-07-28
run 2025-06-18 server-initialize tools-list -- --spec-version 2025-06-18 --suite all
run 2025-03-26 server-session-lifecycle -- --spec-version 2025-03-26 --suite all

kill -0 "$SERVER" 2>/dev/null || bad "the server did not survive the suite"
finish
