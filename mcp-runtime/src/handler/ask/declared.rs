//! Declared questions, `#[ask(…)]`: what expansions hand over, and the order in which it is made before a handler is called.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use super::elicitation::{Answer, Elicited, declared};
use crate::handler::arguments::{Arguments, Refused};
use crate::handler::call::{BoxFuture, Made};
use crate::handler::coming::{AtOnce, Comes, Coming, Gives, Later};
use crate::handler::ctx::Ctx;
use crate::handler::error::{Failure, HandlerError};
use crate::handler::param::Param;
use crate::handler::parameter::{Carries, Chosen};
use crate::handler::prepare::Prepare;
use crate::protocol::IntoText;

/// A value that questions may look at before the handler is called.
pub type Kept = Box<dyn Any + Send + Sync>;

/// A parameter beside a declared question: the question may look at it from another thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand beside a declared question",
    label = "cannot be shared with the question",
    note = "in a handler with `#[ask]` every parameter is `Send + Sync`: ask with `ctx.elicit(…)` in the body instead"
)]
pub trait Keepable: Sized + 'static {
    #[doc(hidden)]
    const EARLY: Early<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Keepable for T {
    const EARLY: Early<T> = Early {
        decode: |param, ctx, args| {
            let taken = param.downcast_ref::<Param<T>>().ok_or(Refused)?.take(ctx, args)?;
            Ok(Box::new(taken))
        },
        of: PhantomData,
    };
}

/// One that the client sends, or state, on its way: not of the type itself, because then the compiler would tell of this bound what
/// it should tell of those below.
pub trait Keeps: Carries {
    #[doc(hidden)]
    const KEPT: Param<Self::Value>;
    #[doc(hidden)]
    const EARLY: Early<Self::Value>;
}

impl<C> Keeps for C
where
    C: Carries,
    C::Value: Chosen<Itself: Keepable>,
{
    const KEPT: Param<C::Value> = C::Value::CHOSEN;
    const EARLY: Early<C::Value> = {
        let of_itself = <<C::Value as Chosen>::Itself as Keepable>::EARLY;
        Early { decode: of_itself.decode, of: PhantomData }
    };
}

/// Decodes an argument before the handler is called, because questions look at it.
type Decode = fn(&(dyn Any + Send + Sync), &Ctx, &mut Arguments<'_>) -> Result<Kept, Refused>;

/// How a parameter of type `T` is decoded early.
#[derive(Debug)]
pub struct Early<T> {
    decode: Decode,
    of: PhantomData<fn() -> T>,
}

impl<T: 'static> Early<T> {
    /// The step that decodes this parameter.
    #[must_use]
    #[expect(clippy::unnecessary_wraps, reason = "the steps of a handler are optional, as one type")]
    pub const fn step(self, param: &'static Param<T>) -> Option<Prepare> {
        Some(Prepare::Early(EarlyStep { index: param.info().index, param, decode: self.decode }))
    }
}

/// An argument that is decoded early.
#[derive(Clone, Copy, Debug)]
pub struct EarlyStep {
    pub(crate) index: usize,
    param: &'static (dyn Any + Send + Sync),
    decode: Decode,
}

impl EarlyStep {
    pub(crate) fn decode(&self, ctx: &Ctx, args: &mut Arguments<'_>) -> Result<Kept, Refused> {
        (self.decode)(self.param, ctx, args)
    }
}

/// The values of a call's parameters, each set once.
#[derive(Debug, Default)]
pub struct Slots(Vec<OnceLock<Kept>>);

impl Slots {
    pub(crate) fn new(count: usize) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(count, OnceLock::new);
        Self(slots)
    }

    /// The value of a parameter; questions are posed only when what they mention is there.
    ///
    /// # Panics
    ///
    /// When an expansion mentions what is not there.
    #[must_use]
    #[expect(clippy::expect_used, reason = "expansions mention what they wait for")]
    pub fn get<T: 'static>(&self, param: &Param<T>) -> &T {
        let value = self.0.get(param.info().index).and_then(OnceLock::get);
        value.and_then(|value| value.downcast_ref()).expect("a question waits for what it mentions")
    }

    pub(crate) fn set(&self, index: usize, value: Kept) {
        if let Some(slot) = self.0.get(index) {
            // Each is made by one step only.
            slot.set(value).ok();
        }
    }

    fn has(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|slot| slot.get().is_some())
    }

    /// The values, each with its parameter's number.
    pub(crate) fn into_values(self) -> impl Iterator<Item = (usize, Kept)> {
        self.0.into_iter().enumerate().filter_map(|(index, slot)| Some((index, slot.into_inner()?)))
    }
}

/// Poses a declared question, and gives its answer.
pub(super) type AskFn = for<'c> fn(&'c Ctx, &'c Slots) -> BoxFuture<'c, Made<Kept>>;

/// A declared question, with what it waits for.
#[derive(Clone, Copy)]
pub struct AskStep {
    pub(crate) index: usize,
    /// The questions whose answers it mentions.
    pub(crate) needs: &'static [usize],
    pub(crate) ask: AskFn,
}

impl fmt::Debug for AskStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskStep").field("index", &self.index).field("needs", &self.needs).finish_non_exhaustive()
    }
}

/// The step that poses a question.
#[must_use]
pub const fn ask(index: usize, needs: &'static [usize], ask: AskFn) -> Option<Prepare> {
    Some(Prepare::Ask(AskStep { index, needs, ask }))
}

/// Asks under the parameter's name.
pub(super) fn ask_message<'c, T: Answer>(
    ctx: &'c Ctx,
    name: &'static str,
    message: Cow<'static, str>,
) -> BoxFuture<'c, Made<Kept>> {
    Box::pin(async move { declared::<T>(ctx, name, message).await.map(T::keep) })
}

/// A question whose text a function makes, or whose answer it knows.
///
/// What `#[ask(with = f(…))]` calls returns one.
#[derive(Debug)]
#[must_use = "return it from the function that `#[ask(with = …)]` names"]
pub struct Question<T>(Posed<T>);

#[derive(Debug)]
enum Posed<T> {
    Ask(Cow<'static, str>),
    Known(T),
}

// That `T` is a form is told where the question is asked.
impl<T> Question<T> {
    /// Asks this.
    pub fn ask(message: impl IntoText) -> Self {
        Self(Posed::Ask(message.into_text()))
    }

    /// Does not ask: this is the answer.
    pub const fn known(value: T) -> Self {
        Self(Posed::Known(value))
    }
}

/// What the function of `#[ask(with = f(…))]` gives: a [`Question`], or a `Result` of one, now or later.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no question for this parameter",
    label = "is not `Question<{T}>`",
    note = "return a `Question<{T}>`, as `Question::ask(\"…\")` and `Question::known(value)` make it, or a `Result` of it whose error has `Display`, from a `fn` or `async fn`"
)]
pub trait IntoQuestion<T, M> {
    /// The question, or its future.
    #[doc(hidden)]
    type Question;

    #[doc(hidden)]
    fn question(self) -> Self::Question;
}

// Two, as those of `Comes`: between them the compiler looks at the bounds before it knows the `Question`.
#[diagnostic::do_not_recommend]
impl<V: Gives<Question<T>, M>, T, M> IntoQuestion<T, AtOnce<M>> for V {
    type Question = Coming<V, Question<T>, AtOnce<M>>;

    fn question(self) -> Self::Question {
        self.coming()
    }
}

#[diagnostic::do_not_recommend]
impl<F: Future<Output: Gives<Question<T>, M>>, T, M> IntoQuestion<T, Later<M>> for F {
    type Question = Coming<F, Question<T>, Later<M>>;

    fn question(self) -> Self::Question {
        self.coming()
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct Plain;
#[doc(hidden)]
#[derive(Debug)]
pub struct OrError<E>(E);

#[diagnostic::do_not_recommend]
impl<T> Gives<Self, Plain> for Question<T> {
    fn give(self) -> Made<Self> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T, E: HandlerError> Gives<Question<T>, OrError<E>> for Result<Question<T>, E> {
    fn give(self) -> Made<Question<T>> {
        self.map_err(HandlerError::into_failure)
    }
}

/// The question that a function made, asked under the parameter's name.
pub(super) fn ask_made<'c, T: Answer>(
    ctx: &'c Ctx,
    name: &'static str,
    question: BoxFuture<'c, Made<Question<T::Form>>>,
) -> BoxFuture<'c, Made<Kept>> {
    Box::pin(async move {
        match question.await?.0 {
            Posed::Ask(message) => ask_message::<T>(ctx, name, message).await,
            Posed::Known(value) => Ok(T::from_elicited(Elicited::Accept(value), name).map_err(Failure::from)?.keep()),
        }
    })
}

/// Poses declared questions: each as soon as what it mentions is answered, so that independent ones go out together.
pub(crate) struct Round<'c> {
    ctx: &'c Ctx,
    slots: &'c Slots,
    waiting: Vec<AskStep>,
    asked: Vec<(usize, BoxFuture<'c, Made<Kept>>)>,
}

impl<'c> Round<'c> {
    pub(crate) const fn new(ctx: &'c Ctx, slots: &'c Slots, waiting: Vec<AskStep>) -> Self {
        Self { ctx, slots, waiting, asked: Vec::new() }
    }

    /// Poses what can be posed. True when there was something.
    fn pose(&mut self) -> bool {
        let (ctx, slots) = (self.ctx, self.slots);
        let before = self.asked.len();
        let is_ready = |step: &AskStep| step.needs.iter().all(|index| slots.has(*index));
        let (ready, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(is_ready);
        self.waiting = waiting;
        let ready: Vec<AskStep> = ready;
        self.asked.extend(ready.into_iter().map(|step| (step.index, (step.ask)(ctx, slots))));
        self.asked.len() > before
    }
}

impl Future for Round<'_> {
    type Output = Result<(), Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        loop {
            this.pose();
            let mut failed = None;
            let before = this.asked.len();
            let slots = this.slots;
            this.asked.retain_mut(|(index, asked)| match asked.as_mut().poll(context) {
                Poll::Pending => true,
                Poll::Ready(Ok(value)) => {
                    slots.set(*index, value);
                    false
                }
                Poll::Ready(Err(failure)) => {
                    failed.get_or_insert(failure);
                    false
                }
            });
            if let Some(failure) = failed {
                return Poll::Ready(Err(failure));
            }
            if this.asked.is_empty() && this.waiting.is_empty() {
                return Poll::Ready(Ok(()));
            }
            // Something was answered, so something may be ready that was not.
            if this.asked.len() == before {
                return Poll::Pending;
            }
        }
    }
}
