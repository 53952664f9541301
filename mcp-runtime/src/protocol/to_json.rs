//! Values that go out as JSON, wherever an author hands one over.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A value that goes out as JSON: what a log message says, a default, an example. Whatever has serde's `Serialize` is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    label = "has no `Serialize`",
    note = "put `#[mcp_runtime::data]` above the type and its derives, and above those inside it"
)]
pub trait ToJson {
    /// The value; what cannot be written is `null`, which the check of a default refuses.
    #[doc(hidden)]
    fn to_json(&self) -> Value {
        self.to_value().unwrap_or_default()
    }

    #[doc(hidden)]
    fn to_value(&self) -> serde_json::Result<Value>;

    #[doc(hidden)]
    fn to_raw_value(&self) -> serde_json::Result<Box<RawValue>>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> ToJson for T {
    fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn to_raw_value(&self) -> serde_json::Result<Box<RawValue>> {
        serde_json::value::to_raw_value(self)
    }
}
