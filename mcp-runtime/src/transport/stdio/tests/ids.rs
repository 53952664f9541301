//! Ids that are used again at once, cancellations that cross answers, and an end right after the last call.

use super::*;

/// `initialize` begins the session anew, on the revision that has batches.
fn with_batches(client: &mut Client) {
    let params = json!({"protocolVersion": "2025-03-26"});
    client.send(&json!({"jsonrpc": "2.0", "id": "again", "method": "initialize", "params": params}).to_string());
    assert_eq!(client.answer()["id"], "again");
}

fn batch(ids: std::ops::Range<u64>) -> String {
    let calls: Vec<_> = ids.map(|id| call(id, "hop", &json!({}))).collect();
    format!("[{}]", calls.join(","))
}

/// The ids of what must be results, in order.
fn sorted_ids(answers: &[Value]) -> Vec<u64> {
    assert!(answers.iter().all(|answer| answer.get("result").is_some()), "{answers:?}");
    let mut ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn an_id_is_free_as_soon_as_its_answer_is_there() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        for round in 0..2000 {
            client.send(&call(1, "hop", &json!({})));
            let answer = client.answer();
            assert!(answer.get("result").is_some(), "{place}, round {round}: {answer}");
        }
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn the_ids_of_a_batch_are_free_as_soon_as_its_answers_are_there() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        with_batches(&mut client);
        for round in 0..500 {
            client.send(&batch(0..3));
            let Value::Array(answers) = client.answer() else { panic!("{place}, round {round}: no array") };
            assert_eq!(sorted_ids(&answers), [0, 1, 2], "{place}, round {round}");
        }
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn an_id_is_free_after_a_cancellation_whether_that_came_in_time_or_not() {
    everywhere(|place, flavour, kind| {
        let mut client = start(flavour, kind);
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        let lines = [
            call(1, "hop", &json!({"text": "first"})),
            cancel.to_string(),
            call(1, "hop", &json!({"text": "second"})),
            String::new(),
        ];
        for round in 0..500 {
            client.send_raw(lines.join("\n").as_bytes());
            let mut texts = Vec::new();
            while texts.last().is_none_or(|text| text != "second") {
                let answer = client.answer();
                assert!(answer.get("result").is_some(), "{place}, round {round}: {answer}");
                texts.push(answer["result"]["content"][0]["text"].as_str().unwrap().to_owned());
            }
            assert!(texts.len() <= 2, "{place}, round {round}: {texts:?}");
        }
        assert!(client.finish().is_empty(), "{place}");
    });
}

#[test]
fn an_end_right_after_the_last_call_loses_no_answer() {
    everywhere(|place, flavour, kind| {
        for round in 0..50 {
            let mut client = start(flavour, kind);
            with_batches(&mut client);
            client.send(&call(0, "hop", &json!({})));
            client.send(&call(1, "hop", &json!({})));
            // The last line, with or without its end.
            if round % 2 == 0 {
                client.send(&batch(2..5));
            } else {
                client.send_raw(batch(2..5).as_bytes());
            }
            let rest = client.finish();
            let (arrays, single): (Vec<_>, Vec<_>) = rest.into_iter().partition(Value::is_array);
            assert_eq!(sorted_ids(&single), [0, 1], "{place}, round {round}: {arrays:?}");
            let [Value::Array(together)] = arrays.as_slice() else { panic!("{place}, round {round}: {arrays:?}") };
            assert_eq!(sorted_ids(together), [2, 3, 4], "{place}, round {round}");
        }
    });
}
