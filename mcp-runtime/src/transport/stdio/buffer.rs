//! A buffer that is filled and emptied again and again, mostly with little, now and then with much.

/// The most that is kept for another big message. A client that rests after many at once would have it held for nothing.
const KEPT: usize = 16 * 1024 * 1024;

/// Empties it. What a big message made it grow to is given back by the first fill that did not need it: to make room for
/// each of several big messages anew costs more than to copy them.
pub(super) fn empty(buffer: &mut Vec<u8>, usual: usize) {
    let used = buffer.len();
    buffer.clear();
    if used < buffer.capacity() / 4 || buffer.capacity() > KEPT {
        buffer.shrink_to(usual);
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, empty};

    #[test]
    fn a_burst_is_not_kept_until_the_next_one() {
        let mut buffer = vec![b'x'; KEPT + 1];
        empty(&mut buffer, 1000);
        assert!(buffer.is_empty() && buffer.capacity() < 1 << 12);
    }

    #[test]
    fn memory_that_is_not_needed_again_is_given_back() {
        let mut buffer = Vec::with_capacity(1 << 20);
        buffer.resize(1 << 20, b'x');
        empty(&mut buffer, 1000);
        assert!(buffer.is_empty() && buffer.capacity() >= 1 << 20);
        buffer.push(b'x');
        empty(&mut buffer, 1000);
        assert!(buffer.is_empty() && buffer.capacity() < 1 << 12);
    }
}
