//! Attributes on a form that are not `#[elicit]`: serde's and schemars', and those that mean something elsewhere.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Path, Token};

use crate::case::Case;
use crate::diag::{Errors, quoted};
use crate::form::Key;
use crate::literal::string;

/// The attributes that the derive knows to say that they stand on something else.
const MARKS: [&str; 10] = ["arg", "ask", "range", "length", "format", "title", "description", "name", "min", "max"];

/// What clap has in its `#[arg(…)]`: a type may be a form and a command line.
const OF_CLAP: &str = "short long id value_name value_parser value_enum value_delimiter default_value default_value_t \
                       default_values default_values_t default_missing_value env action num_args required global help long_help \
                       help_heading hide last index group requires conflicts_with alias visible_alias aliases from_global skip";

/// Whose attributes on a form say more than it reads itself, so that there has to be a derive that reads them.
#[derive(Default)]
pub(crate) struct Foreign {
    pub(crate) serde: Option<Path>,
    pub(crate) schemars: Option<Path>,
    pub(crate) default: Option<Path>,
}

impl Foreign {
    /// Notes what stands at one place, a type, a field or a variant that `table` has the keys of.
    pub(crate) fn note(&mut self, attributes: &[Attribute], table: &[Key], errors: &mut Errors) {
        for attribute in attributes {
            let path = attribute.path();
            if path.is_ident("serde") && !keys(attribute).is_some_and(|keys| keys.iter().all(is_read)) {
                self.serde.get_or_insert_with(|| path.clone());
            } else if path.is_ident("schemars") && !keys(attribute).is_some_and(|keys| keys.iter().all(is_crate)) {
                self.schemars.get_or_insert_with(|| path.clone());
            } else if path.is_ident("default") {
                self.default.get_or_insert_with(|| path.clone());
            } else if let Some(mark) = path.get_ident().filter(|mark| MARKS.iter().any(|name| mark == name)) {
                check(mark, attribute, table, errors);
            }
        }
    }
}

/// A key of `#[serde(…)]`, so that a type has the same names in a form as elsewhere.
pub(crate) fn serde_text(attributes: &[Attribute], key: &str) -> Option<String> {
    let mut lists = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    lists.find_map(|attribute| keys(attribute)?.iter().find_map(|meta| text(meta, key).map(LitStr::value)))
}

fn keys(attribute: &Attribute) -> Option<Punctuated<Meta, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated).ok()
}

fn text<'a>(meta: &'a Meta, key: &str) -> Option<&'a LitStr> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident(key) => string(&pair.value),
        _ => None,
    }
}

/// Whether a key of serde's is one that a form reads, too.
fn is_read(meta: &Meta) -> bool {
    let is_case = |text: &LitStr| Case::named(&text.value()).is_some();
    is_crate(meta) || text(meta, "rename").is_some() || text(meta, "rename_all").is_some_and(is_case)
}

/// What `#[data]` writes says nothing of the form.
fn is_crate(meta: &Meta) -> bool {
    meta.path().is_ident("crate")
}

/// Refuses what does not work in a form, unless it may be that of another derive.
fn check(mark: &Ident, attribute: &Attribute, table: &[Key], errors: &mut Errors) {
    let name = mark.to_string();
    if name == "arg" && is_of_clap(attribute) {
        return;
    }
    let key = if name == "min" || name == "max" { "range" } else { &name };
    let way_out = match table.iter().find(|known| known.name == key) {
        Some(known) => format!("write `#[elicit({})]`", known.example),
        None if name == "arg" => {
            format!("write `#[elicit(…)]`, which takes {}", quoted(&mut table.iter().map(|known| known.name)))
        }
        None => "remove it; what a person should know is a doc comment".to_owned(),
    };
    errors.at(mark, format!("`#[{mark}]` does not work in a form\n{way_out}"));
}

fn is_of_clap(attribute: &Attribute) -> bool {
    let words = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    let is_known = |word: &Ident| OF_CLAP.split(' ').any(|known| word == known);
    words.into_iter().any(|token| matches!(token, TokenTree::Ident(word) if is_known(&word)))
}
