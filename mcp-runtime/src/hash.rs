//! A hash for tables that nobody can fill from outside without a bound: a fraction of the standard one's price.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with this hash.
pub(crate) type Table<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

/// FNV-1a for texts, Fibonacci hashing for numbers.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio spreads neighbours, as Fibonacci hashing has it.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
