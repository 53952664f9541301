//! The traits at which expansions meet an author's functions and values: one for each position, with the words for a misfit.
//!
//! Not public API. Apart from `__private`, because compile errors name these traits.

mod complete;
mod known;

pub use self::complete::CompleteFunction;
pub use self::known::{
    DurationText, FieldWithBounds, FieldWithDefault, FieldWithEnumNames, FieldWithFormat, FieldWithLength,
    FieldWithRange, Is, RateText, ReadByDefault, ReadBySchemars, ReadBySerde, WholeArguments,
};
pub use crate::__expanded_by as expanded_by;
pub use crate::handler::ask::{Attempt, IntoQuestion, Keepable, Keeps, Remembered};
pub use crate::handler::coming::Boxes;
use crate::handler::ctx::Ctx;
pub use crate::handler::extract::Extracted;
pub use crate::handler::output::{
    JsonOutput, JsonText, Movable, Moves, PromptValue, ResourceValue, Runs, ToolValue, unpack,
};
pub use crate::handler::param::{info, kept, known, owned, take};
pub use crate::handler::parameter::{AsParameter, AsProvided, Carried, Chosen, FromText, InPlace};
pub use crate::handler::plain::{AnyType, Borrowed, Borrows, Owned, TypeOf};
use crate::protocol::Icon;
pub use crate::protocol::ToJson;
pub use crate::registry::define::{Captures, Definition, IsFuture};
pub use crate::registry::list::ListFunction;
pub use crate::schema::{
    DataField, DefaultField, DefaultOf, DescribedField, DescribedFieldOf, FieldOf, FieldType, FixedDataField,
    FixedFieldOf, OwnDefault, ReadField, ReadFieldOf, WrittenField, WrittenFieldOf, own_default,
};

/// One clear error, and nothing of the expansion, when the two crates are of different versions.
#[doc(hidden)]
#[macro_export]
macro_rules! __expanded_by {
    ("0.1.0" $($expansion:tt)*) => { $($expansion)* };
    ($version:literal $($expansion:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "mcp-macros ",
            $version,
            " does not go with mcp-runtime 0.1.0\ndepend on mcp-runtime alone: it brings the macros that fit"
        ));
    };
}

/// What a handler may borrow: the context, by whatever name.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` is not the context",
    label = "only `&mcp_runtime::Ctx` is borrowed",
    note = "what the server shares is `State<{Self}>`; what the client sends, or is a `State` already, is owned: `{Self}`"
)]
pub trait IsContext {
    /// The context itself.
    fn of(ctx: &Ctx) -> &Self;
}

#[diagnostic::do_not_recommend]
impl IsContext for Ctx {
    fn of(ctx: &Ctx) -> &Self {
        ctx
    }
}

/// What `icon = …` may be: a URL, or the bytes of an image.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an icon",
    label = "is neither a URL nor the bytes of an image",
    note = "write a URL, or `include_bytes!(\"icon.png\")`"
)]
pub trait IntoIcon {
    /// The icon.
    fn into_icon(self) -> Icon;
}

#[diagnostic::do_not_recommend]
impl IntoIcon for &'static str {
    fn into_icon(self) -> Icon {
        Icon::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> IntoIcon for &'static [u8; N] {
    fn into_icon(self) -> Icon {
        self.as_slice().into_icon()
    }
}

#[diagnostic::do_not_recommend]
impl IntoIcon for &'static [u8] {
    fn into_icon(self) -> Icon {
        let mime = match self {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xff, 0xd8, ..] => "image/jpeg",
            [b'G', b'I', b'F', ..] => "image/gif",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            _ => "image/svg+xml",
        };
        Icon::from_bytes(self, mime)
    }
}

#[diagnostic::do_not_recommend]
impl IntoIcon for Icon {
    fn into_icon(self) -> Icon {
        self
    }
}
