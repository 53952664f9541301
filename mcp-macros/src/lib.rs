//! The attributes of `mcp-runtime`: parse → check → expand.
//!
//! They are documented where they are re-exported, in `mcp-runtime`: what stood here would be said twice there.

#![expect(missing_docs, reason = "rustdoc appends these to the documentation of the re-exports")]

mod arg;
mod ask;
mod case;
mod clash;
mod data;
mod diag;
mod docs;
mod elicit;
mod elsewhere;
mod expand;
#[cfg(test)]
mod expand_tests;
mod fit;
mod foreign;
mod form;
mod function;
mod handler;
mod heard;
mod keys;
mod kind;
mod literal;
mod param;
mod path;
mod prompt;
mod resource;
mod spelled;
#[expect(dead_code, reason = "the runtime's own parser, of which only a part is needed here")]
mod template;
mod tool;
mod unadvised;
mod uri;
mod values;
mod wrapped;

use proc_macro2::TokenStream;

use crate::data::Data;
use crate::diag::Errors;
use crate::function::{Choice, Function};
use crate::kind::Kind;
use crate::path::Runtime;
use crate::prompt::Prompt;
use crate::resource::Resource;
use crate::tool::Tool;

#[proc_macro_attribute]
pub fn tool(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(Kind::Tool, args.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn resource(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(Kind::Resource, args.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn prompt(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run(Kind::Prompt, args.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn data(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run_data(args.into(), item.into()).into()
}

// Of these attributes a form reads the first two; the others are known so that it can be said what is written instead. Those that
// may be of another derive on the same type are refused where there is none.
#[proc_macro_derive(
    Elicit,
    attributes(elicit, serde, schemars, default, arg, ask, range, length, format, title, description, name, min, max)
)]
pub fn elicit(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    run_elicit(item.into()).into()
}

/// The function with its entry, or with all its mistakes.
fn run(kind: Kind, args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) if handler::is_function(&item) => {
            errors.finish();
            return expand::unread(kind, &item, &error);
        }
        Err(error) => {
            handler::check_item(kind, &item, &error, &mut errors);
            // Beside a mistake, the rest of an expression is another.
            let kept = if handler::is_expression(&item) { TokenStream::new() } else { item };
            return or_mistakes(TokenStream::new(), errors, kept);
        }
    };
    let runtime = Runtime::of(&args);
    if let Some(choice) = Choice::find(&function) {
        errors.finish();
        return expand::choice(&runtime, kind, &args, &choice);
    }
    let helpers = function.strip_helpers();
    for mark in function.take_marks() {
        handler::check_mark(kind, &function, &mark, &mut errors);
    }
    let untouched = expand::untouched(&runtime, &function);
    let expanded = match kind {
        Kind::Tool => expand::tool(&runtime, &Tool::parse(args, function, &helpers, &mut errors)),
        Kind::Resource => expand::resource(&runtime, &Resource::parse(args, function, &helpers, &mut errors)),
        Kind::Prompt => expand::prompt(&runtime, &Prompt::parse(args, function, &helpers, &mut errors)),
    };
    or_mistakes(expanded, errors, untouched)
}

fn run_data(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let expanded = Data::parse(args, &item, &mut errors).map_or(item, |data| expand::data(&data));
    // After a mistake the type has its derives all the same, so that whoever uses it is not told so, too.
    let mistakes = errors.finish();
    mistakes.into_iter().chain([expanded]).collect()
}

fn run_elicit(item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let stub = elicit::Stub::of(&item);
    let elicit = elicit::read(item, &mut errors);
    let expanded = elicit.map(|elicit| expand::elicit(&elicit)).unwrap_or_default();
    // After a mistake the type is a form all the same, so that whoever asks for it is not told so, too.
    or_mistakes(expanded, errors, stub.map(|stub| expand::elicit_stub(&stub)).unwrap_or_default())
}

/// What was expanded; after a mistake the item as it was written instead, so that nothing else breaks.
fn or_mistakes(expanded: TokenStream, errors: Errors, item: TokenStream) -> TokenStream {
    match errors.finish() {
        None => expanded,
        Some(mut mistakes) => {
            mistakes.extend(item);
            mistakes
        }
    }
}
