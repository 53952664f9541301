//! What a key takes, and what is said of anything else.

use std::fmt;

use proc_macro2::TokenStream;
use syn::{BinOp, Expr, Lit};

use crate::literal::{is_negative, literal, number, string, ungroup};

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
    /// An expression that is the address of a picture, or its bytes.
    Icon,
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
            Self::Icon => "the address of a picture",
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

impl Form {
    pub(crate) fn takes(self, value: &Value) -> bool {
        let expr = match value {
            _ if self == Self::Refused => return true,
            Value::Bare => return matches!(self, Self::Flag | Self::Bare | Self::OptionalExpr),
            Value::List(_) => return self == Self::List,
            Value::Expr(expr) => ungroup(expr),
        };
        let literal = literal(expr);
        match self {
            Self::Text => match literal {
                None => !is_composite(expr) && !is_made_at_run_time(expr),
                Some(literal) => matches!(literal, Lit::Str(_)),
            },
            Self::Icon => matches!(literal, None | Some(Lit::Str(_))),
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

impl Key {
    /// What is said of a value of another form.
    pub(crate) fn mismatch(&self, value: &Value) -> String {
        let Self { name, form, example } = self;
        let expr = match value {
            Value::Expr(expr) => Some(expr),
            Value::Bare | Value::List(_) => None,
        };
        let literal = expr.filter(|expr| !is_negative(expr)).and_then(literal);
        match (form, literal) {
            (Form::Text, None) if expr.is_some_and(is_made_at_run_time) => {
                format!("`{name}` is read before the program runs\nwrite `{example}`, a constant, or `concat!(…)`")
            }
            (Form::Bare, Some(Lit::Bool(flag))) if !flag.value => format!("`{name}` takes {form}\nremove it"),
            (Form::Whole, Some(Lit::Int(_))) => format!("`{name}` does not fit into 64 bits\nwrite `{example}`"),
            _ => format!("`{name}` takes {form}\nwrite `{example}`"),
        }
    }
}

/// Whether it surely is no text: several values, or one that may be absent.
fn is_composite(expr: &Expr) -> bool {
    let is_option = |path: &Expr, name: &str| matches!(path, Expr::Path(path) if path.path.is_ident(name));
    match expr {
        Expr::Array(_) | Expr::Tuple(_) => true,
        Expr::Call(call) => is_option(&call.func, "Some"),
        other => is_option(other, "None"),
    }
}

/// Whether it surely is a `String`, which no constant can be.
fn is_made_at_run_time(expr: &Expr) -> bool {
    match ungroup(expr) {
        Expr::Macro(call) => call.mac.path.segments.last().is_some_and(|last| last.ident == "format"),
        Expr::MethodCall(call) => ["to_string", "to_owned", "into"].iter().any(|method| call.method == method),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.first().is_some_and(|first| first.ident == "String"),
            _ => false,
        },
        Expr::Binary(sum) => matches!(sum.op, BinOp::Add(_)) && string(&sum.left).is_some(),
        Expr::Reference(reference) => is_made_at_run_time(&reference.expr),
        _ => false,
    }
}
