//! Golden expansions: what one tool, one resource and one prompt become, and that mistakes leave the function alone.
//!
//! `MCP_BLESS=1 cargo test -p mcp-macros` writes the files in `tests/expand/` again.

use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Item, Meta};

use crate::kind::Kind;
use crate::{run, run_data};

/// Expands the last item of a file by the attribute on it.
fn expand(source: &str) -> TokenStream {
    let mut file = syn::parse_file(source).expect("the case parses");
    let item = file.items.pop().expect("the case has an item");
    let mut attributes = match &item {
        Item::Fn(item) => item.attrs.clone(),
        Item::Struct(item) => item.attrs.clone(),
        _ => panic!("the last item is a function or a struct"),
    };
    let ours = |name: &str| ["tool", "resource", "prompt", "data"].contains(&name);
    let at = attributes
        .iter()
        .position(|attribute| attribute.path().get_ident().is_some_and(|name| ours(&name.to_string())))
        .expect("it has one of our attributes");
    let attribute = attributes.remove(at);
    let args = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let item = match item {
        Item::Fn(item) => syn::ItemFn { attrs: attributes, ..item }.into_token_stream(),
        Item::Struct(item) => syn::ItemStruct { attrs: attributes, ..item }.into_token_stream(),
        other => other.into_token_stream(),
    };
    match attribute.path().get_ident().map(ToString::to_string).as_deref() {
        Some("tool") => run(Kind::Tool, args, item),
        Some("resource") => run(Kind::Resource, args, item),
        Some("prompt") => run(Kind::Prompt, args, item),
        _ => run_data(args, item),
    }
}

fn pretty(tokens: &TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(unwrapped(tokens.clone())).expect("an expansion is items"))
}

/// What `expanded_by!` passes on stands behind it instead, so that it is laid out as code.
fn unwrapped(tokens: TokenStream) -> TokenStream {
    let mut is_wrapped = false;
    let tokens = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) if is_wrapped => {
            is_wrapped = false;
            let mut inner = group.stream().into_iter();
            let version = inner.next();
            quote!({ #version } #(#inner)*)
        }
        TokenTree::Group(group) => Group::new(group.delimiter(), unwrapped(group.stream())).into_token_stream(),
        token => {
            is_wrapped |= matches!(&token, TokenTree::Ident(ident) if ident == "expanded_by");
            token.into_token_stream()
        }
    });
    tokens.collect()
}

fn check(case: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let source = std::fs::read_to_string(folder.join(format!("{case}.rs"))).expect("the case is there");
    let golden = folder.join(format!("{case}.expanded.rs"));
    let expanded = pretty(&expand(&source));
    if std::env::var_os("MCP_BLESS").is_some() {
        std::fs::write(&golden, &expanded).expect("the golden file can be written");
    }
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(expanded, wanted, "run again with MCP_BLESS=1 and read the difference");
}

#[test]
fn a_tool_is_a_function_and_data() {
    check("tool");
}

#[test]
fn a_resource_is_a_function_and_data() {
    check("resource");
}

#[test]
fn a_prompt_is_a_function_and_data() {
    check("prompt");
}

#[test]
fn data_derives_through_the_runtime() {
    check("data");
}

#[test]
fn a_mistake_leaves_the_function_and_no_entry() {
    let expanded = pretty(&expand("#[tool(nmae = \"x\")] fn add(#[arg(rnage(min = 1))] a: i64) -> i64 { a }"));
    assert_eq!(expanded.matches("compile_error").count(), 2, "{expanded}");
    assert!(expanded.contains("fn add(a: i64) -> i64 {\n    a\n}") && !expanded.contains("register"), "{expanded}");
}

#[test]
fn a_parameter_behind_cfg_gives_both_functions() {
    let expanded = pretty(&expand("#[tool(read_only)] fn add(a: i64, #[cfg(feature = \"b\")] b: i64) -> i64 { a }"));
    assert!(
        expanded.contains("#[cfg(feature = \"b\")]\n#[::mcp_runtime::tool(read_only)]\nfn add(a: i64, b: i64)"),
        "{expanded}"
    );
    assert!(
        expanded.contains("#[cfg(not(feature = \"b\"))]\n#[::mcp_runtime::tool(read_only)]\nfn add(a: i64)"),
        "{expanded}"
    );
}

#[test]
fn what_the_compiler_reports_itself_is_not_reported_twice() {
    let expanded = pretty(&expand("#[tool] fn add(a: Vec<_>) -> i64 { 1 }"));
    assert!(!expanded.contains("compile_error") && !expanded.contains("register"), "{expanded}");
}
