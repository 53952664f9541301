//! One connection between its bytes and the protocol: what the driver does by turns, and the lifeguard in its place.
//!
//! Nothing here waits. Both take the slot, so a message is read by one of them and messages reach the protocol in order;
//! the slot is left before an author's code runs.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use super::io::{Filled, Input, Output};
use super::lines::Line;
use super::slot::{BACKLOG, Reading, Slot, wake};
use super::turns::BATCH;
use super::watch::Watch;
use super::{StdioOptions, lifeguard};
use crate::server::connection::{Connection, Start};
use crate::server::job::Job;
use crate::spawn::task;
use crate::transport::threads::Threads;

/// What the driver and the lifeguard share.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) connection: Arc<Connection>,
    pub(super) watch: Arc<Watch>,
    pub(super) input: Input,
    pub(super) output: Output,
    limit: usize,
    /// How long handlers may go on after the end of input.
    pub(super) grace: Duration,
    runtime: Handle,
    /// Whether the runtime lets a thread leave its other work to others.
    pub(super) can_block: bool,
    slot: Mutex<Slot>,
}

/// Why nothing more is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// No more comes, but some of what came has to wait.
    Ending,
    /// No more comes, and what came has been handed on.
    Ended,
    /// The server is to stop.
    Stopped,
    /// Nobody reads the answers any more.
    Gone,
}

/// What the lifeguard waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wants {
    pub(super) input: bool,
    pub(super) output: bool,
}

impl Wire {
    pub(super) fn new(connection: Arc<Connection>, input: Input, output: Output, options: StdioOptions) -> Arc<Self> {
        let threads = Threads::here();
        let neighbours = options.stuck.has_neighbours().then_some(threads);
        Arc::new_cyclic(|this| Self {
            connection,
            watch: Arc::new(Watch::new(neighbours, lifeguard::of(this, options.stuck))),
            input,
            output,
            limit: options.max_message,
            grace: options.grace,
            runtime: Handle::current(),
            can_block: threads.can_block(),
            slot: Mutex::new(Slot::new(options.max_message)),
        })
    }

    /// Writes what is ready, reads what is there and handles it, until there is no more.
    pub(super) fn poll_next(&self, context: &mut Context<'_>) -> Poll<Next> {
        let mut slot = self.lock();
        loop {
            match ready!(self.step(&mut slot, context)) {
                Some(end) => return Poll::Ready(end),
                None => slot = self.handle(slot),
            }
        }
    }

    /// Handles the lines that are there, out of the slot. Each handler is polled once at once, and left to the runtime when it is pending.
    fn handle<'s>(&'s self, mut slot: MutexGuard<'s, Slot>) -> MutexGuard<'s, Slot> {
        // What these handlers send is written afterwards anyway: it need not wake the driver.
        self.connection.outbox().quiet();
        while let Some(line) = self.next_line(&mut slot) {
            let length = line.length();
            let Some(mut job) = self.receive(line) else {
                continue;
            };
            if !self.has_room(&slot) {
                slot.turns.enter(job, length);
                continue;
            }
            drop(slot);
            let rest = self.watch.begin(&mut job).is_pending().then_some(job);
            slot = self.lock();
            if let Some(job) = rest {
                slot.turns.run(job, &self.watch, &self.runtime);
            }
        }
        slot
    }

    /// Writes what is ready and reads what is there; ready when there may be lines to handle, or when something else is next.
    fn step(&self, slot: &mut Slot, context: &mut Context<'_>) -> Poll<Option<Next>> {
        slot.driver.get_or_insert_with(|| context.waker().clone()).clone_from(context.waker());
        if slot.is_stopped {
            return Poll::Ready(Some(Next::Stopped));
        }
        // Answers before requests: a client that waits for one is not kept waiting by what comes in.
        if matches!(self.flush(slot, context), Poll::Ready(Err(_))) {
            return Poll::Ready(Some(Next::Gone));
        }
        let mut is_more = self.advance(slot);
        while slot.turns.poll_next(context).is_ready() {
            is_more = self.advance(slot);
        }
        if is_more {
            // After those that have just begun.
            context.waker().wake_by_ref();
        }
        if !self.may_take(slot) {
            // Its backlog or its requests keep the client waiting. Less of either wakes the driver.
            return if slot.reading == Reading::Ended { Poll::Ready(Some(Next::Ending)) } else { Poll::Pending };
        }
        if slot.lines.is_waiting() {
            return Poll::Ready(None);
        }
        if slot.reading == Reading::Unasked {
            match self.fill(slot) {
                Ok(_) => return Poll::Ready(None),
                Err(_) => slot.reading = Reading::Open,
            }
        }
        if slot.reading == Reading::Ended {
            return Poll::Ready(Some(Next::Ended));
        }
        match ready!(self.input.poll_read(context, || self.fill(slot))) {
            Ok(_) => Poll::Ready(None),
            // It is the runtime that refuses: it is going down.
            Err(_) => Poll::Ready(Some(Next::Stopped)),
        }
    }

    /// Writes until nothing is left to write, and asks to be woken when there is more.
    pub(super) fn poll_flush(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.flush(&mut self.lock(), context)
    }

    fn flush(&self, slot: &mut Slot, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if slot.is_gone {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        loop {
            let has_asked = slot.unwritten().len() < BACKLOG;
            if has_asked {
                self.connection.outbox().take_and_ask(&mut slot.out, context.waker());
            }
            while !slot.unwritten().is_empty() {
                match self.output.poll_write(context, || self.write(slot)) {
                    Poll::Ready(written) => _ = written?,
                    // What is added meanwhile has to wait for the same.
                    Poll::Pending => {
                        self.connection.outbox().quiet();
                        return Poll::Pending;
                    }
                }
            }
            if has_asked {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// For the lifeguard: writes and reads once, and leaves all handlers to the runtime.
    pub(super) fn stand_in(&self) -> Wants {
        let mut slot = self.lock();
        let mut is_news = self.write_all(&mut slot);
        if slot.reading != Reading::Ended && self.may_take(&slot) {
            is_news |= self.fill(&mut slot).is_ok();
        }
        self.advance(&mut slot);
        let mut begun = 0;
        while let Some(line) = self.next_line(&mut slot) {
            let length = line.length();
            let Some(job) = self.receive(line) else { continue };
            if begun < BATCH && self.has_room(&slot) {
                begun += 1;
                slot.turns.run(job, &self.watch, &self.runtime);
            } else {
                slot.turns.enter(job, length);
            }
        }
        is_news |= self.write_all(&mut slot);
        let wants = Wants {
            input: slot.reading != Reading::Ended && self.may_take(&slot),
            output: !slot.is_gone && !slot.unwritten().is_empty(),
        };
        if is_news {
            wake(slot);
        }
        wants
    }

    /// Ends the driver, with what is ready written.
    pub(super) fn stop(&self) {
        let mut slot = self.lock();
        slot.is_stopped = true;
        slot.due_in(Duration::ZERO);
        wake(slot);
    }

    /// Ends the driver, because nobody reads any more.
    pub(super) fn hang_up(&self) {
        let mut slot = self.lock();
        slot.is_gone = true;
        slot.due_in(Duration::ZERO);
        wake(slot);
    }

    /// The blocked thread may be the one that woke for all others, which sleep until they are given something: with this one
    /// of them takes its place, and other connections and timers go on.
    pub(super) fn pass_on(&self) {
        drop(task(&self.runtime, Box::pin(async {})));
    }

    /// Has the driver look round, after the lifeguard was there.
    pub(super) fn rouse(&self) {
        wake(self.lock());
    }

    /// Whether the time is over that handlers have after the client's last message, or after a stop.
    pub(super) fn is_overdue(&self) -> bool {
        self.lock().due.is_some_and(|due| due <= Instant::now())
    }

    /// Drops all handlers.
    pub(super) fn abandon(&self) {
        self.connection.abandon();
        self.connection.outbox().close();
        self.lock().turns.abandon();
        self.watch.end();
    }

    /// Whether the client has no more under way than it may.
    fn may_take(&self, slot: &Slot) -> bool {
        !slot.is_gone && !slot.turns.is_full() && !self.connection.outbox().is_congested()
    }

    fn next_line<'s>(&self, slot: &'s mut Slot) -> Option<Line<'s>> {
        if self.may_take(slot) { slot.lines.next() } else { None }
    }

    /// Hands a line to the protocol, in the slot: no author's code runs in it.
    fn receive(&self, line: Line<'_>) -> Option<Job> {
        match line {
            Line::Whole(line) => self.connection.receive(line, Start::Later),
            Line::TooLong(id) => {
                self.connection.refuse_long(id.as_ref(), self.limit);
                None
            }
        }
    }

    fn has_room(&self, slot: &Slot) -> bool {
        slot.turns.has_room(|| self.connection.asking())
    }

    /// Lets handlers in the line begin, a batch at a time, while their answers are taken. Whether more may begin after them.
    fn advance(&self, slot: &mut Slot) -> bool {
        let is_taken = !self.connection.outbox().is_congested();
        let most = if is_taken { BATCH } else { 0 };
        slot.turns.advance(most, &self.watch, &self.runtime, || self.connection.asking()) && is_taken
    }

    /// Reads once. The only error is that there is nothing to read yet.
    fn fill(&self, slot: &mut Slot) -> io::Result<Filled> {
        if slot.reading == Reading::Ended {
            return Ok(Filled::End);
        }
        match self.input.try_read(slot.lines.room()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(error),
            // A broken pipe is one way to hang up.
            Err(_) | Ok(Filled::End) => {
                slot.reading = Reading::Ended;
                slot.due_in(self.grace);
                slot.lines.end();
                Ok(Filled::End)
            }
            read => read,
        }
    }

    fn take_answers(&self, slot: &mut Slot) {
        if slot.unwritten().len() < BACKLOG {
            self.connection.outbox().take(&mut slot.out);
        }
    }

    /// Writes once.
    fn write(&self, slot: &mut Slot) -> io::Result<usize> {
        if slot.unwritten().is_empty() {
            return Ok(0);
        }
        let written = self.output.try_write(slot.unwritten());
        match &written {
            Ok(count) => {
                slot.advance(*count);
                if !slot.unwritten().is_empty() {
                    self.connection.outbox().note_moved();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => {
                slot.is_gone = true;
                slot.due_in(Duration::ZERO);
            }
        }
        written
    }

    /// Writes what there is room for. True when something was written, or never will be.
    fn write_all(&self, slot: &mut Slot) -> bool {
        let mut is_news = false;
        loop {
            self.take_answers(slot);
            if slot.is_gone || slot.unwritten().is_empty() {
                return is_news;
            }
            is_news |= match self.write(slot) {
                Ok(_) => true,
                Err(_) => return is_news || slot.is_gone,
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
