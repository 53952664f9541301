//! The trip is booked, or paid back, by clients of either kind.

use mcp_runtime::Revision;
use mcp_runtime::testing::{Asked, Client, Reply};
use serde_json::json;

use super::server;

fn travels(asked: &Asked, sure: bool) -> Reply {
    Reply::accept(match asked.message() {
        "Who travels to Rome?" => json!({"adults": 2, "children": 1}),
        "In which class?" => json!({"class": "first"}),
        "3 seats to Rome are paid (297 €). Book them?" => json!({"sure": sure}),
        other => panic!("{other}"),
    })
}

#[tokio::test]
async fn a_trip_is_booked_after_three_questions() {
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        let client =
            Client::with_revision(revision).elicit(|asked| travels(asked, true)).connect(server()).await.unwrap();
        let booked = client.call("book_trip", json!({"to": "Rome"})).await.unwrap();
        assert_eq!(booked.text(), "Booked 3 seats to Rome, receipt 1.", "{revision}");
    }
}

#[tokio::test]
async fn a_no_in_the_end_pays_back() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let client = Client::with_revision(revision)
            .strict_replay()
            .elicit(|asked| travels(asked, false))
            .connect(server())
            .await
            .unwrap();
        let refunded = client.call("book_trip", json!({"to": "Rome"})).await.unwrap();
        assert_eq!(refunded.text(), "Nothing was booked, and 297 € were paid back.", "{revision}");
    }
}

#[tokio::test]
async fn a_reason_need_not_be_given() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let client = Client::with_revision(revision)
            .elicit(|asked| match asked.message().starts_with("Really") {
                true => Reply::accept(json!({"sure": true})),
                false => Reply::decline(),
            })
            .connect(server())
            .await
            .unwrap();
        let cancelled = client.call("cancel_trip", json!({"receipt": 7})).await.unwrap();
        assert_eq!(cancelled.text(), "Trip 7 is cancelled (no reason given).", "{revision}");
    }
}
