//! `#[derive(Elicit)]`: a struct becomes a form, an enum without data a choice.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, LitStr, Meta, Path, Type, Variant};

use crate::case::{Case, snake};
use crate::diag::Errors;
use crate::docs::{self, Text};
use crate::fit::{Bounds, DefaultValue, Subject};
use crate::foreign::{Foreign, serde_text};
use crate::form::{Form, Key};
use crate::keys::Keys;
use crate::path::Runtime;
use crate::spelled::{inner, last_segment, show};

/// The keys of `#[elicit]` on a type.
const TYPE_KEYS: &[Key] = &[
    Key { name: "name", form: Form::TextLiteral, example: "name = \"confirm\"" },
    Key { name: "rename_all", form: Form::TextLiteral, example: "rename_all = \"snake_case\"" },
    Key { name: "crate", form: Form::Path, example: "crate = ::mcp_runtime" },
];

/// The keys of `#[elicit]` on a field.
const FIELD_KEYS: &[Key] = &[
    Key { name: "default", form: Form::Expr, example: "default = 2" },
    Key { name: "title", form: Form::Text, example: "title = \"Nights\"" },
    Key { name: "description", form: Form::Text, example: "description = \"How many nights\"" },
    Key { name: "name", form: Form::TextLiteral, example: "name = \"type\"" },
    Key { name: "range", form: Form::List, example: "range(min = 1, max = 30)" },
    Key { name: "length", form: Form::List, example: "length(min = 1, max = 80)" },
    Key { name: "format", form: Form::TextLiteral, example: "format = \"email\"" },
    Key { name: "enum_names", form: Form::Bare, example: "enum_names" },
];

/// The keys of `#[elicit]` on a variant.
const VARIANT_KEYS: &[Key] = &[
    Key { name: "title", form: Form::Text, example: "title = \"First class\"" },
    Key { name: "name", form: Form::TextLiteral, example: "name = \"first\"" },
];

/// A type that a person can be asked for.
pub(crate) struct Elicit {
    pub(crate) runtime: Runtime,
    pub(crate) ident: Ident,
    /// Whether it has `#[data]` still before it, which spells the types of its fields in another way.
    pub(crate) is_data: bool,
    pub(crate) foreign: Foreign,
    /// What its questions are called.
    pub(crate) key: String,
    pub(crate) doc: Text,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    Form(Vec<Field>),
    Choice(Vec<Choice>),
}

/// A field of a form.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: String,
    pub(crate) title: Option<Expr>,
    pub(crate) doc: Text,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
    /// The variant of the runtime's `Format`.
    pub(crate) format: Option<&'static str>,
    pub(crate) enum_names: bool,
}

/// A variant of a choice.
pub(crate) struct Choice {
    pub(crate) ident: Ident,
    pub(crate) value: String,
    pub(crate) title: Text,
}

/// What has to be known of a type to stand in for what it would be without its mistakes.
pub(crate) struct Stub {
    pub(crate) runtime: Runtime,
    pub(crate) ident: Ident,
    pub(crate) is_choice: bool,
    /// What a form is not, whatever its mistakes are.
    pub(crate) is_of_one_thread: bool,
}

impl Stub {
    /// The stub of a type, if it can have one.
    pub(crate) fn of(item: &TokenStream) -> Option<Self> {
        let input: DeriveInput = syn::parse2(item.clone()).ok()?;
        let is_choice = matches!(input.data, Data::Enum(_));
        let is_of_one_thread =
            matches!(&input.data, Data::Struct(data) if data.fields.iter().any(|field| is_of_one_thread(&field.ty)));
        input.generics.params.is_empty().then(|| Self {
            runtime: runtime(&input.attrs),
            ident: input.ident,
            is_choice,
            is_of_one_thread,
        })
    }
}

impl Elicit {
    /// Reads a type. After a mistake there is none.
    pub(crate) fn parse(input: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let keys = keys("#[elicit]", &input.attrs, TYPE_KEYS, errors);
        let foreign = foreign(&input, errors);
        let runtime = runtime(&input.attrs);
        let is_data = |path: &Path| path.segments.last().is_some_and(|last| last.ident == "data");
        let is_data = input.attrs.iter().any(|attribute| is_data(attribute.path()));
        let ident = input.ident;
        let case = case(&keys, &input.attrs, errors);
        // What a variant holds is the one mistake, and with it goes the parameter.
        let holds_data = match &input.data {
            Data::Enum(data) => data.variants.iter().any(|variant| !matches!(variant.fields, Fields::Unit)),
            Data::Struct(_) | Data::Union(_) => false,
        };
        if !input.generics.params.is_empty() && !holds_data {
            errors.at(
                &input.generics.params,
                format!(
                    "form `{ident}` must not be generic\nthe client is sent one form, so every type must be concrete"
                ),
            );
        }
        let shape = match input.data {
            Data::Struct(data) => Shape::Form(fields(&ident, data.fields, case, errors)?),
            Data::Enum(data) if data.variants.is_empty() => {
                errors.at(&ident, format!("choice `{ident}` has nothing to choose\nadd a variant"));
                return None;
            }
            Data::Enum(data) => Shape::Choice(
                data.variants.into_iter().filter_map(|variant| choice(&ident, variant, case, errors)).collect(),
            ),
            Data::Union(data) => {
                errors.at(
                    data.union_token,
                    "a form is a struct or an enum\nwrite `struct`, with a field for each thing to fill in",
                );
                return None;
            }
        };
        check_twins(&shape, errors);
        let named = keys.text("name");
        if let Some(name) = named.filter(|name| name.value().is_empty()) {
            errors.at(name, format!("form `{ident}` needs a name\nwrite what its questions are called, or remove it"));
        }
        let key = named.map_or_else(|| snake(&ident.unraw().to_string()), LitStr::value);
        Some(Self { runtime, key, doc: docs::text(&input.attrs), shape, ident, is_data, foreign })
    }
}

/// What stands on it that is not `#[elicit]`.
fn foreign(input: &DeriveInput, errors: &mut Errors) -> Foreign {
    let mut foreign = Foreign::default();
    foreign.note(&input.attrs, TYPE_KEYS, errors);
    match &input.data {
        Data::Struct(data) => data.fields.iter().for_each(|field| foreign.note(&field.attrs, FIELD_KEYS, errors)),
        Data::Enum(data) => {
            data.variants.iter().for_each(|variant| foreign.note(&variant.attrs, VARIANT_KEYS, errors));
        }
        Data::Union(_) => {}
    }
    foreign
}

fn keys(place: &str, attributes: &[Attribute], table: &[Key], errors: &mut Errors) -> Keys {
    let mut keys = Keys::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("elicit")) {
        match &attribute.meta {
            Meta::List(list) => keys.extend(place, list.tokens.clone(), &[table], errors),
            Meta::Path(path) => {
                errors
                    .at(path, "`#[elicit]` takes keys in parentheses\nwrite `#[elicit(title = \"…\")]`, or remove it");
            }
            Meta::NameValue(pair) => {
                errors.at(&pair.value, "`#[elicit]` takes keys in parentheses\nwrite `#[elicit(title = \"…\")]`");
            }
        }
    }
    keys
}

/// The runtime's path, from the type's own attribute.
fn runtime(attributes: &[Attribute]) -> Runtime {
    let given =
        attributes.iter().filter(|attribute| attribute.path().is_ident("elicit")).find_map(
            |attribute| match &attribute.meta {
                Meta::List(list) => Runtime::given(&list.tokens),
                _ => None,
            },
        );
    given.unwrap_or_default()
}

/// How names are written: as `rename_all` of ours says, or serde's, or as they are.
fn case(keys: &Keys, attributes: &[Attribute], errors: &mut Errors) -> Case {
    let Some(text) = keys.text("rename_all") else {
        return serde_text(attributes, "rename_all").and_then(|text| Case::named(&text)).unwrap_or(Case::AsIs);
    };
    Case::named(&text.value()).unwrap_or_else(|| {
        errors.at(text, format!("`rename_all` does not know this case\nexpected one of: {}", Case::NAMES));
        Case::AsIs
    })
}

fn fields(form: &Ident, fields: Fields, case: Case, errors: &mut Errors) -> Option<Vec<Field>> {
    match fields {
        Fields::Named(fields) if !fields.named.is_empty() => {
            Some(fields.named.into_iter().filter_map(|one| field(one, case, errors)).collect())
        }
        Fields::Unnamed(fields) => {
            errors.at(fields, format!("the fields of form `{form}` need names\nthe person sees them: write `struct {form} {{ name: Type }}`"));
            None
        }
        Fields::Named(_) | Fields::Unit => {
            errors.at(form, format!("form `{form}` has nothing to fill in\nadd a field, such as `sure: bool`"));
            None
        }
    }
}

fn field(field: syn::Field, case: Case, errors: &mut Errors) -> Option<Field> {
    let ident = field.ident?;
    let own_name = ident.unraw().to_string();
    if is_of_one_thread(&field.ty) {
        let ty = show(&field.ty);
        errors.at(&field.ty, format!("a field of a form is text, a number, `bool` or an enum of names, but `{own_name}` is `{ty}`\nwrite the type inside it, or leave the field out"));
        return None;
    }
    let keys = keys("#[elicit]", &field.attrs, FIELD_KEYS, errors);
    let subject = Subject { noun: "field", name: &own_name, ty: &field.ty };
    let default = subject.default(&keys, errors);
    let range = subject.range(&keys, errors);
    let length = subject.length(&keys, errors);
    let format = format(&subject, &keys, errors);
    if let (Some(key), Some(_)) = (keys.key("enum_names"), subject.present()) {
        let ty = show(&field.ty);
        errors.at(key, format!("`enum_names` is for an enum, but `{own_name}` is `{ty}`\nremove it"));
    }
    let named = subject.new_name(&keys, errors).map(|name| name.value());
    let named = named.or_else(|| serde_text(&field.attrs, "rename"));
    Some(Field {
        name: named.unwrap_or_else(|| case.of_field(&own_name)),
        title: keys.expr("title").cloned(),
        doc: docs::described(&field.attrs, &keys, errors),
        default,
        range,
        length,
        format,
        enum_names: keys.has("enum_names"),
        ty: field.ty,
        ident,
    })
}

/// A pointer or a cell, by its spelling: beside what it is not, the compiler would tell that the form is not `Send`, wherever it
/// has to be. A form has no parameters, so it is none of the author's own.
fn is_of_one_thread(ty: &Type) -> bool {
    const NAMES: [&str; 7] = ["Box", "Rc", "Weak", "Cell", "RefCell", "OnceCell", "LazyCell"];
    let Some((segment, within)) = last_segment(ty).and_then(|segment| Some((segment, inner(segment)?))) else {
        return false;
    };
    NAMES.iter().any(|name| segment.ident == name) || is_of_one_thread(within)
}

fn format(field: &Subject<'_>, keys: &Keys, errors: &mut Errors) -> Option<&'static str> {
    let format = keys.text("format")?;
    if !field.is_text("format", keys, errors) {
        return None;
    }
    let known = match format.value().as_str() {
        "email" => "Email",
        "uri" => "Uri",
        "date" => "Date",
        "date-time" => "DateTime",
        _ => {
            errors.at(format, "`format` does not know this\nexpected one of: `email`, `uri`, `date`, `date-time`");
            return None;
        }
    };
    Some(known)
}

fn choice(of: &Ident, variant: Variant, case: Case, errors: &mut Errors) -> Option<Choice> {
    let own_name = variant.ident.unraw().to_string();
    if !matches!(variant.fields, Fields::Unit) {
        errors.at(&variant.fields, format!("`{of}::{own_name}` holds data, but a form offers names only\nremove the data, and ask for it with a field of its own"));
        return None;
    }
    let keys = keys("#[elicit]", &variant.attrs, VARIANT_KEYS, errors);
    let named = keys.text("name");
    if let Some(name) = named.filter(|name| name.value().is_empty()) {
        errors.at(name, format!("`{of}::{own_name}` needs a name\nwrite the value that the client sends"));
    }
    let named = named.map(LitStr::value).or_else(|| serde_text(&variant.attrs, "rename"));
    Some(Choice {
        value: named.unwrap_or_else(|| case.of_variant(&own_name)),
        title: keys
            .expr("title")
            .cloned()
            .map_or_else(|| docs::text(&variant.attrs), |expr| Text::Expr(Box::new(expr))),
        ident: variant.ident,
    })
}

fn check_twins(shape: &Shape, errors: &mut Errors) {
    let named: Vec<(&Ident, &str)> = match shape {
        Shape::Form(fields) => fields.iter().map(|field| (&field.ident, field.name.as_str())).collect(),
        Shape::Choice(choices) => choices.iter().map(|choice| (&choice.ident, choice.value.as_str())).collect(),
    };
    for (at, (ident, name)) in named.iter().enumerate() {
        let mut before = named.iter().take(at);
        if before.clone().any(|(before, _)| before == ident) {
            errors.leave_to_rustc();
        } else if before.any(|(_, other)| other == name) {
            errors.at(ident, format!("two parts of this form are called `{name}`\ngive one of them another `name`"));
        }
    }
}

/// The type as the derive receives it; what is no struct or enum is rustc's to report.
pub(crate) fn read(item: TokenStream, errors: &mut Errors) -> Option<Elicit> {
    let Ok(input) = syn::parse2::<DeriveInput>(item) else {
        errors.leave_to_rustc();
        return None;
    };
    Elicit::parse(input, errors)
}
