//! Expressions that are literals, also inside the invisible delimiters of `macro_rules!` variables.

use proc_macro2::Span;
use syn::{Expr, Lit, LitInt, LitStr, UnOp};

/// What stands inside the invisible delimiters of `macro_rules!` variables.
pub(crate) fn ungroup(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungroup(&group.expr),
        other => other,
    }
}

/// The literal that an expression is, whatever its sign.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match ungroup(expr) {
        Expr::Lit(lit) => Some(&lit.lit),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            literal(&unary.expr).filter(|lit| matches!(lit, Lit::Int(_) | Lit::Float(_)))
        }
        _ => None,
    }
}

/// The string that an expression is.
pub(crate) fn string(expr: &Expr) -> Option<&LitStr> {
    match literal(expr) {
        Some(Lit::Str(text)) => Some(text),
        _ => None,
    }
}

/// Whether a sign stands before it.
pub(crate) fn is_negative(expr: &Expr) -> bool {
    matches!(ungroup(expr), Expr::Unary(_))
}

/// A number as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    /// Its digits with the sign, without a suffix: also how JSON writes it.
    pub(crate) text: String,
    pub(crate) value: f64,
    /// For exact comparison; `None` for a fraction, or beyond `i128`.
    pub(crate) whole: Option<i128>,
    pub(crate) span: Span,
}

/// The number that an expression is.
pub(crate) fn number(expr: &Expr) -> Option<Number> {
    let lit = literal(expr)?;
    let digits = match lit {
        Lit::Int(int) => int.base10_digits().to_owned(),
        Lit::Float(float) => float.base10_digits().to_owned(),
        _ => return None,
    };
    let sign = if is_negative(expr) { "-" } else { "" };
    // Rust writes `1.`, JSON does not.
    let zero = if digits.ends_with('.') { "0" } else { "" };
    let text = format!("{sign}{digits}{zero}");
    let whole = matches!(lit, Lit::Int(_)).then(|| text.parse().ok()).flatten();
    Some(Number { value: text.parse().ok()?, whole, span: lit.span(), text })
}

impl Number {
    /// Whether it has a fraction or an exponent.
    pub(crate) fn is_float(&self) -> bool {
        self.text.contains(['.', 'e', 'E'])
    }

    /// The digits as a literal, without the sign and without a suffix.
    pub(crate) fn digits(&self) -> Lit {
        let digits = self.text.trim_start_matches('-');
        if self.is_float() {
            Lit::Float(syn::LitFloat::new(digits, self.span))
        } else {
            Lit::Int(LitInt::new(digits, self.span))
        }
    }

    /// Whether it is below zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.text.starts_with('-')
    }
}
