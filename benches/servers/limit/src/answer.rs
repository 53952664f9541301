//! One message in, its answer out: two parses of what is needed, no more.

use std::borrow::Cow;
use std::io::Write as _;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: &'a str,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Call<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct Echo<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Read<'a> {
    uri: &'a str,
}

const LIST: &str = concat!(
    r#"{"tools":[{"name":"add","description":"Add two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"integer","description":"First addend"},"b":{"type":"integer","description":"Second addend"}},"required":["a","b"]}},"#,
    r#"{"name":"echo","description":"Say it again.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"What to say"}},"required":["text"]}},"#,
    include_str!(concat!(env!("OUT_DIR"), "/tools.json")),
    "]}"
);

const INITIALIZED: &str =
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"limit","version":"0.0.0"}}"#;

/// Appends the answer, if there is one.
pub fn answer(message: &[u8], out: &mut Vec<u8>) -> serde_json::Result<()> {
    let request: Request<'_> = serde_json::from_slice(message)?;
    let Some(id) = request.id else { return Ok(()) };
    let params = request.params.map_or("{}", RawValue::get);
    // The notifications come before the answer.
    if request.method == "resources/read" {
        count(serde_json::from_str::<Read<'_>>(params)?.uri, out)?;
    }
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.get().as_bytes());
    out.extend_from_slice(br#","result":"#);
    match request.method {
        "tools/call" => call(&serde_json::from_str(params)?, out)?,
        "tools/list" => out.extend_from_slice(LIST.as_bytes()),
        "initialize" => out.extend_from_slice(INITIALIZED.as_bytes()),
        "resources/read" => {
            let uri = serde_json::from_str::<Read<'_>>(params)?.uri;
            let to = uri.trim_start_matches("count://");
            _ = write!(out, r#"{{"contents":[{{"uri":"{uri}","text":"counted to {to}"}}]}}"#);
        }
        _ => out.extend_from_slice(b"{}"),
    }
    out.extend_from_slice(b"}\n");
    Ok(())
}

fn call(call: &Call<'_>, out: &mut Vec<u8>) -> serde_json::Result<()> {
    out.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    match call.name {
        "add" => {
            let Add { a, b } = serde_json::from_str(call.arguments.get())?;
            _ = write!(out, "\"{}\"", a + b);
        }
        _ => serde_json::to_writer(&mut *out, &serde_json::from_str::<Echo<'_>>(call.arguments.get())?.text)?,
    }
    out.extend_from_slice(b"}]}");
    Ok(())
}

/// The progress notifications, for the token that the clients of these benchmarks use.
fn count(uri: &str, out: &mut Vec<u8>) -> serde_json::Result<()> {
    let to: u32 = serde_json::from_str(uri.trim_start_matches("count://"))?;
    for step in 1..=to {
        _ = writeln!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":1,"progress":{step},"total":{to}}}}}"#
        );
    }
    Ok(())
}
