//! What keeps a server from starting although it compiles: definitions made at run time, prefixes, states. What attributes
//! say is tried in the tests of programs.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::Server;
use crate::registry::define::{Prompt, Resource, Tool, ToolDefinition};

fn tool(tool: Tool) -> ToolDefinition {
    tool.call(|_, _| async { "done" })
}

/// The problems; each has to name this file wherever a place is due.
fn problems(server: Server) -> Vec<String> {
    let problems: Vec<String> = server.build().map(drop).unwrap_err().problems().collect();
    for problem in &problems {
        assert!(problem.contains(": mcp-runtime/src/server/builder/tests.rs:"), "{problem}");
        assert!(!problem.contains("#["), "{problem}");
    }
    problems
}

fn server() -> Server {
    Server::new("tests", "1").allow_empty()
}

fn problem(server: Server) -> String {
    let [problem] = &problems(server)[..] else { panic!("one problem") };
    // The line of the place is another with each change of this file.
    let lines = problem.lines().map(|line| line.rsplit_once(".rs:").map_or(line, |(place, _)| place));
    lines.map(str::trim).collect::<Vec<_>>().join("\n").replace(" mcp-runtime/src/server/builder/tests", "")
}

#[test]
fn a_name_made_at_run_time_is_checked_like_that_of_an_attribute() {
    assert_eq!(
        problem(server().tool(tool(Tool::new("")))),
        "error: the name of a tool is empty\nat:\nwrite one in `Tool::new(…)`"
    );
    assert_eq!(
        problem(server().tool(tool(Tool::new("a b")))),
        "error: `a b` cannot be the name of a tool\nat:\nuse ASCII letters, digits, `_` and `-`"
    );
    let long = problem(server().tool(tool(Tool::new("a".repeat(65)))));
    assert!(long.contains("has at most 64 characters, and `aaaa") && long.contains("a` has 65\nat:\n"), "{long}");
    assert_eq!(
        problem(server().prompt(Prompt::new("").get(|_, _| async { "x" }))),
        "error: the name of a prompt is empty\nat:\nwrite one in `Prompt::new(…)`"
    );
    assert_eq!(
        problem(server().resource(Resource::new("a://b", "").read(|_, _| async { "x" }))),
        "error: the name of a resource is empty\nat:\nwrite one in `Resource::new(…)`"
    );
    assert_eq!(
        problem(Server::new("", "1").allow_empty()),
        "error: the server has no name\nat:\ngive one to `Server::new(…)`, or write `mcp_runtime::server!()`"
    );
}

#[test]
fn equal_names_made_at_run_time_are_told_with_both_places_and_advice_that_fits() {
    let twice = server().tool(tool(Tool::new("a"))).tool(tool(Tool::new("a")));
    assert_eq!(
        problem(twice),
        "error: two tools are named `a`\nfirst: \nsecond:\ngive one another name in `Tool::new(…)`"
    );
    let thrice = server().tool(tool(Tool::new("a"))).tool(tool(Tool::new("a"))).tool(tool(Tool::new("a")));
    let said = problem(thrice);
    assert!(said.contains("3 tools are named `a`") && said.contains("give all but one another name in"), "{said}");
}

#[test]
fn what_a_definition_says_is_checked() {
    let icon = crate::Icon::new("icon.png");
    let said = problems(server().tool(tool(Tool::new("a").icon(icon).read_only(true).destructive(true))));
    assert!(
        said[0].contains("tool `a`: an icon is an address that clients load, but this is \"icon.png\""),
        "{said:?}"
    );
    assert!(said[1].contains("tool `a`: a tool that is `read_only` cannot be `destructive`"), "{said:?}");
    assert_eq!(
        problem(server().tool(tool(Tool::new("a").output_schema(json!(5))))),
        "error: tool `a`: an output schema is a JSON object\nat:\ngive one to `.output_schema(…)`"
    );
    assert_eq!(
        problem(server().tool(tool(Tool::new("a").input_schema(json!([]))))),
        "error: tool `a`: an input schema is a JSON object with `\"type\": \"object\"`\nat:\n\
         give an object schema to `.input_schema(…)`"
    );
    let prompt = Prompt::new("p").argument("x", "").argument("x", "").optional_argument("x", "").argument("", "");
    let said = problems(server().prompt(prompt.get(|_, _| async { "x" })));
    assert!(said[0].contains("prompt `p`: two arguments are named `x`"), "{said:?}");
    assert!(said[1].contains("prompt `p`: an argument needs a name"), "{said:?}");
    assert_eq!(said.len(), 2);
    let resource = Resource::new("a://{b}", "r").mime("markdown").size(5);
    let said = problems(server().resource(resource.read(|_, _| async { "x" })));
    assert!(said[0].contains("resource `r`: a media type has two halves, but this is \"markdown\""), "{said:?}");
    assert!(said[1].contains("resource `r`: a size is for a URI without variables"), "{said:?}");
    let resource = Resource::new("no scheme", "r").read(|_, _| async { "x" });
    assert!(problem(server().resource(resource)).contains("has no scheme\nat:\nbegin it with one"));
}

#[test]
fn templates_that_match_the_same_uris_are_one_problem() {
    let read = |uri: &str| Resource::new(uri, "r").read(|_, _| async { "x" });
    let all = server().resource(read("a://{b}")).resource(read("a://{c}")).resource(read("a://{d}"));
    let all = all.resource(read("z://{b}")).resource(read("z://{c}"));
    let said = problems(all);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains(r#"the templates "a://{b}", "a://{c}" and "a://{d}" match the same URIs"#), "{said:?}");
    assert_eq!(said[0].matches("tests.rs:").count(), 3, "{said:?}");
    assert!(said[1].contains(r#"the templates "z://{b}" and "z://{c}" match the same URIs"#), "{said:?}");
}

#[test]
fn states_of_one_type_are_told_once_with_their_places() {
    let said = problem(server().state(5_u8).state(Mutex::new(1_u16)).state(6_u8).shared_state(Arc::new(7_u8)));
    assert_eq!(
        said,
        "error: 3 states of type `u8` were given to the server\nfirst: \nsecond:\nthird: \n\
         remove one `.state(…)`, or wrap one in a type of its own"
    );
}

#[test]
fn what_is_added_to_a_running_server_is_told_with_its_place() {
    let built = server().build().unwrap();
    let handle = built.handle();
    handle.tools().add(tool(Tool::new("a"))).unwrap();
    let again = handle.tools().add(tool(Tool::new("a"))).unwrap_err().to_string();
    assert!(
        again.contains("there is a tool `a` already\n       at: mcp-runtime/src/server/builder/tests.rs:"),
        "{again}"
    );
}
