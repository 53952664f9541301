//! What is said of a key that an attribute does not have: what it is called here, what stands for it, or which keys there are.

use crate::arg;
use crate::diag::{nearest, quoted};
use crate::form::{Form, Key};
use crate::resource;
use crate::tool;

/// What other crates call our keys.
const ELSEWHERE: [(&[&str], &str); 16] = [
    (&["min", "max", "minimum", "maximum", "ge", "gt", "le", "lt"], "range"),
    (&["min_length", "max_length", "min_items", "max_items"], "length"),
    (&["regex"], "pattern"),
    (&["rename", "key", "id"], "name"),
    (&["help", "doc", "about", "long_about", "summary", "instructions"], "description"),
    (&["label", "display_name"], "title"),
    (&["tag", "tags", "category", "toolset"], "group"),
    (&["spawn_blocking", "sync"], "blocking"),
    (&["content_type", "media_type"], "mime"),
    (&["rate"], "rate_limit"),
    (&["parallel", "max_in_flight"], "max_concurrency"),
    (&["value_parser", "parse"], "from_str"),
    (&["suggest", "autocomplete", "candidates"], "complete"),
    (&["safe", "readonly"], "read_only"),
    (&["max_age"], "ttl"),
    (&["visibility"], "scope"),
];

const HANDLERS: &[&str] = &["#[tool]", "#[resource]", "#[prompt]"];

/// What the function, a type, or several keys say here: in which attributes, of which keys, what.
const INSTEAD: [(&[&str], &[&str], &str); 23] = [
    (&["#[arg]", "#[elicit]"], &["required"], "remove it: what is no `Option` and has no `default` is required"),
    (&["#[arg]", "#[elicit]"], &["optional", "nullable"], "take an `Option<…>`, or give it a `default`"),
    (
        &["#[arg]"],
        &["enum", "values", "choices", "possible_values", "one_of"],
        "take an enum of names, with `#[mcp_runtime::data]`",
    ),
    (&["#[elicit]"], &["enum", "values", "choices"], "take an enum of names, with `#[derive(Elicit)]`"),
    (&["#[elicit]"], &["email", "uri", "date"], "write `format = \"email\"`, `\"uri\"`, `\"date\"` or `\"date-time\"`"),
    (&["#[elicit]"], &["pattern", "regex"], "forms have no patterns: remove it, or give a `format` or a `length`"),
    (&["#[arg]"], &["long", "short"], "remove it: an argument is sent by its name"),
    (&["#[arg]"], &["format"], "write a `pattern = \"…\"`, or take a type that has the format in its schema"),
    (
        &["#[arg]"],
        &["from_context", "context", "skip", "exclude", "state"],
        "what the server makes is no argument: write `#[from_context]` instead, or take a `State<…>`",
    ),
    (&["#[arg]"], &["ask", "prompt", "question"], "write `#[ask(\"…\")]` instead of `#[arg(…)]`"),
    (&["#[arg]"], &["flatten"], "take all arguments as one type: `Args<…>`"),
    (&["#[arg]"], &["type", "schema"], "the schema is made from the parameter's type: write another type"),
    (
        &["#[arg]"],
        &["with", "schema_with", "deserialize_with", "validate", "alias"],
        "take a type of yours, with `#[mcp_runtime::data]`, and say it in there",
    ),
    (&["#[tool]"], &["annotations"], "write the hints themselves, such as `read_only` and `destructive`"),
    (&["#[resource]"], &["annotations"], "write them themselves: `audience(user)`, `priority = 0.8`"),
    (
        HANDLERS,
        &["args", "arguments", "params", "parameters", "input", "input_schema", "schema"],
        "the arguments are the function's parameters: say more of one with `#[arg(…)]` before it",
    ),
    (
        &["#[tool]"],
        &["returns", "output", "output_schema", "structured", "structured_output"],
        "the result is described by its type: return `Json<…>`",
    ),
    (HANDLERS, &["enabled"], "write `disabled` if it is switched off at the start, or remove it"),
    (HANDLERS, &["async"], "write `async fn`"),
    (
        HANDLERS,
        &["scope", "auth", "permissions", "roles"],
        "authorization is not in this version: check the caller with `#[from_context]`",
    ),
    (HANDLERS, &["version"], "the server has a version: `Server::new(\"name\", \"1.0.0\")`"),
    (
        &["#[tool]", "#[prompt]"],
        &["uri", "uri_template", "template", "url"],
        "what has a URI is a resource: write `#[resource(\"note://{id}\")]`",
    ),
    (&["cache(…)"], &["public", "private"], "write `scope = \"public\"` or `scope = \"private\"`"),
];

/// The way out for whoever wrote the key `name` in `place`, which takes those of `table`.
pub(crate) fn advice(place: &str, name: &str, table: &[&[Key]]) -> String {
    let keys = || table.iter().copied().flatten();
    let shown = |key: &Key| if key.form == Form::List { key.example } else { key.name };
    let find = |keys: &'static [Key]| keys.iter().find(|key| key.name == name);
    let is_it = |(places, names, _): &&(&[&str], &[&str], &str)| places.contains(&place) && names.contains(&name);
    if let Some((.., advice)) = INSTEAD.iter().find(is_it) {
        return (*advice).to_owned();
    }
    let ours = ELSEWHERE.iter().find(|(others, _)| others.contains(&name)).map(|(_, ours)| *ours);
    if let Some(key) = keys().find(|key| ours == Some(key.name)) {
        return format!("did you mean `{}`?", shown(key));
    }
    if HANDLERS.contains(&place) {
        match (find(tool::KEYS), find(resource::KEYS), find(arg::KEYS)) {
            (Some(_), ..) => return "it is a key of `#[tool]`: remove it".to_owned(),
            (_, Some(_), _) => return "it is a key of `#[resource]`: remove it".to_owned(),
            (.., Some(key)) => return format!("write it before the argument that it is of: `#[arg({})]`", key.example),
            _ => {}
        }
    }
    // Hardly ever wanted, so only where nothing else is.
    let known = || keys().filter(|key| key.form != Form::Refused);
    let usual = || known().filter(|key| key.form != Form::Path).map(|key| key.name);
    let near = nearest(name, usual()).or_else(|| nearest(name, known().map(|key| key.name)));
    match known().find(|key| near == Some(key.name)) {
        Some(key) => format!("did you mean `{}`?", shown(key)),
        None if place == "#[data]" => "what serde knows goes into `#[serde(…)]` below it".to_owned(),
        None => format!("expected one of: {}", quoted(&mut usual())),
    }
}
