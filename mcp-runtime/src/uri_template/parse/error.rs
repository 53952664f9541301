//! Why a text is no usable template: the rule, and what to write instead.

use std::error::Error;
use std::fmt;

use super::push_escaped;

/// Why a text is not a usable URI template. The first line of the message is the rule, the second what to write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum TemplateError {
    /// No text at all.
    Empty,
    /// `notes/{id}`.
    NoScheme(String),
    /// `my_notes://{id}`.
    Scheme(String),
    /// `{id`.
    Unclosed(String),
    /// `{{id}}`.
    Nested(String),
    /// `id}`.
    StrayClose(String),
    /// `{}`.
    EmptyExpression(String),
    /// `{;x}`.
    PathParameter(String),
    /// `{.x}`.
    Label(String),
    /// `{!x}`.
    UnknownOperator { operator: char, expression: String },
    /// `{a,b}`.
    List(String),
    /// `{a:3}`.
    Prefix { written: String, name: String },
    /// `{a*}`.
    Explode { written: String, name: String },
    /// `{a b}`.
    Name(String),
    /// `{a}/{a}`.
    Twice(String),
    /// `{a}{b}`.
    Touching { first: String, second: String },
    /// `{+a}/{+b}`.
    TwoWide { first: String, second: String },
    /// `{+a}{/b}`.
    PathAfterWide { wide: String, path: String },
    /// `{/a}/{b}`.
    SlashAfterPath { path: String, name: String },
    /// `{?a}/b`.
    AfterTail { tail: String, next: String },
    /// `{&a}` without a query.
    NothingToContinue(String),
    /// `?a=1{?b}`.
    SecondQuery(String),
    /// `#a{?b}`.
    AfterFragment(String),
    /// A blank, a quote or the like.
    Character { found: char, text: String },
    /// A `%` that begins no escape.
    Percent(String),
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.rule(), self.remedy())
    }
}

impl Error for TemplateError {}

impl TemplateError {
    fn rule(&self) -> String {
        match self {
            Self::Empty => "URI template is empty".to_owned(),
            Self::NoScheme(text) => format!("URI template `{text}` has no scheme"),
            Self::Scheme(scheme) => format!("`{}` cannot be the scheme of a URI", scheme.escape_debug()),
            Self::Nested(name) => format!("`{{{{{name}}}}}` has two pairs of braces"),
            Self::Unclosed(part) => format!("`{{` is not closed in `{part}`"),
            Self::StrayClose(part) => format!("`}}` closes nothing in `{part}`"),
            Self::EmptyExpression(part) => format!("`{part}` names no variable"),
            Self::PathParameter(part) => {
                format!("`{{{part}}}` is not supported: `;` parameters have no fixed place in a URI")
            }
            Self::Label(part) => {
                format!("`{{{part}}}` is not supported: where a `.` label ends is not clear")
            }
            Self::UnknownOperator { operator, expression } => {
                format!("`{operator}` in `{{{expression}}}` is not an operator of URI templates")
            }
            Self::List(part) => format!("`{part}` holds several variables"),
            Self::Prefix { written, name } => {
                format!("`{{{written}}}` takes only a part of `{name}`, which a URI cannot be read back from")
            }
            Self::Explode { written, .. } => format!("`{{{written}}}` cannot be a list"),
            Self::Name(name) => format!("`{name}` cannot be a variable's name"),
            Self::Twice(name) => format!("variable `{name}` is in the template twice"),
            Self::Touching { first, second } => {
                format!("nothing between `{first}` and `{second}` says where the first one ends")
            }
            Self::TwoWide { first, second } => {
                format!("`{first}` and `{second}` both take any number of path segments")
            }
            Self::PathAfterWide { wide, path } => {
                format!("`{path}` comes after `{wide}`, which takes path segments as well")
            }
            Self::SlashAfterPath { path, .. } => {
                format!("`{path}` may be absent, so the `/` after it could be its own")
            }
            Self::AfterTail { tail, next } => {
                format!("`{next}` comes after `{tail}`, which must be the last")
            }
            Self::NothingToContinue(part) => {
                format!("`{part}` continues a query, but no `?` comes before it")
            }
            Self::SecondQuery(part) => {
                format!("`{part}` begins a query, but a `?` comes before it")
            }
            Self::AfterFragment(part) => {
                format!("`{part}` comes after a `#`, where only the fragment can be")
            }
            Self::Character { found, text } => {
                format!("`{}` in `{}` cannot be in a URI", found.escape_debug(), text.escape_debug())
            }
            Self::Percent(text) => format!("`%` in `{text}` begins no escape"),
        }
    }

    fn remedy(&self) -> String {
        let fixed = match self {
            Self::Empty => "write a URI such as `note://{id}`",
            Self::NoScheme(_) => "begin it with one, such as `note://`",
            Self::Scheme(_) => {
                "begin with a letter, and use letters, digits, `+`, `-` and `.` only, as in `my-notes://`"
            }
            Self::Unclosed(_) => "add `}`, or write a literal brace as `%7B`",
            Self::StrayClose(_) => "add `{` before the name, or write a literal brace as `%7D`",
            Self::EmptyExpression(_) => "write a parameter's name into it, such as `{id}`",
            Self::PathParameter(part) => {
                return format!("write a query such as `{{?{}}}`", first_name(part));
            }
            Self::Label(part) => {
                return format!("write the dot outside: `.{{{}}}`", first_name(part));
            }
            Self::UnknownOperator { .. } => "use `{x}`, `{+x}`, `{/x}`, `{/x*}`, `{?x,y}`, `{&x}` or `{#x}`",
            Self::List(_) => "give each its own braces with text between them, such as `{a}/{b}`",
            Self::Nested(name) | Self::Prefix { name, .. } => return format!("write `{{{name}}}`"),
            Self::Explode { name, .. } => {
                return format!("write `{{/{name}*}}` for path segments, or drop the `*`");
            }
            Self::Name(_) => "use ASCII letters, digits and `_`, as in a parameter's name",
            Self::Twice(_) => "rename one of them",
            Self::Touching { .. } => "put text between them, such as `/`",
            Self::TwoWide { .. } => "only one variable of a template can: write `{x}` for the other",
            Self::PathAfterWide { .. } => "write the slash as text: `/{x}`",
            Self::SlashAfterPath { name, .. } => {
                return format!("write `/{{{name}}}` when it is always there");
            }
            Self::AfterTail { tail, next }
                if tail.starts_with("{#") != next.starts_with("{#") && next.starts_with('{') =>
            {
                "a template ends in a query or in a fragment: remove one of them"
            }
            Self::AfterTail { .. } => "move it in front; several query parameters share one pair of braces: `{?a,b}`",
            Self::NothingToContinue(_) => "begin the query with `{?…}`",
            Self::SecondQuery(_) => "continue the query with `{&…}`",
            Self::AfterFragment(_) => "move the `#` to the end or escape it as `%23`",
            Self::Character { found: '<', .. } => "write a variable as in `{id}`, or escape it: `%3C`",
            Self::Character { found, .. } => return format!("escape it: `{}`", escaped(*found)),
            Self::Percent(_) => "write two hexadecimal digits after it, or `%25` for the sign itself",
        };
        fixed.to_owned()
    }
}

/// The first name in `;a,b` or `.a*`, to suggest something with it.
fn first_name(expression: &str) -> &str {
    let names = expression.trim_start_matches([';', '.']);
    names.split([',', '*', ':']).next().filter(|name| !name.is_empty()).unwrap_or("x")
}

fn escaped(found: char) -> String {
    let mut text = String::new();
    found.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escaped(&mut text, byte));
    text
}
