//! `#[ask(…)]`: a parameter that is the answer to a question, and which questions wait for which.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprAwait, ExprTry, LitStr, Meta, Token};

use crate::diag::{Errors, nearest};
use crate::param::{Param, name_of};
use crate::spelled::{Spelled, show};

/// A declared question.
#[derive(Clone)]
pub(crate) enum Ask {
    /// A text, with whatever follows it, as `format!` takes it.
    Text(LitStr, TokenStream),
    /// The call of a function that makes the question.
    With(Expr),
}

impl Ask {
    /// Reads the `#[ask]` of one parameter.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let (first, more) = attributes.split_first()?;
        if let Some(second) = more.first() {
            errors.at(second.path(), "a parameter has one question\nremove one `#[ask]`");
        }
        let Meta::List(list) = &first.meta else {
            errors.at(&first.meta, "`#[ask]` needs its question\nwrite `#[ask(\"Really delete {id}?\")]`");
            return None;
        };
        let read = |input: ParseStream<'_>| Ok(Self::read(first, input, errors));
        read.parse2(list.tokens.clone()).unwrap_or_default()
    }

    fn read(attribute: &Attribute, input: ParseStream<'_>, errors: &mut Errors) -> Option<Self> {
        if let Ok(text) = input.parse::<LitStr>() {
            if text.value().trim().is_empty() {
                errors.at(&text, "the question is empty\nwrite what the person should decide");
            }
            let rest: TokenStream = input.parse().unwrap_or_default();
            if let Some(key) = with_after(&text, &rest) {
                errors.at(key, "`#[ask]` has a text or `with`, not both\nremove one of them");
            }
            return Some(Self::Text(text, rest));
        }
        let rest = input.fork();
        let key = input.call(Ident::parse_any).ok();
        match key {
            Some(key) if key == "with" => Self::read_with(&key, input, errors),
            Some(key) if input.peek(Token![=]) && nearest(&key.to_string(), ["with"]).is_some() => {
                drop(input.parse::<TokenStream>());
                errors.at(&key, format!("unknown key `{key}` in `#[ask]`\ndid you mean `with`?"));
                None
            }
            _ => {
                let token = rest.parse::<TokenTree>().map(|token| token.span());
                drop(input.parse::<TokenStream>());
                let place = token.unwrap_or_else(|_| attribute.path().span());
                errors.on(place, "`#[ask]` takes the text of its question, or `with`\nwrite `#[ask(\"Really delete {id}?\")]` or `#[ask(with = question(id))]`");
                None
            }
        }
    }

    fn read_with(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> Option<Self> {
        let call = input.parse::<Token![=]>().and_then(|_| input.parse::<Expr>());
        drop(input.parse::<Option<Token![,]>>());
        let more: TokenStream = input.parse().unwrap_or_default();
        if let (Ok(_), Some(token)) = (&call, more.into_iter().next()) {
            errors.at(token, "a parameter has one question, and `with` makes it\nremove what follows");
        }
        match call {
            Ok(call @ (Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_))) => {
                if let Some(sign) = interruption(call.to_token_stream()) {
                    errors.at(sign, "neither `?` nor `.await` stands inside of a call that makes a question\nwrite a function that has them, and returns the `Question` or a `Result` of it");
                }
                Some(Self::With(call))
            }
            Ok(unfinished @ (Expr::Try(_) | Expr::Await(_))) => {
                let (call, sign) = finished(&unfinished);
                let call = show(call);
                errors.at(sign, format!("`with` awaits what its function gives, and takes the question from a `Result`\nwrite `with = {call}`"));
                None
            }
            Ok(other) => {
                errors.at(
                    other,
                    "`with` calls a function\nwrite `with = question(id)`, with the parameters that it needs",
                );
                None
            }
            Err(_) => {
                errors.at(key, "`with` needs the call of a function\nwrite `with = question(id)`, with the parameters that it needs");
                None
            }
        }
    }

    /// Whether it mentions the parameter of this name.
    fn mentions(&self, name: &Ident) -> bool {
        let name = name.unraw().to_string();
        match self {
            Self::Text(text, rest) => {
                placeholders(&text.value()).any(|placeholder| placeholder == name) || has_word(rest.clone(), &name)
            }
            Self::With(call) => has_word(call.to_token_stream(), &name),
        }
    }

    /// What stands for it in messages.
    fn tokens(&self) -> TokenStream {
        match self {
            Self::Text(text, _) => text.to_token_stream(),
            Self::With(call) => call.to_token_stream(),
        }
    }
}

/// A call without the `.await` and `?` behind it, and the first of these.
fn finished(expr: &Expr) -> (&Expr, TokenStream) {
    match expr {
        Expr::Try(ExprTry { expr: inner, question_token, .. }) => first(inner, question_token),
        Expr::Await(ExprAwait { base: inner, await_token, .. }) => first(inner, await_token),
        call => (call, TokenStream::new()),
    }
}

fn first<'a>(inner: &'a Expr, sign: &impl ToTokens) -> (&'a Expr, TokenStream) {
    let (call, before) = finished(inner);
    (call, if before.is_empty() { sign.to_token_stream() } else { before })
}

/// What would leave an expression before its end, where it is no closure's.
fn interruption(call: TokenStream) -> Option<TokenTree> {
    let tokens: Vec<TokenTree> = call.into_iter().collect();
    let is_punct =
        |token: &TokenTree, wanted: char| matches!(token, TokenTree::Punct(sign) if sign.as_char() == wanted);
    if tokens.iter().any(|token| is_punct(token, '|')) {
        return None;
    }
    let mut before = None;
    for token in tokens {
        let is_await = matches!(&token, TokenTree::Ident(word) if word == "await");
        match &token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                if let Some(found) = interruption(group.stream()) {
                    return Some(found);
                }
            }
            _ if is_punct(&token, '?') || is_await && before.as_ref().is_some_and(|before| is_punct(before, '.')) => {
                return Some(token);
            }
            _ => {}
        }
        before = Some(token);
    }
    None
}

/// The names in the braces of a format string, also those that give a width.
fn placeholders(text: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for inside in insides(text) {
        let (name, format) = inside.split_once(':').unwrap_or((&inside, ""));
        found.push(name.trim().to_owned());
        let counts = format
            .split('$')
            .map(|part| part.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
        found.extend(counts.map(str::to_owned));
    }
    found.into_iter()
}

/// What is in the braces of a format string.
fn insides(text: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '{' && chars.next_if_eq(&'{').is_none() {
            found.push(chars.by_ref().take_while(|c| *c != '}').collect());
        }
    }
    found.into_iter()
}

/// A `with = …` behind a text that does not show an argument of this name.
fn with_after(text: &LitStr, rest: &TokenStream) -> Option<Ident> {
    let mut tokens = rest.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_assigned = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '=');
        match token {
            TokenTree::Ident(key) if key == "with" && is_assigned => {
                return placeholders(&text.value()).all(|name| name != "with").then_some(key);
            }
            _ => {}
        }
    }
    None
}

/// Whether a value of this name is mentioned: not a function, a field or a part of a path.
fn has_word(tokens: TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: Option<usize>, wanted: &str| matches!(at.and_then(|at| tokens.get(at)), Some(TokenTree::Punct(punct)) if wanted.contains(punct.as_char()));
    let is_called = |at: usize| matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => {
            let is_other = is_called(at) || is_punct(at.checked_sub(1), ".:") || is_punct(Some(at + 1), ":!");
            ident.unraw() == name && !is_other
        }
        TokenTree::Group(group) => has_word(group.stream(), name),
        // The text of a `format!` inside of a call.
        TokenTree::Literal(literal) => placeholders(&literal.to_string()).any(|placeholder| placeholder == name),
        TokenTree::Punct(_) => false,
    })
}

/// The questions that one of the parameters waits for, as places among `params`.
pub(crate) fn needs(params: &[Param], of: usize) -> Vec<usize> {
    let Some(ask) = params.get(of).and_then(|param| param.ask.as_ref()) else { return Vec::new() };
    let mentioned = |(at, other): (usize, &Param)| {
        let name = name_of(&other.pat)?;
        (at != of && other.ask.is_some() && ask.mentions(name)).then_some(at)
    };
    params.iter().enumerate().filter_map(mentioned).collect()
}

/// Checks that every question can be posed: none waits for itself, on whatever way.
pub(crate) fn check(params: &[Param], errors: &mut Errors) {
    for (at, param) in params.iter().enumerate() {
        let (Some(ask), Some(name)) = (&param.ask, name_of(&param.pat)) else { continue };
        let spelled = Spelled::of(&param.ty).and_then(Spelled::present);
        if matches!(spelled, Some(Spelled::Whole(..) | Spelled::Float | Spelled::Bool | Spelled::Text)) {
            errors.at(
                &param.ty,
                format!(
                    "`{0}` is no form\nwrite `#[derive(Elicit)] struct Answer {{ {name}: {0} }}`, and `{name}: Answer`",
                    show(&param.ty)
                ),
            );
            continue;
        }
        if ask.mentions(name) {
            errors.at(
                ask.tokens(),
                format!("the question for `{name}` mentions its own answer\nmention other parameters only"),
            );
            continue;
        }
        // Reported once, at the first of the questions in the circle.
        if let Some(circle) = circle(params, at).filter(|circle| circle.iter().all(|other| *other >= at)) {
            let names =
                circle.iter().filter_map(|other| name_of(&params.get(*other)?.pat)).map(|name| format!("`{name}`"));
            let names: Vec<_> = names.collect();
            errors.at(
                ask.tokens(),
                format!(
                    "the questions for {} wait for each other\nlet one of them mention none of the others",
                    names.join(" and ")
                ),
            );
        }
    }
}

/// The way from a question back to itself, if there is one.
fn circle(params: &[Param], start: usize) -> Option<Vec<usize>> {
    let mut ways = vec![vec![start]];
    let mut seen = Vec::new();
    while let Some(way) = ways.pop() {
        let last = *way.last()?;
        for next in needs(params, last) {
            if next == start {
                return Some(way);
            }
            if !seen.contains(&next) {
                seen.push(next);
                ways.push(way.iter().copied().chain([next]).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        placeholders(text).filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn functions_fields_and_paths_are_no_mention() {
        let mentions = |text: &str| has_word(text.parse().expect("tokens"), "class");
        for text in ["f(class)", "f(&class.name)", "g(format!(\"{class}\"))", "f([class])", "class.name()"] {
            assert!(mentions(text), "{text}");
        }
        for text in ["class(x)", "f(x.class)", "class::f(x)", "f(class::X)", "class!(x)", "f(x.class())"] {
            assert!(!mentions(text), "{text}");
        }
    }

    #[test]
    fn names_are_found_where_format_reads_them() {
        assert_eq!(found("Really delete {id}?"), ["id"]);
        assert_eq!(found("{id:?} {{no}} {other} {}"), ["id", "other"]);
        assert_eq!(found("{x:width$.precision$}"), ["x", "width", "precision"]);
    }
}
