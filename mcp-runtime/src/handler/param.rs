//! A parameter with its type: built up in constants by an expansion, asked for its value by a call.

use std::fmt;
use std::marker::PhantomData;

use serde_json::Value;

use super::arguments::{Arguments, Refused};
use super::ctx::Ctx;
use super::error::HandlerError;
use super::extract::FromContext;
use super::param_info::{CompleteFn, DefaultValue, ParamInfo, ParamKind, ParamType};
use super::plain::{Known, Owned, PlainType};
use super::prepare::{MakeStep, Prepare, Prepared};
use crate::schema::Constraints;

/// How the value of the parameter in this place is taken.
pub(super) type Take<T> = fn(usize, &Ctx, &mut Arguments<'_>) -> Result<T, Refused>;

/// A parameter with its type. The bound is met by the functions that make one; its methods have none.
pub struct Param<T> {
    info: ParamInfo,
    take: Take<T>,
    prepare: Option<MakeStep>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Param<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Param<T> {}

impl<T> fmt::Debug for Param<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.info.fmt(f)
    }
}

pub(super) const fn new<T>(of: &'static ParamType, take: Take<T>) -> Param<T> {
    let info = ParamInfo {
        index: 0,
        name: "",
        doc: "",
        title: None,
        of,
        default: None,
        constraints: &Constraints::NONE,
        example: None,
        header: None,
        complete: None,
    };
    Param { info, take, prepare: None, of: PhantomData }
}

/// What is said of a type that no client sends.
pub(super) const fn made(kind: ParamKind) -> ParamType {
    ParamType { kind, ..<bool as PlainType>::PLAIN_TYPE }
}

/// `#[from_context]`.
pub(crate) const fn from_context<T: FromContext>() -> Param<T> {
    const TYPE: ParamType = made(ParamKind::Context);
    Param {
        prepare: Some(MakeStep {
            index: 0,
            make: |ctx| {
                Box::pin(async move {
                    let made = T::from_context(ctx).await.map_err(HandlerError::into_failure)?;
                    Ok(Box::new(made) as Prepared)
                })
            },
        }),
        ..new(&TYPE, |index, _, args| args.prepared(index))
    }
}

/// The parameter with what is known of its type, which borrows nothing.
#[must_use]
pub const fn owned<T, K: Owned<T>>(param: Param<T>, _: PhantomData<K>) -> Param<T> {
    param.known(K::PLAIN)
}

/// The parameter with what is known of its type.
#[must_use]
pub const fn known<T, K: Known>(param: Param<T>, _: PhantomData<K>) -> Param<T> {
    param.known(K::PLAIN)
}

/// [`Param::info`], as a function: the compiler looks at the types of what is passed at the place of that.
#[must_use]
pub const fn info<T>(param: &Param<T>) -> ParamInfo {
    param.info
}

/// [`Param::take`], likewise.
///
/// # Errors
///
/// As there.
#[inline]
pub fn take<T>(param: &Param<T>, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<T, Refused> {
    param.take(ctx, args)
}

/// [`Param::kept`], likewise.
///
/// # Errors
///
/// As there.
#[inline]
pub fn kept<T: 'static>(param: &Param<T>, args: &mut Arguments<'_>) -> Result<T, Refused> {
    param.kept(args)
}

/// `#[ask(…)]`.
pub(crate) const fn asked<T: 'static>() -> Param<T> {
    const TYPE: ParamType = made(ParamKind::Ask);
    new(&TYPE, |index, _, args| args.prepared(index))
}

impl<T> Param<T> {
    /// Its place among the handler's parameters, its name, and its description.
    #[must_use]
    pub const fn named(mut self, index: usize, name: &'static str, doc: &'static str) -> Self {
        if let Some(prepare) = &mut self.prepare {
            prepare.index = index;
        }
        let info = ParamInfo { index, name, doc, ..self.info };
        self.with(info)
    }

    /// The parameter as data.
    #[must_use]
    pub const fn info(&self) -> ParamInfo {
        self.info
    }

    /// What makes it before the call; only `#[from_context]` has it.
    #[must_use]
    pub const fn prepare(&self) -> Option<Prepare> {
        match self.prepare {
            Some(make) => Some(Prepare::Make(make)),
            None => None,
        }
    }

    /// Takes the value that was made before the call.
    ///
    /// # Errors
    ///
    /// When it was not.
    pub fn kept(&self, args: &mut Arguments<'_>) -> Result<T, Refused>
    where
        T: 'static,
    {
        args.prepared(self.info.index)
    }

    /// Takes the value; what does not fit is recorded in `args`.
    ///
    /// # Errors
    ///
    /// When the value does not fit; [`Arguments::finish`] says all that is wrong.
    // Nothing but the place goes in, and this is inlined: then the rest of the constant is not kept a second time.
    #[inline]
    pub fn take(&self, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<T, Refused> {
        (self.take)(self.info.index, ctx, args)
    }

    const fn known(self, plain: Option<&'static ParamType>) -> Self {
        match plain {
            Some(of) => self.with(ParamInfo { of, ..self.info }),
            None => self,
        }
    }

    const fn with(mut self, info: ParamInfo) -> Self {
        self.info = info;
        self
    }

    /// A name for people.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Self {
        let info = ParamInfo { title: Some(title), ..self.info };
        self.with(info)
    }

    /// A default that is JSON data.
    #[must_use]
    pub const fn default_json(self, json: &'static str) -> Self {
        let info = ParamInfo { default: Some(DefaultValue::Json(json)), ..self.info };
        self.with(info)
    }

    /// A default that is computed once.
    #[must_use]
    pub const fn default_with(self, make: fn() -> Value) -> Self {
        let info = ParamInfo { default: Some(DefaultValue::With(make)), ..self.info };
        self.with(info)
    }

    /// What its value has to keep.
    #[must_use]
    pub const fn limited(self, constraints: &'static Constraints) -> Self {
        self.with(ParamInfo { constraints, ..self.info })
    }

    /// An example.
    #[must_use]
    pub const fn example(self, make: fn() -> Value) -> Self {
        let info = ParamInfo { example: Some(make), ..self.info };
        self.with(info)
    }

    /// The HTTP header that carries it, too.
    #[must_use]
    pub const fn header(self, name: &'static str) -> Self {
        let info = ParamInfo { header: Some(name), ..self.info };
        self.with(info)
    }

    /// Candidates for its value.
    #[must_use]
    pub const fn complete(self, complete: CompleteFn) -> Self {
        let info = ParamInfo { complete: Some(complete), ..self.info };
        self.with(info)
    }
}
