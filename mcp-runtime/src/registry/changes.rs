//! Change events: what changed since the last announcement, and who hears of it.
//!
//! Changes are collected and announced together, so a burst becomes one notification of each kind.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use crate::spawn::task;

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangeSet {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    /// The resources whose contents changed.
    pub(crate) updated: BTreeSet<String>,
}

impl ChangeSet {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Somebody who may be entitled to hear of changes.
pub(crate) trait Subscriber: Send + Sync {
    fn changed(&self, changes: &ChangeSet);
}

/// Collects changes and announces them.
#[derive(Default)]
pub(crate) struct Changes {
    state: Mutex<State>,
    filled: Arc<Notify>,
}

#[derive(Default)]
struct State {
    pending: ChangeSet,
    subscribers: Vec<Weak<dyn Subscriber>>,
    announcing: bool,
}

/// After an announcement, changes are collected for so long.
const WINDOW: Duration = Duration::from_millis(20);

/// So many updated resources are collected at most; then they are announced at once.
const MOST_UPDATED: usize = 4096;

impl Changes {
    fn with<T>(&self, action: impl FnOnce(&mut State) -> T) -> T {
        action(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records a change; it is announced soon.
    pub(crate) fn record(&self, record: impl FnOnce(&mut ChangeSet)) {
        let (announcing, full) = self.with(|state| {
            record(&mut state.pending);
            (state.announcing, state.pending.updated.len() >= MOST_UPDATED)
        });
        // Without a runtime nobody announces: then there are no clients yet either, or a test looks at them directly.
        if full || !announcing {
            self.announce();
        } else {
            self.filled.notify_one();
        }
    }

    /// Adds somebody who hears of changes as long as it lives.
    pub(crate) fn subscribe(self: &Arc<Self>, subscriber: &Arc<dyn Subscriber>) {
        let start = self.with(|state| {
            if state.subscribers.len().is_power_of_two() {
                state.subscribers.retain(|known| known.strong_count() > 0);
            }
            state.subscribers.push(Arc::downgrade(subscriber));
            !std::mem::replace(&mut state.announcing, true)
        });
        if start {
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) => {
                    let announcing = announce_until_dropped(Arc::downgrade(self), Arc::clone(&self.filled));
                    drop(task(&runtime, Box::pin(announcing)));
                }
                Err(_) => self.with(|state| state.announcing = false),
            }
        }
    }

    /// Announces what has been recorded so far.
    pub(crate) fn announce(&self) {
        let (changes, subscribers) = self.with(|state| {
            let subscribers: Vec<_> = state.subscribers.iter().filter_map(Weak::upgrade).collect();
            (std::mem::take(&mut state.pending), subscribers)
        });
        if !changes.is_empty() {
            for subscriber in subscribers {
                subscriber.changed(&changes);
            }
        }
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        self.filled.notify_one();
    }
}

/// Announces the first change at once and those of the window after it together.
async fn announce_until_dropped(changes: Weak<Changes>, filled: Arc<Notify>) {
    // A runtime that stops drops this task; the next subscriber starts another.
    struct Stopped(Weak<Changes>);
    impl Drop for Stopped {
        fn drop(&mut self) {
            if let Some(changes) = self.0.upgrade() {
                changes.with(|state| state.announcing = false);
            }
        }
    }
    let stopped = Stopped(changes);
    loop {
        filled.notified().await;
        match stopped.0.upgrade() {
            Some(changes) => changes.announce(),
            None => return,
        }
        tokio::time::sleep(WINDOW).await;
    }
}
