//! What `#[data]` asks of a field's type, once and in our words.
//!
//! The derives ask it, too: five times, in the words of two crates. So the type has a `where` clause by which its derives take
//! for granted what is proven in one other place, an implementation without a condition: a condition would make the proof for a
//! type that holds itself go round in circles.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What the type `T` of a field has to be, for serde and schemars. All types that are both implement it.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be in a `#[data]` type: it needs `Serialize` and `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be written as JSON and read again",
    note = "put `#[mcp_runtime::data]` above your type and its derives, or `#[serde(skip)]` on a field that clients do not see"
)]
// On the trait itself: what it requires is told as the trait, not as each of its parts.
#[allow(
    clippy::allow_attributes,
    unknown_or_malformed_diagnostic_attributes,
    reason = "the compiler heeds it here, too, whatever its lint says"
)]
#[diagnostic::do_not_recommend]
pub trait DataField<T>: Serialize + for<'de> Deserialize<'de> + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> DataField<T> for T {}

/// What the type `T` of a field beside a `&'static str` has to be: it is read from what lives for ever, as serde reads that.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be in a `#[data]` type: it needs `Serialize` and `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be written as JSON and read again",
    note = "put `#[mcp_runtime::data]` above your type and its derives, or `#[serde(skip)]` on a field that clients do not see"
)]
#[allow(clippy::allow_attributes, unknown_or_malformed_diagnostic_attributes, reason = "as of `DataField`")]
#[diagnostic::do_not_recommend]
pub trait FixedDataField<T>: Serialize + Deserialize<'static> + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + Deserialize<'static> + JsonSchema> FixedDataField<T> for T {}

/// What the type `T` of a field has to be that is written and not read.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be in a `#[data]` type: it needs `Serialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be written as JSON",
    note = "put `#[mcp_runtime::data]` above your type and its derives, or `#[serde(skip)]` on a field that clients do not see"
)]
#[allow(clippy::allow_attributes, unknown_or_malformed_diagnostic_attributes, reason = "as of `DataField`")]
#[diagnostic::do_not_recommend]
pub trait WrittenField<T>: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> WrittenField<T> for T {}

/// What the type `T` of a field has to be that is read and not written.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be in a `#[data]` type: it needs `Deserialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "cannot be read from JSON",
    note = "put `#[mcp_runtime::data]` above your type and its derives, or `#[serde(skip)]` on a field that clients do not see"
)]
#[allow(clippy::allow_attributes, unknown_or_malformed_diagnostic_attributes, reason = "as of `DataField`")]
#[diagnostic::do_not_recommend]
pub trait ReadField<T>: for<'de> Deserialize<'de> + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ReadField<T> for T {}

/// What the type `T` of a variant's only field has to be that is neither written nor read: schemars asks it for its schema.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be in a `#[data]` type: it needs `JsonSchema` of schemars 1",
    label = "has no schema",
    note = "schemars asks for the schema of a variant's only value, skipped or not: give the field a name, or put `#[mcp_runtime::data]` above your type"
)]
#[allow(clippy::allow_attributes, unknown_or_malformed_diagnostic_attributes, reason = "as of `DataField`")]
#[diagnostic::do_not_recommend]
pub trait DescribedField<T>: JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> DescribedField<T> for T {}

/// What the type `T` has to be where serde is told to take its default.
#[diagnostic::on_unimplemented(
    message = "`{T}` has no default to take where `#[serde(default)]` or `#[serde(skip)]` says so",
    label = "does not implement `Default`",
    note = "put `#[derive(Default)]` on your type, or name a function: `#[serde(default = \"function\")]`"
)]
#[allow(clippy::allow_attributes, unknown_or_malformed_diagnostic_attributes, reason = "as of `DataField`")]
#[diagnostic::do_not_recommend]
pub trait DefaultField<T>: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultField<T> for T {}

/// What a type with parameters has to be where its fields are taken from its default.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default to take where `#[serde(default)]` says so",
    label = "does not implement `Default` whatever its parameters are",
    note = "put `#[derive(Default)]` on it, and `T: Default` where it has its parameters, or name a function: `#[serde(default = \"function\")]`"
)]
pub trait OwnDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> OwnDefault for T {}

/// The default of a type with parameters, as schemars takes it.
#[must_use]
pub fn own_default<T: OwnDefault>() -> T {
    T::default()
}

/// The type `T`, of which the need number `AT` of a type speaks.
pub trait FieldType<T, const AT: usize> {
    /// The type itself. As an associated type, its requirements are told in the words of [`DataField`] and its kin.
    type It;
}

/// A type with a field whose type is what it has to be: what the derives take for granted.
///
/// The lifetime is not used: only bounds without one are proven where they are taken for granted, too.
pub trait FieldOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> DataField<T>> {}

/// [`FieldOf`] for a field beside a `&'static str`.
pub trait FixedFieldOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> FixedDataField<T>> {}

/// [`FieldOf`] for a field that is not read.
pub trait WrittenFieldOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> WrittenField<T>> {}

/// [`FieldOf`] for a field that is not written.
pub trait ReadFieldOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> ReadField<T>> {}

/// [`FieldOf`] for a field that is neither.
pub trait DescribedFieldOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> DescribedField<T>> {}

/// [`FieldOf`] for what has a default.
pub trait DefaultOf<T, const AT: usize>: FieldType<T, AT, It: for<'any> DefaultField<T>> {}
