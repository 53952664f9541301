//! `#[arg(…)]`: what an author says about one argument.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, Lit, LitStr, Meta, Type};

use crate::diag::Errors;
use crate::keys::{Form, Key, Keys};
use crate::literal::{Number, literal, number, string};
use crate::spelled::{Spelled, show};
use crate::values::{is_token, pattern_fault};

/// The keys of `#[arg]`.
pub(crate) const KEYS: &[Key] = &[
    Key { name: "default", form: Form::OptionalExpr, example: "default = 10" },
    Key { name: "name", form: Form::TextLiteral, example: "name = \"type\"" },
    Key { name: "title", form: Form::Text, example: "title = \"Page size\"" },
    Key { name: "description", form: Form::Text, example: "description = \"How many at most\"" },
    Key { name: "range", form: Form::List, example: "range(min = 1, max = 100)" },
    Key { name: "length", form: Form::List, example: "length(min = 1, max = 80)" },
    Key { name: "pattern", form: Form::TextLiteral, example: "pattern = \"^[a-z]+$\"" },
    Key { name: "example", form: Form::Expr, example: "example = 42" },
    Key { name: "header", form: Form::TextLiteral, example: "header = \"Region\"" },
    Key { name: "complete", form: Form::Function, example: "complete = languages" },
    Key { name: "from_str", form: Form::Bare, example: "from_str" },
];

pub(crate) const RANGE: &[Key] = &[
    Key { name: "min", form: Form::Number, example: "min = 1" },
    Key { name: "max", form: Form::Number, example: "max = 100" },
];

pub(crate) const LENGTH: &[Key] = &[
    Key { name: "min", form: Form::Whole, example: "min = 1" },
    Key { name: "max", form: Form::Whole, example: "max = 80" },
];

/// What `#[arg(…)]` says, checked against the type's spelling.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) example: Option<Expr>,
    pub(crate) header: Option<LitStr>,
    pub(crate) complete: Option<Expr>,
    pub(crate) from_str: bool,
    /// The first key, to point at when there should be none.
    pub(crate) first: Option<Ident>,
}

/// What an absent argument is.
pub(crate) enum DefaultValue {
    /// The type's own `Default`.
    OfType,
    /// A literal: JSON data.
    Json(String),
    /// A value of the argument's type.
    Expr(Box<Expr>),
}

/// The ends of a range; at least one is there.
#[derive(Clone)]
pub(crate) struct Bounds {
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
}

impl Options {
    /// Reads all `#[arg]` attributes of the argument `name`, of type `ty`.
    pub(crate) fn parse(name: &str, attributes: &[Attribute], ty: &Type, errors: &mut Errors) -> Self {
        let mut keys = Keys::default();
        for attribute in attributes {
            match &attribute.meta {
                Meta::List(list) => keys.extend("#[arg]", list.tokens.clone(), &[KEYS], errors),
                Meta::Path(_) => {}
                Meta::NameValue(pair) => {
                    errors.at(&pair.value, "`#[arg]` takes keys in parentheses\nwrite `#[arg(description = \"…\")]`");
                }
            }
        }
        let argument = Argument { name, ty, spelled: Spelled::of(ty) };
        Self {
            default: argument.default(&keys, errors),
            name: keys.text("name").cloned().filter(|name| argument.check_name(name, errors)),
            title: keys.expr("title").cloned(),
            description: keys.expr("description").cloned(),
            range: argument.range(&keys, errors),
            length: argument.length(&keys, errors),
            pattern: argument.pattern(&keys, errors),
            example: keys.expr("example").cloned(),
            header: argument.header(&keys, errors),
            complete: keys.expr("complete").cloned(),
            from_str: keys.has("from_str"),
            first: keys.names().next().cloned(),
        }
    }
}

/// An argument while its options are checked.
struct Argument<'a> {
    name: &'a str,
    ty: &'a Type,
    spelled: Option<Spelled<'a>>,
}

impl Argument<'_> {
    fn present(&self) -> Option<Spelled<'_>> {
        self.spelled.and_then(Spelled::present)
    }

    fn check_name(&self, name: &LitStr, errors: &mut Errors) -> bool {
        let is_empty = name.value().is_empty();
        if is_empty {
            errors.at(name, format!("argument `{}` needs a name\nwrite the key that the client sends", self.name));
        }
        !is_empty
    }

    fn default(&self, keys: &Keys, errors: &mut Errors) -> Option<DefaultValue> {
        let key = keys.key("default")?;
        if let Some(Spelled::Option(inner)) = self.spelled {
            let inner = show(inner);
            errors.at(
                key,
                format!(
                    "`{}` is an `Option` and has a `default`\nwrite `{}: {inner}`, or remove the `default`",
                    self.name, self.name
                ),
            );
            return None;
        }
        let Some(value) = keys.expr("default") else { return Some(DefaultValue::OfType) };
        match json(value) {
            None => Some(DefaultValue::Expr(Box::new(value.clone()))),
            Some((json, kind)) => {
                let range = keys.list("range").and_then(|(_, list)| quiet_bounds(list));
                self.check_default(value, kind, range.as_ref(), errors);
                Some(DefaultValue::Json(json))
            }
        }
    }

    fn check_default(&self, value: &Expr, kind: &str, range: Option<&Bounds>, errors: &mut Errors) {
        let fits = match self.spelled {
            Some(Spelled::Text) => kind == "text",
            Some(Spelled::Bool) => kind == "a `bool`",
            Some(Spelled::Whole(..)) => kind == "a whole number",
            Some(Spelled::Float) => kind == "a number" || kind == "a whole number",
            Some(Spelled::List | Spelled::Map | Spelled::Option(_)) => false,
            None => true,
        };
        let ty = show(self.ty);
        if !fits {
            errors.at(
                value,
                format!(
                    "`default` of `{}` is {kind}, but the argument is `{ty}`\nwrite a value of that type",
                    self.name
                ),
            );
            return;
        }
        let Some(number) = number(value) else { return };
        let is_beyond_type = match (self.spelled, number.whole) {
            (Some(Spelled::Whole(min, max)), Some(whole)) => whole < min || whole > max,
            _ => false,
        };
        if is_beyond_type {
            errors.at(
                value,
                format!(
                    "`default` of `{}` does not fit into `{ty}`\nwrite a smaller value, or take a wider type",
                    self.name
                ),
            );
        } else if let Some(bounds) = range.filter(|bounds| !bounds.hold(number.value)) {
            errors.at(
                value,
                format!("`default` of `{}` is outside of its own `{}`\nchange one of them", self.name, bounds.show()),
            );
        }
    }

    fn range(&self, keys: &Keys, errors: &mut Errors) -> Option<Bounds> {
        let (key, list) = keys.list("range")?;
        if matches!(self.present(), Some(Spelled::Text | Spelled::List | Spelled::Map | Spelled::Bool)) {
            errors.at(
                key,
                format!(
                    "`range` is for numbers, but `{}` is `{}`\nuse `length(min = …, max = …)`, or remove it",
                    self.name,
                    show(self.ty)
                ),
            );
            return None;
        }
        let bounds = read_bounds(key, list, RANGE, errors)?;
        if let Some(Spelled::Whole(min, max)) = self.present() {
            for bound in [&bounds.min, &bounds.max].into_iter().flatten() {
                if bound.is_float() || bound.whole.is_none_or(|whole| whole < min || whole > max) {
                    errors.on(
                        bound.span,
                        format!(
                            "`{}` can never be `{}`\nwrite a bound that is within `{}`",
                            self.name,
                            bound.text,
                            show(self.ty)
                        ),
                    );
                }
            }
        }
        Some(bounds)
    }

    fn length(&self, keys: &Keys, errors: &mut Errors) -> Option<Bounds> {
        let (key, list) = keys.list("length")?;
        if matches!(self.present(), Some(Spelled::Whole(..) | Spelled::Float | Spelled::Bool)) {
            errors.at(
                key,
                format!(
                    "`length` is for text and lists, but `{}` is `{}`\nuse `range(min = …, max = …)`, or remove it",
                    self.name,
                    show(self.ty)
                ),
            );
            return None;
        }
        read_bounds(key, list, LENGTH, errors)
    }

    fn pattern(&self, keys: &Keys, errors: &mut Errors) -> Option<LitStr> {
        let pattern = keys.text("pattern")?;
        if matches!(
            self.present(),
            Some(Spelled::Whole(..) | Spelled::Float | Spelled::Bool | Spelled::List | Spelled::Map)
        ) {
            errors.at(
                keys.key("pattern"),
                format!("`pattern` is for text, but `{}` is `{}`\nremove it", self.name, show(self.ty)),
            );
        } else if let Some(fault) = pattern_fault(&pattern.value()) {
            errors.at(pattern, format!("`pattern` {fault}\nwrite a regular expression such as `^[a-z]+$`"));
        }
        Some(pattern.clone())
    }

    fn header(&self, keys: &Keys, errors: &mut Errors) -> Option<LitStr> {
        let header = keys.text("header")?;
        if !is_token(&header.value()) {
            errors.at(header, "`header` is a part of a header's name\nwrite letters, digits and `-` only, such as `header = \"Region\"`");
        } else if matches!(self.present(), Some(Spelled::Float | Spelled::List | Spelled::Map)) {
            errors.at(
                keys.key("header"),
                format!(
                    "a `header` carries text, whole numbers and `bool`s, but `{}` is `{}`\nremove `header`",
                    self.name,
                    show(self.ty)
                ),
            );
        }
        Some(header.clone())
    }
}

impl Bounds {
    fn hold(&self, value: f64) -> bool {
        self.min.as_ref().is_none_or(|min| min.value <= value) && self.max.as_ref().is_none_or(|max| value <= max.value)
    }

    fn show(&self) -> String {
        let end = |name: &str, bound: &Option<Number>| bound.as_ref().map(|bound| format!("{name} = {}", bound.text));
        let ends: Vec<String> = [end("min", &self.min), end("max", &self.max)].into_iter().flatten().collect();
        format!("range({})", ends.join(", "))
    }
}

pub(crate) fn read_bounds(key: &Ident, list: &TokenStream, table: &[Key], errors: &mut Errors) -> Option<Bounds> {
    let place = format!("{key}(…)");
    let keys = Keys::parse(&place, list.clone(), &[table], errors);
    let bounds = Bounds { min: keys.number("min"), max: keys.number("max") };
    match (&bounds.min, &bounds.max) {
        (None, None) if list.is_empty() => {
            errors.at(key, format!("`{key}` has no bounds\nwrite `{key}(min = …)`, `{key}(max = …)` or both"));
            None
        }
        (Some(min), Some(max)) if min.value > max.value => {
            errors.on(min.span, format!("`min` of `{key}` is above its `max`\nswap them"));
            None
        }
        (None, None) => None,
        _ => Some(bounds),
    }
}

/// The bounds again, for the check of a default; what is wrong with them is recorded elsewhere.
fn quiet_bounds(list: &TokenStream) -> Option<Bounds> {
    let mut unheard = Errors::new();
    let keys = Keys::parse("", list.clone(), &[RANGE], &mut unheard);
    let is_sound = unheard.finish().is_none();
    is_sound.then(|| Bounds { min: keys.number("min"), max: keys.number("max") })
}

/// A literal as JSON, and what kind of value it is.
pub(crate) fn json(value: &Expr) -> Option<(String, &'static str)> {
    match literal(value)? {
        Lit::Int(_) => Some((number(value)?.text, "a whole number")),
        Lit::Float(_) => Some((number(value)?.text, "a number")),
        Lit::Bool(flag) => Some((flag.value.to_string(), "a `bool`")),
        Lit::Char(c) => Some((json_text(&c.value().to_string()), "text")),
        Lit::Str(_) => Some((json_text(&string(value)?.value()), "text")),
        _ => None,
    }
}

fn json_text(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\0'..='\x1f' => json.extend(format!("\\u{:04x}", u32::from(c)).chars()),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn as_json(value: &Expr) -> Option<String> {
        json(value).map(|(json, _)| json)
    }

    #[test]
    fn literals_are_json_data() {
        assert_eq!(as_json(&parse_quote!(21_u8)).as_deref(), Some("21"));
        assert_eq!(as_json(&parse_quote!(0xff)).as_deref(), Some("255"));
        assert_eq!(as_json(&parse_quote!(-1.5)).as_deref(), Some("-1.5"));
        assert_eq!(as_json(&parse_quote!(1.)).as_deref(), Some("1.0"));
        assert_eq!(as_json(&parse_quote!(true)).as_deref(), Some("true"));
        assert_eq!(as_json(&parse_quote!("a \"b\"\n\\")).as_deref(), Some(r#""a \"b\"\u000a\\""#));
    }

    #[test]
    fn other_expressions_have_the_type_of_the_argument() {
        assert_eq!(as_json(&parse_quote!(limit())), None);
        assert_eq!(as_json(&parse_quote!(Level::High)), None);
        assert_eq!(as_json(&parse_quote!(b"bytes")), None);
    }
}
