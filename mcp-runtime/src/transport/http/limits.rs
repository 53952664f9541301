//! How much may go on at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many at a time.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    used: Arc<AtomicUsize>,
    most: usize,
}

/// Some of them; dropped, they are free again.
#[derive(Debug)]
pub(super) struct Permit {
    limit: Limit,
    amount: usize,
}

/// What a request holds as long as it is worked on: its place, and the memory of its body.
#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) _place: Permit,
    pub(super) _body: Permit,
}

impl Limit {
    pub(super) fn new(most: usize) -> Self {
        Self { used: Arc::default(), most }
    }

    /// One more, unless there are too many.
    pub(super) fn enter(&self) -> Option<Permit> {
        let mut permit = self.none();
        permit.grow(1).then_some(permit)
    }

    /// None of them, to begin with.
    pub(super) fn none(&self) -> Permit {
        Permit { limit: self.clone(), amount: 0 }
    }

    /// Whether any is taken.
    pub(super) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed) > 0
    }
}

impl Permit {
    /// So many more, unless there are too many.
    pub(super) fn grow(&mut self, amount: usize) -> bool {
        // Relaxed: the number guards nothing but itself.
        let before = self.limit.used.fetch_add(amount, Ordering::Relaxed);
        let fits = before.checked_add(amount).is_some_and(|sum| sum <= self.limit.most);
        if fits {
            self.amount += amount;
        } else {
            self.limit.used.fetch_sub(amount, Ordering::Relaxed);
        }
        fits
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limit.used.fetch_sub(self.amount, Ordering::Relaxed);
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
        assert!(limit.enter().is_some() && !limit.is_used());
    }

    #[test]
    fn a_permit_grows_within_its_limit_and_is_given_back_whole() {
        let limit = Limit::new(10);
        let (mut one, mut two) = (limit.none(), limit.none());
        assert!(one.grow(6) && two.grow(4) && !one.grow(1) && one.grow(0));
        assert!(!two.grow(usize::MAX));
        drop(one);
        assert!(two.grow(6) && limit.is_used());
        drop(two);
        assert!(!limit.is_used());
    }
}
