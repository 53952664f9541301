//! `#[tool]`.

use proc_macro2::TokenStream;
use syn::{Expr, Lit, LitInt};

use crate::diag::Errors;
use crate::form::{Form, Key};
use crate::function::{Function, Helpers};
use crate::handler::{self, Handler};
use crate::keys::Keys;
use crate::kind::Kind;
use crate::literal::literal;
use crate::resource::check_not_empty;
use crate::values::{is_portable_name, is_rate, is_spec_name};

pub(crate) const KEYS: &[Key] = &[
    Key { name: "read_only", form: Form::Flag, example: "read_only" },
    Key { name: "destructive", form: Form::Flag, example: "destructive" },
    Key { name: "idempotent", form: Form::Flag, example: "idempotent" },
    Key { name: "open_world", form: Form::Flag, example: "open_world = false" },
    Key { name: "max_concurrency", form: Form::Whole, example: "max_concurrency = 4" },
    Key { name: "rate_limit", form: Form::Text, example: "rate_limit = \"10/s\"" },
    Key { name: "name_policy", form: Form::TextLiteral, example: "name_policy = \"spec\"" },
];

/// A checked tool.
pub(crate) struct Tool {
    pub(crate) handler: Handler,
    pub(crate) read_only: Option<Expr>,
    pub(crate) destructive: Option<Expr>,
    pub(crate) idempotent: Option<Expr>,
    pub(crate) open_world: Option<Expr>,
    pub(crate) max_concurrency: Option<LitInt>,
    pub(crate) rate_limit: Option<Expr>,
}

impl Tool {
    /// Reads `#[tool(args)]` on `function`.
    pub(crate) fn parse(args: TokenStream, function: Function, helpers: &[Helpers], errors: &mut Errors) -> Self {
        let tables = [handler::KEYS, KEYS, handler::RESERVED];
        let keys = Keys::parse(Kind::Tool.attribute(), args, &tables, errors);
        check_hints(&keys, errors);
        check_limits(&keys, errors);
        let handler = Handler::parse(Kind::Tool, function, helpers, &keys, errors);
        check_name(&handler, &keys, errors);
        Self {
            handler,
            read_only: keys.flag("read_only"),
            destructive: keys.flag("destructive"),
            idempotent: keys.flag("idempotent"),
            open_world: keys.flag("open_world"),
            max_concurrency: keys.number("max_concurrency").and_then(|number| match number.digits() {
                Lit::Int(int) => Some(int),
                _ => None,
            }),
            rate_limit: keys.expr("rate_limit").cloned(),
        }
    }
}

fn is_true(flag: Option<Expr>) -> bool {
    flag.is_some_and(|flag| matches!(literal(&flag), Some(Lit::Bool(value)) if value.value))
}

fn check_hints(keys: &Keys, errors: &mut Errors) {
    if is_true(keys.flag("read_only")) && is_true(keys.flag("destructive")) {
        errors.at(keys.key("destructive"), "a tool that is `read_only` cannot be `destructive`\nremove one of them");
    }
}

fn check_limits(keys: &Keys, errors: &mut Errors) {
    if let Some(number) = keys.number("max_concurrency") {
        if !number.whole.is_some_and(|whole| (1..=i128::from(u32::MAX)).contains(&whole)) {
            errors.on(
                number.span,
                "`max_concurrency` is at least 1 and fits into `u32`\nwrite how many calls may run at once",
            );
        }
    }
    if let Some(rate) = keys.text("rate_limit").filter(|rate| !is_rate(&rate.value())) {
        let is_zero = rate.value().split_once('/').is_some_and(|(count, _)| count == "0");
        errors.at(
            rate,
            if is_zero {
                "`rate_limit` is zero, so every call would fail\nwrite a higher one such as `\"10/s\"`, or remove it"
            } else {
                "`rate_limit` is a count and a unit\nwrite `\"10/s\"`, `\"100/m\"` or `\"5/h\"`"
            },
        );
    }
}

fn check_name(handler: &Handler, keys: &Keys, errors: &mut Errors) {
    let policy = keys.text("name_policy");
    let is_spec = policy.is_some_and(|policy| policy.value() == "spec");
    if let Some(policy) = policy.filter(|_| !is_spec) {
        errors.at(
            policy,
            "`name_policy` knows `\"spec\"` only\nwrite `name_policy = \"spec\"` to allow `.` and `/`, or remove it",
        );
        return;
    }
    check_not_empty(handler, keys, errors);
    let (name, tokens) = (&handler.name, handler.name_tokens(keys));
    if name.is_empty() {
        return;
    }
    let length = name.chars().count();
    if length > 64 {
        errors.at(
            tokens,
            format!(
                "the name of a tool has at most 64 characters, and this has {length}\nwrite a shorter `name = \"…\"`"
            ),
        );
    } else if is_spec && !is_spec_name(name) {
        errors.at(
            tokens,
            format!("`{name}` cannot be the name of a tool\nuse ASCII letters, digits, `_`, `-`, `.` and `/`"),
        );
    } else if !is_spec && is_spec_name(name) && !is_portable_name(name) {
        errors.at(tokens, format!("`{name}` is a name that some clients refuse\nuse `_` or `-` instead of `.` and `/`, or add `name_policy = \"spec\"`"));
    } else if !is_spec && !is_portable_name(name) {
        errors.at(
            tokens,
            format!(
                "`{name}` cannot be the name of a tool\nwrite a `name = \"…\"` of ASCII letters, digits, `_` and `-`"
            ),
        );
    }
}
