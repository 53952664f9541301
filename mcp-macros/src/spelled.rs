//! What a type's spelling says, for better messages only.
//!
//! Which parameters are arguments, and which may be absent, is decided by traits in the runtime: an alias is not seen here.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypePath};

/// A type of the standard library that is written by its usual name.
#[derive(Clone, Copy)]
pub(crate) enum Spelled<'a> {
    /// A whole number, with its least and greatest value as far as `i128` reaches.
    Whole(i128, i128),
    Float,
    Bool,
    Text,
    List,
    Map,
    Option(&'a Type),
}

/// The type inside parentheses and the invisible delimiters of `macro_rules!` variables.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// The last name in a path type.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ungroup(ty) {
        Type::Path(TypePath { qself: None, path, .. }) => path.segments.last(),
        _ => None,
    }
}

impl<'a> Spelled<'a> {
    /// What `ty` says it is.
    pub(crate) fn of(ty: &'a Type) -> Option<Self> {
        let segment = last_segment(ty)?;
        let pointer = i128::from(i64::MIN);
        Some(match segment.ident.to_string().as_str() {
            "i8" => Self::Whole(i8::MIN.into(), i8::MAX.into()),
            "i16" => Self::Whole(i16::MIN.into(), i16::MAX.into()),
            "i32" => Self::Whole(i32::MIN.into(), i32::MAX.into()),
            "i64" => Self::Whole(i64::MIN.into(), i64::MAX.into()),
            "i128" => Self::Whole(i128::MIN, i128::MAX),
            "isize" => Self::Whole(pointer, -(pointer + 1)),
            "u8" => Self::Whole(0, u8::MAX.into()),
            "u16" => Self::Whole(0, u16::MAX.into()),
            "u32" => Self::Whole(0, u32::MAX.into()),
            "u64" | "usize" => Self::Whole(0, u64::MAX.into()),
            "u128" => Self::Whole(0, i128::MAX),
            "f32" | "f64" => Self::Float,
            "bool" => Self::Bool,
            "String" | "char" => Self::Text,
            "Vec" | "VecDeque" | "HashSet" | "BTreeSet" => Self::List,
            "HashMap" | "BTreeMap" => Self::Map,
            "Option" => Self::Option(inner(segment)?),
            _ => return None,
        })
    }

    /// What a list holds.
    pub(crate) fn element(list: &'a Type) -> Option<&'a Type> {
        inner(last_segment(list)?)
    }

    /// What it is when it is there: an `Option` is what it holds.
    pub(crate) fn present(self) -> Option<Self> {
        match self {
            Self::Option(inner) => Spelled::of(inner)?.present(),
            other => Some(other),
        }
    }
}

/// Where a type stands: its first token, and its last.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Extent {
    pub(crate) fn of(ty: &Type) -> Self {
        let mut tokens = ty.to_token_stream().into_iter();
        let first = tokens.next();
        let end = |token: TokenTree| match token {
            TokenTree::Group(group) => group.span_close(),
            other => other.span(),
        };
        let start = first.as_ref().map_or_else(Span::call_site, TokenTree::span);
        Self { start, end: tokens.last().or(first).map_or(start, end) }
    }
}

/// Types that ask nothing of their arguments.
const BOUNDLESS: [&str; 19] = [
    "Option", "Vec", "VecDeque", "HashSet", "BTreeSet", "HashMap", "BTreeMap", "Box", "Arc", "Rc", "Mutex", "RwLock",
    "Cell", "RefCell", "Result", "State", "Args", "Json", "Elicited",
];

/// The part of a type that the compiler points at when a bound is not met: inside of types that ask for none, one with arguments of
/// its own; otherwise the type.
pub(crate) fn bounded(ty: &Type) -> &Type {
    let Some(segment) = last_segment(ty).filter(|segment| is_boundless(segment)) else { return ungroup(ty) };
    type_arguments(segment).map(bounded).find(|ty| is_bounded(ty)).unwrap_or_else(|| ungroup(ty))
}

/// Whether it is such a part.
pub(crate) fn is_bounded(part: &Type) -> bool {
    last_segment(part).is_some_and(|segment| !segment.arguments.is_none() && !is_boundless(segment))
}

fn is_boundless(segment: &PathSegment) -> bool {
    BOUNDLESS.iter().any(|name| segment.ident == name)
}

/// The first of its arguments, if that is a type.
pub(crate) fn inner(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The types among its arguments.
pub(crate) fn type_arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let list = match &segment.arguments {
        PathArguments::AngleBracketed(list) => Some(&list.args),
        _ => None,
    };
    list.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether its arguments are types for sure.
pub(crate) fn holds_types(ty: &Type) -> bool {
    let is_list_or_map = matches!(Spelled::of(ty), Some(Spelled::List | Spelled::Map | Spelled::Option(_)));
    is_list_or_map
        || last_segment(ty).is_some_and(|segment| ["Box", "Arc", "Rc"].iter().any(|name| segment.ident == name))
}

/// Whether values of the type, as it is spelled, have no size: rustc refuses the function by itself, in words that say so.
pub(crate) fn is_unsized(ty: &Type) -> bool {
    const HOLDS_VALUES: [&str; 11] = [
        "Option", "Vec", "VecDeque", "HashSet", "BTreeSet", "HashMap", "BTreeMap", "Result", "Json", "Args", "Elicited",
    ];
    match ungroup(ty) {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Array(array) => is_unsized(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_unsized),
        other => last_segment(other).is_some_and(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => {
                let holds = HOLDS_VALUES.iter().any(|name| segment.ident == name);
                holds && arguments.args.iter().any(|arg| matches!(arg, GenericArgument::Type(ty) if is_unsized(ty)))
            }
            PathArguments::None => segment.ident == "str",
            PathArguments::Parenthesized(_) => false,
        }),
    }
}

/// The first `&'static` in a type, outside of the signatures of closures.
pub(crate) fn static_reference(ty: &Type) -> Option<Span> {
    fn find(tokens: TokenStream) -> Option<Span> {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) if group.delimiter() != Delimiter::Parenthesis => {
                    if let Some(found) = find(group.stream()) {
                        return Some(found);
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == '&' => {
                    let is_lifetime = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'');
                    if is_lifetime {
                        return Some(punct.span());
                    }
                }
                _ => {}
            }
        }
        None
    }
    find(ty.to_token_stream())
}

/// Whether a word stands among the tokens.
pub(crate) fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == word,
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// A type as a person writes it, for messages.
pub(crate) fn show(ty: impl ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let tight = [" :: ", " < ", " <", "< ", " >", " ,", "& ", " (", "( ", " )", "[ ", " ]", " ;"];
    tight.iter().fold(text, |text, spaced| text.replace(spaced, spaced.trim()))
}

/// What makes a type unfit to stand outside of the function's own signature.
#[derive(Debug)]
pub(crate) enum Loose {
    /// A reference, or the lifetime `'_`.
    Borrowed(Span),
    /// A lifetime with a name.
    Named,
    /// `_`.
    Placeholder,
    /// `Self`.
    SelfType(Ident),
    /// `impl Trait`.
    Opaque(Ident),
}

impl Loose {
    /// Finds the first loose part of a type. What stands in parentheses may be the signature of a closure: only a tuple at
    /// the very beginning is looked into.
    pub(crate) fn find(ty: &Type) -> Option<Self> {
        let is_tuple = matches!(ungroup(ty), Type::Tuple(_));
        find(ty.to_token_stream(), is_tuple)
    }
}

fn find(tokens: TokenStream, into_parentheses: bool) -> Option<Loose> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Parenthesis if !into_parentheses => None,
                Delimiter::Brace => None,
                _ => find(group.stream(), into_parentheses),
            },
            TokenTree::Ident(ident) if ident == "_" => Some(Loose::Placeholder),
            TokenTree::Ident(ident) if ident == "Self" => Some(Loose::SelfType(ident)),
            TokenTree::Ident(ident) if ident == "impl" => Some(Loose::Opaque(ident)),
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let is_lifetime = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'');
                (!is_lifetime).then(|| Loose::Borrowed(punct.span()))
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.next() {
                Some(TokenTree::Ident(name)) if name == "static" => None,
                Some(TokenTree::Ident(name)) if name == "_" => Some(Loose::Borrowed(punct.span())),
                _ => Some(Loose::Named),
            },
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn is_loose(ty: &Type) -> bool {
        Loose::find(ty).is_some()
    }

    #[test]
    fn borrowed_parts_are_found_wherever_they_are() {
        assert!(is_loose(&parse_quote!(Option<&str>)));
        assert!(is_loose(&parse_quote!(Cow<'_, str>)));
        assert!(is_loose(&parse_quote!((i32, &str))));
        assert!(is_loose(&parse_quote!([Vec<&'a str>; 2])));
    }

    #[test]
    fn static_and_closure_signatures_are_owned() {
        assert!(!is_loose(&parse_quote!(Cow<'static, str>)));
        assert!(!is_loose(&parse_quote!(&'static str)));
        assert!(!is_loose(&parse_quote!(State<dyn Fn(&str) -> String + Send + Sync>)));
    }

    #[test]
    fn what_has_no_size_is_seen_in_what_holds_values() {
        assert!(
            is_unsized(&parse_quote!(str)) && is_unsized(&parse_quote!([u8])) && is_unsized(&parse_quote!(dyn Debug))
        );
        assert!(is_unsized(&parse_quote!(Json<Vec<str>>)) && is_unsized(&parse_quote!((u8, Option<dyn Debug>))));
        assert!(!is_unsized(&parse_quote!(Box<str>)) && !is_unsized(&parse_quote!(State<dyn Clock>)));
    }

    #[test]
    fn a_bound_is_that_of_a_type_with_arguments() {
        let bounded = |text: &str| show(bounded(&syn::parse_str(text).expect("a type")));
        assert_eq!(bounded("Vec<Option<Page<Item>>>"), "Page<Item>");
        assert_eq!(bounded("HashMap<String, geo::Page<Vec<u8>>>"), "geo::Page<Vec<u8>>");
        for ty in ["Vec<Item>", "Page<Vec<Page<u8>>>", "Option<Vec<u8>>", "(Page<u8>, u8)"] {
            assert_eq!(bounded(ty), ty);
        }
    }

    #[test]
    fn static_references_are_found_inside_of_a_type() {
        assert!(static_reference(&parse_quote!(Vec<Option<&'static str>>)).is_some());
        assert!(static_reference(&parse_quote!(Cow<'static, str>)).is_none());
    }

    #[test]
    fn an_option_is_what_it_holds() {
        let ty = parse_quote!(Option<u8>);
        assert!(matches!(Spelled::of(&ty).and_then(Spelled::present), Some(Spelled::Whole(0, 255))));
        let ty = parse_quote!(std::option::Option<Vec<u8>>);
        assert!(matches!(Spelled::of(&ty).and_then(Spelled::present), Some(Spelled::List)));
    }

    #[test]
    fn types_are_shown_without_the_spaces_of_tokens() {
        let ty: Type = parse_quote!(std::collections::HashMap<String, Vec<(u8, &str)>>);
        assert_eq!(show(&ty), "std::collections::HashMap<String, Vec<(u8, &str)>>");
    }
}
