//! What is made before a handler is called: extractors, and the answers to declared questions.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

use super::numbered;
use super::param::{Way, constant_name, on_its_way, type_name};
use super::place::{item_of, local, placed, span_of};
use crate::ask::{Ask, needs};
use crate::handler::Handler;
use crate::param::{Param, ParamKind, name_of};
use crate::path::Runtime;

/// The steps before the call, if there are any. Questions look at the other values, so beside them all are made early.
pub(super) fn prepare(runtime: &Runtime, handler: &Handler) -> Option<TokenStream> {
    let made = numbered(handler).filter(|(_, param)| param.kind == ParamKind::FromContext).map(|(at, _)| {
        let constant = constant_name(at);
        quote!(#constant.prepare())
    });
    let mut steps: Vec<TokenStream> = made.collect();
    if handler.asks() {
        steps.extend(numbered(handler).map(|(at, param)| match &param.ask {
            Some(ask) => question(runtime, handler, (at, param), ask),
            None => early(runtime, at, param),
        }));
    }
    (!steps.is_empty()).then(|| quote!(.prepare(&[#(#steps),*])))
}

fn early(runtime: &Runtime, at: usize, param: &Param) -> TokenStream {
    let (constant, early) =
        (constant_name(at), on_its_way(runtime, (at, param), Way::of(param, "Keepable", "Keeps"), "EARLY"));
    quote!(#early.step(&#constant))
}

fn question(runtime: &Runtime, handler: &Handler, (at, param): (usize, &Param), ask: &Ask) -> TokenStream {
    let p = quote!(#runtime::__private);
    let (ctx, slots) = (local("ctx", Span::call_site()), local("slots", Span::call_site()));
    let (constant, name) = (constant_name(at), type_name(at, param));
    let answer = |item: &str| item_of(param.extent, &name, &quote!(#runtime::Answer), item);
    let waits = waits(handler, at);
    let values = values(handler, at, &waits, &ctx.to_token_stream(), &slots.to_token_stream());
    let posed = match ask {
        Ask::Text(text, rest) => {
            let arguments = placed(span_of(text), quote!(::core::format_args!));
            let (pose, text) = (answer("pose"), quote!(::std::fmt::format(#arguments(#text #rest))));
            quote!(#pose(#ctx, &#constant, #text))
        }
        Ask::With(call) => {
            let (place, pose, form) = (span_of(call), answer("pose_made"), answer("Form"));
            let into = placed(place, quote!(#runtime::bounds::IntoQuestion::));
            let question = placed(place, quote!(question(#call)));
            let boxed = placed(place, quote!(#runtime::bounds::Boxes::boxed(#into<#form, _>::#question)));
            // Of a type that cannot be asked for, the compiler tells at what is passed for it as well: as long as that type.
            // Named after the author's expression is evaluated, so it hides nothing from it.
            let made = Ident::new("made", param.extent.start);
            let of_made = placed(param.extent.end, quote!(.0));
            quote!({ let #made = (#boxed,); #pose(#ctx, &#constant, #made #of_made) })
        }
    };
    let waits = waits.iter().map(|at| Literal::usize_unsuffixed(*at));
    let at = Literal::usize_unsuffixed(at);
    quote!(#p::ask(#at, &[#(#waits),*], |#ctx, #slots| { #values #posed }))
}

/// The numbers of the questions that one waits for.
fn waits(handler: &Handler, at: usize) -> Vec<usize> {
    // Places among all parameters, of which the context has no number.
    let place = |number: usize| {
        handler.params.iter().enumerate().filter(|(_, param)| !param.is_context()).nth(number).map(|(place, _)| place)
    };
    let waited: Vec<usize> = place(at).map(|place| needs(&handler.params, place)).unwrap_or_default();
    numbered(handler)
        .map(|(number, _)| number)
        .filter(|number| place(*number).is_some_and(|place| waited.contains(&place)))
        .collect()
}

/// The other parameters by their own names, as references: all that are there when the question is posed.
fn values(handler: &Handler, at: usize, waits: &[usize], ctx: &TokenStream, slots: &TokenStream) -> TokenStream {
    let context = handler
        .params
        .iter()
        .filter(|param| param.is_context())
        .filter_map(|param| name_of(&param.pat))
        .map(|name| bound(name, ctx));
    let others =
        numbered(handler).filter(|(number, param)| *number != at && (param.ask.is_none() || waits.contains(number)));
    let others = others.filter_map(|(number, param)| {
        let (name, constant) = (name_of(&param.pat)?, constant_name(number));
        Some(bound(name, &quote!(#slots.get(&#constant))))
    });
    context.chain(others).collect()
}

fn bound(name: &Ident, value: &TokenStream) -> TokenStream {
    quote!(#[allow(unused_variables, reason = "not every question mentions it")] let #name = #value;)
}
