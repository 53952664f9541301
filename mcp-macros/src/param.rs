//! One parameter of a handler: the context, a value the server makes, or an argument of the client.
//!
//! A reference is the context. Whether an owned type is an argument or an extractor is decided by traits in the runtime.

use quote::ToTokens;
use syn::{Ident, Meta, Pat, PatType, Type, TypeReference, ext::IdentExt as _};

use crate::arg::Options;
use crate::ask::Ask;
use crate::diag::Errors;
use crate::docs::Text;
use crate::function::Helpers;
use crate::spelled::{
    Extent, Loose, Spelled, bounded, is_bounded, is_unsized, last_segment, show, static_reference, ungroup,
};
use crate::wrapped;

/// What stands for the name of a parameter that has none.
pub(crate) const NAMELESS: &str = "_";

/// A parameter that was checked by itself; rules about several of them are the handler's.
pub(crate) struct Param {
    /// The key that the client sends, or the name for messages.
    pub(crate) name: String,
    /// The pattern as written, to point at.
    pub(crate) pat: Pat,
    pub(crate) ty: Type,
    /// Where the compiler points when it tells of a bound in the type: at a part of it, or at all.
    pub(crate) extent: Extent,
    /// Whether that is a part.
    pub(crate) is_inside: bool,
    /// Whether there may be such a bound.
    pub(crate) is_bounded: bool,
    pub(crate) kind: ParamKind,
    pub(crate) doc: Text,
    pub(crate) options: Options,
    /// The question of `#[ask]`.
    pub(crate) ask: Option<Ask>,
}

/// Where a parameter's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamKind {
    /// The context: a reference, by whatever name.
    Context,
    /// The client, `State<T>` or `Args<T>`.
    Plain,
    /// `#[from_context]`.
    FromContext,
    /// The person, through a question.
    Ask,
    /// In a resource: not named in the template, so the server has to make it.
    Provided,
}

impl Param {
    /// Reads one parameter of `who`, such as ``tool `add` ``. A mistake still gives a parameter, for the rules about several.
    pub(crate) fn parse(who: &str, typed: &PatType, helpers: &Helpers, errors: &mut Errors) -> Self {
        let ty = (*typed.ty).clone();
        let kind = match ungroup(&ty) {
            // A value that should not be borrowed is what it would be without the `&`.
            Type::Reference(reference) if !is_borrowed_value(reference) => ParamKind::Context,
            _ if !helpers.from_context.is_empty() => ParamKind::FromContext,
            _ if !helpers.ask.is_empty() => ParamKind::Ask,
            _ => ParamKind::Plain,
        };
        let ident = name_of(&typed.pat);
        if ident.is_none() {
            check_pattern(who, &typed.pat, &ty, kind, errors);
        }
        let own_name = ident.map_or_else(|| NAMELESS.to_owned(), |ident| ident.unraw().to_string());
        check_helpers(&own_name, kind, &ty, helpers, errors);
        let options = Options::parse(&own_name, helpers, &ty, errors);
        match ungroup(&ty) {
            // `&x: &u32` is one mistake: that of the pattern.
            Type::Reference(_) if matches!(*typed.pat, Pat::Reference(_)) => {}
            Type::Reference(reference) => check_reference(who, &own_name, reference, errors),
            owned => check_owned(who, &own_name, kind, owned, errors),
        }
        // What is marked was told to be owned, and is no context beside another.
        let kind = match ungroup(&ty) {
            Type::Reference(reference) if !is_ctx(&reference.elem) && !helpers.from_context.is_empty() => {
                ParamKind::FromContext
            }
            Type::Reference(reference) if !is_ctx(&reference.elem) && !helpers.ask.is_empty() => ParamKind::Ask,
            _ => kind,
        };
        let place = bounded(&ty);
        Self {
            extent: Extent::of(place),
            is_inside: !std::ptr::eq(place, ungroup(&ty)),
            is_bounded: is_bounded(place),
            name: options.name.as_ref().map_or(own_name, syn::LitStr::value),
            pat: (*typed.pat).clone(),
            doc: options.doc.clone(),
            ty,
            kind,
            options,
            ask: Ask::parse(&helpers.ask, errors),
        }
    }

    /// Whether it is the context.
    pub(crate) fn is_context(&self) -> bool {
        self.kind == ParamKind::Context
    }

    /// Whether its spelling leaves no doubt that the client sends it.
    pub(crate) fn is_surely_argument(&self) -> bool {
        let is_plain = matches!(self.kind, ParamKind::Plain | ParamKind::Provided);
        is_plain
            && (self.options.first.is_some() || Spelled::of(&self.ty).is_some())
            && wrapped::find(&self.ty).is_none()
    }

    /// Where its name is written: in `#[arg(name = …)]`, or as the parameter's.
    pub(crate) fn name_tokens(&self) -> &dyn ToTokens {
        match &self.options.name {
            Some(name) => name,
            None => &self.pat,
        }
    }
}

/// The name of a parameter that is no pattern; `mut` is allowed.
pub(crate) fn name_of(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(&name.ident),
        _ => None,
    }
}

/// What the client does not send needs no name: it may be ignored, and `Args(…)` taken apart.
fn check_pattern(who: &str, pat: &Pat, ty: &Type, kind: ParamKind, errors: &mut Errors) {
    let is = |name: &str| is_wrapper(ty) && last_segment(ty).is_some_and(|segment| segment.ident == name);
    let is_ignored = matches!(pat, Pat::Wild(_)) && (kind == ParamKind::Context || is_wrapper(ty));
    if is_ignored || is("Args") {
        return;
    }
    if is("State") {
        let ty = show(ty);
        errors.at(pat, format!("`State` is taken whole\nwrite `name: {ty}`: it is used like the value in it"));
        return;
    }
    errors.at(pat, format!("argument of {who} needs a name\nthe name is the key the client sends: write `name: Type` and destructure in the body"));
}

pub(crate) fn is_ctx(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "Ctx")
}

fn check_helpers(name: &str, kind: ParamKind, ty: &Type, helpers: &Helpers, errors: &mut Errors) {
    for (attribute, meant) in &helpers.misspelled {
        let written = show(attribute.path());
        errors
            .at(attribute.path(), format!("unknown attribute `{written}` on a parameter\ndid you mean `#[{meant}]`?"));
    }
    for attribute in &helpers.unknown {
        let written = show(attribute.path());
        errors.at(attribute.path(), format!("unknown attribute `{written}` on a parameter\nwrite `#[arg(…)]`, `#[ask(\"…\")]` or `#[from_context]`, or remove it"));
    }
    for attribute in &helpers.misplaced {
        let written = show(attribute.path());
        errors.at(attribute.path(), format!("`#[{written}]` does not work on a parameter\nwrite a doc comment, or `#[arg(…)]` with keys such as `default`, `name` and `range`"));
    }
    let is_provided = matches!(kind, ParamKind::Context | ParamKind::FromContext) || is_wrapper(ty);
    let borrowed = match ungroup(ty) {
        Type::Reference(reference) if kind == ParamKind::Context && !is_ctx(&reference.elem) => Some(reference),
        _ => None,
    };
    if let (Some(reference), Some(_)) = (borrowed, helpers.ask.first()) {
        let owned = show(ungroup(&reference.elem));
        errors.at(reference, format!("the answer `{name}` must be owned\nwrite `{name}: {owned}`, without `&`"));
    } else if let (true, Some(attribute)) = (is_provided, helpers.ask.first()) {
        errors.at(
            attribute.path(),
            format!("`{name}` is made by the server, so nobody is asked for it\nremove `#[ask]`"),
        );
    }
    for attribute in &helpers.from_context {
        if !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(&attribute.meta, "`#[from_context]` takes nothing\nwrite `#[from_context]`");
        }
    }
    if let Some(second) = helpers.from_context.get(1) {
        errors.at(second.path(), "`#[from_context]` is given twice\nremove one of them");
    }
    if let (ParamKind::Context, Some(attribute)) = (kind, helpers.from_context.first()) {
        let remedy = match ungroup(ty) {
            Type::Reference(reference) if !is_ctx(&reference.elem) => {
                format!("write `{name}: {}`, or remove `#[from_context]`", show(&reference.elem))
            }
            _ => "remove `#[from_context]`".to_owned(),
        };
        errors.at(attribute.path(), format!("`{name}` is a reference, so it is the context itself\n{remedy}"));
    }
    let is_made = matches!(kind, ParamKind::Context | ParamKind::FromContext | ParamKind::Ask) || is_wrapper(ty);
    if let (true, Some(attribute)) = (is_made, helpers.arg.first()) {
        errors.at(attribute.path(), format!("`{name}` is no argument of the client\nremove `#[arg]`"));
    }
}

/// `State<T>` by its own name.
pub(crate) fn is_state(ty: &Type) -> bool {
    is_wrapper(ty) && last_segment(ty).is_some_and(|segment| segment.ident == "State")
}

/// `State<T>` and `Args<T>` by their own names.
fn is_wrapper(ty: &Type) -> bool {
    last_segment(ty)
        .is_some_and(|segment| !segment.arguments.is_none() && (segment.ident == "State" || segment.ident == "Args"))
}

fn check_reference(who: &str, name: &str, reference: &TypeReference, errors: &mut Errors) {
    let inner = ungroup(&reference.elem);
    let is_static = reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
    if is_ctx(inner) {
        if reference.mutability.is_some() {
            errors.at(reference, format!("the context of {who} is shared\nwrite `{name}: &Ctx`, without `mut`"));
        } else if is_static {
            errors.at(
                &reference.lifetime,
                format!("the context of {who} lives as long as the call\nwrite `{name}: &Ctx`, without `'static`"),
            );
        }
        return;
    }
    if is_wrapper(inner) {
        let wrapper = show(inner);
        errors.at(reference, format!("`{name}` must be taken by value\nwrite `{name}: {wrapper}`, without `&`"));
        return;
    }
    if is_ctx(behind(inner)) {
        errors.at(reference, format!("the context of {who} is borrowed once\nwrite `{name}: &Ctx`"));
        return;
    }
    if is_borrowed_value(reference) {
        let (owned, borrowed) = (owned(inner), show(reference));
        // It may be the context by another name.
        let is_bare =
            matches!(inner, Type::Path(_)) && last_segment(inner).is_some_and(|last| last.arguments.is_none());
        let other = if is_bare && !is_text_like(inner) && Spelled::of(inner).is_none() {
            format!(", or `&{}` if it is the context", show(inner))
        } else {
            String::new()
        };
        errors.at(reference, format!("argument `{name}` must be owned\nit is decoded from the client's JSON: write {owned} instead of `{borrowed}`{other}"));
    }
}

/// Whether a reference is surely none to the context.
fn is_borrowed_value(reference: &TypeReference) -> bool {
    let inner = ungroup(&reference.elem);
    if is_ctx(inner) {
        return false;
    }
    let is_static = reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
    let is_value = !matches!(inner, Type::Path(_)) || is_text_like(inner) || Spelled::of(inner).is_some();
    is_value || is_wrapper(inner) || reference.mutability.is_some() || is_static
}

pub(crate) fn is_text_like(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| ["str", "Path", "OsStr", "CStr"].iter().any(|name| segment.ident == name))
}

/// What a reference to a reference points to in the end.
fn behind(ty: &Type) -> &Type {
    match ungroup(ty) {
        Type::Reference(reference) => behind(&reference.elem),
        other => other,
    }
}

/// The owned type to write for what a reference points to, in backticks if it can be written.
fn owned(ty: &Type) -> String {
    match behind(ty) {
        Type::TraitObject(_) => "a concrete type".to_owned(),
        ty => format!("`{}`", owned_type(ty)),
    }
}

/// The owned type to write for a reference to `ty`.
pub(crate) fn owned_type(ty: &Type) -> String {
    match behind(ty) {
        Type::Slice(slice) => format!("Vec<{}>", owned_type(&slice.elem)),
        ty if is_text_like(ty) => match last_segment(ty) {
            Some(segment) if segment.ident == "Path" => "PathBuf".to_owned(),
            _ => "String".to_owned(),
        },
        ty => show(ty),
    }
}

fn check_owned(who: &str, name: &str, kind: ParamKind, ty: &Type, errors: &mut Errors) {
    if is_ctx(ty) {
        errors.at(ty, format!("`Ctx` is borrowed by {who}\nwrite `{name}: &Ctx`"));
        return;
    }
    if !wrapped::check(who, name, ty, errors) {
        return;
    }
    if is_unsized(ty) || matches!(ty, Type::Never(_)) {
        errors.leave_to_rustc();
        return;
    }
    let is_state = is_wrapper(ty) && last_segment(ty).is_some_and(|segment| segment.ident == "State");
    // Only what is decoded cannot be a `&'static str`.
    let borrowed = static_reference(ty).filter(|_| kind == ParamKind::Plain && !is_state);
    match Loose::find(ty).or(borrowed.map(Loose::Borrowed)) {
        Some(Loose::Borrowed(span)) if is_state => {
            errors.on(span, format!("`{name}` is shared by all calls, so what is in it is owned\nwrite `State<T>` with the type that `.state(…)` was given"));
        }
        Some(Loose::Borrowed(span)) => errors.on(span, format!("the type of argument `{name}` borrows\nit is decoded from the client's JSON: use owned types, such as `String` for `&str`")),
        Some(Loose::Opaque(word)) => errors.at(word, format!("argument `{name}` needs a type of its own\nits schema is made from the type: write a concrete one instead of `impl …`")),
        Some(Loose::SelfType(word)) => self_type(who, &word, errors),
        Some(Loose::Placeholder | Loose::Named) => errors.leave_to_rustc(),
        None => {}
    }
}

/// `Self` has a meaning in an `impl` only, where a handler cannot be.
pub(crate) fn self_type(who: &str, word: &Ident, errors: &mut Errors) {
    errors.at(word, format!("{who} must be a free function, without `Self`\nmove it out of the `impl`, and take shared values as `State<T>`"));
}
