//! Keys that other crates have: what they are called here, and what stands for those that are not needed.

/// What other crates call our keys.
const ELSEWHERE: [(&str, &str); 10] = [
    ("min", "range"),
    ("max", "range"),
    ("minimum", "range"),
    ("maximum", "range"),
    ("min_length", "length"),
    ("max_length", "length"),
    ("regex", "pattern"),
    ("rename", "name"),
    ("help", "description"),
    ("doc", "description"),
];

const REQUIRED: &str = "remove it: what is no `Option` and has no `default` is required";
const OPTIONAL: &str = "take an `Option<…>`, or give it a `default`";
const VALUES: &str = "take an enum of names, with `#[mcp_runtime::data]`";
const CHOICES: &str = "take an enum of names, with `#[derive(Elicit)]`";
const HINTS: &str = "write the hints themselves, such as `read_only` and `destructive`";

/// What the type, or several keys, say here.
const INSTEAD: [(&str, &str, &str); 9] = [
    ("#[arg]", "required", REQUIRED),
    ("#[arg]", "optional", OPTIONAL),
    ("#[arg]", "enum", VALUES),
    ("#[arg]", "values", VALUES),
    ("#[arg]", "choices", VALUES),
    ("#[elicit]", "required", REQUIRED),
    ("#[elicit]", "optional", OPTIONAL),
    ("#[elicit]", "enum", CHOICES),
    ("#[tool]", "annotations", HINTS),
];

/// The key of ours that another crate calls so.
pub(crate) fn ours(name: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours)
}

/// What to do instead of writing a key that an attribute does not have.
pub(crate) fn instead(place: &str, name: &str) -> Option<&'static str> {
    let is_it = |(of, other, _): &&(&str, &str, &str)| *of == place && *other == name;
    INSTEAD.iter().find(is_it).map(|(_, _, advice)| *advice)
}
