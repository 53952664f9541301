//! Cursors: the last key of a page, in a form that nobody builds by accident.
//!
//! They hold a position, not a memory of the server, so they survive restarts, other instances and changes of the catalog.

use std::hash::{DefaultHasher, Hash, Hasher};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The cursor that continues list `kind` after `key`.
pub(crate) fn write(kind: &str, key: &str) -> String {
    let mut bytes = seal(kind, key).to_be_bytes().to_vec();
    bytes.extend_from_slice(key.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The key in a cursor of list `kind`; `None` when it was made for another list, or not by us.
pub(crate) fn read(kind: &str, cursor: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (head, key) = bytes.split_first_chunk::<8>()?;
    let key = std::str::from_utf8(key).ok()?;
    (u64::from_be_bytes(*head) == seal(kind, key)).then(|| key.to_owned())
}

/// Tells our cursors from others. No secret: a key is a name that the list shows anyway.
fn seal(kind: &str, key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    ("mcp-runtime cursor", kind, key).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cursor_gives_its_key_back(key in ".*") {
            prop_assert_eq!(read("tools", &write("tools", &key)), Some(key));
        }

        #[test]
        fn arbitrary_text_is_no_cursor(text in ".*") {
            prop_assert_eq!(read("tools", &text), None);
        }

        #[test]
        fn a_changed_cursor_is_refused(key in "[a-z]{1,20}", at in 0usize..10) {
            let mut cursor = write("tools", &key).into_bytes();
            let at = at % cursor.len();
            cursor[at] = if cursor[at] == b'A' { b'B' } else { b'A' };
            prop_assert_eq!(read("tools", std::str::from_utf8(&cursor).unwrap()), None);
        }
    }

    #[test]
    fn a_cursor_belongs_to_its_list() {
        assert_eq!(read("prompts", &write("tools", "add")), None);
    }
}
