//! A library that passes another one on: who names this one has both.

pub use linking_first as first;
