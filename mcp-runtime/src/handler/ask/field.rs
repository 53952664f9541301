//! The types that a field of a form may have.

use serde_json::{Value, json};

use super::form::{Choices, FieldKind, FormField};

macro_rules! integers {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl FormField for $type {
            #[expect(clippy::allow_attributes, reason = "not every integer type makes the cast lossy")]
            #[allow(clippy::cast_lossless, clippy::cast_possible_wrap, reason = "128 bits hold the bounds of every type here")]
            const KIND: FieldKind = FieldKind::Integer(<$type>::MIN as i128, <$type>::MAX as i128);

            fn from_answer(value: Value) -> Option<Self> {
                serde_json::from_value(value).ok()
            }

            fn to_answer(&self) -> Value {
                json!(self)
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

macro_rules! plain_fields {
    ($($type:ty = $kind:ident),+) => {$(
        #[diagnostic::do_not_recommend]
        impl FormField for $type {
            const KIND: FieldKind = FieldKind::$kind;

            fn from_answer(value: Value) -> Option<Self> {
                serde_json::from_value(value).ok()
            }

            fn to_answer(&self) -> Value {
                json!(self)
            }
        }
    )+};
}

plain_fields!(String = Text, bool = Bool, f32 = Number, f64 = Number);

#[diagnostic::do_not_recommend]
impl<T: FormField> FormField for Option<T> {
    const KIND: FieldKind = T::KIND;
    const IS_OPTIONAL: bool = true;

    fn from_answer(value: Value) -> Option<Self> {
        T::from_answer(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn to_answer(&self) -> Value {
        self.as_ref().map_or(Value::Null, FormField::to_answer)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Choices> FormField for Vec<T> {
    const KIND: FieldKind = FieldKind::Several(T::CHOICES);

    fn from_answer(value: Value) -> Option<Self> {
        match value {
            Value::Array(values) => values.into_iter().map(T::from_answer).collect(),
            _ => None,
        }
    }

    fn to_answer(&self) -> Value {
        self.iter().map(FormField::to_answer).collect()
    }
}
