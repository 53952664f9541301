//! The URI of `#[resource(…)]`: taken from before the keys, or found where it was written instead.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Expr, LitStr};

use crate::diag::Errors;
use crate::form::Key;

/// What a URI is called where it has a key.
const NAMES: [&str; 6] = ["uri", "uri_template", "uriTemplate", "template", "url", "path"];

/// The URI, and the rest: the keys of `tables`.
pub(crate) fn read_uri(args: TokenStream, tables: &[&[Key]], errors: &mut Errors) -> (Option<LitStr>, TokenStream) {
    let tokens: Vec<TokenTree> = args.into_iter().collect();
    let parts: Vec<&[TokenTree]> = tokens.split_inclusive(is_comma).collect();
    let Some((first, keys)) = parts.split_first() else {
        errors.on(
            Span::call_site(),
            "`#[resource]` needs the URI of what it gives\nwrite `#[resource(\"note://{id}\")]`",
        );
        return (None, TokenStream::new());
    };
    let without = |part: &[TokenTree]| {
        let others = parts.iter().filter(|other| !std::ptr::eq(**other, part));
        others.copied().flatten().cloned().collect()
    };
    if !is_keyed(first, tables) {
        return (literal(first, errors), without(first));
    }
    if let Some(key) = parts.iter().find(|part| NAMES.iter().any(|name| word(part).is_some_and(|word| word == *name))) {
        errors
            .at(key.first(), "the URI of a resource stands first, without a key\nwrite `#[resource(\"note://{id}\")]`");
        return (text(key.get(2..).unwrap_or_default()), without(key));
    }
    if let Some((part, uri)) = keys.iter().find_map(|part| Some((part, text(part)?))) {
        errors
            .at(&uri, format!("the URI of a resource stands first\nwrite `#[resource({}, …)]`", uri.to_token_stream()));
        return (Some(uri), without(part));
    }
    errors.at(first.first(), "the URI of a resource is missing\nwrite it first: `#[resource(\"note://{id}\", …)]`");
    (None, tokens.into_iter().collect())
}

/// The URI at the front.
fn literal(part: &[TokenTree], errors: &mut Errors) -> Option<LitStr> {
    let (first, surplus) = part.split_first()?;
    let Some(uri) = text(std::slice::from_ref(first)) else {
        let rule = "the URI of a resource must be a string literal\nits variables are matched with the parameters at compile time";
        match syn::parse2::<Expr>(unclosed(part)) {
            Ok(written) => errors.at(written, rule),
            Err(error) => errors.on(error.span(), rule),
        }
        return None;
    };
    if let Some(token) = surplus.first().filter(|token| !is_comma(token)) {
        errors.at(token, "a comma is missing after the URI\nseparate keys with `,`");
    }
    Some(uri)
}

/// Whether something other than a URI begins here: a key of ours, or what was meant to be one.
fn is_keyed(part: &[TokenTree], tables: &[&[Key]]) -> bool {
    let Some(word) = word(part) else { return false };
    let mut signs = part.iter().skip(1).map_while(|token| match token {
        TokenTree::Punct(sign) => Some(sign.as_char()),
        _ => None,
    });
    tables.iter().copied().flatten().any(|key| key.name == word) || (signs.next(), signs.next()) == (Some('='), None)
}

fn word(part: &[TokenTree]) -> Option<String> {
    match part.first() {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    }
}

/// The one literal that stands here.
fn text(part: &[TokenTree]) -> Option<LitStr> {
    syn::parse2(unclosed(part)).ok()
}

/// Without the comma behind it.
fn unclosed(part: &[TokenTree]) -> TokenStream {
    part.iter().filter(|token| !is_comma(token)).cloned().collect()
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',')
}
