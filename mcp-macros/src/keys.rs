//! Reads `key`, `key = value` and `key(…)` lists, once for all attributes.
//!
//! Each attribute has a table of its keys; what comes out has the form that the table asks for. Everything else is recorded
//! as a mistake and left out, so that the next key is still read.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Lit, LitStr, Token, token};

use crate::diag::Errors;
use crate::elsewhere;
use crate::form::{Key, Value};
use crate::literal::{Number, number, string};
use crate::values::{is_mime, is_portable_name};

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
                        let meant = with_its_key(&token, table);
                        errors.at(token, format!("`{place}` takes keys here\n{meant}"));
                    }
                    is_keyed = false;
                    next_key(input);
                    continue;
                };
                let value = read_value(&key, example(table, &key.unraw()), input, errors);
                let surplus = next_key(input);
                let is_sound =
                    value.is_some_and(|value| self.check(place, Entry { key: key.clone(), value }, table, errors));
                // What stands instead of a comma may be what is wrong with the key, as in `name: "x"`.
                if let Some(token) = surplus.filter(|_| is_sound) {
                    let key = key.unraw();
                    match (&token, example(table, &key)) {
                        (TokenTree::Punct(sign), _) if sign.as_char() == ';' => {
                            errors.at(token, "`;` does not separate keys\nwrite `,`");
                        }
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
        let Some(key) = table.iter().copied().flatten().find(|key| key.name == name) else {
            let advice = elsewhere::advice(place, &name, table);
            errors.at(&entry.key, format!("unknown key `{name}` in `{place}`\n{advice}"));
            return false;
        };
        if self.has(&name) {
            errors.at(&entry.key, format!("`{name}` is given twice\nremove one of them"));
            return false;
        }
        if key.form.takes(&entry.value) {
            self.entries.push(entry);
            let title = self.text("title").filter(|title| name == "title" && title.value().trim().is_empty());
            if title.is_some() {
                errors.at(title, format!("`title` is empty\nwrite one such as `{}`, or remove it", key.example));
            }
            return true;
        }
        let tokens: &dyn ToTokens = match &entry.value {
            Value::Expr(value) => value,
            Value::Bare | Value::List(_) => &entry.key,
        };
        errors.at(tokens, key.mismatch(&entry.value));
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

/// Moves behind the next comma. What stood before it, if anything did.
fn next_key(input: ParseStream<'_>) -> Option<TokenTree> {
    let surplus = if input.peek(Token![,]) { None } else { input.fork().parse::<TokenTree>().ok() };
    skip(input);
    drop(input.parse::<Token![,]>());
    surplus
}

/// How to write a value that stands there without its key.
fn with_its_key(token: &TokenTree, table: &[&[Key]]) -> String {
    let find = |name: &str| table.iter().copied().flatten().find(|key| key.name == name);
    let text = syn::parse2::<LitStr>(token.to_token_stream()).map(|text| text.value()).unwrap_or_default();
    if let Some(key) = find(&text) {
        return format!("write `{}`", key.example);
    }
    let name = if is_mime(&text) && find("mime").is_some() {
        "mime"
    } else if is_portable_name(&text) && find("disabled").is_some() {
        "name"
    } else {
        "description"
    };
    match (find(name), table.iter().copied().flatten().next()) {
        (Some(key), _) if !text.is_empty() && text.len() < 40 => format!("write `{} = {text:?}`", key.name),
        (Some(key), _) if !text.is_empty() => format!("write `{} = \"…\"`", key.name),
        (_, first) => format!("write them as in `{}`", first.map_or("key = value", |key| key.example)),
    }
}

/// What stands behind a key; `example` is how it is written.
fn read_value(key: &Ident, example: Option<&str>, input: ParseStream<'_>, errors: &mut Errors) -> Option<Value> {
    if input.peek(token::Paren) {
        let Ok(TokenTree::Group(group)) = input.parse() else { return None };
        return Some(Value::List(group.stream()));
    }
    if let Ok(Some(equals)) = input.parse::<Option<Token![==]>>() {
        errors.at(equals, format!("`==` compares\nwrite `{} = …`", key.unraw()));
        skip(input);
        return None;
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
    let place = start.map_or_else(|_| key.span(), |token| token.span());
    let written =
        example.map_or_else(|| "a literal or a constant after `=`".to_owned(), |example| format!("`{example}`"));
    errors.on(place, format!("the value of `{}` is not an expression\nwrite {written}", key.unraw()));
    skip(input);
    None
}

/// How a key is written.
fn example(table: &[&[Key]], key: &Ident) -> Option<&'static str> {
    let known = table.iter().copied().flatten().find(|known| key == known.name);
    known.map(|known| known.example)
}

/// Moves on to the next comma.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        drop(input.parse::<TokenTree>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

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
