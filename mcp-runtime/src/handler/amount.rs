//! The numbers of progress, of any type.

/// A number of any type, for [`Ctx::progress`](crate::Ctx::progress).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number of progress",
    label = "is not a number",
    note = "what is done is a number of any type, such as `3` or `items.len()`"
)]
pub trait Amount {
    /// The number as JSON's.
    #[doc(hidden)]
    fn amount(self) -> f64;
}

/// The end of the progress: a number of any type, or `None` when nobody knows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no end of the progress",
    label = "is neither a number nor `None`",
    note = "the total is a number of any type, or `None` when nobody knows; an `Option` holds an `f64`"
)]
pub trait Total {
    /// The number as JSON's.
    #[doc(hidden)]
    fn total(self) -> Option<f64>;
}

/// A number type, behind a blanket implementation: the compiler then lists no candidates.
pub trait Number {
    fn number(self) -> f64;
}

#[diagnostic::do_not_recommend]
impl<T: Number> Amount for T {
    fn amount(self) -> f64 {
        self.number()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Number> Total for T {
    fn total(self) -> Option<f64> {
        Some(self.number())
    }
}

#[diagnostic::do_not_recommend]
impl Total for Option<f64> {
    fn total(self) -> Self {
        self
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Number for $type {
            #[expect(clippy::allow_attributes, reason = "not every number type makes the cast lossy")]
            #[allow(clippy::cast_lossless, clippy::cast_precision_loss, reason = "JSON numbers are doubles")]
            fn number(self) -> f64 {
                self as f64
            }
        }
    )+};
}

numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
