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
async fn pages_alone_are_no_forms_and_forms_alone_no_pages() {
    let client = connect(on(Revision::LATEST).elicit_url(yes)).await;
    let error = client.call("plain", json!({})).await.unwrap_err();
    assert_eq!(protocol(&error).0, -32021);
    for (elicitation, tool) in [
        (json!({"url": {}}), "plain"),
        (json!({"form": {}}), "sign_in"),
        (json!({}), "sign_in"),
        (json!({}), "sign_in_or_not"),
    ] {
        let client = connect(on(Revision::LATEST_LEGACY).capabilities(json!({"elicitation": elicitation}))).await;
        let told = client.call(tool, json!({})).await.unwrap();
        assert!(told.is_error() && told.text().contains("which this client does not support"), "{}", told.text());
    }
}

#[tokio::test]
async fn a_model_is_not_given_tools_that_its_client_does_not_know_of() {
    for (revision, capabilities) in [
        (Revision::V2025_11_25, json!({"sampling": {}})),
        (Revision::V2025_11_25, json!({"sampling": {"context": {}}})),
        // Before, there was no such thing, whatever a client declares.
        (Revision::V2025_06_18, json!({"sampling": {"tools": {}}})),
        (Revision::V2024_11_05, json!({"sampling": {"tools": {}}})),
    ] {
        let client = connect(on(revision).capabilities(capabilities)).await;
        let told = client.call("weather", json!({})).await.unwrap();
        assert!(told.is_error() && told.text().contains("(`sampling.tools`)"), "{revision}: {}", told.text());
    }
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
