//! A thread that reads and answers while a handler blocks the thread that should.
//!
//! A blocked poll cannot be interrupted, and on a runtime with one thread, or with two of which one was waiting for
//! input, nothing else would notice a ping or a cancellation until it returns.

use std::sync::Arc;
use std::thread::{Builder, sleep};
use std::time::Duration;

use super::io;
use super::watch::Glance;
use super::wire::Wire;
use crate::transport::signal;

/// A poll that is seen in two glances has lasted for at least this long.
const TICK: Duration = Duration::from_millis(5);

/// After so many glances without anything new the lifeguard sleeps until it is woken.
const QUIET: u32 = 20;

/// Starts the lifeguard of a connection. It ends with the connection.
///
/// With `patience`, the process ends when a handler still blocks that long after the client has left: nobody waits for it,
/// and nothing else can end it.
pub(super) fn start(wire: &Arc<Wire>, patience: Option<Duration>) {
    let wire = Arc::clone(wire);
    let started = Builder::new().name("mcp-lifeguard".into()).spawn(move || keep_watch(&wire, patience));
    // Without threads to spare the server works, only not while a handler blocks.
    drop(started);
}

fn keep_watch(wire: &Wire, patience: Option<Duration>) {
    let watch = &wire.watch;
    let mut before = watch.glance();
    let mut quiet = QUIET;
    while !watch.is_over() {
        if quiet < QUIET {
            sleep(TICK);
        } else {
            watch.sleep();
            quiet = 0;
        }
        let mut now = watch.glance();
        if now.is_stuck_since(before) {
            stand_in(wire, before, patience);
            now = watch.glance();
        }
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
    }
}

/// Does what the driver would, except polling handlers, for as long as the same poll runs.
fn stand_in(wire: &Wire, since: Glance, patience: Option<Duration>) {
    while wire.watch.glance().is_stuck_since(since) && !wire.watch.is_over() {
        let wants = wire.stand_in();
        if patience.zip(wire.over_for()).is_some_and(|(patience, over)| over > patience) {
            signal::exit(0);
        }
        io::wait(wants.input.then_some(&wire.input), wants.output.then_some(&wire.output), TICK);
    }
    wire.rouse();
}
