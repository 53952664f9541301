//! What is known only when a program is compiled: an expansion asks whether it is so, and a trait has the words for when not.

/// Whether something is so.
#[derive(Debug)]
pub struct Is<const SO: bool>;

/// What holds if it is so.
macro_rules! condition {
    ($(#[$words:meta])* $name:ident) => {
        $(#[$words])*
        pub trait $name {
            const HOLDS: () = ();
        }

        #[diagnostic::do_not_recommend]
        impl $name for Is<true> {}
    };
}

condition! {
    /// The value of a `timeout` or a `cache` that is no literal.
    #[diagnostic::on_unimplemented(
        message = "a duration is a number and a unit: `30s`, `500ms`, `5m`, `2h`",
        label = "has another value"
    )]
    DurationText
}

condition! {
    /// The value of a `rate_limit` that is no literal.
    #[diagnostic::on_unimplemented(
        message = "a rate is a number, at least 1, and a unit: `10/s`, `100/m`, `5/h`",
        label = "has another value"
    )]
    RateText
}

condition! {
    /// All the arguments of a handler: one may hide behind an alias.
    #[diagnostic::on_unimplemented(
        message = "`Args<T>` is the whole arguments object, so it stands alone",
        label = "has it beside other arguments",
        note = "move the other arguments into its type"
    )]
    WholeArguments
}

condition! {
    /// A form with attributes of serde that it does not read itself.
    #[diagnostic::on_unimplemented(
        message = "a form reads `rename` and `rename_all` of `#[serde(…)]`, and this one derives nothing that reads more",
        label = "is read by nobody",
        note = "write `#[elicit(…)]`: for a value that may be left out `default = 2`, or an `Option`"
    )]
    ReadBySerde
}

condition! {
    /// A form with attributes of schemars.
    #[diagnostic::on_unimplemented(
        message = "a form does not read `#[schemars(…)]`, and this one does not derive `JsonSchema`",
        label = "is read by nobody",
        note = "write `#[elicit(…)]`, such as `#[elicit(range(min = 1))]` or `#[elicit(length(max = 80))]`"
    )]
    ReadBySchemars
}

condition! {
    /// A form with the attribute of `Default`.
    #[diagnostic::on_unimplemented(
        message = "a form does not read `#[default]`, and this one does not derive `Default`",
        label = "is read by nobody",
        note = "write `#[elicit(default = 2)]` on the field, with a value of its type or the name of a choice"
    )]
    ReadByDefault
}

condition! {
    /// The type of a field with `range`, which may be an alias, as for those that follow.
    #[diagnostic::on_unimplemented(message = "`range` is for numbers: use `length`, or remove it", label = "is no number")]
    FieldWithRange
}

condition! {
    /// The type of a field whose `range` a whole number has to reach.
    #[diagnostic::on_unimplemented(
        message = "`range` has a bound that is no value of this field: write one that is within its type",
        label = "has other values"
    )]
    FieldWithBounds
}

condition! {
    /// The type of a field with `length`.
    #[diagnostic::on_unimplemented(
        message = "`length` is for text and lists: use `range`, or remove it",
        label = "is neither"
    )]
    FieldWithLength
}

condition! {
    /// The type of a field with `format`.
    #[diagnostic::on_unimplemented(message = "`format` is for text: remove it", label = "is no text")]
    FieldWithFormat
}

condition! {
    /// The type of a field with `enum_names`.
    #[diagnostic::on_unimplemented(message = "`enum_names` is for an enum: remove it", label = "is no enum")]
    FieldWithEnumNames
}

condition! {
    /// The type of a field with a literal `default`.
    #[diagnostic::on_unimplemented(
        message = "`default` is no value of this field: write one of its type, or one of the names that can be chosen",
        label = "has other values"
    )]
    FieldWithDefault
}
