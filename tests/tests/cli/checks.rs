//! `doctor`.

use serde_json::Value;

use super::program::{run, run_as};

#[test]
fn a_healthy_server_passes_strictly() {
    let run = run(&["doctor", "--strict"]);
    assert_eq!(run.err, "", "nothing was started");
    let out = run.ok();
    assert!(out.contains("cli-server is healthy") && out.contains("10 tools: tools/list is "), "{out}");
}

#[test]
fn every_mistake_is_found_with_its_code() {
    let run = run_as("unhealthy", &["doctor"]);
    for code in [
        "error[D204]",
        "error[D301]",
        "warning[D101]",
        "warning[D104]",
        "warning[D203]",
        "warning[D302]",
        "warning[D303]",
        "warning[D304]",
    ] {
        assert!(run.out.contains(code), "{code} is not in {}", run.out);
    }
    let errors = run.out.find("error[").unwrap();
    assert!(errors < run.out.find("warning[").unwrap(), "the worst come first");
    assert!(run.fails(1).contains("2 errors and "));
}

#[test]
fn findings_are_json_for_machines() {
    let found: Value = serde_json::from_str(&run_as("unhealthy", &["doctor", "--json"]).out).unwrap();
    assert_eq!(found["findings"][0]["code"], "D204");
    assert_eq!(found["findings"][0]["level"], "error");
    assert_eq!(found["toolsList"]["tools"], 11);
}

#[test]
fn a_server_that_cannot_start_is_examined_too() {
    let run = run_as("broken", &["doctor"]);
    assert!(run.out.contains("error[D001]") && run.out.contains("`add`"), "{run:?}");
    assert!(run.fails(1).contains("1 error"));
}

#[test]
fn every_rule_is_listed() {
    let out = run(&["doctor", "--rules"]).ok();
    for code in ["D001", "D101", "D201", "D301", "D401", "D501", "D502"] {
        assert!(out.contains(code), "{code}");
    }
}
