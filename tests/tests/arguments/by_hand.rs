//! Tools whose schemas their authors write: what they promise is checked when they are added, and kept when they are called.

use std::net::TcpListener;

use mcp_runtime::testing::Client;
use mcp_runtime::{Tool, ToolDefinition, ToolResult};
use serde_json::{Value, json};

use super::server;

fn tool(input: Value) -> ToolDefinition {
    Tool::new("by_hand").description("Made by hand.").input_schema(input).call(|_, _| async { "called" })
}

fn problem(tool: ToolDefinition) -> String {
    server().tool(tool).build().map(drop).unwrap_err().to_string()
}

/// A schema whose property has a header, and what is around it.
fn with_header(property: Value) -> Value {
    json!({"type": "object", "properties": property})
}

#[test]
fn a_schema_that_is_none_is_refused_with_its_place() {
    for (schema, said) in [
        (json!({"type": "object", "properties": {"a": {"type": "int"}}}), "`/properties/a/type`"),
        (json!({"type": "object", "required": "a"}), "`/required`"),
        (json!({"type": "object", "$schema": "https://example.com/own"}), "its dialect \"https://example.com/own\""),
    ] {
        let problem = problem(tool(schema));
        assert!(problem.contains("tool `by_hand`") && problem.contains(said), "{problem}");
    }
    let output = Tool::new("by_hand").output_schema(json!({"type": "what"})).call(|_, _| async { "x" });
    assert!(problem(output).contains("`/type` in it must be the name of a type"));
}

#[test]
fn a_header_is_refused_where_a_client_would_drop_the_tool() {
    for bad in [
        with_header(json!({"a": {"type": "number", "x-mcp-header": "A"}})),
        with_header(json!({"a": {"type": ["string", "null"], "x-mcp-header": "A"}})),
        with_header(json!({"a": {"x-mcp-header": "A"}})),
        with_header(json!({"a": {"type": "string", "x-mcp-header": "two words"}})),
        with_header(json!({"a": {"type": "string", "x-mcp-header": ""}})),
        with_header(json!({"a": {"type": "string", "x-mcp-header": 5}})),
        with_header(
            json!({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}),
        ),
        with_header(json!({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}})),
        with_header(json!({"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}})),
        json!({"type": "object", "x-mcp-header": "A"}),
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string", "x-mcp-header": "A"}}}),
    ] {
        let problem = problem(tool(bad.clone()));
        assert!(problem.contains("header") && problem.contains("`by_hand`"), "{bad}: {problem}");
    }
    for good in [
        with_header(
            json!({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "integer", "x-mcp-header": "B"}}),
        ),
        with_header(
            json!({"a": {"type": "object", "properties": {"deep": {"type": "boolean", "x-mcp-header": "Deep"}}}}),
        ),
        // An argument may have that name.
        with_header(json!({"x-mcp-header": {"type": "string"}})),
    ] {
        assert!(server().tool(tool(good.clone())).build().is_ok(), "{good}");
    }
}

/// An address from which a schema could be had, if anybody went there.
#[tokio::test]
async fn nothing_is_fetched_that_a_schema_refers_to() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/schema.json", elsewhere.local_addr().unwrap());
    let refers = json!({"type": "object", "properties": {"a": {"items": {"$ref": &address}}}});
    let refused = problem(tool(refers));
    assert!(refused.contains(&format!("`$ref` to `{address}` leads out of the schema")), "{refused}");
    // What may be meant by a part's own id is sent as it is, and not looked for.
    let own = json!({"type": "object", "properties": {"a": {"$ref": &address}}, "$defs": {"a": {"$id": &address, "type": "string"}}});
    let client = Client::connect(server().tool(tool(own.clone())).validate_arguments()).await.unwrap();
    let listed = client.list_tools().await.unwrap();
    assert!(listed.iter().any(|tool| tool["inputSchema"] == own), "{listed:?}");
    for value in [json!({"a": "x"}), json!({"a": {"$ref": &address}}), json!({"a": {"$schema": &address}})] {
        drop(client.call("by_hand", value).await.unwrap());
    }
    elsewhere.set_nonblocking(true).unwrap();
    assert!(elsewhere.accept().is_err(), "somebody came");
}

#[tokio::test]
async fn a_result_that_breaks_what_its_tool_has_promised_is_an_error_that_says_where() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let tool = Tool::new("promises").description("Promises.").output_schema(schema).call(|_, args| async move {
        match args.get("value") {
            None => Ok(ToolResult::text("nothing")),
            Some(Value::Null) => Ok(ToolResult::error("no")),
            Some(value) => ToolResult::text("something").structured(value),
        }
    });
    let array = Tool::new("lists")
        .description("Lists.")
        .output_schema(json!({"type": "array", "items": {"type": "string"}}))
        .call(|_, _| async { ToolResult::new().structured(&["a"]) });
    let tools = || [tool.clone(), array.clone()];
    let build = || tools().into_iter().fold(server(), mcp_runtime::Server::tool);
    let client = Client::connect(build()).await.unwrap();
    let good = client.call("promises", json!({"value": {"n": 1, "more": 2}})).await.unwrap();
    assert_eq!(good.structured(), &json!({"n": 1, "more": 2}));
    assert!(!client.call("lists", json!({})).await.unwrap().is_error());
    let failed = client.call("promises", json!({"value": null})).await.unwrap();
    assert_eq!((failed.is_error(), failed.text().as_str()), (true, "no"), "an error has promised nothing");
    for (arguments, fault) in [
        (json!({}), "- there is no structured content"),
        (json!({"value": {}}), "- /n: missing, expected an integer"),
        (json!({"value": {"n": "1"}}), "- /n: expected an integer, got \"1\""),
        (json!({"value": [1]}), "- expected an object with `n`, got [1]"),
    ] {
        let broken = client.call("promises", arguments).await.unwrap();
        let expected = format!("The result of `promises` does not fit its output schema:\n{fault}");
        assert_eq!((broken.is_error(), broken.text()), (true, expected));
    }
    // It may hold what is nobody's business.
    let masked = Client::connect(build().mask_errors()).await.unwrap();
    let broken = masked.call("promises", json!({"value": {"n": "secret"}})).await.unwrap();
    assert!(broken.is_error() && broken.text().starts_with("internal error, reference "), "{}", broken.text());
}
