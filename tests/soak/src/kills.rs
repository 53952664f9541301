//! Clients that are killed in the middle of what they do: the others get their answers, and nothing stays behind.

use std::io::{Error, Result};

use serde_json::json;

use crate::client::{Client, call, listen};
use crate::random::Random;
use crate::server::{KEY, PLACES, Server};

const CLIENTS: usize = 64;

/// One of so many requests is the last of its client.
const KILLED: usize = 10;

/// What killed clients may leave in memory for a while: the streams to which they could come back (16 MiB by their bytes),
/// and the sessions they belong to.
const KEPT: usize = 16 * 1024;

/// What a client asks for.
#[derive(Clone, Copy, Debug)]
enum What {
    Add,
    Report,
    Listen,
}

/// One client after the other on one of the connections.
fn client(server: &Server, mut random: Random, requests: usize) -> Result<usize> {
    let mut client = Client::connect(server.address)?;
    let session = client.session()?;
    let mut killed = 0;
    for a in 0..requests {
        let session = (random.below(2) == 0).then_some(&*session);
        let (what, request, expected) = match random.below(10) {
            0..=6 => (What::Add, call(session, "add", &json!({"a": a, "b": 1})), (a + 1).to_string()),
            7 | 8 => (What::Report, call(session, "report", &json!({"steps": 5})), "5".to_owned()),
            _ => (What::Listen, listen(session), String::new()),
        };
        if random.below(KILLED) == 0 {
            killed += 1;
            kill(client, &request, what, &mut random)?;
            client = Client::connect(server.address)?;
            continue;
        }
        if let What::Listen = what {
            client.write(&request)?;
            let (response, _) = client.head()?;
            if response.status != 200 || client.piece()?.is_empty() {
                return Err(Error::other(format!("a stream is answered with {}", response.status)));
            }
            // There is no other way to end it.
            client = Client::connect(server.address)?;
            continue;
        }
        let answer = client.send(&request)?.text();
        if answer != expected {
            return Err(Error::other(format!("{what:?} is answered with {answer} instead of {expected}")));
        }
    }
    Ok(killed)
}

/// Ends a client somewhere: before all is sent, before anything came, or in the middle of what comes.
fn kill(mut client: Client, request: &[u8], what: What, random: &mut Random) -> Result<()> {
    match random.below(3) {
        0 => client.write(request.get(..random.below(request.len())).unwrap_or_default()),
        1 => client.write(request),
        _ => {
            client.write(request)?;
            client.head()?;
            if let What::Add = what {
                return Ok(());
            }
            client.piece().map(drop)
        }
    }
}

fn storm(server: &Server, seed: u64, requests: usize) -> Result<usize> {
    std::thread::scope(|scope| {
        let clients = (0..CLIENTS).map(|number| {
            let random = Random::new(seed, number as u64);
            scope.spawn(move || client(server, random, requests))
        });
        let clients: Vec<_> = clients.collect();
        clients
            .into_iter()
            .try_fold(0, |killed, client| Ok(killed + client.join().map_err(|_| Error::other("a client panicked"))??))
    })
}

/// Takes all places at once: one that was not given back would be missed.
fn all_places(server: &Server) -> Result<()> {
    let gather = call(None, "gather", &json!({"count": PLACES}));
    let mut waiting = (0..PLACES).map(|_| Client::connect(server.address)).collect::<Result<Vec<_>>>()?;
    for client in &mut waiting {
        client.write(&gather)?;
    }
    for client in &mut waiting {
        let answer = client.read()?.text();
        if answer != "all are here" {
            return Err(Error::other(format!("a place for a request was not given back: {answer}")));
        }
    }
    let mut streams = Vec::new();
    for _ in 0..PLACES {
        let mut client = Client::connect(server.address)?;
        client.write(&listen(None))?;
        let (response, _) = client.head()?;
        if response.status != 200 {
            return Err(Error::other(format!("a place for a stream was not given back: {}", response.status)));
        }
        streams.push(client);
    }
    Ok(())
}

pub fn killed_clients(leak: Option<&str>, seed: u64, requests: usize) -> Result<String> {
    let server = Server::start(KEY, leak)?;
    let idle = server.taken()?;
    storm(&server, seed ^ 1, 40)?;
    let before = server.at_rest(&idle)?;
    let killed = storm(&server, seed, requests)?;
    let after = server.at_rest(&idle)?;
    for (what, idle, after) in [
        ("handlers", idle.handlers, after.handlers),
        ("tasks", idle.tasks, after.tasks),
        ("descriptors", idle.descriptors, after.descriptors),
    ] {
        if after > idle {
            return Err(Error::other(format!("{what} are left: {after}, and {idle} before")));
        }
    }
    let memory = format!("{} KiB before, {} KiB after", before.memory, after.memory);
    if after.memory > before.memory + KEPT {
        return Err(Error::other(format!("memory grew: {memory}")));
    }
    all_places(&server)?;
    server.at_rest(&idle)?;
    let ended = server.stop()?;
    Ok(format!("{} requests, {killed} of them cut off; {memory}; ended in {ended:?}", CLIENTS * requests))
}
