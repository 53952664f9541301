//! Return types: one trait for each kind of handler, with the words for a type that does not fit.
//!
//! Each of the three is one implementation for all types, whose bounds stand beside each other. So the compiler says what lacks a
//! bound, how deep it may be inside a `Result`, and says nothing of how it came there.

mod prompt;
mod resource;
mod returns;
mod tool;

use schemars::JsonSchema;
use serde::Serialize;

pub use self::prompt::{PromptOutput, PromptValue};
pub use self::resource::{ResourceOutput, ResourceValue};
pub use self::returns::{Movable, Moves, PromptReturns, ResourceReturns, Returns, Runs, ToolReturns, unpack};
pub use self::tool::{ToolOutput, ToolValue};
use super::error::Failure;

/// The trait of a position, and one that says of a type, without any bound, what is inside it. Both with the same words, because
/// the compiler takes those of the first where the whole type is wrong, and those of the second where it is something inside.
macro_rules! position {
    (
        #[$words:meta]
        $(#[$docs:meta])+
        pub trait $output:ident by $value:ident { $($items:tt)* }
    ) => {
        #[$words]
        $(#[$docs])+
        pub trait $output: Sized { $($items)* }

        #[$words]
        /// What the type consists of.
        pub trait $value: Sized {
            /// The type, for the bound that tells how it becomes a reply: that is not asked of a type that is no such value.
            type Itself;
            /// Where the type is a wrapper, what it wraps.
            type Inner;
            /// The error that it may be.
            type Error;
            /// What is written as JSON.
            type Data;

            /// The value.
            fn itself(self) -> Self::Itself;
        }
    };
}

/// What a type consists of, if it is none of the wrappers: then there is nothing inside.
macro_rules! consists {
    ([$($generics:tt)*] $type:ty: $value:ident) => {
        consists!([$($generics)*] $type: $value, Self, ::std::convert::Infallible, ());
    };
    ([$($generics:tt)*] $type:ty: $value:ident, $inner:ty, $error:ty, $data:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> $value for $type {
            type Itself = Self;
            type Inner = $inner;
            type Error = $error;
            type Data = $data;

            fn itself(self) -> Self {
                self
            }
        }
    };
}

use {consists, position};

/// What [`Json`](super::tool_result::Json) may hold in a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned as JSON: it needs `Serialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "has no `Serialize`, or no `JsonSchema`",
    note = "put `#[mcp_runtime::data]` above the type and its derives, and above those inside it"
)]
pub trait JsonOutput: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> JsonOutput for T {}

/// What [`Json`](super::tool_result::Json) may hold in a resource.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned as JSON",
    label = "has no `Serialize`",
    note = "put `#[mcp_runtime::data]` above the type and its derives, and above those inside it"
)]
pub trait JsonText: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> JsonText for T {}

fn written<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map_err(|error| Failure::Message(format!("the result cannot be written as JSON: {error}")))
}
