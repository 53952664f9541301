//! Clients that open a stream and never read: what is sent to them costs bounded memory, and the call comes to its end.

use std::io::{Error, Result};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, call};
use crate::server::{KEY, Server};

/// So many clients of each era.
const CLIENTS: usize = 4;

/// A stream holds 256 KiB, the connection below it about as much, and both copy as they go.
const HELD: usize = 2 * CLIENTS * 2048;

/// Beside it the server needs room to work in.
const FLAT: usize = 4 * 1024;

pub fn unread_streams(leak: Option<&str>, megabytes: usize) -> Result<String> {
    let server = Server::start(KEY, leak)?;
    let before = server.taken()?;
    let mut clients = Vec::new();
    for number in 0..2 * CLIENTS {
        let mut client = Client::connect(server.address)?;
        let session = if number % 2 == 0 { Some(client.session()?) } else { None };
        client.write(&call(session.as_deref(), "flood", &json!({"megabytes": megabytes / CLIENTS / 2})))?;
        clients.push(client);
    }
    let begun = Instant::now();
    while server.taken()?.handlers > 0 {
        if begun.elapsed() > Duration::from_secs(60) {
            return Err(Error::other("the calls do not come to their end"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = format!(
        "{megabytes} MB to {} clients, {} KiB before, {} KiB at most",
        clients.len(),
        before.memory,
        server.peak()?
    );
    if server.peak()? > before.memory + HELD + FLAT {
        return Err(Error::other(format!("memory grew: {text}")));
    }
    // Who reads after all gets what was kept, and the answer.
    for client in &mut clients {
        let answer = client.read()?.text();
        if answer != "flooded" {
            return Err(Error::other(format!("the answer is lost: {}", answer.get(..200).unwrap_or(&answer))));
        }
    }
    Ok(text)
}
