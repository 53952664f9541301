//! A bound on the work that one value can cause: without it, unions of recursive types take exponential time.

use serde_json::Value;

use super::MAX_DEPTH;

/// Steps that may still be taken: proportional to the size of the value.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn for_value(value: &Value) -> Self {
        Self(size_of(value, 0).saturating_mul(256).saturating_add(100_000))
    }

    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

fn size_of(value: &Value, depth: usize) -> usize {
    if depth > MAX_DEPTH {
        return 1;
    }
    1 + match value {
        Value::Array(items) => items.iter().map(|item| size_of(item, depth + 1)).sum(),
        Value::Object(members) => members.values().map(|member| size_of(member, depth + 1)).sum(),
        // A string may hold JSON text that is walked after it is read.
        Value::String(text) => text.len() / 8,
        _ => 0_usize,
    }
}
