//! What an author says of a value, an argument or a field of a form: whether it fits the spelling of the value's type.
//!
//! An alias is not seen here: what is wrong behind one is found by the runtime.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Lit, LitStr, Type};

use crate::diag::Errors;
use crate::form::{Form, Key};
use crate::keys::Keys;
use crate::literal::{Number, literal, number, string};
use crate::spelled::{Spelled, show, ungroup};
use crate::values::{is_format, pattern_fault};

/// The keys of `range(…)`.
const RANGE: &[Key] = &[
    Key { name: "min", form: Form::Number, example: "min = 1" },
    Key { name: "max", form: Form::Number, example: "max = 100" },
];

/// The keys of `length(…)`.
const LENGTH: &[Key] = &[
    Key { name: "min", form: Form::Whole, example: "min = 1" },
    Key { name: "max", form: Form::Whole, example: "max = 80" },
];

/// What an absent value is.
pub(crate) enum DefaultValue {
    /// The type's own `Default`.
    OfType,
    /// A literal: JSON data.
    Json(String),
    /// A value of the type.
    Expr(Box<Expr>),
}

/// The ends of a range; at least one is there.
#[derive(Clone)]
pub(crate) struct Bounds {
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
}

/// A value while what is said of it is checked.
pub(crate) struct Subject<'a> {
    /// `argument` or `field`.
    pub(crate) noun: &'static str,
    pub(crate) name: &'a str,
    pub(crate) ty: &'a Type,
}

impl<'a> Subject<'a> {
    pub(crate) fn spelled(&self) -> Option<Spelled<'a>> {
        Spelled::of(self.ty)
    }

    /// What it is when it is there.
    pub(crate) fn present(&self) -> Option<Spelled<'a>> {
        self.spelled().and_then(Spelled::present)
    }

    /// The `default` that is given as an expression.
    pub(crate) fn default(&self, keys: &Keys, errors: &mut Errors) -> Option<DefaultValue> {
        let value = keys.expr("default")?;
        let Some((json, kind)) = json(value) else { return Some(DefaultValue::Expr(Box::new(value.clone()))) };
        let range = keys.list("range").and_then(|(_, list)| quiet_bounds(list, RANGE));
        self.check_default(value, kind, range.as_ref(), errors);
        self.check_default_text(value, keys, errors);
        Some(DefaultValue::Json(json))
    }

    fn check_default(&self, value: &Expr, kind: &str, range: Option<&Bounds>, errors: &mut Errors) {
        let Self { noun, name, .. } = self;
        let ty = show(self.ty);
        let fits = match self.present() {
            Some(Spelled::Text) => kind == "text",
            Some(Spelled::Bool) => kind == "a `bool`",
            Some(Spelled::Whole(..)) => kind == "a whole number",
            Some(Spelled::Float) => kind == "a decimal number" || kind == "a whole number",
            Some(Spelled::List | Spelled::Map | Spelled::Option(_)) => false,
            None => true,
        };
        if !fits {
            errors.at(
                value,
                format!("`default` of `{name}` is {kind}, but the {noun} is `{ty}`\nwrite a value of that type"),
            );
            return;
        }
        let Some(number) = number(value) else { return };
        let is_beyond_type = match (self.present(), number.whole) {
            (Some(Spelled::Whole(min, max)), Some(whole)) => whole < min || whole > max,
            _ => false,
        };
        if is_beyond_type {
            let remedy = match self.present() {
                Some(Spelled::Whole(0, _)) if number.is_negative() => "write a value from 0 on, or take a signed type",
                _ => "write a smaller value, or take a wider type",
            };
            errors.at(value, format!("`default` of `{name}` does not fit into `{ty}`\n{remedy}"));
        } else if let Some(bounds) = range.filter(|bounds| !bounds.hold(number.value)) {
            errors.at(
                value,
                format!(
                    "`default` of `{name}` is outside of its own `{}`\nchange one of them",
                    bounds.show_as("range")
                ),
            );
        }
    }

    /// Whether the text is as long as its own `length` asks, and of its own `format`.
    fn check_default_text(&self, value: &Expr, keys: &Keys, errors: &mut Errors) {
        let (name, Some(Lit::Str(text))) = (self.name, literal(value)) else { return };
        let text = text.value();
        let length = keys.list("length").and_then(|(_, list)| quiet_bounds(list, LENGTH));
        let count = i128::try_from(text.chars().count()).unwrap_or(i128::MAX);
        let is_within = |bounds: &Bounds| {
            let end = |bound: &Option<Number>| bound.as_ref().and_then(|bound| bound.whole);
            end(&bounds.min).is_none_or(|min| min <= count) && end(&bounds.max).is_none_or(|max| count <= max)
        };
        if let Some(bounds) = length.filter(|bounds| !is_within(bounds)) {
            errors.at(
                value,
                format!(
                    "`default` of `{name}` is {count} characters long, against its own `{}`\nchange one of them",
                    bounds.show_as("length")
                ),
            );
        } else if let Some(format) = keys.text("format").map(LitStr::value).filter(|format| !is_format(format, &text)) {
            errors.at(value, format!("`default` of `{name}` is not of its own format `{format}`\nchange one of them"));
        }
    }

    /// The `range`.
    pub(crate) fn range(&self, keys: &Keys, errors: &mut Errors) -> Option<Bounds> {
        let (key, list) = keys.list("range")?;
        let (name, ty) = (self.name, show(self.ty));
        let Some(Spelled::Whole(min, max)) = self.present() else {
            if matches!(self.present(), None | Some(Spelled::Float)) {
                return read_bounds(key, list, RANGE, errors);
            }
            let instead = if matches!(self.present(), Some(Spelled::Bool)) {
                ""
            } else {
                "use `length(min = …, max = …)`, or "
            };
            errors.at(key, format!("`range` is for numbers, but `{name}` is `{ty}`\n{instead}remove it"));
            return None;
        };
        let bounds = read_bounds(key, list, RANGE, errors)?;
        for bound in [&bounds.min, &bounds.max].into_iter().flatten() {
            if bound.is_float() || bound.whole.is_none_or(|whole| whole < min || whole > max) {
                errors.on(
                    bound.span,
                    format!("`{name}` can never be `{}`\nwrite a bound that is within `{ty}`", bound.text),
                );
            }
        }
        Some(bounds)
    }

    /// The `length`.
    pub(crate) fn length(&self, keys: &Keys, errors: &mut Errors) -> Option<Bounds> {
        let (key, list) = keys.list("length")?;
        let is_number = matches!(self.present(), Some(Spelled::Whole(..) | Spelled::Float));
        // An array has the length that its type says, and a tuple as well.
        let is_fixed = matches!(present(self.ty), Type::Array(_) | Type::Tuple(_));
        if is_number || is_fixed || matches!(self.present(), Some(Spelled::Bool)) {
            let (name, ty) = (self.name, show(self.ty));
            let instead = if is_number { "use `range(min = …, max = …)`, or " } else { "" };
            errors.at(key, format!("`length` is for text and lists, but `{name}` is `{ty}`\n{instead}remove it"));
            return None;
        }
        read_bounds(key, list, LENGTH, errors)
    }

    /// Whether it may have a key that is for text.
    pub(crate) fn is_text(&self, key: &str, keys: &Keys, errors: &mut Errors) -> bool {
        let fits = matches!(self.present(), None | Some(Spelled::Text));
        if !fits {
            let (name, ty) = (self.name, show(self.ty));
            errors.at(keys.key(key), format!("`{key}` is for text, but `{name}` is `{ty}`\nremove it"));
        }
        fits
    }

    /// The `pattern`.
    pub(crate) fn pattern(&self, keys: &Keys, errors: &mut Errors) -> Option<LitStr> {
        let pattern = keys.text("pattern")?;
        if self.is_text("pattern", keys, errors) {
            if let Some(fault) = pattern_fault(&pattern.value()) {
                errors.at(pattern, format!("`pattern` {fault}\nwrite a regular expression such as `^[a-z]+$`"));
            }
        }
        Some(pattern.clone())
    }

    /// The `name` that replaces its own.
    pub(crate) fn new_name(&self, keys: &Keys, errors: &mut Errors) -> Option<LitStr> {
        let name = keys.text("name")?;
        if name.value().is_empty() {
            errors.at(name, format!("{} `{}` needs a name\nwrite the key that the client sends", self.noun, self.name));
            return None;
        }
        Some(name.clone())
    }
}

impl Bounds {
    fn hold(&self, value: f64) -> bool {
        self.min.as_ref().is_none_or(|min| min.value <= value) && self.max.as_ref().is_none_or(|max| value <= max.value)
    }

    fn show_as(&self, key: &str) -> String {
        let end = |name: &str, bound: &Option<Number>| bound.as_ref().map(|bound| format!("{name} = {}", bound.text));
        let ends: Vec<String> = [end("min", &self.min), end("max", &self.max)].into_iter().flatten().collect();
        format!("{key}({})", ends.join(", "))
    }
}

/// The type of a value that is there.
fn present(ty: &Type) -> &Type {
    match Spelled::of(ty) {
        Some(Spelled::Option(inner)) => present(inner),
        _ => ungroup(ty),
    }
}

fn read_bounds(key: &Ident, list: &TokenStream, table: &[Key], errors: &mut Errors) -> Option<Bounds> {
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
fn quiet_bounds(list: &TokenStream, table: &[Key]) -> Option<Bounds> {
    let mut unheard = Errors::new();
    let keys = Keys::parse("", list.clone(), &[table], &mut unheard);
    let is_sound = unheard.finish().is_none();
    is_sound.then(|| Bounds { min: keys.number("min"), max: keys.number("max") })
}

/// A literal as JSON, and what kind of value it is.
fn json(value: &Expr) -> Option<(String, &'static str)> {
    match literal(value)? {
        Lit::Int(_) => Some((number(value)?.text, "a whole number")),
        Lit::Float(_) => Some((number(value)?.text, "a decimal number")),
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
