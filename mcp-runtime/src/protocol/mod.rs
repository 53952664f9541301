//! The wire: revisions and what each defines, the JSON-RPC envelope, error codes, MCP's own types.
//!
//! Nothing here does I/O or knows a handler; everything above speaks in these words.

pub(crate) mod capabilities;
pub(crate) mod content;
pub(crate) mod error;
pub(crate) mod features;
pub(crate) mod id;
pub(crate) mod id_scan;
pub(crate) mod into_text;
pub(crate) mod message;
pub(crate) mod meta;
pub(crate) mod params;
pub(crate) mod render;
pub(crate) mod revision;
pub(crate) mod scan;
pub(crate) mod to_json;
pub(crate) mod write;

/// The same methods on several types. What is written where the macro is used stands there for the compiler, too, and not in a
/// macro of ours: it shows the method when an author calls it in another way.
macro_rules! on_each {
    ($($type:ty),+ => $methods:tt) => {$(
        impl $type $methods
    )+};
}
pub(crate) use on_each;

pub use capabilities::{ClientCapabilities, Implementation};
pub use content::{Annotations, Audio, Content, EmbeddedResource, Icon, Image, ResourceContents, ResourceLink, Role};
pub use error::{ErrorCode, ProtocolError};
pub use into_text::IntoText;
pub use revision::Revision;
pub use to_json::ToJson;
