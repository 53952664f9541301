//! Texts that an author hands over.

use std::borrow::Cow;

/// A text: a `String`, a `&'static str`, and whatever else is `Into<Cow<'static, str>>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text",
    label = "is neither `String` nor `&'static str`",
    note = "write `.to_string()`, or `format!(\"…\")`"
)]
pub trait IntoText {
    /// The text.
    #[doc(hidden)]
    fn into_text(self) -> Cow<'static, str>;
}

// Behind a trait of ours: the compiler would list what else than text a `Cow` can be made from.
#[diagnostic::do_not_recommend]
impl<T: Into<Cow<'static, str>>> IntoText for T {
    fn into_text(self) -> Cow<'static, str> {
        self.into()
    }
}
