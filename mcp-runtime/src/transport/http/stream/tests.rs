//! Streams step by step, without a network.

use super::super::backlog::{KEPT, write_data};
use super::super::stream_name::Kind;
use super::*;

fn stream(name: Option<Kind>, polling: bool, accepts: Accepts) -> Arc<Stream> {
    let name = name.map(|kind| Name { kind, instance: 7, number: 255 });
    Stream::new(Style { accepts, name, polling, is_subscription: false, can_ask: false })
}

/// What a reader takes; an empty text at the end.
fn take(stream: &Stream, reader: u32) -> String {
    match stream.poll_take(&Context::from_waker(Waker::noop()), reader) {
        Poll::Ready(bytes) => String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap(),
        Poll::Pending => "nothing yet".to_owned(),
    }
}

#[test]
fn an_answer_alone_becomes_json_and_one_after_a_notification_an_event() {
    let alone = stream(None, false, Accepts::BOTH);
    assert_eq!(alone.head(), None);
    alone.respond(b"{}".to_vec(), Origin::Routing);
    assert_eq!(alone.head(), Some(Head::Answer(b"{}".to_vec(), Origin::Routing)));

    let both = stream(None, false, Accepts::BOTH);
    both.notify(b"1".to_vec());
    both.respond(b"2".to_vec(), Origin::Handler);
    assert_eq!(both.head(), Some(Head::Events));
    let reader = both.attach(None).unwrap();
    assert_eq!(take(&both, reader), "data: 1\n\ndata: 2\n\n");
    assert_eq!(take(&both, reader), "");
}

#[test]
fn a_client_gets_only_what_it_accepts() {
    let json = stream(None, false, Accepts { json: true, events: false });
    assert_eq!(json.notify(b"1".to_vec()), Sent::Dropped);
    json.respond(b"{}".to_vec(), Origin::Handler);
    assert!(matches!(json.head(), Some(Head::Answer(..))));

    let events = stream(None, false, Accepts::EVENTS);
    events.respond(b"{}".to_vec(), Origin::Handler);
    assert_eq!(events.head(), Some(Head::Events));
}

#[test]
fn a_client_that_comes_back_gets_exactly_what_it_missed() {
    let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
    for message in ["one", "two", "three"] {
        stream.notify(message.into());
    }
    assert_eq!(stream.head(), Some(Head::Events));
    let reader = stream.attach(None).unwrap();
    let all = take(&stream, reader);
    assert!(all.starts_with("id: a00000007-ff-0\ndata: \n\nid: a00000007-ff-1\ndata: one\n\n"), "{all}");
    assert!(stream.detach(reader));
    stream.respond(b"four".to_vec(), Origin::Handler);

    let (name, event) = Name::read("a00000007-ff-2").unwrap();
    assert_eq!((Some(&name), event), (stream.name(), 2));
    let again = stream.attach(Some(event)).unwrap();
    assert_eq!(take(&stream, reader), "");
    assert_eq!(take(&stream, again), "id: a00000007-ff-3\ndata: three\n\nid: a00000007-ff-4\ndata: four\n\n");
    assert_eq!(take(&stream, again), "");
    assert!(stream.attach(Some(5)).is_err());
}

#[test]
fn a_released_reader_is_told_when_to_come_back() {
    let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
    stream.release();
    assert_eq!(stream.head(), Some(Head::Events));
    let reader = stream.attach(None).unwrap();
    assert_eq!(take(&stream, reader), "id: a00000007-ff-0\ndata: \n\n");
    assert_eq!(take(&stream, reader), "retry: 500\n\n");
    assert_eq!(take(&stream, reader), "");
    assert!(stream.is_over(reader) && stream.detach(reader));
    stream.respond(b"late".to_vec(), Origin::Handler);
    let again = stream.attach(Some(0)).unwrap();
    assert_eq!(take(&stream, again), "id: a00000007-ff-1\ndata: late\n\n");
}

#[test]
fn what_is_not_read_is_bounded_and_the_answer_still_arrives() {
    let stream = stream(Some(Kind::Answer), true, Accepts::BOTH);
    let message = vec![b'x'; 1000];
    let sent: Vec<Sent> = (0..100_000).map(|_| stream.notify(message.clone())).collect();
    assert_eq!(sent.first(), Some(&Sent::Queued));
    assert_eq!(sent.last(), Some(&Sent::Dropped));
    assert!(stream.size() < FULL + 2000, "{}", stream.size());
    stream.respond(b"answer".to_vec(), Origin::Handler);
    assert_eq!(stream.head(), Some(Head::Events));
    let reader = stream.attach(None).unwrap();
    let mut all = String::new();
    loop {
        let bytes = take(&stream, reader);
        if bytes.is_empty() {
            break;
        }
        all.push_str(&bytes);
    }
    assert!(all.ends_with("data: answer\n\n"));
    assert!(stream.size() <= KEPT, "{}", stream.size());
    assert!(stream.attach(Some(0)).is_err());
}

#[test]
fn a_subscription_merges_what_waits_and_ends_when_it_cannot() {
    let style = Style { accepts: Accepts::EVENTS, name: None, polling: false, is_subscription: true, can_ask: false };
    let stream = Stream::new(style);
    for _ in 0..1000 {
        stream.notify(b"changed".to_vec());
    }
    assert!(stream.size() < 100);
    for number in 0..2000 {
        stream.notify(format!("{number:0500}").into_bytes());
    }
    assert!(stream.is_done());
}

#[test]
fn several_lines_of_raw_json_stay_one_event() {
    let mut frame = Vec::new();
    write_data(&mut frame, b"{\n\r1}");
    assert_eq!(frame, b"data: {\ndata: \ndata: 1}\n\n");
}

#[test]
fn only_event_ids_are_read_as_such() {
    for text in ["", "a", "a-1", "x00000007-ff-2", "a-ff-2", "a1ffffffff-1-1", "a00000007-ff-", "é00000007-ff-2"] {
        assert_eq!(Name::read(text), None, "{text}");
    }
}
