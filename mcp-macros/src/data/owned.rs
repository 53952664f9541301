//! References in the types of fields.
//!
//! Of one without a lifetime rustc says that the type needs a parameter: what has one cannot be read from a request.

use syn::{DeriveInput, GenericArgument, PathArguments, Type, parse_quote};

use super::fields_mut;
use crate::diag::Errors;
use crate::param::{is_text_like, owned_type};
use crate::spelled::{inner, last_segment, show, ungroup};

/// Takes each for what it should be.
pub(super) fn take_borrowed(input: &mut DeriveInput, errors: &mut Errors) -> bool {
    let mut has_any = false;
    for field in fields_mut(input) {
        own(&mut field.ty, &mut |reference, owned| {
            has_any = true;
            errors.at(
                reference,
                format!("a field of a `#[data]` type is owned\nwrite `{owned}` instead of `{}`", show(reference)),
            );
        });
    }
    has_any
}

fn own(ty: &mut Type, tell: &mut dyn FnMut(&Type, String)) {
    if let Some(borrowed) = borrowed(ty) {
        let owned: Type = match borrowed {
            text if is_text_like(text) => parse_quote!(::std::string::String),
            Type::Slice(slice) => {
                let elem = &slice.elem;
                parse_quote!(::std::vec::Vec<#elem>)
            }
            other => other.clone(),
        };
        tell(ty, owned_type(borrowed));
        *ty = owned;
        // What is inside of it was told with it.
        return own(ty, &mut |_, _| {});
    }
    match ty {
        Type::Array(array) => own(&mut array.elem, tell),
        Type::Group(group) => own(&mut group.elem, tell),
        Type::Paren(paren) => own(&mut paren.elem, tell),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| own(elem, tell)),
        Type::Path(path) => {
            let lists = path.path.segments.iter_mut().filter_map(|segment| match &mut segment.arguments {
                PathArguments::AngleBracketed(list) => Some(list),
                _ => None,
            });
            for argument in lists.flat_map(|list| &mut list.args) {
                if let GenericArgument::Type(inner) = argument {
                    own(inner, tell);
                }
            }
        }
        _ => {}
    }
}

/// What `Cow` of the standard library is called.
const COW: [&str; 4] = ["Cow", "borrow::Cow", "std::borrow::Cow", "alloc::borrow::Cow"];

/// What is borrowed, without a lifetime: behind `&`, or text or a slice in a `Cow`.
fn borrowed(ty: &Type) -> Option<&Type> {
    if let Type::Reference(reference) = ty {
        let inner = ungroup(&reference.elem);
        return (reference.lifetime.is_none() && matches!(inner, Type::Path(_) | Type::Slice(_))).then_some(inner);
    }
    // One with another path may be an alias that has the lifetime.
    let shown = show(ty);
    let is_cow = shown.split('<').next().is_some_and(|path| COW.contains(&path.trim_start_matches("::")));
    let segment = last_segment(ty).filter(|_| is_cow)?;
    inner(segment).filter(|inner| is_text_like(inner) || matches!(inner, Type::Slice(_)))
}
