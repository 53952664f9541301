//! Where expansions find the runtime: `::mcp_runtime`, or the path that `crate = …` gives.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// The path of the runtime crate.
#[derive(Debug, Clone)]
pub(crate) struct Runtime(TokenStream);

impl Runtime {
    /// Reads `crate = path` among the keys of an attribute. Its form is checked with the other keys, not here.
    pub(crate) fn of(args: &TokenStream) -> Self {
        let mut tokens = args.clone().into_iter();
        while let Some(token) = tokens.next() {
            if matches!(&token, TokenTree::Ident(ident) if ident == "crate") {
                let is_assigned = matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == '=');
                let path = tokens.take_while(|t| !matches!(t, TokenTree::Punct(p) if p.as_char() == ','));
                let path: TokenStream = path.collect();
                if is_assigned && syn::parse2::<syn::Path>(path.clone()).is_ok() {
                    return Self(path);
                }
                break;
            }
        }
        Self("::mcp_runtime".parse().unwrap_or_default())
    }

    /// The path as text, for attributes that take one in a string.
    pub(crate) fn to_text(&self) -> String {
        self.0.to_string().replace(' ', "")
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(args: &str) -> String {
        Runtime::of(&args.parse().expect("tokens")).to_text()
    }

    #[test]
    fn the_default_is_absolute() {
        assert_eq!(path("read_only, name = \"x\""), "::mcp_runtime");
    }

    #[test]
    fn the_crate_key_replaces_it_wherever_it_stands() {
        assert_eq!(path("read_only, crate = ::mine::mcp, title = \"x\""), "::mine::mcp");
    }

    #[test]
    fn a_crate_inside_an_expression_is_not_the_key() {
        assert_eq!(path("description = (crate::TEXT)"), "::mcp_runtime");
        assert_eq!(path("description = crate::TEXT"), "::mcp_runtime");
    }
}
