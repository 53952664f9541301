#!/usr/bin/env bash
# A project made from the template, for each transport: builds, passes its own tests and lints, is healthy, and the
# Inspector can use it.
#
#     template.sh CARGO_GENERATE [stdio] [http] [both]     all three unless said
set -uo pipefail
# shellcheck source=interop/common.sh
source "$(dirname "$0")/interop/common.sh"

GENERATE=$1
shift
[ $# -gt 0 ] || set -- stdio http both
# Outside of the repository: inside, it would be taken for a member of the workspace.
PROJECTS=$(mktemp -d)
trap 'rm -rf "$PROJECTS"' EXIT

# check NAME COMMAND...: counts as one; the output of a failed one is shown.
check() {
    local name=$1
    shift
    if "$@" >"$PROJECTS/log" 2>&1; then
        ok "$name"
    else
        bad "$name"
        tail -n 60 "$PROJECTS/log"
        return 1
    fi
}

# has PATTERN COMMAND...: what the command prints has the pattern.
has() {
    local pattern=$1
    shift
    "$@" | tee /dev/stderr | grep -qE -- "$pattern"
}

# found RULE COMMAND...: the command fails, because `doctor` has found something against the rule.
found() {
    local rule=$1
    shift
    ! "$@" >"$PROJECTS/found" 2>&1 && grep -qF "[$rule]" "$PROJECTS/found"
}

# inspect PATTERN ARGUMENT...: what the Inspector prints has the pattern.
inspect() {
    local pattern=$1
    shift
    HOME=$SCRATCH has "$pattern" timeout 60 "$NODE" \
        "$SCRATCH/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" --cli --format json "$@"
}

# container TRANSPORTS NAME: what the Dockerfile builds runs in its image: alone, as nobody, with neither devices nor libraries.
container() {
    local transports=$1 name=$2 target build image=$PROJECTS/image messages
    target=$(uname -m)-unknown-linux-musl
    if [ "$(id -u)" -ne 0 ] || ! timeout 300 rustup target add "$target" >"$PROJECTS/log" 2>&1; then
        echo "note    Rust's library for $target cannot be installed here: the Dockerfile was not tried"
        return
    fi
    build=$(sed -n 's/^ *\(cargo build.*\) && cp target.*/\1/p' Dockerfile)
    check "template $transports: the Dockerfile's command builds" bash -c "${build:-false} --target $target" || return
    install -D -m 755 "$TARGET/../$target/release/$name" "$image/server"
    chmod 755 "$image"
    check "template $transports: the image needs no library" bash -c "! ldd '$image/server' | grep -F '=>'"
    check "template $transports: the image calls a tool" has note://1 \
        env -i "$(command -v chroot)" --userspec=65534:65534 "$image" /server call add_note "text=Buy milk"
    messages='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
    check "template $transports: the image speaks the protocol" has "\"name\":\"$name\"" \
        env -i "$(command -v chroot)" --userspec=65534:65534 "$image" /server <<<"$messages"
}

# refused NAME REASON: no project of that name is generated, and the reason is said.
refused() {
    local name=$1 reason=$2
    ! "$GENERATE" generate --path "$ROOT/template" --name "$name" --destination "$PROJECTS" --vcs none --silent \
        --define transports=stdio --define description="Keeps notes" --define runtime_path="" >"$PROJECTS/refused" 2>&1 &&
        grep -qF "$reason: choose another name" "$PROJECTS/refused" && [ ! -e "$PROJECTS/$name/Cargo.toml" ]
}

# project TRANSPORTS
project() {
    local transports=$1 name=hello-$1 folder=$PROJECTS/hello-$1 server=$TARGET/hello-$1
    check "template $transports: is generated" "$GENERATE" generate --path "$ROOT/template" --name "$name" \
        --destination "$PROJECTS" --vcs none --silent --define transports="$transports" \
        --define runtime_path="$ROOT/mcp-runtime" --define description="Keeps notes" || return
    check "template $transports: nothing is left to fill in" bash -c "! grep -rnE '\{\{|\{%' '$folder'"
    check "template $transports: panics unwind in every profile" bash -c "! grep -nE '^[[:space:]]*panic[[:space:]]*=' '$folder/Cargo.toml'"
    check "template $transports: client files are JSON" "$PYTHON" -m json.tool "$folder/.mcp.json"
    check "template $transports: client files are JSON" "$PYTHON" -m json.tool "$folder/.vscode/mcp.json"
    cd "$folder" || return
    check "template $transports: format" cargo fmt --check
    check "template $transports: clippy" cargo clippy --all-targets -- -D warnings
    check "template $transports: tests" cargo test
    check "template $transports: builds" cargo build || return
    check "template $transports: is healthy" "$server" doctor --strict
    check "template $transports: a tool is called" has note://1 "$server" call add_note "text=Buy milk"
    if [ "$transports" = stdio ]; then
        check "template $transports: panics that end the server are found" \
            found D501 cargo run -q --config 'profile.dev.panic="abort"' -- doctor
    fi
    if [ "$transports" != http ]; then
        check "template $transports: the Inspector calls a tool" inspect note://1 --tool-arg "text=Buy milk" \
            --method tools/call --tool-name add_note "$server"
        check "template $transports: every schema is portable" inspect inputSchema --method tools/list --strict "$server"
    fi
    if [ "$transports" != stdio ]; then
        check "template $transports: it wants a key before other machines reach it" \
            found D502 env -u MCP_STATE_KEY "$server" doctor --http 0.0.0.0:8000
        check "template $transports: with a key it is healthy there, too" \
            env MCP_STATE_KEY="$(printf '%064d' 0)" "$server" doctor --strict --http 0.0.0.0:8000
        start_server "$name" || return
        check "template $transports: the Inspector calls a tool over HTTP" inspect note://1 --tool-arg "text=Buy milk" \
            --method tools/call --tool-name add_note "$URL"
        kill "$SERVER"
        wait "$SERVER" 2>/dev/null
        trap - EXIT
    fi
    if [ "$transports" = both ]; then container "$transports" "$name"; fi
    cd "$ROOT" || return
}

check "template: a keyword is no name" refused box "\`box\` is a keyword of Rust"
check "template: a name of its dependencies is none" refused tokio "\`tokio\` is a crate that the server needs"
check "template: a name begins with a letter" refused 9lives "the name of a crate begins with a letter"
for transports; do project "$transports"; done
rm -rf "$PROJECTS"
finish
