//! How much may go on at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many at a time.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    used: Arc<AtomicUsize>,
    most: usize,
}

/// One of them; dropped, it is free again.
#[derive(Debug)]
pub(super) struct Permit(Arc<AtomicUsize>);

impl Limit {
    pub(super) fn new(most: usize) -> Self {
        Self { used: Arc::default(), most }
    }

    /// One more, unless there are too many.
    pub(super) fn enter(&self) -> Option<Permit> {
        // Relaxed: the number guards nothing but itself.
        if self.used.fetch_add(1, Ordering::Relaxed) < self.most {
            return Some(Permit(Arc::clone(&self.used)));
        }
        self.used.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_that_is_given_back_can_be_had_again() {
        let limit = Limit::new(1);
        let permit = limit.enter();
        assert!(permit.is_some() && limit.enter().is_none() && limit.enter().is_none());
        drop(permit);
        assert!(limit.enter().is_some());
    }
}
