//! `#[data]`: the derives that a type needs to be an argument or a result.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Meta, Path, Token};

use crate::diag::Errors;
use crate::handler::RESERVED;
use crate::keys::Keys;

/// What `#[data]` adds to a type.
#[derive(Debug)]
pub(crate) struct Data {
    /// The type as it was written.
    pub(crate) item: TokenStream,
    pub(crate) serialize: bool,
    pub(crate) deserialize: bool,
    pub(crate) json_schema: bool,
}

impl Data {
    /// Reads `#[data(args)]` on `item`.
    pub(crate) fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Self {
        let crate_only = RESERVED.get(..1).unwrap_or_default();
        Keys::parse("#[data]", args, &[crate_only], errors);
        let attributes = outer_attributes(item.clone());
        check_item(&item, errors);
        let derives = |name: &str| attributes.iter().any(|attribute| is_derived(attribute, name));
        Self {
            serialize: !derives("Serialize"),
            deserialize: !derives("Deserialize"),
            json_schema: !derives("JsonSchema"),
            item,
        }
    }
}

fn outer_attributes(item: TokenStream) -> Vec<Attribute> {
    let read = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    read.parse2(item).unwrap_or_default()
}

/// Whether a `#[derive(…)]` has this trait already: two implementations would clash.
fn is_derived(attribute: &Attribute, name: &str) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    if !list.path.is_ident("derive") {
        return false;
    }
    let paths = list.parse_args_with(syn::punctuated::Punctuated::<Path, Token![,]>::parse_terminated);
    paths.is_ok_and(|paths| paths.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == name)))
}

fn check_item(item: &TokenStream, errors: &mut Errors) {
    let mut words = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    let word = words.find(|word| word != "pub" && word != "crate");
    if let Some(word) = word.filter(|word| word != "struct" && word != "enum") {
        errors.at(word, "`#[data]` goes on a struct or an enum\nit derives what an argument or a result needs");
    }
}
