//! What tools, resources and prompts have in common: the rules for the function, and the keys that all three take.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Attribute, Expr, FnArg, GenericParam, ReturnType, Safety, Type};

use crate::ask;
use crate::clash;
use crate::diag::Errors;
use crate::docs::{self, Text};
use crate::form::{Form, Key};
use crate::function::{Function, Helpers};
use crate::heard;
use crate::keys::Keys;
use crate::kind::Kind;
use crate::param::{Param, ParamKind, is_ctx, self_type};
use crate::spelled::{Loose, is_unsized, last_segment, mentions, show, ungroup};
use crate::unadvised::spell_letters;
use crate::values::{is_endless, is_icon, milliseconds};
use crate::wrapped;

/// The keys that all three attributes take.
pub(crate) const KEYS: &[Key] = &[
    Key { name: "name", form: Form::TextLiteral, example: "name = \"add\"" },
    Key { name: "title", form: Form::Text, example: "title = \"Add numbers\"" },
    Key { name: "description", form: Form::Text, example: "description = \"Adds two numbers\"" },
    Key { name: "icon", form: Form::Icon, example: "icon = \"https://example.com/icon.png\"" },
    Key { name: "group", form: Form::Text, example: "group = \"admin\"" },
    Key { name: "timeout", form: Form::Text, example: "timeout = \"30s\"" },
    Key { name: "blocking", form: Form::Bare, example: "blocking" },
    Key { name: "disabled", form: Form::Flag, example: "disabled" },
    Key {
        name: "meta",
        form: Form::Expr,
        example: "meta = mcp_runtime::serde_json::json!({\"example.com/team\": \"notes\"})",
    },
];

/// Where the runtime is, and a name that is taken for what comes with authorization.
pub(crate) const RESERVED: &[Key] = &[
    Key { name: "crate", form: Form::Path, example: "crate = ::mcp_runtime" },
    Key { name: "scopes", form: Form::Refused, example: "" },
];

/// A function that becomes a tool, resource or prompt.
pub(crate) struct Handler {
    pub(crate) kind: Kind,
    pub(crate) function: Function,
    /// The name that clients see.
    pub(crate) name: String,
    /// In the order of the function's parameters.
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Option<Type>,
    pub(crate) is_blocking: bool,
    /// Whether another handler has its name and other types.
    pub(crate) has_twin: bool,
    pub(crate) about: About,
}

/// What the common keys say.
pub(crate) struct About {
    pub(crate) title: Option<Expr>,
    pub(crate) description: Text,
    pub(crate) icon: Option<Expr>,
    pub(crate) group: Option<Expr>,
    pub(crate) timeout: Option<Expr>,
    pub(crate) disabled: Option<Expr>,
    pub(crate) meta: Option<Expr>,
}

impl Handler {
    /// Checks a function and the common ones among its attribute's `keys`. The function's helper attributes are off already.
    pub(crate) fn parse(
        kind: Kind,
        mut function: Function,
        helpers: &[Helpers],
        keys: &Keys,
        errors: &mut Errors,
    ) -> Self {
        let own_name = function.signature.ident.unraw().to_string();
        let who = format!("{} `{own_name}`", kind.noun());
        let about = About::parse(&function, keys, errors);
        check_header(&who, &function, errors);
        clash::check(&who, &function, errors);
        let pairs = function.params().zip(helpers);
        let mut params: Vec<Param> = pairs.map(|(typed, helpers)| Param::parse(&who, typed, helpers, errors)).collect();
        check_together(kind, &who, &params, errors);
        ask::check(&params, errors);
        let mut returns = match &function.signature.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some((**ty).clone()),
        };
        if let Some(ty) = returns.as_ref().filter(|_| !function.is_method()) {
            check_return(&who, &function, ty, errors);
            wrapped::check_result(kind, &who, ty, errors);
        }
        if let (Some(key), Some(_)) = (keys.key("blocking"), function.signature.asyncness) {
            errors.at(
                key,
                format!("`blocking` is for a plain `fn`, but {who} is `async`\nremove `blocking`, or `async`"),
            );
        }
        function.types_mut().for_each(spell_letters);
        params.iter_mut().map(|param| &mut param.ty).chain(&mut returns).for_each(spell_letters);
        let name = keys.text("name").map_or(own_name, syn::LitStr::value);
        let has_twin = heard::has_twin(&function.signature);
        Self { kind, name, params, returns, is_blocking: keys.has("blocking"), has_twin, about, function }
    }

    /// Whether it has declared questions.
    pub(crate) fn asks(&self) -> bool {
        self.params.iter().any(|param| param.kind == ParamKind::Ask)
    }

    /// Whether the function is an `async fn`.
    pub(crate) fn is_async(&self) -> bool {
        self.function.signature.asyncness.is_some()
    }

    /// Whether it runs where it is called: on no other thread, and without a future.
    pub(crate) fn is_in_place(&self) -> bool {
        !self.is_async() && !self.is_blocking && !self.asks()
    }

    /// Where the name that clients see is written.
    pub(crate) fn name_tokens<'a>(&'a self, keys: &'a Keys) -> &'a dyn ToTokens {
        match keys.text("name") {
            Some(name) => name,
            None => &self.function.signature.ident,
        }
    }
}

impl About {
    fn parse(function: &Function, keys: &Keys, errors: &mut Errors) -> Self {
        if let Some(key) = keys.key("scopes") {
            errors.at(key, "`scopes` comes with authorization, which this version does not have\nremove it; until then check the caller with `#[from_context]`");
        }
        if let Some(icon) = keys.text("icon").filter(|icon| !is_icon(&icon.value())) {
            errors.at(icon, "`icon` is an address that clients load\nbegin it with `https://` or `data:`, or write `include_bytes!(\"icon.png\")`");
        }
        if let Some(group) = keys.text("group").filter(|group| group.value().is_empty()) {
            errors.at(group, "`group` needs a name\nwrite one such as `group = \"admin\"`, or remove it");
        }
        check_duration("timeout", keys, errors);
        let zero = keys.text("timeout").filter(|timeout| milliseconds(&timeout.value()) == Some(0));
        if let Some(timeout) = zero {
            errors.at(timeout, "`timeout` is zero, so every call would fail\nwrite a longer one, or remove it");
        }
        Self {
            title: keys.expr("title").cloned(),
            description: docs::described(&function.attrs, keys, errors),
            icon: keys.expr("icon").cloned(),
            group: keys.expr("group").cloned(),
            timeout: keys.expr("timeout").cloned(),
            disabled: keys.flag("disabled"),
            meta: keys.expr("meta").cloned(),
        }
    }
}

/// Checks the text of a duration, where it is a literal.
pub(crate) fn check_duration(key: &str, keys: &Keys, errors: &mut Errors) {
    if let Some(text) = keys.text(key).filter(|text| milliseconds(&text.value()).is_none()) {
        let rule =
            if is_endless(&text.value()) { "is longer than can be waited" } else { "is a whole number with a unit" };
        errors.at(text, format!("`{key}` {rule}\nwrite `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"2h\"`"));
    }
    if let Some(value) = keys.expr(key).filter(|value| mentions(value.to_token_stream(), "Duration")) {
        errors.at(
            value,
            format!("`{key}` is a text, not a `Duration`\nwrite `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"2h\"`"),
        );
    }
}

/// Checks everything of the header but parameters and the return type.
fn check_header(who: &str, function: &Function, errors: &mut Errors) {
    let signature = &function.signature;
    let mut refuse = |word: &str, tokens: &dyn ToTokens| {
        errors.at(
            tokens,
            format!("{who} must not be `{word}`\nclients call it at run time: write a plain `fn` or `async fn`"),
        );
    };
    if let Some(token) = signature.constness {
        refuse("const", &token);
    }
    if let Safety::Unsafe(token) = signature.safety {
        refuse("unsafe", &token);
    }
    if let Some(abi) = &signature.abi {
        refuse("extern", abi);
    }
    for attribute in function.attrs.iter().filter(|attribute| is_main(attribute)) {
        let path = show(attribute.path());
        errors.at(
            attribute.path(),
            format!("`{path}` is for the `main` of a program, and {who} is called by the server\nremove it"),
        );
    }
    if function.is_expanded() {
        let own_name = &signature.ident;
        errors.at(own_name, format!("`{own_name}` has such an attribute already, by another name\nremove one of them, or write a second function that calls the first"));
    }
    if function.makes_runtime() {
        errors.at(
            &signature.ident,
            format!("`#[tokio::main]` is for the `main` of a program, and {who} is called by the server\nremove it"),
        );
    }
    // What else is unusual about a method, such as what `#[async_trait]` makes of it, comes with it.
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
        errors.at(receiver, format!("{who} must be a free function, without `self`\nmove it out of the `impl`, and take shared values as `State<T>`"));
        return;
    }
    check_generics(who, function, errors);
    if signature.variadic.is_some() {
        errors.leave_to_rustc();
    }
    if function.is_bodiless() {
        errors.at(&signature.ident, format!("{who} needs a body\nput the attribute on a function that has one"));
    } else if function.instead_of_body().is_some() {
        // As in `fn add(): i64 { … }`.
        errors.leave_to_rustc();
    }
}

/// `#[tokio::main]`, and what others call the same: it makes a runtime of its own.
fn is_main(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "main")
}

fn check_generics(who: &str, function: &Function, errors: &mut Errors) {
    let generics = &function.signature.generics;
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    if !generics.params.is_empty() && generics.params.iter().all(is_lifetime) {
        errors.at(
            &generics.params,
            format!("{who} must not have lifetime parameters\nwrite `&Ctx` without one, and own everything else"),
        );
    } else if !generics.params.is_empty() {
        errors.at(&generics.params, format!("{who} must not be generic\nits arguments and result need one schema each, so every type must be concrete"));
    } else if let Some(clause) = &generics.where_clause {
        errors.at(clause, format!("{who} must not have a `where` clause\nevery type is concrete, so there is nothing to constrain: remove it"));
    }
}

/// Checks what only several parameters together can do wrong.
fn check_together(kind: Kind, who: &str, params: &[Param], errors: &mut Errors) {
    check_contexts(kind, who, params, errors);
    // A resource has no such object at all, and is told so.
    if kind != Kind::Resource {
        check_alone(who, params, errors);
    }
    for (at, param) in params.iter().enumerate() {
        let before = params.get(..at).unwrap_or_default();
        let is_twin = |other: &&Param| !other.is_context() && !param.is_context() && other.name == param.name;
        // Two parameters that are called the same in Rust are reported by the compiler.
        let is_renamed = |other: &Param| param.options.name.is_some() || other.options.name.is_some();
        if before.iter().find(is_twin).is_some_and(is_renamed) {
            errors.at(
                param.name_tokens(),
                format!("two arguments of {who} are called `{}`\ngive one of them another `name`", param.name),
            );
        }
        let Some(header) = &param.options.header else { continue };
        let is_same = |other: &Param| {
            other.options.header.as_ref().is_some_and(|other| other.value().eq_ignore_ascii_case(&header.value()))
        };
        if before.iter().any(is_same) {
            errors.at(header, format!("two arguments of {who} have the header `{}`\nheaders do not differ by case: give one of them another", header.value()));
        }
    }
}

/// Beside the context by its own name, another reference is the context again, or was not to be borrowed. Of references by
/// other names the compiler finds out what they are, and of a resource's, its template says more.
fn check_contexts(kind: Kind, who: &str, params: &[Param], errors: &mut Errors) {
    let borrowed = params.iter().filter_map(|param| match ungroup(&param.ty) {
        Type::Reference(reference) if param.is_context() => Some((param, &*reference.elem)),
        _ => None,
    });
    let (contexts, others): (Vec<_>, Vec<_>) = borrowed.partition(|(_, inner)| is_ctx(inner));
    if let Some((second, _)) = contexts.get(1) {
        errors.at(&second.pat, format!("{who} takes the context twice\nremove one of them"));
    }
    for (param, inner) in others.iter().filter(|_| !contexts.is_empty() && kind != Kind::Resource) {
        let (name, ty) = (&param.name, show(inner));
        errors.at(&param.ty, format!("{who} borrows something beside its context\nwrite `{name}: State<{ty}>` if the server shares it, `{name}: {ty}` if the client sends it, or remove it"));
    }
}

/// `Args<T>` and another argument, where both are spelled so; under other names the compiler finds them.
fn check_alone(who: &str, params: &[Param], errors: &mut Errors) {
    let is_whole = |param: &&Param| param.kind == ParamKind::Plain && is_args(&param.ty);
    let mut wholes = params.iter().filter(is_whole);
    let Some(first) = wholes.next() else { return };
    if let Some(second) = wholes.next() {
        errors.at(
            &second.ty,
            format!("{who} takes the whole arguments object twice\nmove the fields of one type into the other"),
        );
    } else if let Some(single) = params.iter().find(|param| !is_whole(param) && param.is_surely_argument()) {
        let (whole, name) = (show(&first.ty), &single.name);
        errors.at(&single.pat, format!("`{whole}` is all the arguments of {who}, so `{name}` cannot stand beside it\nmake `{name}` a field of its type"));
    }
}

/// `Args<…>` by that name. Without arguments it may be a type of the author's.
pub(crate) fn is_args(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "Args" && !segment.arguments.is_none())
}

fn check_return(who: &str, function: &Function, ty: &Type, errors: &mut Errors) {
    if let Type::Never(never) = ungroup(ty) {
        errors.at(never, format!("{who} never returns, so its client would wait forever\nreturn a value"));
        return;
    }
    if is_unsized(ty) {
        errors.leave_to_rustc();
        return;
    }
    if let Some(word) = future_in(ty) {
        errors.at(word, format!("{who} returns a future\nwrite `async fn` and the type it resolves to"));
        return;
    }
    match Loose::find(ty) {
        Some(Loose::Opaque(word)) => {
            errors.at(word, format!("the result of {who} must have a name\nits schema is made from the type: write a concrete one instead of `impl …`"));
        }
        Some(Loose::Borrowed(span)) => check_borrowed(who, function, span, errors),
        Some(Loose::SelfType(word)) => self_type(who, &word, errors),
        Some(Loose::Placeholder | Loose::Named) => errors.leave_to_rustc(),
        None => {}
    }
}

/// The word of a type that says so: `BoxFuture`, or `Future` as a trait.
fn future_in(ty: &Type) -> Option<Ident> {
    if let Some(segment) = last_segment(ty).filter(|segment| segment.ident.to_string().ends_with("BoxFuture")) {
        return Some(segment.ident.clone());
    }
    let words = ty.to_token_stream().into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    words.skip_while(|word| word != "impl" && word != "dyn").find(|word| word == "Future")
}

/// Without anything to borrow from, the compiler has an error of its own.
fn check_borrowed(who: &str, function: &Function, span: Span, errors: &mut Errors) {
    if function.params().any(|param| matches!(ungroup(&param.ty), Type::Reference(_))) {
        errors
            .on(span, format!("the result of {who} must be owned\nwrite `String`, or `&'static str` for a fixed text"));
    } else {
        errors.leave_to_rustc();
    }
}

/// One function is one thing to a client.
pub(crate) fn check_mark(kind: Kind, function: &Function, mark: &Attribute, errors: &mut Errors) {
    let (name, own) = (&function.signature.ident, kind.attribute());
    errors.at(
        mark.path(),
        format!("`{name}` has `{own}` already\nremove one of them, or write a second function that calls the first"),
    );
}

/// Whether what cannot be read as a function is one all the same.
pub(crate) fn is_function(item: &TokenStream) -> bool {
    words(item).any(|word| word == "fn")
}

/// Whether an expression begins here: a closure, a block, a literal.
pub(crate) fn is_expression(item: &TokenStream) -> bool {
    item.clone().into_iter().next().is_some_and(|token| match token {
        TokenTree::Ident(word) => word == "move",
        TokenTree::Punct(sign) => sign.as_char() != '#',
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    })
}

/// What stands where a function should: its first keyword.
pub(crate) fn check_item(kind: Kind, item: &TokenStream, error: &syn::Error, errors: &mut Errors) {
    const ITEMS: [&str; 12] =
        ["struct", "enum", "union", "trait", "impl", "mod", "use", "static", "const", "type", "macro_rules", "extern"];
    let word = words(item).find(|word| ITEMS.iter().any(|name| word == name)).or_else(|| words(item).next());
    let place = word.map_or_else(|| error.span(), |word| word.span());
    errors.on(place, format!("`{}` goes on a function\nmove it to a `fn` or `async fn`", kind.attribute()));
}

fn words(item: &TokenStream) -> impl Iterator<Item = Ident> {
    item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident),
        _ => None,
    })
}
