//! A client that cannot be asked is not asked.

use mcp_runtime::Revision;
use mcp_runtime::testing::{Client, ClientError};
use serde_json::json;

use super::{REVISIONS, connect, on, yes};

fn protocol(error: &ClientError) -> (i64, serde_json::Value) {
    match error {
        ClientError::Protocol(error) => (error.code().0, error.data().cloned().unwrap_or_default()),
        other => panic!("{other}"),
    }
}

/// The ways to call each kind of handler.
async fn errors(client: &Client) -> Vec<ClientError> {
    vec![client.read("secret://7").await.unwrap_err(), client.prompt("letter", json!({"to": "Eve"})).await.unwrap_err()]
}

#[tokio::test]
async fn a_modern_client_is_told_what_it_lacks() {
    let client = connect(on(Revision::LATEST)).await;
    let mut errors = errors(&client).await;
    for tool in ["plain", "swallows", "three_joined", "declared"] {
        errors.push(client.call(tool, json!({"id": 1})).await.unwrap_err());
    }
    for error in errors {
        assert_eq!(protocol(&error), (-32021, json!({"requiredCapabilities": {"elicitation": {}}})));
    }
    for (tool, required) in [
        ("haiku", json!({"sampling": {}})),
        ("weather", json!({"sampling": {"tools": {}}})),
        ("folders", json!({"roots": {}})),
        ("sign_in", json!({"elicitation": {"url": {}}})),
    ] {
        let error = client.call(tool, json!({"about": "frogs"})).await.unwrap_err();
        assert_eq!(protocol(&error), (-32021, json!({"requiredCapabilities": required})), "{tool}");
    }
}

#[tokio::test]
async fn a_legacy_client_gets_an_error_that_can_be_read() {
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25] {
        let client = connect(on(revision)).await;
        for tool in ["plain", "swallows", "three_joined", "declared"] {
            let told = client.call(tool, json!({"id": 1})).await.unwrap();
            assert!(
                told.is_error() && told.text().contains("which this client does not support"),
                "{revision}: {}",
                told.text()
            );
        }
        for error in errors(&client).await {
            assert_eq!(protocol(&error).0, -32603, "{revision}");
            assert!(
                error.to_string().contains("(`elicitation`), which this client does not support"),
                "{revision}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn forms_do_not_exist_before_2025_06_18_whatever_a_client_declares() {
    let client = connect(on(Revision::V2025_03_26).elicit(|_| panic!("nobody is asked"))).await;
    assert!(client.call("plain", json!({})).await.unwrap().is_error());
    assert_eq!(client.call("if_possible", json!({})).await.unwrap().text(), "false None");
}

#[tokio::test]
async fn pages_alone_are_no_forms() {
    let client = connect(on(Revision::LATEST).elicit_url(yes)).await;
    let error = client.call("plain", json!({})).await.unwrap_err();
    assert_eq!(protocol(&error).0, -32021);
}

#[tokio::test]
async fn an_optional_question_is_none() {
    for revision in REVISIONS {
        let client = connect(on(revision)).await;
        assert_eq!(client.call("if_possible", json!({})).await.unwrap().text(), "false None", "{revision}");
        assert_eq!(client.call("declared_option", json!({})).await.unwrap().text(), "None", "{revision}");
        let client = connect(on(revision).elicit(yes)).await;
        assert_eq!(client.call("if_possible", json!({})).await.unwrap().text(), "true Some(true)", "{revision}");
    }
}
