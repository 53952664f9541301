//! Names: what clients take, what `.prefix(…)` makes of them, and that each is there once.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Builder, Who};
use crate::registry::entry::{Handler, Location};
use crate::registry::item::{Item, Offered};
use crate::registry::problem::Problem;

/// What goes in front of the names of a crate's handlers.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    pub(crate) text: String,
    /// Where `.prefix(…)` was called.
    pub(crate) at: Location,
}

/// The longest name of a tool that all clients take.
const LONGEST: usize = 64;

const LETTERS: &str = "use ASCII letters, digits, `_` and `-`";

fn is_portable(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
}

impl Builder<'_> {
    /// A handler's name with the prefix of its crate.
    pub(super) fn prefixed(&mut self, kind: &str, handler: &Handler) -> Cow<'static, str> {
        let of = handler.at.crate_name();
        let Some(prefix) = self.prefixes.get(of).filter(|prefix| !prefix.text.is_empty()) else {
            return handler.name.into();
        };
        let name = format!("{}{}", prefix.text, handler.name);
        if kind == "tool" {
            let length = name.chars().count();
            if !is_portable(&prefix.text) {
                self.bad_prefixes.or_default(of);
            } else if length > LONGEST {
                self.bad_prefixes.or_default(of).push((length, handler.at));
            }
        }
        name.into()
    }

    /// The prefixes that make names which clients refuse: each once, whatever number of tools it is in front of.
    pub(super) fn check_prefixes(&mut self) {
        for (of, too_long) in std::mem::take(&mut self.bad_prefixes) {
            let Some(Prefix { text, at }) = self.prefixes.get(of) else { continue };
            let problem = if is_portable(text) {
                let rule =
                    format!("the prefix `{text}` makes names of tools with more than the {LONGEST} characters allowed");
                let advice = "write a shorter prefix, or shorter names with `#[tool(name = \"…\")]`";
                Problem::new(rule, advice)
            } else {
                let rule = format!("the prefix `{text}` of `{of}` makes names of tools that clients refuse");
                Problem::new(rule, LETTERS)
            };
            let problem = problem.at("prefix", *at);
            self.problems.push(
                too_long
                    .into_iter()
                    .fold(problem, |problem, (length, at)| problem.at(format!("{length} characters"), at)),
            );
        }
    }

    /// The name of something that is defined at run time. Prompts and resources may be called anything but nothing; a
    /// tool's name that some client refuses makes it hide every tool.
    pub(super) fn check_name(&mut self, who: Who<'_>, at: Location) {
        let Who { kind, name } = who;
        let length = name.chars().count();
        let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let (rule, advice) = if name.is_empty() {
            (format!("the name of a {kind} is empty"), constructor(kind, "write one in"))
        } else if kind != "tool" {
            return;
        } else if length > LONGEST {
            let rule = format!("the name of a tool has at most {LONGEST} characters, and `{name}` has {length}");
            (rule, constructor(kind, "write a shorter one in"))
        } else if !name.chars().all(is_legal) {
            (format!("`{name}` cannot be the name of a tool"), LETTERS.to_owned())
        } else {
            return;
        };
        self.problems.push(Problem::new(rule, advice).at("at", at));
    }

    /// Puts items in the order of their keys. Two of one key are a problem.
    pub(crate) fn sort<T: Item>(&mut self, kind: &str, items: Vec<Offered<T>>) -> Vec<Offered<T>> {
        let keys = items.iter().enumerate().map(|(place, (item, _))| (item.key(), item.at(), place));
        let order = self.order(kind, keys.collect());
        let mut items: Vec<_> = items.into_iter().map(Some).collect();
        order.into_iter().filter_map(|place| items.get_mut(place)?.take()).collect()
    }

    /// The places of items in the order of their keys: one sort for all kinds, since each costs the binary 6 kB.
    fn order(&mut self, kind: &str, mut items: Vec<(&str, Location, usize)>) -> Vec<usize> {
        // By place, too: linking has no order of its own.
        items.sort_unstable_by(in_order);
        for same in items.chunk_by(|(a, ..), (b, ..)| a == b).filter(|same| same.len() > 1) {
            let [(key, ..), ..] = same else { continue };
            let places: Vec<Location> = same.iter().map(|(_, at, _)| *at).collect();
            let rule = match kind {
                "resource" => format!("{} resources have the URI `{key}`", count(same.len())),
                _ => format!("{} {kind}s are named `{key}`", count(same.len())),
            };
            let parts = ["first", "second", "third"].into_iter().chain(std::iter::repeat("next"));
            let problem = Problem::new(rule, way_out(kind, &places));
            self.problems.push(parts.zip(places).fold(problem, |problem, (part, at)| problem.at(part, at)));
        }
        items.into_iter().map(|(.., place)| place).collect()
    }
}

/// Not inlined: a sort compares in forty places.
#[inline(never)]
fn in_order(a: &(&str, Location, usize), b: &(&str, Location, usize)) -> Ordering {
    a.cmp(b)
}

/// What to do about equal names at these places.
fn way_out(kind: &str, places: &[Location]) -> String {
    let few = if places.len() == 2 { "one" } else { "all but one" };
    if kind == "resource" {
        return format!("change the URI of {few}");
    }
    let attributes = places.iter().filter(|at| at.is_attribute()).count();
    if attributes == 0 {
        return constructor(kind, &format!("give {few} another name in"));
    }
    let mut advice = format!("rename {few} with `#[{kind}(name = \"…\")]`");
    if attributes < places.len() {
        advice = format!("{advice} or in `{}::new(…)`", capital(kind));
    }
    // A prefix moves all of its crate: it helps where the others are elsewhere.
    if places.windows(2).any(|pair| pair.first().map(Location::crate_name) != pair.last().map(Location::crate_name)) {
        advice.push_str(", or give its crate a prefix with `.prefix(…)`");
    }
    advice
}

fn constructor(kind: &str, what: &str) -> String {
    format!("{what} `{}::new(…)`", capital(kind))
}

fn capital(kind: &str) -> &'static str {
    match kind {
        "tool" => "Tool",
        "prompt" => "Prompt",
        _ => "Resource",
    }
}

fn count(number: usize) -> String {
    if number == 2 { "two".to_owned() } else { number.to_string() }
}
