//! State that handlers want and nobody gave: said with the one that was probably meant, and never with advice that
//! cannot work.
//!
//! Types are told apart by their ids; what is said of them is read from their names.

use std::any::TypeId;

use crate::registry::entry::Location;
use crate::registry::problem::Problem;

/// A state that was given to the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
    /// Where `.state(…)` was called.
    pub(crate) at: Location,
}

/// States of one type, each told once with all its places.
pub(crate) fn twice(given: &[Given]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, first) in given.iter().enumerate() {
        let is_same = |other: &&Given| other.id == first.id;
        if given.iter().take(index).any(|earlier| is_same(&earlier)) {
            continue;
        }
        let same: Vec<_> = given.iter().filter(is_same).collect();
        if same.len() > 1 {
            let count = if same.len() == 2 { "two".to_owned() } else { same.len().to_string() };
            let rule = format!("{count} states of type `{}` were given to the server", shown(first.name));
            let problem = Problem::new(rule, "remove one `.state(…)`, or wrap one in a type of its own");
            let parts = ["first", "second", "third"].into_iter().chain(std::iter::repeat("next"));
            problems.push(parts.zip(same).fold(problem, |problem, (part, state)| problem.at(part, state.at)));
        }
    }
    problems
}

/// A type of state that `wanted_by` want and nobody gave.
pub(super) fn missing(state: &str, wanted_by: Vec<(String, Location)>, given: &[Given]) -> Problem {
    let near = given.iter().find_map(|given| Some((given, nearness(state, given.name)?)));
    let (near, advice) = match near {
        Some((given, advice)) => (Some(given), advice),
        None => (None, how_to_give(state)),
    };
    let advice = stays_on_one_thread(state).unwrap_or(advice);
    let mut problem = Problem::new(format!("no state of type `{}` was given to the server", shown(state)), advice);
    for (who, at) in wanted_by {
        problem = problem.at(format!("wanted by {who}"), at);
    }
    match near {
        Some(given) => problem.at(format!("given is `{}`", shown(given.name)), given.at),
        None => problem,
    }
}

fn how_to_give(state: &str) -> String {
    if state.starts_with("dyn ") {
        let shown = shown(state);
        return format!(
            "add `.shared_state(…)` with an `Arc<{shown}>` to the server in `main`; the trait has to be `Send + Sync`"
        );
    }
    "add `.state(…)` to the server in `main`".to_owned()
}

/// No server can be given these.
fn stays_on_one_thread(state: &str) -> Option<String> {
    let (wrapper, inner) = unwrapped(state)?;
    match last_segment(wrapper) {
        "Rc" => Some(format!(
            "`Rc` stays on one thread: take `State<{}>`, which is shared as by `Arc`, and give the value itself",
            shown(inner)
        )),
        cell @ ("RefCell" | "Cell" | "OnceCell") if wrapper.starts_with("core::cell::") => {
            let shared = if cell == "OnceCell" { "OnceLock" } else { "Mutex" };
            Some(format!("`{cell}` stays on one thread: write `std::sync::{shared}` instead"))
        }
        _ if inner.contains("alloc::rc::Rc<") => Some("`Rc` stays on one thread: write `Arc` instead".to_owned()),
        _ => None,
    }
}

/// What to do when `given` may have been meant to be `wanted`.
fn nearness(wanted: &str, given: &str) -> Option<String> {
    if wanted == given {
        return Some("that is the type of this name from another version of its crate: use one version".to_owned());
    }
    let is = |wrapper: &str, name: &str| last_segment(wrapper) == name;
    let (want, give) = (shown(wanted), shown(given));
    match (unwrapped(wanted), unwrapped(given)) {
        (_, Some((wrapper, inner))) if inner == wanted && is(wrapper, "Arc") => {
            Some("an `Arc` is given with `.shared_state(…)`".to_owned())
        }
        (Some((wrapper, inner)), _) if inner == given && is(wrapper, "Arc") => {
            Some(format!("state is shared as by an `Arc` already: take `State<{give}>`"))
        }
        _ if is_result_of(wanted, given) => Some("add `?` to what makes it, or another answer to its error".to_owned()),
        _ if core(wanted) == core(given) => Some(format!("take `State<{give}>`, or give a `{want}`")),
        // `Vec<u8>` and `Vec<u16>` have a name in common, but nobody takes one for the other.
        _ if unwrapped(core(wanted)).is_none() && last_segment(core(wanted)) == last_segment(core(given)) => {
            Some(format!("that is another type of this name: take `State<{give}>`, or give a `{want}`"))
        }
        // The future of an `async fn` is called so, and no state is meant to be one.
        _ if given.ends_with("::{{closure}}") => Some("add `.await` to what makes it".to_owned()),
        _ => None,
    }
}

fn is_result_of(wanted: &str, given: &str) -> bool {
    let inner = given.strip_prefix("core::result::Result<").and_then(|inner| inner.strip_prefix(wanted));
    inner.is_some_and(|error| error.starts_with(','))
}

/// The wrapper and what is in it, for a name such as `alloc::sync::Arc<app::Db>`.
fn unwrapped(name: &str) -> Option<(&str, &str)> {
    let (wrapper, rest) = name.split_once('<')?;
    let inner = rest.strip_suffix('>')?;
    let mut depth = 0_usize;
    let is_one = inner.chars().all(|c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c != ',' || depth > 0
    });
    (is_one && !wrapper.starts_with("dyn ")).then_some((wrapper, inner))
}

/// The ways in which one value is kept, shared and locked.
const KEEPERS: [&str; 8] = ["Arc", "Box", "Rc", "Mutex", "RwLock", "RefCell", "Cell", "Option"];

/// What is kept, below all that keeps it.
fn core(name: &str) -> &str {
    match unwrapped(name) {
        Some((wrapper, inner)) if KEEPERS.contains(&last_segment(wrapper)) => core(inner),
        _ => name.strip_suffix(" + core::marker::Send + core::marker::Sync").unwrap_or(name),
    }
}

fn last_segment(name: &str) -> &str {
    let path = name.split('<').next().unwrap_or(name);
    path.rsplit("::").next().unwrap_or(path)
}

/// A type's name as one writes it: what is of the standard library without its path.
fn shown(name: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut shown = String::new();
    let mut rest = name;
    while !rest.is_empty() {
        let (path, after) = rest.split_at(rest.find(|c| !is_of_path(c)).unwrap_or(rest.len()));
        let is_of_std = ["std::", "core::", "alloc::"].iter().any(|root| path.starts_with(root));
        shown.push_str(if is_of_std && !path.ends_with(':') { last_segment(path) } else { path });
        let signs = after.find(is_of_path).unwrap_or(after.len());
        shown.push_str(&after[..signs]);
        rest = &after[signs..];
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::any::type_name;
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::{Arc, Mutex, RwLock};

    use super::*;

    struct Db;
    trait Store {}

    mod other {
        pub(super) struct Db;
    }

    fn near<Wanted: ?Sized, Given: ?Sized>() -> Option<String> {
        nearness(type_name::<Wanted>(), type_name::<Given>())
    }

    fn later_name<T>(_: &T) -> &'static str {
        type_name::<T>()
    }

    #[test]
    fn what_was_given_in_another_way_is_recognised() {
        assert_eq!(near::<Db, Arc<Db>>().unwrap(), "an `Arc` is given with `.shared_state(…)`");
        assert!(near::<Arc<Db>, Db>().unwrap().starts_with("state is shared as by an `Arc` already: take `State<"));
        assert!(near::<Db, Mutex<Db>>().unwrap().contains("take `State<Mutex<"));
        assert!(near::<Mutex<Db>, Arc<RwLock<Db>>>().unwrap().contains("take `State<Arc<RwLock<"));
        assert!(near::<Db, other::Db>().unwrap().contains("another type of this name"));
        assert!(near::<dyn Store, Arc<dyn Store>>().unwrap().contains(".shared_state(…)"));
        assert!(near::<dyn Store, dyn Store + Send + Sync>().unwrap().contains(" + Send + Sync>`, or give a"));
        assert!(near::<Db, Result<Db, String>>().unwrap().contains("add `?`"));
        assert!(nearness(type_name::<Db>(), later_name(&async { Db })).unwrap().contains("add `.await`"));
        assert_eq!(near::<Db, Result<String, Db>>(), None);
        assert_eq!(near::<Db, u8>(), None);
        assert_eq!(near::<Vec<u8>, Vec<u16>>(), None);
    }

    #[test]
    fn names_of_the_standard_library_are_shown_as_one_writes_them() {
        assert_eq!(shown(type_name::<Mutex<Vec<Option<u8>>>>()), "Mutex<Vec<Option<u8>>>");
        assert_eq!(shown(type_name::<dyn Send + Sync>()), "dyn Send + Sync");
        assert_eq!(shown(type_name::<&(String, [u8; 2])>()), "&(String, [u8; 2])");
        assert_eq!(shown("tokio::sync::mutex::Mutex<app::Db>"), "tokio::sync::mutex::Mutex<app::Db>");
    }

    #[test]
    fn what_stays_on_one_thread_is_never_advised() {
        let advice = |name| stays_on_one_thread(name).unwrap();
        assert!(advice(type_name::<Rc<u32>>()).contains("take `State<u32>`"));
        assert!(advice(type_name::<RefCell<u32>>()).contains("write `std::sync::Mutex`"));
        assert!(advice(type_name::<Mutex<Rc<u32>>>()).contains("write `Arc` instead"));
        assert_eq!(stays_on_one_thread(type_name::<Mutex<RefCell<u32>>>()), None);
        assert!(how_to_give(type_name::<dyn Store>()).contains("`.shared_state(…)` with an `Arc<dyn "));
    }
}
