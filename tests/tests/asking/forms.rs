//! What `derive(Elicit)` makes of types, on each revision.

use mcp_runtime::Revision;
use mcp_runtime::prelude::*;
use mcp_runtime::testing::{Client, Reply};
use serde_json::{Value, json};

/// How to travel
#[derive(Clone, Copy, Debug, PartialEq, Elicit)]
#[elicit(rename_all = "kebab-case")]
#[expect(clippy::enum_variant_names, reason = "two words, for the names made of them")]
enum Class {
    /// Second class
    SecondClass,
    #[elicit(title = "First, with a seat", name = "first")]
    FirstClass,
    Roof,
}

#[derive(Debug, PartialEq, Elicit)]
enum Meal {
    Soup,
    Salad,
}

/// Fields in an order that is not the alphabet's.
#[derive(Debug, PartialEq, Elicit)]
struct Trip {
    /// Where to go
    #[elicit(title = "Destination", length(min = 2, max = 40))]
    to: String,
    /// How many people
    #[elicit(default = 2, range(min = 1, max = 9))]
    people: u8,
    #[elicit(default = 95.5)]
    budget: f64,
    #[elicit(default = true)]
    insured: bool,
    #[elicit(default = Class::FirstClass)]
    class: Class,
    #[elicit(enum_names)]
    back: Class,
    meal: Meal,
    #[elicit(length(max = 2))]
    meals: Vec<Meal>,
    classes: Vec<Class>,
    #[elicit(format = "email")]
    mail: Option<String>,
    #[elicit(format = "date")]
    day: Option<String>,
    #[elicit(name = "type", default = "John Doe")]
    kind: String,
    offset: i64,
}

/// Ask for a trip.
#[tool]
async fn trip(ctx: &Ctx) -> Result<String> {
    Ok(format!("{:?}", ctx.elicit::<Trip>("Where to?").await?))
}

fn server() -> Server {
    super::handlers::server()
}

async fn schema(revision: Revision) -> Value {
    let (sender, receiver) = std::sync::mpsc::channel();
    let client = Client::with_revision(revision)
        .elicit(move |asked| {
            sender.send(asked.schema().clone()).unwrap();
            Reply::cancel()
        })
        .connect(server())
        .await
        .unwrap();
    client.call("trip", json!({})).await.unwrap();
    receiver.recv().unwrap()
}

#[tokio::test]
async fn the_newest_revisions_have_every_kind_of_field() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let schema = schema(revision).await;
        let class = json!([
            {"const": "second-class", "title": "Second class"},
            {"const": "first", "title": "First, with a seat"},
            {"const": "roof", "title": "roof"},
        ]);
        let expected = json!({
            "to": {"type": "string", "title": "Destination", "description": "Where to go", "minLength": 2, "maxLength": 40},
            "people": {"type": "integer", "description": "How many people", "minimum": 1, "maximum": 9, "default": 2},
            "budget": {"type": "number", "default": 95.5},
            "insured": {"type": "boolean", "default": true},
            "class": {"type": "string", "oneOf": class, "default": "first"},
            "back": {"type": "string", "enum": ["second-class", "first", "roof"], "enumNames": ["Second class", "First, with a seat", "roof"]},
            "meal": {"type": "string", "enum": ["Soup", "Salad"]},
            "meals": {"type": "array", "items": {"type": "string", "enum": ["Soup", "Salad"]}, "maxItems": 2},
            "classes": {"type": "array", "items": {"anyOf": class}},
            "mail": {"type": "string", "format": "email"},
            "day": {"type": "string", "format": "date"},
            "type": {"type": "string", "default": "John Doe"},
            "offset": {"type": "integer"},
        });
        assert_eq!(schema["properties"], expected, "{revision}");
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["required"], json!(["to", "back", "meal", "meals", "classes", "offset"]));
    }
}

#[tokio::test]
async fn the_first_revision_with_forms_has_fewer_kinds() {
    let schema = schema(Revision::V2025_06_18).await;
    let fields = &schema["properties"];
    assert_eq!(
        fields["people"],
        json!({"type": "integer", "description": "How many people", "minimum": 1, "maximum": 9})
    );
    assert_eq!(fields["insured"], json!({"type": "boolean", "default": true}));
    assert_eq!(fields["type"], json!({"type": "string"}));
    assert_eq!(fields["class"]["enumNames"], json!(["Second class", "First, with a seat", "roof"]));
    assert!(fields["class"].get("oneOf").is_none() && fields["class"].get("default").is_none());
    assert_eq!(
        fields["meals"],
        json!({"type": "string", "description": "Any of `Soup`, `Salad`, with commas between them"})
    );
}

#[tokio::test]
async fn an_answer_becomes_the_type() {
    for revision in super::REVISIONS {
        let several = if revision == Revision::V2025_06_18 { json!("Salad, Soup") } else { json!(["Salad", "Soup"]) };
        let content = json!({
            "to": "Rome", "people": "3", "budget": 7, "insured": false, "class": "roof", "back": "Second class", "meal": "Soup",
            "meals": several, "classes": [], "day": "2026-07-28", "offset": -5, "type": "x",
        });
        let client = Client::with_revision(revision)
            .elicit(move |_| Reply::accept(content.clone()))
            .connect(server())
            .await
            .unwrap();
        let trip = Trip {
            to: "Rome".into(),
            people: 3,
            budget: 7.0,
            insured: false,
            class: Class::Roof,
            back: Class::SecondClass,
            meal: Meal::Soup,
            meals: vec![Meal::Salad, Meal::Soup],
            classes: vec![],
            mail: None,
            day: Some("2026-07-28".into()),
            kind: "x".into(),
            offset: -5,
        };
        assert_eq!(client.call("trip", json!({})).await.unwrap().text(), format!("{trip:?}"), "{revision}");
    }
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_at_once() {
    let client = Client::with_revision(Revision::LATEST_LEGACY)
        .elicit(|_| Reply::accept(json!({"to": "R", "people": 10, "meal": "Cake", "meals": ["Soup", "Soup", "Soup"], "mail": "no", "offset": 1.5})))
        .connect(server())
        .await
        .unwrap();
    let told = client.call("trip", json!({})).await.unwrap().text();
    let faults: Vec<_> = told.lines().skip(1).collect();
    assert_eq!(
        faults,
        [
            "- /to: expected text, 2 to 40 characters, but got \"R\"",
            "- /people: expected a whole number, 1 to 9, but got 10",
            "- /back: expected one of `second-class`, `first`, `roof`, but got nothing",
            "- /meal: expected one of `Soup`, `Salad`, but got \"Cake\"",
            "- /meals: expected a list of `Soup`, `Salad`, at most 2 of them, but got [\"Soup\",\"Soup\",\"Soup\"]",
            "- /classes: expected a list of `second-class`, `first`, `roof`, but got nothing",
            "- /mail: expected an e-mail address, but got \"no\"",
            "- /offset: expected a whole number, but got 1.5",
        ]
    );
}
