//! Doc comments become the text that clients show.

use syn::{Attribute, Expr, Lit, Meta};

use crate::diag::Errors;
use crate::keys::Keys;
use crate::literal::ungroup;

/// A text known in full, or one that the compiler puts together (`include_str!`, a constant).
#[derive(Clone)]
pub(crate) enum Text {
    Literal(String),
    /// Given by a key: any constant expression.
    Expr(Box<Expr>),
    /// Doc comments with macros among them.
    Pieces(Vec<Piece>),
}

/// A part of a doc comment.
#[derive(Clone)]
pub(crate) enum Piece {
    Literal(String),
    Expr(Box<Expr>),
}

impl Text {
    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Literal(text) if text.is_empty())
    }
}

/// What the key `description` says, or else the doc comment.
pub(crate) fn described(attributes: &[Attribute], keys: &Keys, errors: &mut Errors) -> Text {
    let docs = text(attributes);
    // An empty one takes a doc comment away; without any it does nothing.
    let given = keys.text("description").filter(|given| docs.is_empty() && given.value().trim().is_empty());
    if given.is_some() {
        errors.at(given, "`description` is empty\nwrite what clients should know, or remove it");
    }
    keys.expr("description").map_or(docs, |given| Text::Expr(Box::new(given.clone())))
}

/// Whether this is a doc comment (and not `#[doc(hidden)]`).
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") && matches!(attribute.meta, Meta::NameValue(_))
}

/// The whole doc comment, without its common indentation.
pub(crate) fn text(attributes: &[Attribute]) -> Text {
    let mut pieces = Vec::new();
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| is_doc(attribute)) {
        let Meta::NameValue(meta) = &attribute.meta else { continue };
        match ungroup(&meta.value) {
            Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_)) => {
                let Lit::Str(line) = &lit.lit else { continue };
                lines.extend(comment_lines(&line.value()));
            }
            other => {
                pieces.push(Piece::Literal(dedent(&std::mem::take(&mut lines))));
                pieces.push(Piece::Expr(Box::new(other.clone())));
            }
        }
    }
    if pieces.is_empty() {
        return Text::Literal(dedent(&lines).trim_end().trim_start_matches('\n').to_owned());
    }
    pieces.push(Piece::Literal(dedent(&lines)));
    Text::Pieces(between_lines(pieces))
}

/// One `///` line as it is; a block comment line by line, without the stars that begin them.
fn comment_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return vec![String::new()];
    }
    let Some((first, rest)) = lines.split_first_mut() else { return lines };
    let has_stars = rest.iter().all(|line| line.trim_start().starts_with('*') || line.trim().is_empty());
    if has_stars {
        for line in rest.iter_mut() {
            *line = line.trim_start().trim_start_matches('*').to_owned();
        }
    }
    if !rest.is_empty() {
        // The first line stands after `/**`: its indentation says nothing about the others.
        let indent = rest.iter().filter(|line| !line.trim().is_empty()).map(|line| indent_of(line)).min();
        *first = format!("{}{}", " ".repeat(indent.unwrap_or(0)), first.trim_start());
    }
    lines
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn dedent(lines: &[String]) -> String {
    let indent = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent_of(line)).min().unwrap_or(0);
    let short: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("").trim_end()).collect();
    short.join("\n")
}

/// What lines separate in the source, a line break separates in the text.
fn between_lines(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    let is_text = |piece: &Piece| !matches!(piece, Piece::Literal(text) if text.is_empty());
    for piece in pieces.into_iter().filter(is_text) {
        if !joined.is_empty() {
            joined.push(Piece::Literal("\n".to_owned()));
        }
        joined.push(piece);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn literal(attributes: &[Attribute]) -> String {
        match text(attributes) {
            Text::Literal(text) => text,
            _ => panic!("not a literal"),
        }
    }

    #[test]
    fn lines_are_joined_and_dedented() {
        let attributes: [Attribute; 4] = [
            parse_quote!(#[doc = " Adds."]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = "   - exactly"]),
            parse_quote!(#[doc = " - quickly "]),
        ];
        assert_eq!(literal(&attributes), "Adds.\n\n  - exactly\n- quickly");
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let attributes: [Attribute; 1] = [parse_quote!(#[doc = "\n * One.\n *   Two.\n "])];
        assert_eq!(literal(&attributes), "One.\n  Two.");
    }

    #[test]
    fn a_one_line_block_comment_is_trimmed() {
        let attributes: [Attribute; 1] = [parse_quote!(#[doc = " Yes, delete it "])];
        assert_eq!(literal(&attributes), "Yes, delete it");
    }

    #[test]
    fn other_doc_attributes_are_not_text() {
        let attributes: [Attribute; 2] = [parse_quote!(#[doc(hidden)]), parse_quote!(#[inline])];
        assert!(text(&attributes).is_empty());
    }

    #[test]
    fn macros_stay_expressions() {
        let attributes: [Attribute; 2] =
            [parse_quote!(#[doc = " Before."]), parse_quote!(#[doc = include_str!("x.md")])];
        let Text::Pieces(pieces) = text(&attributes) else { panic!("has a macro") };
        assert!(
            matches!(&pieces[..], [Piece::Literal(a), Piece::Literal(b), Piece::Expr(_)] if a == "Before." && b == "\n")
        );
    }
}
