//! `Context`, which anyhow calls a trait, where `&Ctx` was meant.
//!
//! By its name alone it may be another name for `Ctx`, or an argument. That it is the trait, its path says, or that it is
//! borrowed where the body calls `.context(…)` or `anyhow::Result` is returned.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{FnArg, PatType, Path, ReturnType, Type, TypePath};

use crate::diag::Errors;
use crate::function::Function;
use crate::param::name_of;
use crate::spelled::ungroup;

/// Crates that have such a trait.
const CRATES: [&str; 3] = ["anyhow", "eyre", "color_eyre"];

/// Its methods.
const METHODS: [&str; 2] = ["context", "with_context"];

/// Checks that no parameter has the trait for its type.
pub(crate) fn check(who: &str, function: &Function, errors: &mut Errors) {
    for param in function.params() {
        if let Some(word) = trait_of(function, param) {
            let name = name_of(&param.pat).map_or_else(|| "_".to_owned(), Ident::to_string);
            errors.at(
                word,
                format!("`Context` is the trait of `.context(…)`, not the context of {who}\nwrite `{name}: &Ctx`"),
            );
        }
    }
}

/// The function with what was meant, so that the compiler does not speak of the trait as well.
pub(crate) fn mended(function: &Function, meant: &Type) -> Function {
    let mut mended = function.clone();
    for input in &mut mended.signature.inputs {
        if let FnArg::Typed(param) = input {
            if trait_of(function, param).is_some() {
                *param.ty = meant.clone();
            }
        }
    }
    mended
}

/// The word for the trait in the type of a parameter.
fn trait_of<'a>(function: &Function, param: &'a PatType) -> Option<&'a Ident> {
    let (ty, is_borrowed) = match ungroup(&param.ty) {
        Type::Reference(reference) if reference.mutability.is_none() => (ungroup(&reference.elem), true),
        other => (other, false),
    };
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
    let last = path.segments.last().filter(|last| last.ident == "Context" && last.arguments.is_none())?;
    // What is owned may be an argument of that name; nothing but the context is borrowed.
    let is_trait = if path.segments.len() == 1 { is_borrowed && is_about(function) } else { is_of_a_crate(path) };
    is_trait.then_some(&last.ident)
}

fn is_of_a_crate(path: &Path) -> bool {
    path.segments.first().is_some_and(|first| CRATES.iter().any(|name| first.ident == name))
}

/// Whether the function has to do with such a crate: it returns its `Result`, or calls a method of the trait.
fn is_about(function: &Function) -> bool {
    let returned = match &function.signature.output {
        ReturnType::Type(_, ty) => ungroup(ty),
        ReturnType::Default => return is_called(function.body.clone()),
    };
    matches!(returned, Type::Path(TypePath { qself: None, path, .. }) if is_of_a_crate(path))
        || is_called(function.body.clone())
}

/// Whether one of the trait's methods is called.
fn is_called(body: TokenStream) -> bool {
    let mut tokens = body.into_iter().peekable();
    let mut is_after_dot = false;
    while let Some(token) = tokens.next() {
        let is_method = matches!(&token, TokenTree::Ident(word) if METHODS.iter().any(|method| word == method));
        let is_call =
            matches!(tokens.peek(), Some(TokenTree::Group(next)) if next.delimiter() == Delimiter::Parenthesis);
        if is_after_dot && is_method && is_call {
            return true;
        }
        is_after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        if matches!(token, TokenTree::Group(group) if is_called(group.stream())) {
            return true;
        }
    }
    false
}
