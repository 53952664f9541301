//! What a form derives besides: an expansion asks, for attributes of others are read only by their own derives.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What holds for each of the types below where none of their own constants is there.
pub trait Underived {
    /// It is not derived.
    const IS: bool = false;
}

/// A type of which each asks for one derive: `IS` is the type's own, which wins where there is one, or that of [`Underived`].
macro_rules! derived {
    ($($(#[$doc:meta])* $name:ident: $bound:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<T>);

        impl<T> Underived for $name<T> {}

        impl<T: $bound> $name<T> {
            /// It is derived.
            pub const IS: bool = true;
        }
    )+};
}

derived! {
    /// Has it `Serialize`?
    Written: Serialize;
    /// Has it `Deserialize`?
    Read: DeserializeOwned;
    /// Has it `JsonSchema`?
    Described: JsonSchema;
    /// Has it `Default`?
    Defaulted: Default;
}
