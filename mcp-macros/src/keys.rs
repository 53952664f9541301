//! Reads `key`, `key = value` and `key(…)` lists, once for all attributes.
//!
//! Each attribute has a table of its keys; what comes out has the form that the table asks for. Everything else is recorded
//! as a mistake and left out, so that the next key is still read.

use std::fmt;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Lit, LitStr, Token, token};

use crate::diag::{Errors, nearest, quoted};
use crate::elsewhere;
use crate::literal::{Number, is_negative, literal, number, string, ungroup};

/// A key of an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    /// How it is written, for messages.
    pub(crate) example: &'static str,
}

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A constant expression that is text.
    Text,
    /// Text that the macro has to know.
    TextLiteral,
    /// Nothing, or a constant expression that is a `bool`.
    Flag,
    /// Nothing at all.
    Bare,
    /// A whole number, not negative.
    Whole,
    /// A number.
    Number,
    /// Any expression.
    Expr,
    /// Nothing, or any expression.
    OptionalExpr,
    /// The path of a function.
    Function,
    /// The path of a crate.
    Path,
    /// More keys, in parentheses.
    List,
    /// Anything: the key is known only to be refused.
    Refused,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::TextLiteral => "a string literal",
            Self::Flag => "nothing, `true` or `false`",
            Self::Bare => "no value",
            Self::Whole => "a whole number",
            Self::Number => "a number",
            Self::Expr | Self::OptionalExpr => "a value",
            Self::Function => "the name of a function",
            Self::Path => "a path",
            Self::List => "a list in parentheses",
            Self::Refused => "nothing",
        })
    }
}

/// What was written after a key.
#[derive(Clone)]
pub(crate) enum Value {
    Bare,
    Expr(Expr),
    List(TokenStream),
}

/// A key with a value of the right form.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// The keys of one attribute.
#[derive(Clone, Default)]
pub(crate) struct Keys {
    entries: Vec<Entry>,
}

impl Keys {
    /// Reads `tokens`, the inside of `place` (such as `#[tool]`), by `table`.
    pub(crate) fn parse(place: &str, tokens: TokenStream, table: &[&[Key]], errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        keys.extend(place, tokens, table, errors);
        keys
    }

    /// Reads one more list of the same attribute, as [`Keys::parse`] does.
    pub(crate) fn extend(&mut self, place: &str, tokens: TokenStream, table: &[&[Key]], errors: &mut Errors) {
        let mut is_keyed = true;
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let start = input.fork();
                let Ok(key) = input.call(Ident::parse_any) else {
                    // Of values in a row, the first stands for all.
                    if let (true, Ok(token)) = (is_keyed, start.parse::<TokenTree>()) {
                        let example = table.iter().copied().flatten().next().map_or("key = value", |key| key.example);
                        errors.at(token, format!("`{place}` takes keys here\nwrite them as in `{example}`"));
                    }
                    is_keyed = false;
                    next_key(input);
                    continue;
                };
                let value = read_value(&key, input, errors);
                let surplus = next_key(input);
                let is_sound =
                    value.is_some_and(|value| self.check(place, Entry { key: key.clone(), value }, table, errors));
                // What stands instead of a comma may be what is wrong with the key, as in `name: "x"`.
                if let Some(token) = surplus.filter(|_| is_sound) {
                    let key = key.unraw();
                    match (&token, example(table, &key)) {
                        (TokenTree::Punct(_) | TokenTree::Literal(_), Some(example)) => {
                            let shown = token.to_string();
                            errors.at(token, format!("`{shown}` does not belong after `{key}`\nwrite `{example}`"));
                        }
                        _ => errors.at(token, format!("a comma is missing after `{key}`\nseparate keys with `,`")),
                    }
                }
            }
            Ok(())
        };
        // The reader above consumes everything and records its own mistakes.
        drop(read.parse2(tokens));
    }

    /// Keeps an entry, unless something is wrong with it.
    fn check(&mut self, place: &str, entry: Entry, table: &[&[Key]], errors: &mut Errors) -> bool {
        let name = entry.key.unraw().to_string();
        let names = || table.iter().copied().flatten().filter(|key| key.form != Form::Refused).map(|key| key.name);
        let Some(key) = table.iter().copied().flatten().find(|key| key.name == name) else {
            let elsewhere = elsewhere::ours(&name).filter(|ours| names().any(|known| known == *ours));
            let meant = elsewhere.or_else(|| nearest(&name, names()));
            let key = meant.and_then(|meant| table.iter().copied().flatten().find(|key| key.name == meant));
            let said = || match key {
                Some(Key { form: Form::List, example, .. }) => format!("did you mean `{example}`?"),
                Some(key) => format!("did you mean `{}`?", key.name),
                None if place == "#[data]" => "what serde knows goes into `#[serde(…)]` below it".to_owned(),
                None => format!("expected one of: {}", quoted(&mut names())),
            };
            let advice = elsewhere::instead(place, &name).map_or_else(said, str::to_owned);
            errors.at(&entry.key, format!("unknown key `{name}` in `{place}`\n{advice}"));
            return false;
        };
        if self.has(&name) {
            errors.at(&entry.key, format!("`{name}` is given twice\nremove one of them"));
            return false;
        }
        if key.form.takes(&entry.value) {
            self.entries.push(entry);
            return true;
        }
        let tokens: &dyn ToTokens = match &entry.value {
            Value::Expr(value) => value,
            Value::Bare | Value::List(_) => &entry.key,
        };
        let literal = match &entry.value {
            Value::Expr(value) if !is_negative(value) => literal(value),
            _ => None,
        };
        let message = match (key.form, literal) {
            (Form::Bare, Some(Lit::Bool(flag))) if !flag.value => format!("`{name}` takes {}\nremove it", key.form),
            (Form::Whole, Some(Lit::Int(_))) => format!("`{name}` does not fit into 64 bits\nwrite `{}`", key.example),
            _ => format!("`{name}` takes {}\nwrite `{}`", key.form, key.example),
        };
        errors.at(tokens, message);
        false
    }

    /// Whether the key was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.key(name).is_some()
    }

    /// The key as it was written, for messages.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        self.entry(name).map(|entry| &entry.key)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.unraw() == name)
    }

    /// All keys, in the order of the source.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Ident> {
        self.entries.iter().map(|entry| &entry.key)
    }

    /// The expression of a key, if it has one.
    pub(crate) fn expr(&self, name: &str) -> Option<&Expr> {
        match &self.entry(name)?.value {
            Value::Expr(expr) => Some(expr),
            Value::Bare | Value::List(_) => None,
        }
    }

    /// The expression of a flag: a bare key is `true`.
    pub(crate) fn flag(&self, name: &str) -> Option<Expr> {
        match &self.entry(name)?.value {
            Value::Expr(expr) => Some(expr.clone()),
            Value::Bare | Value::List(_) => {
                let value = syn::LitBool::new(true, Span::call_site());
                Some(Expr::Lit(ExprLit { attrs: Vec::new(), lit: Lit::Bool(value) }))
            }
        }
    }

    /// The text of a key, where it is a literal.
    pub(crate) fn text(&self, name: &str) -> Option<&LitStr> {
        string(self.expr(name)?)
    }

    /// The number of a key, where it is a literal.
    pub(crate) fn number(&self, name: &str) -> Option<Number> {
        number(self.expr(name)?)
    }

    /// What stands in a key's parentheses.
    pub(crate) fn list(&self, name: &str) -> Option<(&Ident, &TokenStream)> {
        match self.entry(name) {
            Some(Entry { key, value: Value::List(tokens) }) => Some((key, tokens)),
            _ => None,
        }
    }
}

impl Form {
    fn takes(self, value: &Value) -> bool {
        let expr = match value {
            _ if self == Self::Refused => return true,
            Value::Bare => return matches!(self, Self::Flag | Self::Bare | Self::OptionalExpr),
            Value::List(_) => return self == Self::List,
            Value::Expr(expr) => ungroup(expr),
        };
        let literal = literal(expr);
        match self {
            Self::Text => matches!(literal, None | Some(Lit::Str(_))),
            Self::TextLiteral => matches!(literal, Some(Lit::Str(_))),
            Self::Flag => matches!(literal, None | Some(Lit::Bool(_))),
            Self::Whole => {
                matches!(literal, Some(Lit::Int(int)) if int.base10_parse::<u64>().is_ok()) && !is_negative(expr)
            }
            Self::Number => number(expr).is_some(),
            Self::Function | Self::Path => matches!(expr, Expr::Path(_)),
            Self::Expr | Self::OptionalExpr => true,
            Self::Bare | Self::List | Self::Refused => false,
        }
    }
}

/// Moves behind the next comma. What stood before it, if anything did.
fn next_key(input: ParseStream<'_>) -> Option<TokenTree> {
    let surplus = if input.peek(Token![,]) { None } else { input.fork().parse::<TokenTree>().ok() };
    skip(input);
    drop(input.parse::<Token![,]>());
    surplus
}

fn read_value(key: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> Option<Value> {
    if input.peek(token::Paren) {
        let Ok(TokenTree::Group(group)) = input.parse() else { return None };
        return Some(Value::List(group.stream()));
    }
    let Ok(Some(assign)) = input.parse::<Option<Token![=]>>() else { return Some(Value::Bare) };
    if input.is_empty() || input.peek(Token![,]) {
        errors.at(assign, format!("`{}` has no value after `=`\nwrite one, or remove the `=`", key.unraw()));
        return None;
    }
    let start = input.fork().parse::<TokenTree>();
    if let Ok(expr) = input.parse() {
        return Some(Value::Expr(expr));
    }
    errors.on(
        start.map_or_else(|_| key.span(), |token| token.span()),
        format!("the value of `{}` is not an expression\nwrite a literal or a constant after `=`", key.unraw()),
    );
    skip(input);
    None
}

/// Moves on to the next comma.
/// How a key is written.
fn example(table: &[&[Key]], key: &Ident) -> Option<&'static str> {
    let known = table.iter().copied().flatten().find(|known| key == known.name);
    known.map(|known| known.example)
}

fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        drop(input.parse::<TokenTree>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Key] = &[
        Key { name: "name", form: Form::TextLiteral, example: "name = \"add\"" },
        Key { name: "title", form: Form::Text, example: "title = \"Add\"" },
        Key { name: "read_only", form: Form::Flag, example: "read_only" },
        Key { name: "priority", form: Form::Number, example: "priority = 0.8" },
        Key { name: "size", form: Form::Whole, example: "size = 1024" },
        Key { name: "cache", form: Form::List, example: "cache(ttl = \"5m\")" },
    ];

    fn mistakes(args: &str) -> Vec<String> {
        read(args).1
    }

    fn read(args: &str) -> (Keys, Vec<String>) {
        let mut errors = Errors::new();
        let keys = Keys::parse("#[tool]", args.parse().expect("tokens"), &[TABLE], &mut errors);
        let tokens = errors.finish().map(|tokens| tokens.to_string()).unwrap_or_default();
        let file: syn::File = syn::parse_str(&tokens).expect("errors are items");
        let messages = file.items.into_iter().filter_map(|item| match item {
            syn::Item::Macro(item) => item.mac.parse_body::<LitStr>().ok().map(|text| text.value()),
            _ => None,
        });
        (keys, messages.collect())
    }

    #[test]
    fn every_form_is_read() {
        let (keys, mistakes) = read(
            r#"name = "x", title = concat!("a", "b"), read_only, priority = -0.5, size = 3u32, cache(ttl = "5m"),"#,
        );
        assert_eq!(mistakes, [""; 0]);
        assert_eq!(keys.text("name").map(LitStr::value).as_deref(), Some("x"));
        assert!(keys.expr("title").is_some() && keys.text("title").is_none());
        assert!(keys.flag("read_only").is_some());
        assert_eq!(keys.number("priority").map(|n| n.text).as_deref(), Some("-0.5"));
        assert_eq!(keys.number("size").and_then(|n| n.whole), Some(3));
        assert!(keys.list("cache").is_some());
    }

    #[test]
    fn an_unknown_key_suggests_the_nearest_one() {
        assert_eq!(mistakes("nmae = \"x\""), ["unknown key `nmae` in `#[tool]`\ndid you mean `name`?"]);
    }

    #[test]
    fn a_key_near_nothing_gets_the_list() {
        let [message] = &mistakes("banana")[..] else { panic!("one mistake") };
        assert!(
            message.ends_with("expected one of: `name`, `title`, `read_only`, `priority`, `size`, `cache`"),
            "{message}"
        );
    }

    #[test]
    fn reading_goes_on_after_a_mistake() {
        assert_eq!(mistakes("name = , title = 5, title = \"x\", size = -1, = 3, read_only title = \"y\"").len(), 5);
    }

    #[test]
    fn a_key_given_twice_is_one_mistake() {
        assert_eq!(mistakes("read_only, read_only = false"), ["`read_only` is given twice\nremove one of them"]);
    }

    #[test]
    fn a_value_of_the_wrong_kind_shows_how_it_is_written() {
        assert_eq!(mistakes("priority = \"high\""), ["`priority` takes a number\nwrite `priority = 0.8`"]);
        assert_eq!(mistakes("cache"), ["`cache` takes a list in parentheses\nwrite `cache(ttl = \"5m\")`"]);
        assert_eq!(mistakes("name = NAME"), ["`name` takes a string literal\nwrite `name = \"add\"`"]);
    }
}
