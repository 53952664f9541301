//! Where expansions find the runtime: `::mcp_runtime`, or the path that `crate = …` gives.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// The path of the runtime crate.
#[derive(Debug, Clone)]
pub(crate) struct Runtime(TokenStream);

impl Runtime {
    /// The path that an attribute says, or the usual one. The form of the key is checked with the others, not here.
    pub(crate) fn of(args: &TokenStream) -> Self {
        Self::given(args).unwrap_or_default()
    }

    /// Reads `crate = path` among the keys of an attribute.
    pub(crate) fn given(args: &TokenStream) -> Option<Self> {
        let mut tokens = args.clone().into_iter();
        tokens.find(|token| matches!(token, TokenTree::Ident(ident) if ident == "crate"))?;
        let is_assigned = matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == '=');
        let path = tokens.take_while(|t| !matches!(t, TokenTree::Punct(p) if p.as_char() == ','));
        let path: TokenStream = path.collect();
        (is_assigned && syn::parse2::<syn::Path>(path.clone()).is_ok()).then_some(Self(path))
    }

    /// The path as text, for attributes that take one in a string.
    pub(crate) fn to_text(&self) -> String {
        self.0.to_string().replace(' ', "")
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Self("::mcp_runtime".parse().unwrap_or_default())
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
