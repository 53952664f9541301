//! What is known only when a program is compiled: an expansion asks whether it is so, and a trait has the words for when not.

/// Whether something is so.
#[derive(Debug)]
pub struct Is<const SO: bool>;

/// The value of a `timeout` or a `cache` that is no literal.
#[diagnostic::on_unimplemented(
    message = "a duration is a number and a unit: `30s`, `500ms`, `5m`, `2h`",
    label = "has another value"
)]
pub trait DurationText {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl DurationText for Is<true> {}

/// The value of a `rate_limit` that is no literal.
#[diagnostic::on_unimplemented(
    message = "a rate is a number, at least 1, and a unit: `10/s`, `100/m`, `5/h`",
    label = "has another value"
)]
pub trait RateText {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl RateText for Is<true> {}

/// All the arguments of a handler: one may hide behind an alias.
#[diagnostic::on_unimplemented(
    message = "`Args<T>` is the whole arguments object, so it stands alone",
    label = "has it beside other arguments",
    note = "move the other arguments into its type"
)]
pub trait WholeArguments {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl WholeArguments for Is<true> {}

/// The type of a field with `range`, which may be an alias, as for those that follow.
#[diagnostic::on_unimplemented(message = "`range` is for numbers: use `length`, or remove it", label = "is no number")]
pub trait FieldWithRange {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithRange for Is<true> {}

/// The type of a field whose `range` a whole number has to reach.
#[diagnostic::on_unimplemented(
    message = "`range` has a bound that is no value of this field: write one that is within its type",
    label = "has other values"
)]
pub trait FieldWithBounds {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithBounds for Is<true> {}

/// The type of a field with `length`.
#[diagnostic::on_unimplemented(
    message = "`length` is for text and lists: use `range`, or remove it",
    label = "is neither"
)]
pub trait FieldWithLength {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithLength for Is<true> {}

/// The type of a field with `format`.
#[diagnostic::on_unimplemented(message = "`format` is for text: remove it", label = "is no text")]
pub trait FieldWithFormat {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithFormat for Is<true> {}

/// The type of a field with `enum_names`.
#[diagnostic::on_unimplemented(message = "`enum_names` is for an enum: remove it", label = "is no enum")]
pub trait FieldWithEnumNames {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithEnumNames for Is<true> {}

/// The type of a field with a literal `default`.
#[diagnostic::on_unimplemented(
    message = "`default` is no value of this field: write one of its type, or one of the names that can be chosen",
    label = "has other values"
)]
pub trait FieldWithDefault {
    const HOLDS: () = ();
}

#[diagnostic::do_not_recommend]
impl FieldWithDefault for Is<true> {}
