//! Types of fields, spelled so that rustc advises no parameter when it does not know one.
//!
//! Of a name without arguments that it does not know, rustc says that a parameter may be missing, where it sees a place for one.
//! It sees one in the type and none in what derives make of it, or the other way round, and so would tell of the name twice. An
//! empty list of arguments says that the name is no parameter.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, DeriveInput, Field, GenericArgument, PathArguments, PathSegment, Token, Type,
};

use crate::spelled::{Spelled, last_segment};

/// Gives the names in the type of a field their empty lists.
pub(crate) fn spell(field: &mut Field, parameters: &[Ident]) {
    spell_type(&mut field.ty, Place::Alone, parameters);
}

/// The names of a type's parameters that stand in the types of its fields.
pub(crate) fn parameters(input: &DeriveInput) -> Vec<Ident> {
    let generics = &input.generics;
    let types = generics.type_params().map(|parameter| &parameter.ident);
    types.chain(generics.const_params().map(|parameter| &parameter.ident)).map(Ident::unraw).collect()
}

/// What may stand somewhere.
#[derive(Clone, Copy)]
enum Place {
    /// A type.
    Alone,
    /// A type or a constant.
    Argument,
}

fn spell_type(ty: &mut Type, place: Place, parameters: &[Ident]) {
    let arguments = if holds_types(ty) { Place::Alone } else { Place::Argument };
    let is_known = Spelled::of(ty).is_some();
    match ty {
        Type::Array(array) => spell_type(&mut array.elem, Place::Alone, parameters),
        Type::Group(group) => spell_type(&mut group.elem, place, parameters),
        Type::Paren(paren) => spell_type(&mut paren.elem, Place::Alone, parameters),
        Type::Reference(reference) => spell_type(&mut reference.elem, Place::Alone, parameters),
        Type::Slice(slice) => spell_type(&mut slice.elem, Place::Alone, parameters),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| spell_type(elem, Place::Alone, parameters)),
        Type::Path(path) => {
            let is_alone = path.qself.is_none() && path.path.get_ident().is_some() && !is_known;
            for segment in &mut path.path.segments {
                spell_arguments(segment, arguments, parameters);
                if is_alone && may_be_unknown(&segment.ident, place, parameters) {
                    segment.arguments = PathArguments::AngleBracketed(empty_list(segment.ident.span()));
                }
            }
        }
        _ => {}
    }
}

fn spell_arguments(segment: &mut PathSegment, place: Place, parameters: &[Ident]) {
    let PathArguments::AngleBracketed(list) = &mut segment.arguments else { return };
    for argument in &mut list.args {
        if let GenericArgument::Type(ty) = argument {
            spell_type(ty, place, parameters);
        }
    }
}

/// Whether its arguments are types for sure.
fn holds_types(ty: &Type) -> bool {
    let is_list_or_map = matches!(Spelled::of(ty), Some(Spelled::List | Spelled::Map | Spelled::Option(_)));
    is_list_or_map
        || last_segment(ty).is_some_and(|segment| ["Box", "Arc", "Rc"].iter().any(|name| segment.ident == name))
}

/// Whether it is written as types are, and where constants stand, too, not as they are.
fn may_be_unknown(name: &Ident, place: Place, parameters: &[Ident]) -> bool {
    let text = name.to_string();
    let is_type = text.starts_with(char::is_uppercase) && text != "Self" && !parameters.contains(&name.unraw());
    is_type && (matches!(place, Place::Alone) || text.contains(char::is_lowercase))
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
        spell_type(&mut ty, Place::Alone, &[parse_quote!(T), parse_quote!(Item)]);
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
    fn what_is_known_and_what_may_be_a_constant_has_none() {
        for ty in ["String", "Option<u8>", "Vec<T>", "Wrap<Item>", "Wrap<MAX>", "geo::City", "<T as Of>::It", "Self"] {
            assert_eq!(spelled(syn::parse_str(ty).expect("a type")), ty.replace(' ', ""));
        }
    }
}
