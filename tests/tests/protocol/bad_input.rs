//! Everything that is no good message: answered with the right code, with the id whenever it can be read; then life goes on.

use mcp_tests::{Link, Process, Revision, Session};
use serde_json::{Value, json};

use super::{FIXTURE, open, start};

/// A line, and the code and id of its answer; `None` where nothing is answered.
type Case = (String, Option<(i64, Option<Value>)>);

fn cases() -> Vec<Case> {
    let answered = |line: &str, code: i64, id: Option<Value>| (line.to_owned(), Some((code, id)));
    let silent = |line: &str| (line.to_owned(), None);
    vec![
        answered("not json", -32700, None),
        answered("{", -32700, None),
        answered("}", -32700, None),
        answered("\"", -32700, None),
        answered("\u{0}", -32700, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} trailing", -32700, Some(json!(1))),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
            -32700,
            Some(json!(1)),
        ),
        answered("{'jsonrpc':'2.0','id':1}", -32700, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}", -32700, Some(json!(1))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\u{1}\"}", -32700, Some(json!(1))),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":NaN}}",
            -32700,
            Some(json!(1)),
        ),
        answered("17", -32600, None),
        answered("null", -32600, None),
        answered("true", -32600, None),
        answered("\"ping\"", -32600, None),
        answered("{}", -32600, None),
        answered("[]", -32600, None),
        answered("{\"id\":99,\"method\":\"ping\"}", -32600, Some(json!(99))),
        answered("{\"jsonrpc\":\"1.0\",\"id\":99,\"method\":\"ping\"}", -32600, Some(json!(99))),
        answered("{\"jsonrpc\":2.0,\"id\":99,\"method\":\"ping\"}", -32600, Some(json!(99))),
        answered("{\"jsonrpc\":null,\"id\":\"x\",\"method\":\"ping\"}", -32600, Some(json!("x"))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}", -32600, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":null}", -32600, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":[\"ping\"]}", -32600, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":18446744073709551616,\"method\":\"ping\"}", -32600, None),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":8,\"method\":\"ping\"}", -32600, Some(json!(7))),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"method\":\"tools/list\"}",
            -32600,
            Some(json!(7)),
        ),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{},\"params\":{}}",
            -32600,
            Some(json!(7)),
        ),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
            -32600,
            Some(json!(7)),
        ),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"result\":{}}", -32600, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":[1,2]}", -32602, Some(json!(7))),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":\"x\"}", -32602, Some(json!(7))),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":{\"_meta\":[1]}}",
            -32602,
            Some(json!(7)),
        ),
        answered(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"name\":\"add\"}}",
            -32602,
            Some(json!(7)),
        ),
        answered("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"unknown\\u0000/x\"}", -32601, Some(json!(7))),
        silent(""),
        silent("   "),
        silent("\t \t"),
        silent("\r"),
        silent("{\"jsonrpc\":\"2.0\",\"method\":\"unknown\"}"),
        silent("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":[1]}"),
        silent("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":null}"),
    ]
}

#[test]
fn each_bad_line_gets_its_answer_and_the_next_message_is_served() {
    for link in Link::ALL {
        for is_initialized in [false, true] {
            let mut process = Process::start(FIXTURE, link, &[]);
            if is_initialized {
                process = {
                    let mut session = Session::over(process, Revision::V2025_11_25);
                    session.initialize();
                    session.process
                };
            }
            for (line, expected) in cases() {
                if !is_initialized && line.contains("\"id\":7") && line.contains("params") {
                    continue; // What is wrong with it then is that nothing has begun.
                }
                process.line(&line);
                if let Some((code, id)) = expected {
                    if code == -32601 && !is_initialized {
                        process.receive();
                    } else {
                        let answer = process.receive();
                        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
                        assert_eq!(answer.get("id"), id.as_ref(), "{line}: {answer}");
                        assert!(
                            answer["error"]["message"].as_str().is_some_and(|message| !message.is_empty()),
                            "{answer}"
                        );
                        assert_eq!(answer["jsonrpc"], "2.0");
                    }
                }
                process.line("{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}");
                assert_eq!(process.receive(), json!({"jsonrpc": "2.0", "id": "after", "result": {}}), "after {line:?}");
            }
            assert!(process.rest().is_empty());
            assert!(process.ended().0.success());
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_a_parse_error() {
    let mut process = start(&[]);
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xc3ng\"}\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xed\xa0\x80\"}\n",
        b"\x1f\x8b\x08\x00\n",
        b"\x00\x00\x00\n",
    ] {
        process.write(bytes);
        assert_eq!(process.receive()["error"]["code"], -32700, "{bytes:?}");
        process.line("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        assert_eq!(process.receive()["result"], json!({}));
    }
}

#[test]
fn byte_order_marks_and_windows_line_ends_are_taken_away() {
    let mut process = start(&[]);
    process.write("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\r\n\u{feff}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\r\n");
    for id in [1, 2] {
        assert_eq!(process.receive(), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
}

#[test]
fn a_message_may_come_byte_by_byte_and_many_at_once() {
    for link in Link::ALL {
        let mut process = Process::start(FIXTURE, link, &[]);
        for byte in b"{\"jsonrpc\":\"2.0\",\"id\":\"\xc3\xa9\",\"method\":\"ping\"}\n" {
            process.write([*byte]);
        }
        assert_eq!(process.receive()["id"], "é");
        process.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",");
        process.write("\"id\":3,\"method\":\"ping\"}\n");
        for id in [1, 2, 3] {
            assert_eq!(process.receive()["id"], id);
        }
    }
}

#[test]
fn deep_nesting_breaks_no_stack() {
    let mut session = open(Revision::V2025_11_25);
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for value in [
        deep("[", "]"),
        deep("{\"a\":", "1}").replace("1}1}", "1}}"),
        "[".repeat(100_000),
        deep("[{\"a\":", "1}]").replace("1}]1}]", "1}]}]"),
    ] {
        for line in [
            value.clone(),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":{value}}}}}}}"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"query\",\"arguments\":{{\"text\":\"a\",\"within\":{value}}}}}}}"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"about_me\",\"_meta\":{{\"x\":{value}}}}}}}"
            ),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{{\"capabilities\":{{\"x\":{value}}}}}}}"
            ),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{value},\"method\":\"ping\"}}"),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"extra\":{value}}}"),
        ] {
            session.process.line(&line);
            let answer = session.process.receive();
            assert!(answer.get("error").is_some() || answer.get("result").is_some(), "{answer}");
        }
    }
    assert_eq!(session.text("add", json!({"a": 1, "b": 1})), "2");
}

#[test]
fn very_many_members_cost_linear_time() {
    let mut session = open(Revision::V2025_11_25);
    let members: Vec<String> = (0..100_000).map(|number| format!("\"member{number}\":{number}")).collect();
    let members = members.join(",");
    let before = session.process.processor_ticks();
    for line in [
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{{{members}}}}}"),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",{members}}}"),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"a\",{members}}}}}}}"
        ),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"query\",\"arguments\":{{\"text\":5,{members}}}}}}}"
        ),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"fixed\",\"_meta\":{{{members}}}}}}}"
        ),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{{\"name\":\"review\",\"arguments\":{{\"code\":\"a\",{members}}}}}}}"
        ),
    ] {
        session.process.line(&line);
        assert_eq!(session.process.receive()["id"], 1);
    }
    // Its own time, whatever else the machine does: a second or so. What is quadratic takes minutes.
    let ticks = session.process.processor_ticks() - before;
    assert!(ticks < 1000, "{ticks} ticks of 10 ms");
}
