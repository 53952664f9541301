//! What is accepted, what it becomes, and what is said when it does not fit: by the type, never by the look of the value.

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use super::{client, server};

/// What a tool says to one value of its argument `value`.
async fn say(client: &Client, tool: &str, value: Value) -> Result<String, String> {
    let outcome = client.call(tool, json!({"value": value})).await.unwrap();
    if outcome.is_error() { Err(outcome.text()) } else { Ok(outcome.text()) }
}

#[tokio::test]
async fn values_become_what_their_type_says() {
    let client = client().await;
    for (tool, value, expected) in [
        ("integer", json!(30), "30"),
        ("integer", json!("30"), "30"),
        ("integer", json!("-30"), "-30"),
        ("integer", json!(30.0), "30"),
        ("integer", json!(96230.0), "96230"),
        ("integer", json!("30.0"), "30"),
        ("integer", json!(9_007_199_254_740_991.0), "9007199254740991"),
        ("integer", json!(" 9007199254740991.0 "), "9007199254740991"),
        ("integer", json!(i64::MAX), "9223372036854775807"),
        ("small", json!("255"), "255"),
        ("float", json!(3), "3.0"),
        ("float", json!("1.5"), "1.5"),
        ("float", json!("1e3"), "1000.0"),
        ("float", json!(1e300), "1e300"),
        ("single", json!(3.4e38), "3.4e38"),
        ("optional_single", json!("-1.5"), "Some(-1.5)"),
        ("optional_single", json!(null), "None"),
        ("boolean", json!("true"), "true"),
        ("boolean", json!("false"), "false"),
        ("text", json!("42"), "\"42\""),
        ("text", json!("true"), "\"true\""),
        ("text", json!("null"), "\"null\""),
        ("text", json!("[1]"), "\"[1]\""),
        ("text", json!("{}"), "\"{}\""),
        ("text", json!(""), "\"\""),
        ("text", json!(42), "\"42\""),
        ("text", json!(1.5), "\"1.5\""),
        ("text", json!(true), "\"true\""),
        ("optional_text", json!("null"), "Some(\"null\")"),
        ("optional_text", json!(null), "None"),
        ("optional_text", json!(""), "Some(\"\")"),
        ("optional_text", json!(7), "Some(\"7\")"),
        ("list", json!("[1,2]"), "[1, 2]"),
        ("list", json!(["1", 2.0, 3]), "[1, 2, 3]"),
        ("list", json!("[\"1\",\"2\"]"), "[1, 2]"),
        ("texts", json!(["1", 2, true, ""]), "[\"1\", \"2\", \"true\", \"\"]"),
        ("texts", json!(["[1]"]), "[\"[1]\"]"),
        ("place", json!({"x": "1", "y": "2.5"}), "Place { x: 1, y: Some(2.5), tags: [] }"),
        ("place", json!("{\"x\": 1, \"y\": null, \"tags\": null}"), "Place { x: 1, y: None, tags: [] }"),
        ("place", json!({"x": 1.0, "tags": "[\"a\"]"}), "Place { x: 1, y: None, tags: [\"a\"] }"),
        ("colour", json!("red"), "Red"),
        ("shape", json!({"kind": "circle", "radius": "3"}), "Circle { radius: 3 }"),
        ("shape", json!("{\"kind\":\"square\",\"side\":\"2\"}"), "Square { side: 2.0 }"),
        (
            "tree",
            json!({"name": "a", "children": [{"name": 7, "children": "[]"}]}),
            "Tree { name: \"a\", children: [Tree { name: \"7\", children: [] }] }",
        ),
        ("flat", json!({"own": "1", "x": "2"}), "Flat { own: 1, place: Place { x: 2, y: None, tags: [] } }"),
        ("map", json!({"a": "1", "b": 2.0}), "{\"a\": 1, \"b\": 2}"),
        ("pair", json!(["1", "true"]), "(1, true)"),
        ("any", json!("5"), "\"5\" false false"),
        ("any", json!(null), "null false false"),
        ("any", json!([1, "2"]), "[1,\"2\"] false false"),
    ] {
        assert_eq!(say(&client, tool, value.clone()).await, Ok(expected.to_owned()), "{tool} {value}");
    }
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_its_place_and_what_was_expected() {
    let client = client().await;
    for (tool, value, parts) in [
        ("integer", json!(1.5), vec!["/value", "integer", "1.5"]),
        ("integer", json!("1.5"), vec!["/value", "integer", "1.5"]),
        ("integer", json!("ten"), vec!["/value", "integer", "ten"]),
        ("integer", json!(""), vec!["/value", "integer"]),
        ("integer", json!(true), vec!["/value", "integer", "true"]),
        ("integer", json!(null), vec!["/value", "integer", "null"]),
        ("integer", json!([1]), vec!["/value", "integer"]),
        ("integer", json!(9.3e18), vec!["/value"]),
        ("integer", json!(9_007_199_254_740_994.0_f64 * 4.0), vec!["/value"]),
        ("small", json!(256), vec!["/value", "255", "256"]),
        ("small", json!(-1), vec!["/value", "0", "-1"]),
        ("small", json!("256"), vec!["/value", "255", "256"]),
        ("boolean", json!("yes"), vec!["/value", "yes"]),
        ("boolean", json!(1), vec!["/value", "1"]),
        ("float", json!("a lot"), vec!["/value", "number"]),
        ("text", json!(null), vec!["/value", "string"]),
        ("text", json!(["a"]), vec!["/value", "string"]),
        ("text", json!({"a": 1}), vec!["/value", "string"]),
        ("list", json!(5), vec!["/value", "array"]),
        ("list", json!([1, "x", 2, 1.5]), vec!["/value/1", "/value/3", "\"x\"", "1.5"]),
        ("place", json!({"x": "east", "y": "north"}), vec!["/value/x", "/value/y", "east", "north"]),
        ("place", json!({}), vec!["/value", "x"]),
        ("colour", json!("mauve"), vec!["/value", "mauve", "red", "green"]),
        ("colour", json!(1), vec!["/value", "red", "green"]),
        ("shape", json!({"kind": "circle"}), vec!["/value", "radius"]),
        ("shape", json!({"kind": "blob"}), vec!["/value", "circle", "square", "blob"]),
        (
            "tree",
            json!({"name": "a", "children": [{"name": "b", "children": [{"nom": "c"}]}]}),
            vec!["/value/children/0/children/0"],
        ),
        ("map", json!({"a": "one"}), vec!["/value/a", "one"]),
        ("pair", json!([1]), vec!["/value"]),
    ] {
        let refusal = say(&client, tool, value.clone()).await.expect_err(&format!("{tool} {value}"));
        for part in parts {
            assert!(refusal.contains(part), "{tool} {value}: {part} in {refusal}");
        }
        assert!(refusal.contains(&format!("`{tool}`")), "{refusal}");
        assert!(refusal.len() < 2000 && !refusal.contains("line 1 column"), "{refusal}");
    }
}

#[tokio::test]
async fn what_may_be_absent_is_decided_by_the_type() {
    let client = client().await;
    for (arguments, expected) in [
        (json!({}), "None None None None"),
        (json!({"value": null, "alias": null, "boxed": null, "wrapped": null}), "None None None None"),
        (json!({"value": "1", "alias": 2.0, "boxed": "3", "wrapped": 4}), "Some(1) Some(2) Some(3) Some(4)"),
    ] {
        assert_eq!(client.call("optional", arguments).await.unwrap().text(), expected);
    }
    assert_eq!(client.call("defaulted", json!({})).await.unwrap().text(), "7 []");
    assert_eq!(client.call("defaulted", json!({"value": null, "list": null})).await.unwrap().text(), "7 []");
}

#[tokio::test]
async fn rules_are_enforced_and_all_breaches_are_told_at_once() {
    let client = client().await;
    let all = client
        .call("ruled", json!({"ranged": 101, "measured": "four", "few": [1, 2, 3], "patterned": "ABC"}))
        .await
        .unwrap();
    assert!(all.is_error());
    for part in ["/ranged", "100", "101", "/measured", "/few", "/patterned", "^[a-z]+$"] {
        assert!(all.text().contains(part), "{part} in {}", all.text());
    }
    for good in [
        json!({"ranged": 1, "measured": "éé", "few": [], "patterned": "a"}),
        json!({"ranged": "100", "measured": "abc"}),
        json!({}),
    ] {
        assert!(!client.call("ruled", good.clone()).await.unwrap().is_error(), "{good}");
    }
    let low = client.call("ruled", json!({"ranged": "0"})).await.unwrap().text();
    assert!(low.contains("/ranged") && low.contains('1'), "{low}");
    // Not what the type holds: that is no help.
    for pages in ["-1", "5001", "4294967296"] {
        let refused = client.call("ruled", json!({"pages": pages})).await.unwrap().text();
        assert!(refused.contains("/pages: expected a number from 1 to 5000"), "{refused}");
        let value: serde_json::Value = pages.parse().unwrap();
        let refused = client.call("ruled", json!({"pages": value})).await.unwrap().text();
        assert!(refused.contains("/pages: expected a number from 1 to 5000"), "{refused}");
    }
}

#[tokio::test]
async fn nested_rules_are_checked_on_request() {
    let lax = client().await;
    assert!(!lax.call("nested_rule", json!({"value": {"level": 9}})).await.unwrap().is_error());
    let checked = Client::connect(server().validate_arguments()).await.unwrap();
    let refusal = checked.call("nested_rule", json!({"value": {"level": 9}})).await.unwrap();
    assert!(refusal.is_error() && refusal.text().contains("/value/level"), "{}", refusal.text());
    assert!(!checked.call("nested_rule", json!({"value": {"level": "5"}})).await.unwrap().is_error());
}

#[tokio::test]
async fn strictness_is_a_choice() {
    let strict = Client::connect(server().strict_arguments()).await.unwrap();
    for (tool, arguments) in [
        ("integer", json!({"value": "30"})),
        ("integer", json!({"value": 30.0})),
        ("boolean", json!({"value": "true"})),
        ("integer", json!({"value": 1, "extra": 2})),
        ("list", json!({"value": "[1]"})),
    ] {
        assert!(strict.call(tool, arguments.clone()).await.unwrap().is_error(), "{tool} {arguments}");
    }
    assert_eq!(strict.call("integer", json!({"value": 30})).await.unwrap().text(), "30");
}

#[tokio::test]
async fn unknown_arguments_are_ignored_unless_they_look_like_a_slip() {
    let client = client().await;
    assert_eq!(
        client.call("integer", json!({"value": 1, "_client": {"x": 1}, "session_id": "s"})).await.unwrap().text(),
        "1"
    );
    assert_eq!(client.call("nothing", json!({"random_string": "x"})).await.unwrap().text(), "");
    let slip = client.call("integer", json!({"valeu": 1})).await.unwrap();
    assert!(slip.is_error() && slip.text().contains("did you mean `value`"), "{}", slip.text());
    // Not when nothing is missing.
    assert_eq!(client.call("integer", json!({"value": 1, "valeu": 2})).await.unwrap().text(), "1");
    let optional_slip = client.call("ruled", json!({"rangd": 5})).await.unwrap();
    assert!(optional_slip.is_error() && optional_slip.text().contains("`ranged`"), "{}", optional_slip.text());
}

/// A name or value that is near to none: the model is told what there is, though not all of it when that is much.
#[tokio::test]
async fn what_is_near_to_nothing_is_answered_with_what_there_is() {
    let client = client().await;
    let refused = client.call("ruled_twice", json!({"wholly": 1, "else": 2})).await.unwrap_err().to_string();
    assert!(refused.contains("Unknown tool: ruled_twice, expected one of `"), "{refused}");
    assert!(refused.contains("… (") && refused.len() < 1000, "{refused}");

    let missing = client.call("integer", json!({"_client": {}, "amount": 1})).await.unwrap();
    let expected = "- /value: required, but missing, expected an integer\n- /_client, /amount: unknown arguments, expected `value`";
    assert!(missing.is_error() && missing.text().ends_with(expected), "{}", missing.text());
    // Nothing is missing, so nothing is wrong.
    assert_eq!(client.call("integer", json!({"value": 1, "amount": 1})).await.unwrap().text(), "1");
    let strict = Client::connect(server().strict_arguments()).await.unwrap();
    let unknown = strict.call("integer", json!({"value": 1, "amount": 1})).await.unwrap();
    assert!(
        unknown.is_error() && unknown.text().ends_with("- /amount: unknown argument, expected `value`"),
        "{}",
        unknown.text()
    );
    let none = strict.call("nothing", json!({"amount": 1})).await.unwrap();
    assert!(
        none.is_error() && none.text().ends_with("- /amount: unknown argument, expected nothing"),
        "{}",
        none.text()
    );

    let value = say(&client, "colour", json!("mauve")).await.unwrap_err();
    assert!(value.ends_with("/value: expected one of \"red\", \"green\", got \"mauve\""), "{value}");
}

#[tokio::test]
async fn what_a_client_makes_up_is_not_repeated_at_length() {
    let client = client().await;
    let long = "x".repeat(100_000);
    let mut many = serde_json::Map::new();
    for number in 0..1000 {
        many.insert(format!("{long}{number}"), Value::Null);
    }
    let refused = client.call("integer", Value::from(many)).await.unwrap();
    assert!(refused.is_error() && refused.text().len() < 1000, "{}", refused.text().len());
    // Near, once what does not count is taken away.
    let near = client.call("integer", json!({format!("{}value", "_".repeat(100_000)): 1})).await.unwrap();
    assert!(near.is_error() && near.text().len() < 1000, "{}", near.text().len());
    let unknown = client.call(&long, json!({})).await.unwrap_err().to_string();
    assert!(unknown.len() < 1000, "{}", unknown.len());
    // Of many values, some are listed.
    let many: Vec<String> = (0..1000).map(|number| format!("value {number}")).collect();
    let schema = json!({"type": "object", "properties": {"one": {"enum": many}}, "required": ["one"]});
    let tool = mcp_runtime::Tool::new("choose").description("x").input_schema(schema).call(|_, _| async {});
    let client = Client::connect(server().tool(tool)).await.unwrap();
    let refused = client.call("choose", json!({"one": "something quite else"})).await.unwrap();
    assert!(refused.is_error() && refused.text().contains("(1000 in all)"), "{}", refused.text());
    assert!(refused.text().len() < 1000, "{}", refused.text().len());
}

#[tokio::test]
async fn the_whole_object_is_read_in_the_same_way() {
    let client = client().await;
    let said = client.call("whole", json!({"count": "3", "place": "{\"x\":\"1\"}", "colour": null})).await.unwrap();
    assert_eq!(said.text(), "3 Some(Place { x: 1, y: None, tags: [] }) None");
    let refused =
        client.call("whole", json!({"count": "many", "place": {"x": "far"}, "colour": "mauve"})).await.unwrap();
    for part in ["/count", "/place/x", "/colour"] {
        assert!(refused.text().contains(part), "{part} in {}", refused.text());
    }
    let missing = client.call("whole", json!({})).await.unwrap();
    assert!(missing.is_error() && missing.text().contains("count"), "{}", missing.text());
    assert_eq!(
        client.call("whole_shape", json!({"kind": "circle", "radius": "2"})).await.unwrap().text(),
        "Circle { radius: 2 }"
    );
    assert_eq!(client.call("whole_value", json!({"a": 1, "b": [true]})).await.unwrap().text(), "2");
}

#[tokio::test]
async fn borrowing_streams_work_in_a_tools_body() {
    let client = client().await;
    for name in ["streams_over_borrowed", "streams_over_owned"] {
        assert_eq!(client.call(name, json!({"values": [1, 2, 3]})).await.unwrap().json::<u64>().unwrap(), 12);
    }
    assert_eq!(client.call("twelve", json!({"zeta": 1, "alpha": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": 1, "j": 1, "k": 1, "beta": 1})).await.unwrap().text(), "12");
}

#[tokio::test]
async fn a_float_that_its_type_cannot_hold_is_refused() {
    let client = client().await;
    for tool in ["single", "optional_single"] {
        for value in [json!(1e300), json!(-1e39), json!("1e300")] {
            let text = say(&client, tool, value.clone()).await.unwrap_err();
            assert!(text.contains("/value: expected a number from -3.4") && text.contains("e38 to 3.4"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_whole_float_that_may_stand_for_two_integers_is_refused() {
    let client = client().await;
    for value in ["9007199254740994.0", "-9007199254740996.0", "10000000000000000.0", "1e300"] {
        let value: Value = serde_json::from_str(value).unwrap();
        assert!(say(&client, "integer", value.clone()).await.is_err(), "{value}");
    }
}

/// JSON has no NaN: `null` in its place would break the schema that the client was given.
#[tokio::test]
async fn a_result_with_a_number_that_json_lacks_is_an_error_that_says_where() {
    let client = client().await;
    let good = client.call("ratio", json!({"value": "0.5"})).await.unwrap();
    assert_eq!(good.structured(), &json!({"ratio": 0.5, "perhaps": null, "parts": []}));
    for value in ["NaN", "inf", "-inf"] {
        let outcome = client.call("ratio", json!({"value": value})).await.unwrap();
        assert!(outcome.is_error(), "{value}");
        assert_eq!(outcome.text(), "`/ratio` of the result is NaN or infinite: JSON has no such number");
    }
    let outcome = client.call("ratio", json!({"value": "0.5", "part": "NaN"})).await.unwrap();
    assert_eq!(outcome.text(), "`/parts/0` of the result is NaN or infinite: JSON has no such number");
    let outcome = client.call("bare_ratio", json!({"value": "NaN"})).await.unwrap();
    assert_eq!(outcome.text(), "the result is NaN or infinite: JSON has no such number");
}
