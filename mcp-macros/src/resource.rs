//! `#[resource("uri")]`: the keys, and the template's variables against the function's parameters.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::{Expr, LitStr, Type};

use crate::diag::{Errors, nearest};
use crate::form::{Form, Key};
use crate::function::{Function, Helpers};
use crate::handler::{self, Handler, check_duration};
use crate::keys::Keys;
use crate::kind::Kind;
use crate::literal::Number;
use crate::param::{NAMELESS, Param, ParamKind, is_ctx, is_state};
use crate::spelled::{show, ungroup};
use crate::template::{Template, Variable};
use crate::uri::read_uri;
use crate::values::is_mime;

pub(crate) const KEYS: &[Key] = &[
    Key { name: "mime", form: Form::Text, example: "mime = \"text/markdown\"" },
    Key { name: "list", form: Form::Function, example: "list = all_notes" },
    Key { name: "size", form: Form::Whole, example: "size = 1024" },
    Key { name: "audience", form: Form::List, example: "audience(user, assistant)" },
    Key { name: "priority", form: Form::Number, example: "priority = 0.8" },
    Key { name: "cache", form: Form::List, example: "cache(ttl = \"5m\", scope = \"public\")" },
];

const CACHE: &[Key] = &[
    Key { name: "ttl", form: Form::Text, example: "ttl = \"5m\"" },
    Key { name: "scope", form: Form::TextLiteral, example: "scope = \"public\"" },
];

const AUDIENCE: &[Key] = &[
    Key { name: "user", form: Form::Bare, example: "user" },
    Key { name: "assistant", form: Form::Bare, example: "assistant" },
];

/// A checked resource.
pub(crate) struct Resource {
    pub(crate) handler: Handler,
    pub(crate) uri: LitStr,
    pub(crate) mime: Option<Expr>,
    pub(crate) list: Option<Expr>,
    pub(crate) size: Option<Number>,
    /// `User`, `Assistant`.
    pub(crate) audience: Vec<&'static str>,
    pub(crate) priority: Option<Number>,
    pub(crate) cache: Option<Cache>,
}

/// How long clients may keep what they read.
pub(crate) struct Cache {
    pub(crate) ttl: Expr,
    /// `Public`, `Private`.
    pub(crate) scope: &'static str,
}

impl Resource {
    /// Reads `#[resource(args)]` on `function`.
    pub(crate) fn parse(args: TokenStream, function: Function, helpers: &[Helpers], errors: &mut Errors) -> Self {
        let tables = [handler::KEYS, KEYS, handler::RESERVED];
        let (uri, rest) = read_uri(args, &tables, errors);
        let template = uri.as_ref().and_then(|uri| read_template(uri, errors));
        let keys = Keys::parse(Kind::Resource.attribute(), rest, &tables, errors);
        let mut resource = Self {
            mime: read_mime(&keys, errors),
            list: keys.expr("list").cloned(),
            size: keys.number("size"),
            audience: read_audience(&keys, errors),
            priority: read_priority(&keys, errors),
            cache: read_cache(&keys, errors),
            handler: Handler::parse(Kind::Resource, function, helpers, &keys, errors),
            uri: uri.unwrap_or_else(|| LitStr::new("", Span::call_site())),
        };
        check_not_empty(&resource.handler, &keys, errors);
        check_no_header(&resource.handler, errors);
        if let Some(template) = template {
            check_form(&template, &keys, errors);
            if !takes_whole(&resource.handler, errors) {
                check_variables(&template, &mut resource, errors);
            }
        }
        resource
    }
}

/// Whether it takes `Args<T>`, which is for the arguments of tools and prompts.
fn takes_whole(handler: &Handler, errors: &mut Errors) -> bool {
    let whole = handler.params.iter().find(|param| param.kind == ParamKind::Plain && handler::is_args(&param.ty));
    if let Some(whole) = whole {
        errors.at(
            &whole.ty,
            "a resource has no arguments object\ntake each variable of its template as a parameter of that name",
        );
    }
    whole.is_some()
}

fn read_template(uri: &LitStr, errors: &mut Errors) -> Option<Template> {
    Template::parse(&uri.value()).map_err(|error| errors.at(uri, error)).ok()
}

fn read_mime(keys: &Keys, errors: &mut Errors) -> Option<Expr> {
    if let Some(mime) = keys.text("mime").filter(|mime| !is_mime(&mime.value())) {
        errors.at(mime, "`mime` is a media type\nwrite one such as `mime = \"text/markdown\"`");
    }
    keys.expr("mime").cloned()
}

fn read_audience(keys: &Keys, errors: &mut Errors) -> Vec<&'static str> {
    let Some((key, list)) = keys.list("audience") else { return Vec::new() };
    if list.is_empty() {
        errors.at(
            key,
            "`audience` is empty, so the resource is for nobody\nwrite `audience(user)`, `audience(assistant)` or both",
        );
    }
    let roles = Keys::parse("audience(…)", list.clone(), &[AUDIENCE], errors);
    roles.names().map(|role| if role == "user" { "User" } else { "Assistant" }).collect()
}

fn read_priority(keys: &Keys, errors: &mut Errors) -> Option<Number> {
    let priority = keys.number("priority")?;
    if !(0.0..=1.0).contains(&priority.value) {
        errors.on(priority.span, "`priority` is between 0 and 1\n1 is the most important, 0 the least");
    }
    Some(priority)
}

fn read_cache(keys: &Keys, errors: &mut Errors) -> Option<Cache> {
    let (key, list) = keys.list("cache")?;
    let cache = Keys::parse("cache(…)", list.clone(), &[CACHE], errors);
    check_duration("ttl", &cache, errors);
    let scope = match cache.text("scope").map(|scope| (scope, scope.value())) {
        None => "Private",
        Some((_, text)) if text == "private" => "Private",
        Some((_, text)) if text == "public" => "Public",
        Some((scope, _)) => {
            errors.at(scope, "`scope` of a cache is `\"public\"` or `\"private\"`\n`\"public\"` lets a cache give it to other users, too");
            "Private"
        }
    };
    let ttl = cache.expr("ttl").cloned();
    // A `ttl` that could not be read is told already.
    let is_told = list.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word != "scope"));
    if ttl.is_none() && (list.is_empty() || cache.has("scope") && !is_told) {
        errors.at(key, "`cache` does not say for how long\nadd `ttl = \"5m\"`");
    }
    Some(Cache { ttl: ttl?, scope })
}

/// Prompts and resources may be called anything but nothing.
pub(crate) fn check_not_empty(handler: &Handler, keys: &Keys, errors: &mut Errors) {
    if handler.name.is_empty() {
        let noun = handler.kind.noun();
        errors.at(handler.name_tokens(keys), format!("the name of a {noun} is empty\nwrite one, or remove `name`"));
    }
}

/// Headers mirror the arguments of tools; nothing else is sent with arguments.
pub(crate) fn check_no_header(handler: &Handler, errors: &mut Errors) {
    for header in handler.params.iter().filter_map(|param| param.options.header.as_ref()) {
        errors.at(
            header,
            format!("`header` is for arguments of tools, and this is a {}\nremove it", handler.kind.noun()),
        );
    }
}

/// Some keys make sense for one concrete resource, some for a template.
fn check_form(template: &Template, keys: &Keys, errors: &mut Errors) {
    if let Some(key) = keys.key("list").filter(|_| template.is_direct()) {
        errors.at(
            key,
            "`list` is for templates, and this URI has no variables\nremove it: the resource is listed as it is",
        );
    }
    if let Some(key) = keys.key("size").filter(|_| !template.is_direct()) {
        errors.at(key, "`size` is for a URI without variables\nremove it: what a template gives has no one size");
    }
}

/// Every variable needs an argument; every other parameter is made by the server.
fn check_variables(template: &Template, resource: &mut Resource, errors: &mut Errors) {
    let variables: Vec<&str> = template.variables().map(Variable::name).collect();
    let handler = &mut resource.handler;
    let is_named = |param: &Param| variables.contains(&param.name.as_str());
    let mut unnamed: Vec<&Param> =
        handler.params.iter().filter(|param| !param.is_context() && !is_named(param)).collect();
    // What was told to need a name would be one of the variables by it.
    let is_nameless = |param: &Param| param.name == NAMELESS && param.kind == ParamKind::Plain && !is_state(&param.ty);
    let nameless = unnamed.iter().filter(|param| is_nameless(param)).count();
    unnamed.retain(|param| !is_nameless(param));
    let has_argument = |name: &str| handler.params.iter().any(|param| !param.is_context() && param.name == name);
    let mut missing: Vec<&str> = variables.iter().copied().filter(|variable| !has_argument(variable)).collect();
    let mut no_argument = |variable: &str, advice: &str| {
        errors.at(&resource.uri, format!("template variable `{variable}` has no argument\n{advice}"));
    };
    let did_you_mean = |argument: &str| format!("there is an argument `{argument}`: did you mean `{{{argument}}}`?");
    // One mistake, one error: the argument that was meant is not reported, too.
    missing.retain(|variable| {
        let near = nearest(variable, unnamed.iter().map(|param| param.name.as_str())).map(str::to_owned);
        if let Some(near) = &near {
            no_argument(variable, &did_you_mean(near));
            unnamed.retain(|param| param.name != *near);
        }
        near.is_none()
    });
    missing.truncate(missing.len().saturating_sub(nameless));
    unnamed.retain(|param| param.is_surely_argument());
    // As many of these as of those: each pair is one thing with two names.
    if missing.len() == unnamed.len() {
        for (variable, param) in missing.drain(..).zip(unnamed.drain(..)) {
            no_argument(variable, &did_you_mean(&param.name));
        }
    }
    for variable in missing {
        let function = handler.function.signature.ident.unraw();
        let context = handler.params.iter().find(|param| param.is_context() && param.name == variable);
        let advice = match syn::parse_str::<Ident>(variable) {
            _ if context.is_some() => match context.map(|context| ungroup(&context.ty)) {
                Some(Type::Reference(reference)) if !is_ctx(&reference.elem) => {
                    format!("nothing but the context is borrowed: write `{variable}: {}`", show(&reference.elem))
                }
                _ => format!("`{variable}` is the context: rename one of them"),
            },
            Ok(_) => format!("add `{variable}: String` to `{function}`, or remove `{{{variable}}}` from the template"),
            Err(_) if syn::parse_str::<Ident>(&format!("r#{variable}")).is_ok() => {
                format!("add `r#{variable}: String` to `{function}`, or rename `{{{variable}}}` in the template")
            }
            Err(_) => format!("no argument can be called so: rename `{{{variable}}}` in the template"),
        };
        no_argument(variable, &advice);
    }
    for param in unnamed {
        let (name, uri) = (&param.name, resource.uri.value());
        // As routers of the web have it.
        let of_others = format!(":{name}");
        let remedy = if uri.contains(&of_others) {
            format!("write `{{{name}}}` instead of `{of_others}`")
        } else {
            format!("add `{{{name}}}` to the template, or remove the argument")
        };
        errors.at(param.name_tokens(), format!("argument `{name}` is not in the URI template \"{uri}\"\n{remedy}"));
    }
    for param in handler.params.iter_mut().filter(|param| param.kind == ParamKind::Plain) {
        if !variables.contains(&param.name.as_str()) {
            param.kind = ParamKind::Provided;
        }
    }
    for param in handler.params.iter().filter(|param| is_named(param)) {
        let (name, other) = match param.kind {
            ParamKind::FromContext => (&param.name, "`#[from_context]`"),
            ParamKind::Ask => (&param.name, "the answer to a question"),
            ParamKind::Plain if is_state(&param.ty) => (&param.name, "the server's state"),
            _ => continue,
        };
        errors.at(&param.pat, format!("`{name}` is a variable of the template and {other}\nremove one of them"));
    }
}
