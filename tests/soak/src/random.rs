//! Random choices that can be repeated.

/// xorshift64*: small, and good enough to cut requests off with.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64, stream: u64) -> Self {
        Self((seed ^ (stream + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }

    /// Less than `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16;
        usize::try_from(number).unwrap_or_default() % end.max(1)
    }
}
