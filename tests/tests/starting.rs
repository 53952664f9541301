//! What keeps a server from starting is told at once, all of it, with the places; and what is linked is there.

use std::process::Command;

use mcp_tests::{Link, Revision, Session};
use serde_json::json;

struct Ended {
    code: Option<i32>,
    output: String,
    errors: String,
}

fn run(program: &str) -> Ended {
    let output =
        Command::new(program).stdin(std::process::Stdio::null()).env_remove("RUST_BACKTRACE").output().unwrap();
    Ended {
        code: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_library_that_is_never_named_is_missed_and_the_error_says_what_to_write() {
    let ended = run(env!("CARGO_BIN_EXE_forgets_its_library"));
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{}", ended.errors);
    assert!(
        ended.errors.contains("error: no tool, resource or prompt is linked into this program"),
        "{}",
        ended.errors
    );
    assert!(ended.errors.contains("use my_handlers as _;"), "{}", ended.errors);
}

#[test]
fn a_library_that_is_named_is_there_with_its_private_modules() {
    let mut session = Session::open(env!("CARGO_BIN_EXE_names_its_library"), Link::Pipe, Revision::V2025_11_25, &[]);
    let tools = session.ok("tools/list", json!({}));
    let names: Vec<&str> =
        tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["private_tool", "twice", "with_notes"]);
    assert_eq!(session.text("private_tool", json!({})), "private");
    session.process.rest();
    session.process.ended();
    let said = session.process.errors();
    assert!(said.contains("3 tools, 2 resources, 1 prompt from linking_first"), "{said}");
    let stranger =
        "`.exclude` names the crate `linking_frist`, which has no handlers here: they are linked from linking_first";
    assert!(said.contains(stranger), "{said}");
    let missed =
        "`.only` names the crate `linking_thrid`, which has no handlers here: they are linked from linking_first";
    assert!(said.contains(missed) && !said.contains("`.group`"), "{said}");
    assert!(said.contains("from linking_first (tests/src/bin/names_its_library.rs:"), "{said}");
}

#[test]
fn a_group_that_no_handler_is_in_is_warned_of() {
    let program = env!("CARGO_BIN_EXE_names_its_library");
    let mut session = Session::open(program, Link::Pipe, Revision::V2025_11_25, &[("NARROW", "1")]);
    let tools = session.ok("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().map(Vec::len), Some(1), "{tools}");
    session.process.rest();
    session.process.ended();
    let said = session.process.errors();
    let missed = "`.group` names `statefull`, which no handler is in: the groups here are stateful";
    assert!(said.contains(missed) && !said.contains("names `stateful`"), "{said}");
}

#[test]
fn every_problem_is_told_with_its_places() {
    let ended = run(env!("CARGO_BIN_EXE_cannot_start"));
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{}", ended.errors);
    let errors = &ended.errors;
    let says = |parts: &[&str]| {
        // All in one problem: from one `error:` to the next.
        let found = errors.split("\nerror: ").any(|problem| parts.iter().all(|part| problem.contains(part)));
        assert!(found, "{parts:?} in\n{errors}");
    };
    says(&[
        "two tools are named `twice`",
        "linking_first::deep",
        "linking/first/src/lib.rs:",
        "linking_second ",
        "linking/second/src/lib.rs:",
        "first:",
        "second:",
        "#[tool(name",
    ]);
    says(&["two prompts are named `greet`", "linking/first/src/lib.rs:", "linking/second/src/lib.rs:"]);
    says(&["two resources have the URI `linking://{id}`", "linking/first/src/lib.rs:", "linking/second/src/lib.rs:"]);
    says(&["\"linking://{id}\"", "\"linking://{name}\"", "match the same URIs"]);
    says(&[
        "no state of type `linking_first::Notes`",
        "tool `with_notes`",
        "resource `notes`",
        "linking/first/src/lib.rs:",
        ".state(…)",
    ]);
    says(&["no state of type `cannot_start::Missing`", "tool `missing_state`", "cannot_start.rs:"]);
    says(&["two states of type `u8`", "first: ", "second:", "tests/src/bin/cannot_start.rs:"]);
    says(&[
        "no state of type `cannot_start::Near`",
        "tool `near_state`",
        "given is `Arc<cannot_start::Near>`:",
        "an `Arc` is given with `.shared_state(…)`",
    ]);
    says(&["no state of type `dyn Send + Sync`", "add `.shared_state(…)` with an `Arc<dyn Send"]);
    says(&["tool `bad_default`", "the default of argument `colour`", "mauve", "cannot_start.rs:"]);
    says(&["tool `bad_default`", "the default of argument `number`"]);
    says(&["tool `bad_rule`", "argument `count` breaks its own rule: expected a number of at least 1, got 0"]);
    says(&["prompt `bad_argument`", "argument `list`", "text"]);
    says(&["tool `bad_arguments`"]);
    says(&["tool `bad_header`", "argument `ratio` cannot be sent in a header", "cannot_start.rs:"]);
    assert!(!errors.contains("`level`"), "{errors}");
    says(&["`no good name` cannot be the name of a tool", "at: tests/src/bin/cannot_start.rs:", "ASCII letters"]);
}

#[test]
fn what_an_author_wrote_is_checked_when_it_is_evaluated() {
    let ended = run(env!("CARGO_BIN_EXE_cannot_start"));
    let (_, errors) = ended.errors.split_once("Error: the server cannot start").expect("a report");
    let says = |parts: &[&str]| {
        let found = errors.split("\nerror: ").any(|problem| {
            problem.contains("src/bin/cannot_start.rs:") && parts.iter().all(|part| problem.contains(part))
        });
        assert!(found, "{parts:?} in\n{errors}");
    };
    assert!(!errors.contains("panicked"), "{errors}");
    says(&["tool `bad_values`: `meta` panics: no such file", "when the server is built"]);
    says(&["tool `bad_values`: `icon` panics: no such file"]);
    says(&["tool `bad_values`: the default of argument `number` panics: no such file"]);
    says(&["tool `bad_values`: the example of argument `other` panics: no such file"]);
    says(&["tool `bad_type`: a type of its arguments or its result panics: no schema", "`JsonSchema`"]);
    says(&["tool `bad_meta`: `meta` is an object, but this is a list", "serde_json::json!"]);
    says(&["tool `bad_meta`: argument `number` is an `Option` and has a `default`", "remove the `default`"]);
    says(&["tool `bad_meta`: the example of argument `other` breaks its own rule: expected a number of at most 5"]);
    says(&["tool `bad_constants`: `group` needs a name"]);
    says(&["tool `bad_constants`: a tool that is `read_only` cannot be `destructive`"]);
    says(&["tool `bad_constants`: `title` is empty", "or remove it"]);
    says(&["resource `bad_variables`: a media type has two halves, but this is \"icon.png\""]);
    says(&["resource `bad_variables`: an icon is an address that clients load"]);
    says(&["resource `bad_variables`: `{?query}` may be absent from the URI, but argument `query` may not"]);
    says(&["resource `bad_variables`: `{+path}` holds text with `/` in it", "write `{path}` in the template"]);
    says(&["resource `bad_parts`: argument `parts` comes as text, which cannot give its type"]);
    assert!(!errors.contains("`{/parts*}` holds text"), "told twice\n{errors}");
    let long = errors.lines().find(|line| line.contains("resource `bad_parts`: an icon is an address"));
    assert!(long.is_some_and(|line| line.len() < 200), "{long:?}");
    says(&["tool `bad_rules`: `range` is for a number, but argument `text` is a string", "use `length("]);
    says(&["tool `bad_pattern`: `pattern` `^\\p{L}+$` cannot be enforced: Unicode", "regex-lite"]);
}
