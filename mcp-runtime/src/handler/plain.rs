//! Which types of arguments are plain, and which are none because they borrow: an expansion asks for each, and gets what is known
//! of it.

use std::marker::PhantomData;

use super::extract::Args;
use super::param_info::ParamType;
use super::parameter::Parameter;
use crate::schema::{Plain, TypeSchema};

/// Stands for a type that an expansion asks about: `KNOWN` of it is what is known of the type, which wins where it is something,
/// and that of [`AnyType`] for all others.
#[derive(Debug)]
pub struct TypeOf<T: ?Sized>(PhantomData<T>);

/// A type of which nothing is known.
pub trait AnyType {
    /// Nothing.
    const KNOWN: PhantomData<()> = PhantomData;
}

impl<T: ?Sized> AnyType for TypeOf<T> {}

impl<T: KnownType> TypeOf<T> {
    /// What is known.
    pub const KNOWN: PhantomData<T::Known> = PhantomData;
}

/// A type of which something is known.
pub trait KnownType {
    /// That it is [`Plainly`] what it is, or [`Borrowed`].
    type Known;
}

/// What may be known of a type.
pub trait Known {
    /// All that there is to know, as data.
    const PLAIN: Option<&'static ParamType> = None;
}

impl Known for () {}

/// That a type is plain.
#[derive(Debug)]
pub struct Plainly<T>(PhantomData<T>);

impl<T: PlainType> Known for Plainly<T> {
    const PLAIN: Option<&'static ParamType> = Some(&T::PLAIN_TYPE);
}

/// That a type borrows.
#[derive(Debug)]
pub struct Borrowed;

impl Known for Borrowed {}

/// What may be known of the type `T` of an argument.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be an argument: it borrows",
    label = "is decoded from the client's JSON, which does not live as long",
    note = "use owned types in it, such as `String` for `&str`"
)]
pub trait Owned<T>: Known {}

#[diagnostic::do_not_recommend]
impl<T> Owned<T> for () {}

#[diagnostic::do_not_recommend]
impl<T: PlainType> Owned<T> for Plainly<T> {}

/// A type that serde reads from what outlives it: a reference, or a type with one that `#[data]` saw.
pub trait Borrows {}

impl<T: Borrows> KnownType for T {
    type Known = Borrowed;
}

impl<T: ?Sized> Borrows for &T {}
impl<T: Borrows> Borrows for Option<T> {}
impl<T: Borrows> Borrows for Vec<T> {}
impl<T: Borrows> Borrows for Box<T> {}
impl<T: Borrows> Borrows for Args<T> {}

/// A plain type.
pub trait PlainType: Parameter {
    /// Its schema.
    const SCHEMA: Plain;

    /// As [`Parameter::TYPE`], with the schema as data.
    const PLAIN_TYPE: ParamType = ParamType { schema: TypeSchema::Plain(&Self::SCHEMA), ..Self::TYPE };
}

macro_rules! plain_types {
    ($($type:ty: $schema:expr),+ $(,)?) => {$(
        plain_types!(one $type: $schema);
        plain_types!(one Vec<$type>: $schema.list());
    )+};
    (one $type:ty: $schema:expr) => {
        plain_types!(is $type: $schema);
        plain_types!(is Option<$type>: $schema.optional());
    };
    (is $type:ty: $schema:expr) => {
        impl PlainType for $type {
            const SCHEMA: Plain = $schema;
        }

        impl KnownType for $type {
            type Known = Plainly<Self>;
        }
    };
}

plain_types! {
    bool: Plain::BOOLEAN,
    char: Plain::CHARACTER,
    String: Plain::STRING,
    i8: Plain::integer("int8").within(Some(-0x80), Some(0x7f)),
    i16: Plain::integer("int16").within(Some(-0x8000), Some(0x7fff)),
    i32: Plain::integer("int32"),
    i64: Plain::integer("int64"),
    i128: Plain::integer("int128"),
    isize: Plain::integer("int"),
    u8: Plain::integer("uint8").within(Some(0), Some(0xff)),
    u16: Plain::integer("uint16").within(Some(0), Some(0xffff)),
    u32: Plain::integer("uint32").within(Some(0), None),
    u64: Plain::integer("uint64").within(Some(0), None),
    u128: Plain::integer("uint128").within(Some(0), None),
    usize: Plain::integer("uint").within(Some(0), None),
    f32: Plain::number("float"),
    f64: Plain::number("double"),
}

#[cfg(test)]
mod tests {
    use schemars::SchemaGenerator;
    use serde_json::json;

    use super::*;
    use crate::schema::{Constraints, Property, SchemaProfile, input_from_properties};

    /// What is sent, with all that can be said of a property beside; whether it is allowed depends on the type.
    fn sent(schema: TypeSchema, profile: SchemaProfile, constraints: &'static Constraints) -> Result<String, String> {
        let property = Property {
            schema,
            title: Some("X"),
            description: "What it is",
            default: Some(Box::new(json!(1))),
            example: Some(Box::new(json!([2]))),
            constraints,
            ..Property::new("x", SchemaGenerator::subschema_for::<()>)
        };
        let prepared = input_from_properties(vec![property], profile).map_err(|error| error.to_string())?;
        Ok(prepared.wire().get().to_owned())
    }

    /// The text is the same, too, unless there are orders to be kept in which nothing was said.
    fn same(a: &str, b: &str) -> bool {
        let tree = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
        tree(a) == tree(b) && (a == b || cfg!(feature = "preserve_order"))
    }

    static LIMITS: [Constraints; 4] = [
        Constraints::NONE,
        Constraints::NONE.min_int(1).max_int(9),
        Constraints::NONE.min_length(1).max_length(9),
        Constraints::NONE.pattern("^x"),
    ];

    fn says_what_schemars_says<T: PlainType>() {
        let (plain, made) = (T::PLAIN_TYPE.schema, T::TYPE.schema);
        assert!(matches!(plain, TypeSchema::Plain(_)) && matches!(made, TypeSchema::Made(..)));
        for (profile, limits) in [SchemaProfile::Portable, SchemaProfile::Exact]
            .into_iter()
            .flat_map(|profile| LIMITS.iter().map(move |limits| (profile, limits)))
        {
            match (sent(plain, profile, limits), sent(made, profile, limits)) {
                (Ok(plain), Ok(made)) => assert!(same(&plain, &made), "{plain} {made}"),
                (plain, made) => assert_eq!(plain, made),
            }
        }
        assert_eq!(plain.is_single(), made.is_single());
    }

    fn each_shape_says_what_schemars_says<T: PlainType>()
    where
        Option<T>: PlainType,
        Vec<T>: PlainType,
        Option<Vec<T>>: PlainType,
    {
        says_what_schemars_says::<T>();
        says_what_schemars_says::<Option<T>>();
        says_what_schemars_says::<Vec<T>>();
        says_what_schemars_says::<Option<Vec<T>>>();
    }

    #[test]
    fn plain_types_have_the_schemas_that_schemars_makes() {
        macro_rules! each {
            ($($type:ty)+) => { $(each_shape_says_what_schemars_says::<$type>();)+ };
        }
        each!(bool char String i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
    }

    #[test]
    fn a_type_is_asked_for_by_what_it_is() {
        type Alias = Option<String>;
        fn is_plain<K: Known>(_: PhantomData<K>) -> bool {
            K::PLAIN.is_some()
        }
        assert!(is_plain(TypeOf::<Alias>::KNOWN));
        assert!(!is_plain(TypeOf::<Box<String>>::KNOWN));
        assert!(!is_plain(TypeOf::<Vec<Option<u8>>>::KNOWN));
    }
}
