//! A thread that wakes one of the runtime's when a handler blocks the one that waited for input.
//!
//! Of a runtime's idle threads one waits for events and the others for that one. An event that leads to a handler that blocks
//! takes it along, and nobody would notice the next event until something else wakes a thread.

use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::spawn::{task, thread};
use crate::transport::polls::{Nap, Polls, Running};

/// A poll that is seen in two glances has lasted for at least this long.
const TICK: Duration = Duration::from_millis(5);

/// After so many glances without anything new the lifeguard sleeps until it is woken.
const QUIET: u32 = 20;

/// The lifeguard of a server: it begins with the first handler that is polled where other work waits.
#[derive(Debug, Default)]
pub(super) struct Lifeguard(OnceLock<Arc<Watch>>);

impl Lifeguard {
    /// What it looks at.
    pub(super) fn watch(&self) -> &Arc<Watch> {
        self.0.get_or_init(|| {
            let watch =
                Arc::new(Watch { polls: Polls::default(), nap: Nap::default(), runtime: Handle::try_current().ok() });
            let watched = Arc::clone(&watch);
            // Without threads to spare the server works, only perhaps not while a handler blocks.
            drop(thread("mcp-lifeguard", Box::new(move || watched.keep())));
            watch
        })
    }
}

impl Drop for Lifeguard {
    fn drop(&mut self) {
        if let Some(watch) = self.0.get() {
            watch.nap.end();
        }
    }
}

/// The polls for which other work waits.
#[derive(Debug)]
pub(super) struct Watch {
    polls: Polls,
    nap: Nap,
    runtime: Option<Handle>,
}

impl Watch {
    /// A poll begins, and lasts until what this returns is dropped.
    pub(super) fn enter(&self) -> Running<'_> {
        self.polls.enter(&self.nap)
    }

    fn keep(&self) {
        let mut before = self.polls.seen();
        let mut quiet = QUIET;
        while !self.nap.is_over() {
            if quiet < QUIET {
                sleep(TICK);
            } else {
                // One that still runs is as before: whom it kept from waiting has been woken.
                self.nap.sleep(|| self.polls.seen() != before);
                before = self.polls.seen();
                quiet = 0;
                continue;
            }
            let now = self.polls.seen();
            quiet = if now == before { quiet + 1 } else { 0 };
            if quiet == 1 && now.is_stuck_since(before) {
                self.wake();
            }
            before = now;
        }
    }

    /// Gives the runtime something to do: a thread wakes for it, and waits for events afterwards.
    fn wake(&self) {
        if let Some(runtime) = &self.runtime {
            drop(task(runtime, Box::pin(async {})));
        }
    }
}
