//! The server as its clients see it, in memory.

use std::fs;

use mcp_runtime::Revision;
use mcp_runtime::testing::{Client, ClientBuilder, Reply};
use notes::store::Store;
use serde_json::{Value, json};

async fn client() -> Client {
    connect(Client::with_revision(Revision::LATEST)).await
}

async fn connect(client: ClientBuilder) -> Client {
    client.connect(notes::server(Store::in_memory().unwrap(), None).unwrap()).await.unwrap()
}

/// A client of a server that may read this folder.
async fn with_files(folder: &tempfile::TempDir) -> Client {
    let folder = folder.path().to_owned();
    Client::connect(notes::server(Store::in_memory().unwrap(), Some(folder)).unwrap()).await.unwrap()
}

async fn add(client: &Client, title: &str, body: &str) -> i64 {
    let note = client.call("add_note", json!({"title": title, "body": body})).await.unwrap();
    note.structured()["id"].as_i64().unwrap()
}

async fn search(client: &Client, words: &str) -> Vec<Value> {
    client.call("search_notes", json!({"words": words})).await.unwrap().json().unwrap()
}

#[tokio::test]
async fn a_note_is_written_read_changed_and_found() {
    let client = client().await;
    let id = add(&client, "Garden", "Sow the tomatoes in March.").await;
    let edited = client.call("edit_note", json!({"id": id, "body": "Sow the tomatoes in April."})).await.unwrap();
    assert_eq!(edited.structured()["title"], "Garden", "what is left out stays");
    let read = client.call("read_note", json!({"id": id})).await.unwrap();
    assert_eq!(read.structured(), edited.structured());
    assert_eq!(client.read("note://1").await.unwrap()[0]["text"], "# Garden\n\nSow the tomatoes in April.");
    assert_eq!(search(&client, "tomato apr").await[0]["excerpt"], "Sow the **tomatoes** in **April**.");
    assert_eq!(search(&client, "March").await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_search_takes_any_text_for_words() {
    let client = client().await;
    add(&client, "Čapek", "R.U.R. AND \"robots\"").await;
    for words in ["capek", "r.u.r.", "and", "\"robots\"", "R.U.R. AND"] {
        assert_eq!(search(&client, words).await.len(), 1, "{words}");
    }
    for words in ["-", "NOT", "title: x", "*", "\"", "(robots"] {
        let result = client.call("search_notes", json!({"words": words})).await.unwrap();
        assert!(!result.is_error(), "{words}: {}", result.text());
    }
}

#[tokio::test]
async fn a_note_that_is_not_there_is_an_error_that_says_so() {
    let client = client().await;
    for (tool, arguments) in [("read_note", json!({"id": 7})), ("edit_note", json!({"id": 7, "title": "x"}))] {
        let failed = client.call(tool, arguments).await.unwrap();
        assert_eq!(failed.text(), "there is no note 7");
    }
    assert!(client.read("note://7").await.is_err());
    assert!(client.prompt("tidy_up", json!({"id": "7"})).await.is_err());
}

#[tokio::test]
async fn notes_are_listed_and_their_ids_suggested() {
    let client = client().await;
    for title in ["Garden", "Kitchen"] {
        add(&client, title, "…").await;
    }
    let listed = client.list_resources().await.unwrap();
    let names: Vec<_> = listed.iter().map(|resource| (resource["uri"].clone(), resource["name"].clone())).collect();
    assert_eq!(names, [(json!("note://1"), json!("Garden")), (json!("note://2"), json!("Kitchen"))]);
    assert_eq!(client.complete("note://{id}", "id", "").await.unwrap(), ["2", "1"]);
    assert_eq!(client.complete("tidy_up", "id", "1").await.unwrap(), ["1"]);
}

#[tokio::test]
async fn the_person_is_asked_before_a_note_is_deleted() {
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let client = connect(Client::with_revision(revision).elicit(|asked| {
            let sure = asked.message() == "Delete the note “Old” for good?";
            Reply::accept(json!({"sure": sure}))
        }));
        let client = client.await;
        let (old, kept) = (add(&client, "Old", "").await, add(&client, "Kept", "").await);
        let delete = async |id| client.call("delete_note", json!({"id": id})).await.unwrap().text();
        assert_eq!(delete(old).await, "The note is deleted.");
        assert_eq!(delete(kept).await, "The note stays.");
        assert_eq!(delete(old).await, "there is no note 1", "{revision}: nobody is asked about nothing");
        assert_eq!(client.list_resources().await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_client_that_cannot_ask_deletes_nothing() {
    let client = client().await;
    let id = add(&client, "Garden", "").await;
    assert!(client.call("delete_note", json!({"id": id})).await.is_err());
    assert_eq!(client.list_resources().await.unwrap().len(), 1);
}

#[tokio::test]
async fn subscribers_hear_of_a_change_and_of_a_new_note() {
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let client = connect(Client::with_revision(revision)).await;
        let id = add(&client, "Garden", "").await;
        client.subscribe(["note://1"]).await.unwrap();
        client.call("edit_note", json!({"id": id, "title": "Garden 2027"})).await.unwrap();
        let update = client.notified("notifications/resources/updated").await.unwrap();
        assert_eq!(update["params"]["uri"], "note://1", "{revision}");
        client.notified("notifications/resources/list_changed").await.unwrap();
        add(&client, "Kitchen", "").await;
        client.notified("notifications/resources/list_changed").await.unwrap();
    }
}

#[tokio::test]
async fn attachments_are_listed_and_read_as_bytes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a plan.png"), b"\x89PNG").unwrap();
    let client = with_files(&folder).await;
    let id = add(&client, "Garden", "").await;
    let attached = client.call("attach_file", json!({"id": id, "file": "a plan.png"})).await.unwrap();
    assert_eq!(attached.structured(), &json!({"note": 1, "name": "a plan.png", "mime": "image/png", "size": 4}));
    let listed = client.list_resources().await.unwrap();
    assert_eq!(listed[0]["uri"], "attachment://1/a%20plan.png");
    let contents = client.read("attachment://1/a%20plan.png").await.unwrap();
    assert_eq!((&contents[0]["mimeType"], &contents[0]["blob"]), (&json!("image/png"), &json!("iVBORw==")));
    assert_eq!(client.complete("attachment://{note}/{name}", "name", "a").await.unwrap(), ["a plan.png"]);
}

#[tokio::test]
async fn a_folder_is_imported_whole_with_progress() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("deeper")).unwrap();
    fs::write(folder.path().join("a.md"), "# Apples\nred").unwrap();
    fs::write(folder.path().join("deeper/b.md"), "yellow").unwrap();
    fs::write(folder.path().join("no.txt"), "nothing").unwrap();
    let client = with_files(&folder).await;

    let call = json!({"name": "import_folder", "arguments": {}, "_meta": {"progressToken": 1}});
    let imported = client.request("tools/call", call).await.unwrap();
    assert_eq!(imported["structuredContent"], json!({"notes": [1, 2]}));
    let reports = client.notifications();
    let texts: Vec<_> = reports.iter().filter_map(|report| report["params"]["message"].as_str()).collect();
    assert_eq!(texts, ["a.md", "deeper/b.md"]);
    assert_eq!(search(&client, "yellow").await[0]["title"], "b");

    fs::write(folder.path().join("broken.md"), b"\xff\xfe").unwrap();
    assert!(client.call("import_folder", json!({})).await.unwrap().is_error());
    assert_eq!(client.list_resources().await.unwrap().len(), 2, "all of them, or none");
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(outside.path().join("secret.md"), "secret").unwrap();
    let server = notes::server(Store::in_memory().unwrap(), Some(folder)).unwrap();
    let client = Client::connect(server).await.unwrap();
    let id = add(&client, "Garden", "").await;
    let secret = outside.path().join("secret.md");
    for file in ["../secret.md", secret.to_str().unwrap()] {
        let refused = client.call("attach_file", json!({"id": id, "file": file})).await.unwrap();
        assert_eq!(refused.text(), format!("there is no `{file}` here"));
    }
    assert!(client.call("import_folder", json!({"folder": ".."})).await.unwrap().is_error());
}

#[tokio::test]
async fn without_a_folder_there_are_no_tools_for_files() {
    let tools = client().await.list_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["add_note", "delete_note", "edit_note", "read_note", "recent_notes", "search_notes"]);
}

#[tokio::test]
async fn prompts_bring_the_notes_along() {
    let client = client().await;
    add(&client, "Garden", "Sow the tomatoes in March.").await;
    let messages = client.prompt("sum_up", json!({"about": "tomatoes"})).await.unwrap();
    assert_eq!(messages[1]["content"]["resource"]["uri"], "note://1");
    let messages = client.prompt("tidy_up", json!({"id": "1"})).await.unwrap();
    assert_eq!(messages[1]["content"]["resource"]["text"], "# Garden\n\nSow the tomatoes in March.");
}
