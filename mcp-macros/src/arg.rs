//! `#[arg(…)]`: what an author says about one argument.

use proc_macro2::Ident;
use syn::{Expr, LitStr, Meta, Type};

use crate::diag::Errors;
use crate::docs::{self, Text};
use crate::fit::{Bounds, DefaultValue, Subject};
use crate::form::{Form, Key};
use crate::function::Helpers;
use crate::keys::Keys;
use crate::spelled::{Spelled, show};
use crate::values::is_token;

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

/// What `#[arg(…)]` says, checked against the type's spelling.
pub(crate) struct Options {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<Expr>,
    pub(crate) doc: Text,
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

impl Options {
    /// Reads all `#[arg]` attributes among the `helpers` of the argument `name`, of type `ty`, and its doc comment.
    pub(crate) fn parse(name: &str, helpers: &Helpers, ty: &Type, errors: &mut Errors) -> Self {
        let mut keys = Keys::default();
        for attribute in &helpers.arg {
            match &attribute.meta {
                Meta::List(list) => keys.extend("#[arg]", list.tokens.clone(), &[KEYS], errors),
                Meta::Path(_) => {}
                Meta::NameValue(pair) => {
                    errors.at(&pair.value, "`#[arg]` takes keys in parentheses\nwrite `#[arg(description = \"…\")]`");
                }
            }
        }
        let argument = Subject { noun: "argument", name, ty };
        Self {
            default: default(&argument, &keys, errors),
            name: argument.new_name(&keys, errors),
            title: keys.expr("title").cloned(),
            doc: docs::described(&helpers.docs, &keys, errors),
            range: argument.range(&keys, errors),
            length: argument.length(&keys, errors),
            pattern: argument.pattern(&keys, errors),
            example: keys.expr("example").cloned(),
            header: header(&argument, &keys, errors),
            complete: keys.expr("complete").cloned(),
            from_str: keys.has("from_str"),
            first: keys.names().next().cloned(),
        }
    }
}

fn default(argument: &Subject<'_>, keys: &Keys, errors: &mut Errors) -> Option<DefaultValue> {
    let key = keys.key("default")?;
    if let Some(Spelled::Option(inner)) = argument.spelled() {
        let (name, inner) = (argument.name, show(inner));
        errors.at(
            key,
            format!("`{name}` is an `Option` and has a `default`\nwrite `{name}: {inner}`, or remove the `default`"),
        );
        return None;
    }
    if keys.expr("default").is_none() {
        return Some(DefaultValue::OfType);
    }
    argument.default(keys, errors)
}

fn header(argument: &Subject<'_>, keys: &Keys, errors: &mut Errors) -> Option<LitStr> {
    let header = keys.text("header")?;
    if !is_token(&header.value()) {
        errors.at(
            header,
            "`header` is a part of a header's name\nwrite letters, digits and `-` only, such as `header = \"Region\"`",
        );
    } else if header.value().to_ascii_lowercase().starts_with("mcp-param-") {
        errors.at(
            header,
            "`header` is the part of the header's name after `Mcp-Param-`\nleave the prefix off: `header = \"Region\"`",
        );
    } else if matches!(argument.present(), Some(Spelled::Float | Spelled::List | Spelled::Map)) {
        let (name, ty) = (argument.name, show(argument.ty));
        errors.at(
            keys.key("header"),
            format!("a `header` carries text, whole numbers and `bool`s, but `{name}` is `{ty}`\nremove `header`"),
        );
    }
    Some(header.clone())
}
