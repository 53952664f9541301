//! What the server provides, inside another type: `Option<&Ctx>`, `Arc<Ctx>`, `Option<State<T>>`.

use syn::Type;

use crate::diag::Errors;
use crate::param::is_ctx;
use crate::spelled::{inner, last_segment, show, ungroup};

/// The types that authors put around it.
const OUTER: [&str; 8] = ["Option", "Box", "Arc", "Rc", "Vec", "Cow", "Mutex", "RwLock"];

/// The context or a state inside another type.
pub(crate) fn find(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty).filter(|segment| OUTER.iter().any(|outer| segment.ident == outer))?;
    let inside = match ungroup(inner(segment)?) {
        Type::Reference(reference) => ungroup(&reference.elem),
        owned => owned,
    };
    if is_ctx(inside) || is_state(inside) { Some(inside) } else { find(inside) }
}

/// `State<…>` by that name. Without arguments it may be a type of the author's.
fn is_state(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "State" && !segment.arguments.is_none())
}

/// Checks that there is none. False when there is.
pub(crate) fn check(who: &str, name: &str, ty: &Type, errors: &mut Errors) -> bool {
    match find(ty) {
        None => return true,
        Some(inside) if is_ctx(inside) => {
            errors.at(ty, format!("the context of {who} stands inside no other type\nwrite `{name}: &Ctx`"));
        }
        Some(inside) => {
            let state = show(inside);
            errors.at(ty, format!("`{state}` stands inside no other type: it is there, or the server does not start\nwrite `{name}: {state}`"));
        }
    }
    false
}
