//! What stands inside no other type: `Option<&Ctx>`, `Arc<Ctx>`, `Option<State<T>>`, `Vec<Json<T>>`; and what stands in `State`:
//! `Arc<Mutex<T>>`.

use syn::Type;

use crate::diag::Errors;
use crate::kind::Kind;
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

/// A lock, which no client sends.
fn lock(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty).filter(|segment| !segment.arguments.is_none())?;
    match segment.ident.to_string().as_str() {
        "Mutex" | "RwLock" => Some(ungroup(ty)),
        "Arc" | "Rc" => lock(inner(segment)?),
        _ => None,
    }
}

/// Checks that there is none. False when there is.
pub(crate) fn check(who: &str, name: &str, ty: &Type, errors: &mut Errors) -> bool {
    match find(ty) {
        None => {
            let Some(lock) = lock(ty) else { return true };
            let state = show(lock);
            errors.at(ty, format!("argument `{name}` is a lock, which no client sends\nwrite `{name}: State<{state}>`, and give it with `.state(…)`"));
        }
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

/// Checks that `Json<T>` is all of a result. Around a resource's, there may be an `Option`; a prompt's is none at all.
pub(crate) fn check_result(kind: Kind, who: &str, ty: &Type, errors: &mut Errors) {
    let Some(segment) = last_segment(ty) else { return };
    let Some(inside) = inner(segment) else { return };
    let around = segment.ident.to_string();
    match around.as_str() {
        "Result" => check_result(kind, who, inside, errors),
        "Option" if kind == Kind::Resource => check_result(kind, who, inside, errors),
        "Option" | "Vec" | "Box" if kind != Kind::Prompt => {
            let json = last_segment(inside).filter(|segment| segment.ident == "Json").and_then(inner);
            if let Some(data) = json {
                let data = show(data);
                errors.at(ty, format!("`Json` stands inside no other type: it is all that {who} returns\nwrite `Json<{around}<{data}>>`"));
            }
        }
        _ => {}
    }
}
