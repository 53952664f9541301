//! A thread that reads and answers while a handler blocks the thread that should.
//!
//! A blocked poll cannot be interrupted, and on a runtime with one thread, or with two of which one was waiting for
//! input, nothing else would notice a ping or a cancellation until it returns.

use std::sync::Weak;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::watch::{Call, Glance, Watch};
use super::wire::Wire;
use super::{Stuck, io};
use crate::spawn::thread;
use crate::transport::signal;

/// A poll that is seen in two glances has lasted for at least this long.
pub(super) const TICK: Duration = Duration::from_millis(5);

/// After so many glances without anything new the lifeguard sleeps until it is woken.
const QUIET: u32 = 20;

/// How long the program may still need when a handler blocks after the end of its connection.
pub(crate) const LINGER: Duration = Duration::from_secs(1);

/// What calls the lifeguard of a connection. It ends with the connection.
///
/// When a handler still blocks its thread after its time, nothing but the end of the process ends it.
pub(super) fn of(wire: &Weak<Wire>, stuck: Stuck) -> Call {
    let wire = Weak::clone(wire);
    Box::new(move || {
        let Some(wire) = wire.upgrade() else { return };
        // Without threads to spare the server works, only not while a handler blocks.
        drop(thread("mcp-lifeguard", Box::new(move || keep_watch(&wire, stuck))));
    })
}

fn keep_watch(wire: &Wire, stuck: Stuck) {
    let watch = &wire.watch;
    let mut before = watch.glance();
    let mut quiet = 0;
    while !watch.is_over() {
        if quiet < QUIET {
            sleep(TICK);
        } else {
            watch.sleep();
            quiet = 0;
        }
        let mut now = watch.glance();
        if now.is_stuck_since(before) {
            stand_in(wire, before, stuck);
            now = watch.glance();
        }
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
    }
    linger(watch, stuck);
}

/// After the end: a runtime cannot go down while a handler blocks one of its threads.
fn linger(watch: &Watch, stuck: Stuck) {
    let ended = Instant::now();
    while watch.glance().is_running() {
        let is_overdue = match stuck {
            Stuck::Exit => ended.elapsed() > LINGER,
            // Others are served: it may go on until they end, too.
            #[cfg(unix)]
            Stuck::Wait => signal::is_overdue(LINGER),
        };
        if is_overdue {
            signal::exit(0);
        }
        sleep(if stuck == Stuck::Exit { TICK } else { 20 * TICK });
    }
}

/// Does what the driver would, except polling handlers, for as long as the same poll runs.
///
/// Meanwhile handlers run in place: each one that blocks, too, would take a thread from all others, and soon the last.
fn stand_in(wire: &Wire, since: Glance, stuck: Stuck) {
    wire.watch.poll_in_place(wire.can_block);
    wire.pass_on();
    while wire.watch.glance().is_stuck_since(since) && !wire.watch.is_over() {
        let wants = wire.stand_in();
        let is_overdue = match stuck {
            Stuck::Exit => wire.is_overdue(),
            #[cfg(unix)]
            Stuck::Wait => wire.is_overdue() && signal::is_overdue(LINGER),
        };
        if is_overdue {
            signal::exit(0);
        }
        io::wait(wants.input.then_some(&wire.input), wants.output.then_some(&wire.output), TICK);
    }
    wire.watch.poll_in_place(false);
    wire.rouse();
}
