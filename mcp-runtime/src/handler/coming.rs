//! What an author's function gives, at once or later.
//!
//! Which of them, and what becomes of it, is one trait; that a future is `Send` is another, because where the compiler chooses
//! between implementations it says nothing of what is wrong with one.

use std::future::{self, Future, Ready};
use std::marker::PhantomData;

use super::call::{BoxFuture, Converted, Made};

/// A value that stands for a `T`; `M` only keeps the cases apart.
#[doc(hidden)]
pub trait Gives<T, M> {
    fn give(self) -> Made<T>;
}

/// A value, or the future of one; `M` only keeps the cases apart.
#[doc(hidden)]
pub trait Comes<T, M>: Sized {
    fn coming(self) -> Coming<Self, T, M> {
        Coming { value: self, of: PhantomData }
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct AtOnce<M>(M);
#[doc(hidden)]
#[derive(Debug)]
pub struct Later<M>(M);

#[diagnostic::do_not_recommend]
impl<V: Gives<T, M>, T, M> Comes<T, AtOnce<M>> for V {}

#[diagnostic::do_not_recommend]
impl<F: Future<Output: Gives<T, M>>, T, M> Comes<T, Later<M>> for F {}

/// What a function has given.
#[doc(hidden)]
#[derive(Debug)]
pub struct Coming<V, T, M> {
    value: V,
    of: PhantomData<fn() -> (T, M)>,
}

/// It as a future, and what becomes of the value of that.
#[doc(hidden)]
pub trait Awaits<T> {
    type Future: Future;

    #[expect(clippy::type_complexity, reason = "the two go to one place")]
    fn awaits(self) -> (Self::Future, fn(<Self::Future as Future>::Output) -> Made<T>);
}

impl<V: Gives<T, M>, T, M> Awaits<T> for Coming<V, T, AtOnce<M>> {
    type Future = Ready<Made<T>>;

    fn awaits(self) -> (Self::Future, fn(Made<T>) -> Made<T>) {
        (future::ready(self.value.give()), |made| made)
    }
}

impl<F: Future<Output: Gives<T, M>>, T, M> Awaits<T> for Coming<F, T, Later<M>> {
    type Future = F;

    fn awaits(self) -> (F, fn(F::Output) -> Made<T>) {
        (self.value, Gives::give)
    }
}

/// It in a box, for all that awaits: the compiler recommends no implementation that is for everything.
#[doc(hidden)]
pub trait Boxes<'c, T> {
    fn boxed(self) -> BoxFuture<'c, Made<T>>;
}

impl<'c, A: Awaits<T, Future: Send + 'c>, T: 'c> Boxes<'c, T> for A {
    fn boxed(self) -> BoxFuture<'c, Made<T>> {
        let (future, into) = self.awaits();
        Box::pin(Converted::new(future, into))
    }
}
