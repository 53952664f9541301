//! The author's function: its header parsed, its body raw tokens.
//!
//! Takes our helper attributes off the parameters, so that the function can be emitted as an ordinary one.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Meta, PatType, ReturnType, Signature, Token, Type, Visibility};

use crate::diag::nearest;
use crate::docs::is_doc;

/// A function as it was written.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    /// The braces with what is in them, or a `;`.
    pub(crate) body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

/// The attributes of one parameter that are ours.
#[derive(Default)]
pub(crate) struct Helpers {
    pub(crate) docs: Vec<Attribute>,
    pub(crate) arg: Vec<Attribute>,
    pub(crate) from_context: Vec<Attribute>,
    pub(crate) ask: Vec<Attribute>,
    /// Nearly one of ours, with the name that was meant.
    pub(crate) misspelled: Vec<(Attribute, &'static str)>,
    /// What means nothing on a parameter, as far as one can see.
    pub(crate) unknown: Vec<Attribute>,
    /// What says something about a field, or about a function.
    pub(crate) misplaced: Vec<Attribute>,
}

impl Function {
    /// What stands where its body should.
    pub(crate) fn instead_of_body(&self) -> Option<TokenTree> {
        self.body.clone().into_iter().next().filter(|token| !matches!(token, TokenTree::Group(_)))
    }

    /// Whether it ends in a `;`.
    pub(crate) fn is_bodiless(&self) -> bool {
        matches!(self.instead_of_body(), Some(TokenTree::Punct(sign)) if sign.as_char() == ';')
    }

    /// Whether it was expanded before: by one of our attributes that has another name.
    pub(crate) fn is_expanded(&self) -> bool {
        let is_ours = |attribute: &Attribute| {
            attribute.path().is_ident("allow") && attribute.to_token_stream().to_string().contains(EXPANDED)
        };
        self.attrs.iter().any(is_ours)
    }

    /// Whether `#[tokio::main]` has been at work: its runtime fails to start inside of the server's. What it writes is known
    /// by its words.
    pub(crate) fn makes_runtime(&self) -> bool {
        fn is_said(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Group(group) => is_said(group.stream()),
                TokenTree::Literal(literal) => literal.to_string() == "\"Failed building the Runtime\"",
                TokenTree::Ident(_) | TokenTree::Punct(_) => false,
            })
        }
        self.signature.asyncness.is_none() && is_said(self.body.clone())
    }

    /// Takes our attributes off, one set for each parameter but `self`.
    pub(crate) fn strip_helpers(&mut self) -> Vec<Helpers> {
        // Another attribute on the function may have marks of its own.
        let is_alone = self.attrs.iter().all(is_of_the_language);
        let typed = self.signature.inputs.iter_mut().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            FnArg::Receiver(_) => None,
        });
        typed.map(|param| strip(param, is_alone)).collect()
    }

    /// Whether it has a `self`.
    pub(crate) fn is_method(&self) -> bool {
        matches!(self.signature.inputs.first(), Some(FnArg::Receiver(_)))
    }

    /// Its parameters, but not `self`.
    pub(crate) fn params(&self) -> impl Iterator<Item = &PatType> {
        self.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            FnArg::Receiver(_) => None,
        })
    }

    /// The types of its header.
    pub(crate) fn types_mut(&mut self) -> impl Iterator<Item = &mut Type> {
        let inputs = self.signature.inputs.iter_mut().filter_map(|input| match input {
            FnArg::Typed(param) => Some(&mut *param.ty),
            FnArg::Receiver(_) => None,
        });
        let output = match &mut self.signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(&mut **ty),
        };
        inputs.chain(output)
    }

    /// Takes off further attributes of ours, so that one function is not registered twice.
    pub(crate) fn take_marks(&mut self) -> Vec<Attribute> {
        let (marks, others) = std::mem::take(&mut self.attrs).into_iter().partition(is_mark);
        self.attrs = others;
        marks
    }
}

/// The reason that is given for the lints which are off on what was expanded.
pub(crate) const EXPANDED: &str = "what a handler has to be";

/// What else our marks are called.
const KIN: [(&str, &str); 12] = [
    ("from_ctx", "from_context"),
    ("context", "from_context"),
    ("ctx", "from_context"),
    ("inject", "from_context"),
    ("extract", "from_context"),
    ("elicit", "ask"),
    ("question", "ask"),
    ("confirm", "ask"),
    ("param", "arg"),
    ("argument", "arg"),
    ("default", "arg"),
    ("range", "arg"),
];

/// The mark of ours that an attribute was most likely meant to be.
fn meant(name: &str) -> Option<&'static str> {
    const OURS: [&str; 3] = ["arg", "from_context", "ask"];
    let kin = KIN.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
    kin.or_else(|| nearest(name, OURS))
}

/// The language's own attributes that a function may well have, and ours.
fn is_of_the_language(attribute: &Attribute) -> bool {
    const KNOWN: [&str; 14] = [
        "allow",
        "cfg",
        "cfg_attr",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "forbid",
        "inline",
        "must_use",
        "no_mangle",
        "track_caller",
        "warn",
    ];
    is_mark(attribute) || KNOWN.iter().any(|name| attribute.path().is_ident(name))
}

fn strip(param: &mut PatType, is_alone: bool) -> Helpers {
    let mut helpers = Helpers::default();
    for attribute in std::mem::take(&mut param.attrs) {
        let name = attribute.path().get_ident().map(Ident::to_string).unwrap_or_default();
        match name.as_str() {
            _ if is_doc(&attribute) => helpers.docs.push(attribute),
            "arg" => helpers.arg.push(attribute),
            "from_context" => helpers.from_context.push(attribute),
            "ask" => helpers.ask.push(attribute),
            "serde" | "schemars" | "validate" | "garde" | "tool" | "resource" | "prompt" => {
                helpers.misplaced.push(attribute);
            }
            "cfg" | "cfg_attr" | "allow" | "expect" | "warn" | "deny" | "forbid" | "" => param.attrs.push(attribute),
            other => match meant(other) {
                Some(meant) => helpers.misspelled.push((attribute, meant)),
                None if is_alone => helpers.unknown.push(attribute),
                None => param.attrs.push(attribute),
            },
        }
    }
    helpers
}

/// `#[tool]`, `#[mcp_runtime::tool]` and their siblings; other crates have attributes of the same name.
fn is_mark(attribute: &Attribute) -> bool {
    let segments = &attribute.path().segments;
    let is_ours = match segments.first() {
        Some(first) => segments.len() == 1 || first.ident == "mcp_runtime",
        None => false,
    };
    let names = ["tool", "resource", "prompt"];
    is_ours && segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// A parameter's `#[cfg]` or `#[cfg_attr]`, and the function with and without it.
///
/// The compiler evaluates these only after us, so whoever expands has to let it choose first.
pub(crate) struct Choice {
    pub(crate) predicate: TokenStream,
    pub(crate) with: Function,
    pub(crate) without: Function,
}

impl Choice {
    /// The first choice among the parameters of `function`.
    pub(crate) fn find(function: &Function) -> Option<Self> {
        let inputs = &function.signature.inputs;
        let (at, attribute) = inputs.iter().enumerate().find_map(|(at, input)| {
            let (FnArg::Typed(PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
            let is_choice = |attr: &Attribute| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr");
            attrs.iter().position(is_choice).map(|attribute| (at, attribute))
        })?;
        let (mut with, mut without) = (function.clone(), function.clone());
        let removed = attrs_at(&mut with, at)?.remove(attribute);
        let Meta::List(list) = &removed.meta else { return None };
        if removed.path().is_ident("cfg") {
            let inputs = std::mem::take(&mut without.signature.inputs);
            without.signature.inputs =
                inputs.into_iter().enumerate().filter(|(i, _)| *i != at).map(|(_, input)| input).collect();
            return Some(Self { predicate: list.tokens.clone(), with, without });
        }
        attrs_at(&mut without, at)?.remove(attribute);
        let (predicate, added) = list.parse_args_with(conditional).ok()?;
        for (offset, meta) in added.into_iter().enumerate() {
            let one = Attribute { meta, ..removed.clone() };
            attrs_at(&mut with, at)?.insert(attribute + offset, one);
        }
        Some(Self { predicate, with, without })
    }
}

fn attrs_at(function: &mut Function, at: usize) -> Option<&mut Vec<Attribute>> {
    match function.signature.inputs.get_mut(at)? {
        FnArg::Typed(PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. }) => Some(attrs),
    }
}

/// The inside of `cfg_attr(predicate, attribute, …)`.
fn conditional(input: ParseStream<'_>) -> syn::Result<(TokenStream, Vec<Meta>)> {
    let predicate: Meta = input.parse()?;
    input.parse::<Token![,]>()?;
    let added = input.parse_terminated(Meta::parse, Token![,])?;
    Ok((predicate.into_token_stream(), added.into_iter().collect()))
}
