#!/usr/bin/env bash
# The Inspector's CLI, in both eras, over stdio and HTTP. Its `--strict` finds schemas that some client would refuse.
#
#     inspector.sh [stdio] [http]     both unless said
set -uo pipefail
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

CLI=("$NODE" "$SCRATCH/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" --cli)
export HOME=$SCRATCH

# expect NAME PATTERN -- ARGUMENT...: the call succeeds and what it prints, on one line, has the pattern.
expect() {
    local name=$1 pattern=$2 out code
    shift 3
    out=$(timeout 60 "${CLI[@]}" --format json "$@" 2>"$SCRATCH/inspector.err")
    code=$?
    if [ "$code" -eq 0 ] && printf '%s' "$out" | grep -qE -- "$pattern"; then
        ok "inspector $name"
    else
        bad "inspector $name: exit code $code, no $pattern in: ${out:0:400}"
        tail -n 20 "$SCRATCH/inspector.err"
    fi
}

# everywhere ERA TARGET LABEL: what every server has.
everywhere() {
    local with=(--protocol-era "$1") target=$2 label="$3 $1"
    local revision=2026-07-28
    [ "$1" = legacy ] && revision=2025-11-25
    expect "$label: the era is the one asked for" "\"protocolVersion\":\"$revision\"" -- "${with[@]}" --method initialize "$target"
    expect "$label: every schema is portable" '"inputSchema"' -- "${with[@]}" --method tools/list --strict "$target"
    expect "$label: templates are listed" '"uriTemplate"' -- "${with[@]}" --method resources/templates/list "$target"
    expect "$label: prompts are listed" '"prompts":\[\{' -- "${with[@]}" --method prompts/list "$target"
}

# fixture ERA TARGET LABEL: what the conformance fixture has.
fixture() {
    local with=(--protocol-era "$1") target=$2 label="$3 $1"
    expect "$label: a tool answers" 'simple text response' -- "${with[@]}" --method tools/call --tool-name test_simple_text "$target"
    expect "$label: resources are listed" 'test://static-text' -- "${with[@]}" --method resources/list "$target"
    expect "$label: a resource is read" 'a b' -- "${with[@]}" --method resources/read --uri 'test://template/a%20b/data' "$target"
    expect "$label: a prompt takes arguments" 'hello.*world' -- --prompt-args arg1=hello arg2=world \
        "${with[@]}" --method prompts/get --prompt-name test_prompt_with_arguments "$target"
}

over_stdio() {
    local era
    for era in legacy modern; do
        everywhere "$era" "$TARGET/quickstart" "stdio quickstart"
        expect "stdio quickstart $era: numbers are added" '42' -- --tool-arg a=12 b=30 --protocol-era "$era" \
            --method tools/call --tool-name add_numbers "$TARGET/quickstart"
        everywhere "$era" "$TARGET/everything" "stdio everything"
        fixture "$era" "$TARGET/everything" "stdio everything"
    done
}

over_http() {
    local era
    start_server everything || return
    for era in legacy modern auto; do
        everywhere "$era" "$URL" "http everything"
    done
    fixture legacy "$URL" "http everything"
    fixture modern "$URL" "http everything"
    expect "http everything: the log level is set" '"result"' -- --protocol-era legacy \
        --method logging/setLevel --log-level debug "$URL"
}

[ $# -gt 0 ] || set -- stdio http
for transport; do "over_$transport"; done
finish
