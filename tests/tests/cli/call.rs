//! `call`, `read` and `prompt`.

use std::fs;

use serde_json::{Value, json};

use super::program::{Folder, fed, program, run, run_as, run_in};

fn order(args: &[&str]) -> Value {
    let args: Vec<&str> = ["call", "order"].iter().chain(args).copied().collect();
    serde_json::from_str(&run(&args).ok()).unwrap()
}

#[test]
fn a_number_is_printed_as_it_is() {
    assert_eq!(run(&["call", "add", "a=12", "b=30"]).ok(), "42\n");
}

#[test]
fn the_schema_decides_what_a_value_is() {
    let came = order(&["text=12", "count=3", "flag=true", "tags=1", "tags=x", "size=Small", "anything=12"]);
    let expected = json!({"text": "12", "count": 3, "flag": true, "tags": ["1", "x"], "size": "Small", "anything": 12});
    assert_eq!(came, expected);
    assert_eq!(order(&["text=true"])["text"], "true");
    assert_eq!(order(&["text="])["text"], "");
    assert_eq!(order(&["text=a=b"])["text"], "a=b");
    assert_eq!(order(&["text=x", "tags=[\"a\",\"b\"]"])["tags"], json!(["a", "b"]));
}

#[test]
fn json_is_taken_after_colon_and_equals_as_one_object_and_from_standard_input() {
    assert_eq!(order(&["text:=\"x\"", "anything:={\"a\":[1]}"])["anything"], json!({"a": [1]}));
    assert_eq!(order(&["{\"text\": \"x\", \"count\": 7}"])["count"], 7);
    assert_eq!(fed(&["call", "add", "-"], "{\"a\": 1,\n \"b\": 2}").ok(), "3\n");
}

#[test]
fn structured_output_is_readable() {
    let out = run(&["call", "order", "text=x"]).ok();
    assert!(out.starts_with("{\n  \"") && out.ends_with("}\n"), "{out}");
    assert_eq!(out.matches("\"text\"").count(), 1, "the text block says the same once more: {out}");
    let names: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
    assert_eq!(names, ["text", "count", "flag", "tags", "size", "anything"], "in the order of the type");
}

#[test]
fn arguments_that_cannot_be_are_refused_before_the_call() {
    let error = run(&["call", "add", "a=1", "c=2"]).fails(1);
    assert!(error.contains("/c: unknown argument, there is `a`, `b`"), "{error}");
    let error = run(&["call", "add", "12"]).fails(1);
    assert!(error.contains("name=value"), "{error}");
    let error = run(&["call", "order", "text:=hello"]).fails(1);
    assert!(error.contains("text=hello"), "{error}");
    let error = fed(&["call", "add", "-"], "{").fails(1);
    assert!(error.contains("standard input is not JSON"), "{error}");
}

#[test]
fn everything_that_is_wrong_with_the_arguments_is_said_at_once() {
    let words = [
        "to={\"latitude\":1,\"longitude\":\"x\"}",
        "tmies=3",
        "pace=FAST",
        "weight=3",
        "stops:=[1",
        "colour=red",
        "now",
    ];
    let run = run(&[&["call", "send"], words.as_slice()].concat());
    assert_eq!(run.out, "");
    let error = run.fails(1);
    let said: Vec<&str> = error.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    for expected in [
        "/tmies: unknown argument, did you mean `times`?",
        "/stops: not JSON",
        "/colour: unknown argument, there is `",
        "`now` is not an argument",
        "/to/longitude: expected a number, got \"x\"",
        "/pace: expected a string that matches",
        "/weight: expected a number of at most 2.5, got 3",
    ] {
        assert!(said.iter().any(|line| line.starts_with(expected)), "{expected} is not in {error}");
    }
    assert_eq!(said.len(), 7, "one mistake, one line: {error}");
}

#[test]
fn everything_that_is_wrong_with_the_arguments_of_a_prompt_is_said_at_once() {
    let error = run(&["prompt", "review", "langauge=C", "x=1"]).fails(1);
    for expected in ["- /langauge: unknown argument, did you mean `language`?", "- /x: unknown", "- /code: missing"] {
        assert!(error.contains(expected), "{expected} is not in {error}");
    }
}

#[test]
fn what_the_server_refuses_is_said_in_its_words() {
    let run = run(&["call", "add", "a=one", "b=2"]);
    assert_eq!(run.out, "");
    assert!(run.fails(1).contains("/a: expected an integer, got \"one\""));
}

#[test]
fn a_tool_that_fails_fails_the_program() {
    let error = run(&["call", "fail"]).fails(1);
    assert!(error.contains("tool `fail` failed: the disk is full"), "{error}");
    let run = run(&["call", "fail", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap()["isError"], true);
    run.fails(1);
}

#[test]
fn an_unknown_tool_is_an_error_that_suggests() {
    assert!(run(&["call", "ordre"]).fails(1).contains("there is no tool `ordre`: did you mean `order`?"));
    assert!(run(&["prompt", "reviw"]).fails(1).contains("did you mean `review`?"));
    assert!(run(&["read", "note://nothing"]).fails(1).contains("not found"));
}

#[test]
fn images_are_saved_where_out_says_and_nothing_is_overwritten() {
    assert!(run(&["call", "draw"]).ok().contains("[image: image/png, 8 bytes; --out DIR saves it]"));
    let home = Folder::new();
    let draw = || run_in(&home, "", &["call", "draw", "--out", "pictures"], "").ok();
    assert!(draw().contains("draw.png"));
    assert!(draw().contains("draw-2.png"));
    assert_eq!(home.files("pictures"), ["draw-2.png", "draw.png"]);
    assert_eq!(fs::read(home.path("pictures/draw.png")).unwrap(), b"\x89PNG\r\n\x1a\n");
}

#[test]
fn a_resource_is_printed_or_saved() {
    assert_eq!(run(&["read", "note://1"]).ok(), "# Note 1\n");
    assert_eq!(run(&["read", "pic://pixel.png"]).bytes, b"\x89PNG\r\n\x1a\n", "bytes go to a pipe as they are");
    let home = Folder::new();
    run_in(&home, "", &["read", "pic://pixel.png", "--out", "."], "").ok();
    assert_eq!(fs::read(home.path("pixel.png")).unwrap().len(), 8);
}

#[test]
fn a_prompt_is_printed_message_by_message() {
    assert_eq!(run(&["prompt", "review", "code=x = 1"]).ok(), "Review this code:\nx = 1\n");
    assert_eq!(run(&["prompt", "review", "code=12", "language=C"]).ok(), "Review this C code:\n12\n");
    assert_eq!(run(&["prompt", "dialogue"]).ok(), "[user]\nWhy?\n\n[assistant]\nBecause.\n");
    assert!(run(&["prompt", "review", "cdoe=x"]).fails(1).contains("did you mean `code`?"));
}

#[test]
fn json_shows_the_result_as_clients_receive_it() {
    let json = |args: &[&str]| serde_json::from_str::<Value>(&run(args).ok()).unwrap();
    assert_eq!(json(&["call", "add", "a=1", "b=2", "--json"])["content"][0]["text"], "3");
    assert_eq!(json(&["read", "note://1", "--json"])["contents"][0]["mimeType"], "text/markdown");
    assert_eq!(json(&["prompt", "dialogue", "--json"])["messages"][1]["role"], "assistant");
}

#[test]
fn progress_logs_and_prints_go_to_standard_error() {
    for variant in ["", "legacy"] {
        let run = run_as(variant, &["call", "count", "to=3"]);
        assert_eq!(run.out, "3\n", "{run:?}");
        let lines: Vec<&str> = run.err.lines().collect();
        let expected = [
            "started",
            "printed by the handler",
            "[info] counting",
            "1/3 sheep",
            "2/3 sheep",
            "3/3 sheep",
            "shut down",
        ];
        for line in expected {
            assert!(lines.contains(&line), "{line} is not in {lines:?}");
        }
        assert!(!run.err.contains("in detail"));
    }
}

#[test]
fn the_log_level_is_chosen() {
    assert!(run(&["call", "count", "to=1", "--log", "debug"]).err.contains("[debug] in detail"));
    assert!(run_as("legacy", &["call", "count", "to=1", "--log", "debug"]).err.contains("[debug] in detail"));
    assert!(!run(&["call", "count", "to=1", "--log", "off"]).err.contains("counting"));
    assert!(run(&["call", "count", "to=1", "--log", "loud"]).fails(2).contains("invalid value 'loud'"));
}

#[test]
fn where_nobody_can_be_asked_a_question_is_an_error() {
    for variant in ["", "legacy"] {
        let error = run_as(variant, &["call", "bring"]).fails(1);
        assert!(error.contains("elicitation"), "{variant}: {error}");
        assert_eq!(error.contains("at a terminal") && error.contains("--answer"), variant.is_empty(), "{error}");
    }
}

#[test]
fn a_script_answers_the_servers_questions() {
    for variant in ["", "legacy"] {
        let run = |args: &[&str]| run_as(variant, args);
        let bring = ["call", "bring", "--answer", "many=3", "--answer", "kind=coffee"];
        assert_eq!(run(&bring).ok(), "3 Coffee\n", "{variant}");
        let throw = |answer: &str| run(&["call", "throw", "what=it", "--answer", answer]);
        assert_eq!(throw("sure=yes").ok(), "it: true\n");
        assert_eq!(throw("sure=no").ok(), "it: false\n");
        let agreed = throw("yes");
        assert!(agreed.err.contains("? Really throw it away?"), "{agreed:?}");
        assert_eq!(agreed.ok(), "it: true\n");
        assert!(throw("no").fails(1).contains("tool `throw` failed"));
    }
}

#[test]
fn an_answer_that_does_not_fit_or_is_not_there_ends_the_call() {
    for variant in ["", "legacy"] {
        let error = run_as(variant, &["call", "bring", "--answer", "many=12", "--answer", "kind=tea"]).fails(1);
        assert!(error.contains("Error: --answer many=12: at most 9, please"), "{variant}: {error}");
        let error = run_as(variant, &["call", "bring", "--answer", "mnay=3"]).fails(1);
        assert!(error.contains("nobody answers the server's question: What shall it be?"), "{variant}: {error}");
        assert!(error.contains("--answer many=…  many, How many") && error.contains("(Tea | Coffee)"), "{error}");
        assert!(!error.contains("no question had"), "others might have been asked: {error}");
    }
    assert!(run(&["call", "bring", "--answer", "perhaps"]).fails(2).contains("FIELD=VALUE"));
    assert!(run(&["call", "bring", "--answer", "yes", "--answer", "no"]).fails(1).contains("exclude each other"));
}

#[test]
fn all_questions_of_a_round_that_nobody_answers_are_told_at_once() {
    let error = run(&["call", "pack", "--answer", "many=3"]).fails(1);
    for said in ["question: Pack what?", "--answer kind=…", "question: Really pack?", "--answer sure=…"] {
        assert!(error.contains(said), "{said} is not in {error}");
    }
    let answers = ["--answer", "many=3", "--answer", "kind=Tea", "--answer", "yes"];
    assert_eq!(run(&[["call", "pack"].as_slice(), &answers].concat()).ok(), "3 Tea: true\n");
}

#[test]
fn an_answer_that_no_question_wanted_is_mentioned() {
    let run = run(&["call", "add", "a=1", "b=2", "--answer", "sure=yes"]);
    assert!(run.err.contains("no question had a field `sure`"), "{run:?}");
    assert_eq!(run.ok(), "3\n");
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_still_shuts_the_server_down() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let home = Folder::new();
    let mut child = program(&home).args(["call", "wait"]).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("waiting") {
        line.clear();
        assert_ne!(err.read_line(&mut line).unwrap(), 0, "the tool never started");
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.contains("shut down") && rest.contains("interrupted"), "{rest}");
}
