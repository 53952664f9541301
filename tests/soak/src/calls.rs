//! Calls without end, and sessions that nobody comes back to: memory stays flat.

use std::io::{Error, Result};

use serde_json::json;

use crate::client::{Client, call};
use crate::server::{KEY, OTHER_KEY, Server};

/// So many connections at a time; there are two processors, and the server needs one.
const CONNECTIONS: usize = 4;

/// So much more memory than after the warming up is still flat: allocators keep some of what they had at their peak.
const FLAT: usize = 3 * 1024;

pub fn flat(before: usize, after: usize) -> Result<String> {
    let text = format!("{before} KiB before, {after} KiB after");
    if after <= before + FLAT { Ok(text) } else { Err(Error::other(format!("memory grew: {text}"))) }
}

/// Makes calls on several connections, half of them in sessions, and checks each answer.
fn calls(server: &Server, count: usize) -> Result<()> {
    std::thread::scope(|scope| {
        let address = server.address;
        let callers = (0..CONNECTIONS).map(|number| {
            scope.spawn(move || -> Result<()> {
                let mut client = Client::connect(address)?;
                let session = if number % 2 == 0 { Some(client.session()?) } else { None };
                for a in 0..count / CONNECTIONS {
                    let answer = client.send(&call(session.as_deref(), "add", &json!({"a": a, "b": 1})))?.text();
                    if answer != (a + 1).to_string() {
                        return Err(Error::other(format!("{a} + 1 is answered with {answer}")));
                    }
                }
                Ok(())
            })
        });
        let callers: Vec<_> = callers.collect();
        callers.into_iter().try_for_each(|caller| caller.join().map_err(|_| Error::other("a caller panicked"))?)
    })
}

pub fn many_calls(leak: Option<&str>, count: usize) -> Result<String> {
    let server = Server::start(KEY, leak)?;
    calls(&server, count / 10)?;
    let before = server.taken()?.memory;
    calls(&server, count)?;
    flat(before, server.taken()?.memory)
}

/// Begins sessions, makes one call in each, and leaves them.
fn abandon(server: &Server, count: usize) -> Result<Vec<String>> {
    let mut client = Client::connect(server.address)?;
    let mut sessions = Vec::with_capacity(count);
    for a in 0..count {
        let session = client.session()?;
        let answer = client.send(&call(Some(&session), "add", &json!({"a": a, "b": 1})))?.text();
        if answer != (a + 1).to_string() {
            return Err(Error::other(format!("{a} + 1 is answered with {answer}")));
        }
        sessions.push(session);
    }
    Ok(sessions)
}

pub fn many_sessions(leak: Option<&str>, count: usize) -> Result<String> {
    let server = Server::start(KEY, leak)?;
    // Those that were used lately are remembered: a bounded number, which is reached here.
    let mut sessions = abandon(&server, 2000)?;
    let before = server.taken()?.memory;
    sessions.extend(abandon(&server, count)?);
    let flat = flat(before, server.taken()?.memory)?;
    let ended = server.stop()?;
    // Which ones are remembered and which forgotten makes no difference.
    let some = || sessions.iter().step_by(sessions.len().div_ceil(100));
    let restarted = Server::start(KEY, leak)?;
    let mut client = Client::connect(restarted.address)?;
    for session in some() {
        let response = client.send(&call(Some(session), "add", &json!({"a": 1, "b": 1})))?;
        if response.text() != "2" {
            return Err(Error::other(format!("a session did not survive the restart: {}", response.text())));
        }
    }
    let other = Server::start(OTHER_KEY, leak)?;
    let mut client = Client::connect(other.address)?;
    for session in some() {
        let status = client.send(&call(Some(session), "add", &json!({"a": 1, "b": 1})))?.status;
        if status != 404 {
            return Err(Error::other(format!("a session of another key is answered with {status}")));
        }
    }
    Ok(format!("{flat}; ended in {ended:?}; 100 of them went on after a restart and none with another key"))
}
