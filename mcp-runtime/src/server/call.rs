//! Calling a handler: arguments decoded, what it needs made first, its time and its gate kept.

use crate::handler::arguments::{Arguments, Inputs, Refused};
use crate::handler::ask::{AskStep, Attended, DeclaredRound, Slots, TimeIsOver, Timed};
use crate::handler::call::{BoxFuture, Call, Made};
use crate::handler::ctx::Ctx;
use crate::handler::error::Failure;
use crate::handler::prepare::{Prepare, Prepared};
use crate::protocol::scan::Places;
use crate::registry::entry::CallFn;
use crate::registry::item::{Common, Run};

/// What a client sent as arguments.
pub(crate) enum Sent {
    /// A JSON object that was read once, if there was one.
    Json(Option<Box<str>>, Places),
    /// Texts by name.
    Text(Vec<(String, String)>),
}

impl Sent {
    /// Finds the arguments; the error is one of the request, not of a value.
    fn find<'a>(&'a self, args: &mut Arguments<'a>, inputs: &Inputs) -> Result<(), Failure> {
        match self {
            Self::Json(None, _) => Ok(()),
            Self::Json(Some(json), places) => args.read(json, places).map_err(invalid),
            Self::Text(texts) => {
                let mut unknown = Vec::new();
                for (name, text) in texts {
                    if inputs.has_argument(name) {
                        args.set_text(name, text.as_str().into());
                    } else {
                        unknown.push(name.as_str().into());
                    }
                }
                args.judge_unknown(&unknown);
                Ok(())
            }
        }
    }
}

fn invalid(text: String) -> Failure {
    Failure::Protocol(crate::protocol::ProtocolError::invalid_params(text))
}

/// Calls the handler of an item.
pub(crate) async fn call<R: Send>(common: &Common<R>, ctx: &Ctx, sent: Sent) -> Made<R> {
    let future = match &common.run {
        Run::Entry { call, prepare: [] } => {
            let mut args = Arguments::new(&common.inputs);
            sent.find(&mut args, &common.inputs)?;
            match begin(*call, ctx, args)? {
                Call::Done(made) => return made,
                Call::Future(future) => future,
            }
        }
        Run::Entry { call, prepare } => prepared(&common.inputs, *call, prepare, ctx, sent),
        Run::Dynamic(function) => {
            let mut args = Arguments::new(&common.inputs);
            sent.find(&mut args, &common.inputs)?;
            function(ctx.clone(), args.into_map().map_err(Failure::Refused)?)
        }
    };
    // The message is not needed any more: what was decoded owns what it holds.
    let attended = Attended::new(ctx, future);
    match common.about.timeout {
        None => attended.await,
        Some(timeout) => Timed::new(ctx, timeout, attended).await.unwrap_or_else(|TimeIsOver| {
            Err(Failure::Message(format!("`{}` did not finish within {timeout:?}", common.about.name)))
        }),
    }
}

fn begin<'c, R>(call: CallFn<R>, ctx: &'c Ctx, mut args: Arguments<'_>) -> Result<Call<'c, R>, Failure> {
    call(ctx, &mut args).map_err(|Refused| Failure::Refused(args.into_faults()))
}

/// Makes what `#[from_context]` parameters need, asks what `#[ask]` parameters do, then calls.
fn prepared<'c, R: Send + 'c>(
    inputs: &'c Inputs,
    call: CallFn<R>,
    prepare: &'static [Option<Prepare>],
    ctx: &'c Ctx,
    sent: Sent,
) -> BoxFuture<'c, Made<R>> {
    Box::pin(async move {
        let made = made(inputs, prepare, ctx, &sent).await?;
        let mut args = Arguments::new(inputs);
        if asks(prepare).next().is_none() {
            sent.find(&mut args, inputs)?;
        }
        for (index, value) in made {
            args.set_prepared(index, value);
        }
        let begun = begin(call, ctx, args)?;
        drop(sent);
        match begun {
            Call::Done(made) => made,
            Call::Future(future) => future.await,
        }
    })
}

fn asks(prepare: &[Option<Prepare>]) -> impl Iterator<Item = AskStep> {
    prepare.iter().flatten().filter_map(|step| if let Prepare::Ask(step) = step { Some(*step) } else { None })
}

/// The values of the parameters that are not decoded when the handler is called: all of them when something is asked.
///
/// Boxed, so that it is compiled once for all kinds of handlers.
fn made<'c>(
    inputs: &'c Inputs,
    prepare: &'static [Option<Prepare>],
    ctx: &'c Ctx,
    sent: &'c Sent,
) -> BoxFuture<'c, Result<Vec<(usize, Prepared)>, Failure>> {
    Box::pin(async move {
        let mut made = Vec::with_capacity(prepare.len());
        for step in prepare.iter().flatten() {
            if let Prepare::Make(step) = step {
                made.push((step.index, (step.make)(ctx).await?));
            }
        }
        let asks: Vec<AskStep> = asks(prepare).collect();
        if asks.is_empty() {
            return Ok(made);
        }
        let slots = decoded(inputs, prepare, ctx, sent, made)?;
        DeclaredRound::new(ctx, &slots, asks).await?;
        Ok(slots.into_values().map(|(index, value)| (index, value as Prepared)).collect())
    })
}

/// Decodes every argument for the questions to look at. Nobody is asked while one of them does not fit.
fn decoded(
    inputs: &Inputs,
    prepare: &[Option<Prepare>],
    ctx: &Ctx,
    sent: &Sent,
    made: Vec<(usize, Prepared)>,
) -> Result<Slots, Failure> {
    let mut args = Arguments::new(inputs);
    sent.find(&mut args, inputs)?;
    for (index, value) in made {
        args.set_prepared(index, value);
    }
    let slots = Slots::new(inputs.params.len());
    for step in prepare.iter().flatten() {
        if let Prepare::Early(step) = step {
            if let Ok(value) = step.decode(ctx, &mut args) {
                slots.set(step.index, value);
            }
        }
    }
    match args.finish() {
        Ok(()) => Ok(slots),
        Err(Refused) => Err(Failure::Refused(args.into_faults())),
    }
}
