//! What the compiler tells the authors of handlers, case by case.
//!
//! `TRYBUILD=overwrite cargo test -p mcp-tests --test ui` records the answers again; each one is to be read, not just recorded.

#[test]
fn every_mistake_has_one_error_with_the_way_out() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/fail/*.rs");
}

#[test]
fn handlers_compile_wherever_they_stand() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
}
