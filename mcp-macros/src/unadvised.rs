//! Types of fields and of handlers, spelled so that rustc advises no parameter when it does not know one.
//!
//! Of a name without arguments that it does not know, rustc says that a parameter may be missing, where it sees a place for one.
//! It sees one in the type and none in what derives make of it, or the other way round, and so would tell of the name twice. An
//! empty list of arguments says that the name is no parameter.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, DeriveInput, Expr, ExprPath, Field, GenericArgument, PathArguments, PathSegment,
    Token, Type,
};

use crate::spelled::{Spelled, holds_types};

/// Gives the names in the type of a field their empty lists.
pub(crate) fn spell(field: &mut Field, parameters: &[Ident]) {
    spell_type(&mut field.ty, Place::Alone, Names::AllBut(parameters));
}

/// Gives names of one letter in a type of a handler's their empty lists: rustc takes those for parameters in a function, and in
/// nothing else that says the type again.
pub(crate) fn spell_letters(ty: &mut Type) {
    spell_type(ty, Place::Alone, Names::Letters);
}

/// The names of a type's parameters that stand in the types of its fields.
pub(crate) fn parameters(input: &DeriveInput) -> Vec<Ident> {
    let generics = &input.generics;
    let types = generics.type_params().map(|parameter| &parameter.ident);
    types.chain(generics.const_params().map(|parameter| &parameter.ident)).map(Ident::unraw).collect()
}

/// Which names may be unknown.
#[derive(Clone, Copy)]
enum Names<'a> {
    /// All but the type's parameters.
    AllBut(&'a [Ident]),
    /// Those of one letter.
    Letters,
}

/// What may stand somewhere.
#[derive(Clone, Copy)]
enum Place {
    /// A type.
    Alone,
    /// A type or a constant.
    Argument,
}

fn spell_type(ty: &mut Type, place: Place, names: Names<'_>) {
    let arguments = if holds_types(ty) { Place::Alone } else { Place::Argument };
    let is_known = Spelled::of(ty).is_some();
    match ty {
        Type::Array(array) => {
            spell_type(&mut array.elem, Place::Alone, names);
            spell_length(&mut array.len, names);
        }
        Type::Group(group) => spell_type(&mut group.elem, place, names),
        Type::Paren(paren) => spell_type(&mut paren.elem, Place::Alone, names),
        Type::Reference(reference) => spell_type(&mut reference.elem, Place::Alone, names),
        Type::Slice(slice) => spell_type(&mut slice.elem, Place::Alone, names),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| spell_type(elem, Place::Alone, names)),
        Type::Path(path) => {
            let is_alone = path.qself.is_none() && path.path.get_ident().is_some() && !is_known;
            for segment in &mut path.path.segments {
                spell_arguments(segment, arguments, names);
                if is_alone && may_be_unknown(&segment.ident, place, names) {
                    segment.arguments = PathArguments::AngleBracketed(empty_list(segment.ident.span()));
                }
            }
        }
        _ => {}
    }
}

fn spell_arguments(segment: &mut PathSegment, place: Place, names: Names<'_>) {
    let PathArguments::AngleBracketed(list) = &mut segment.arguments else { return };
    for argument in &mut list.args {
        if let GenericArgument::Type(ty) = argument {
            spell_type(ty, place, names);
        }
    }
}

/// The length of an array is a value: an unknown one is advised as a parameter as well.
fn spell_length(length: &mut Expr, names: Names<'_>) {
    let (Expr::Path(ExprPath { qself: None, path, .. }), Names::Letters) = (length, names) else { return };
    let letter = path.get_ident().filter(|name| is_letter(name)).cloned();
    if let (Some(letter), Some(segment)) = (letter, path.segments.last_mut()) {
        let colons = Some(Token![::](letter.span()));
        let list = AngleBracketedGenericArguments { colon2_token: colons, ..empty_list(letter.span()) };
        segment.arguments = PathArguments::AngleBracketed(list);
    }
}

/// Whether it is written as types are, and where constants stand, too, not as they are.
fn may_be_unknown(name: &Ident, place: Place, names: Names<'_>) -> bool {
    let text = name.to_string();
    let Names::AllBut(parameters) = names else { return matches!(place, Place::Alone) && is_letter(name) };
    let is_type = text.starts_with(char::is_uppercase) && text != "Self" && !parameters.contains(&name.unraw());
    is_type && (matches!(place, Place::Alone) || text.contains(char::is_lowercase))
}

fn is_letter(name: &Ident) -> bool {
    let text = name.to_string();
    text.chars().count() == 1 && text.starts_with(char::is_uppercase)
}

fn empty_list(place: Span) -> AngleBracketedGenericArguments {
    AngleBracketedGenericArguments {
        colon2_token: None,
        lt_token: Token![<](place),
        args: Punctuated::new(),
        gt_token: Token![>](place),
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens as _;
    use syn::parse_quote;

    use super::*;

    fn spelled(mut ty: Type) -> String {
        spell_type(&mut ty, Place::Alone, Names::AllBut(&[parse_quote!(T), parse_quote!(Item)]));
        ty.to_token_stream().to_string().replace(' ', "")
    }

    #[test]
    fn what_may_be_unknown_has_a_list() {
        assert_eq!(spelled(parse_quote!(City)), "City<>");
        assert_eq!(spelled(parse_quote!(Option<Vec<(u8, [City; N])>>)), "Option<Vec<(u8,[City<>;N])>>");
        assert_eq!(spelled(parse_quote!(geo::Map<City>)), "geo::Map<City<>>");
        assert_eq!(spelled(parse_quote!(Vec<U>)), "Vec<U<>>");
    }

    #[test]
    fn letters_alone_have_a_list_in_a_handler() {
        let mut ty = parse_quote!(Vec<(T, [City; N], Page<U>)>);
        spell_letters(&mut ty);
        assert_eq!(ty.to_token_stream().to_string().replace(' ', ""), "Vec<(T<>,[City;N::<>],Page<U>)>");
    }

    #[test]
    fn what_is_known_and_what_may_be_a_constant_has_none() {
        for ty in ["String", "Option<u8>", "Vec<T>", "Wrap<Item>", "Wrap<MAX>", "geo::City", "<T as Of>::It", "Self"] {
            assert_eq!(spelled(syn::parse_str(ty).expect("a type")), ty.replace(' ', ""));
        }
    }
}
