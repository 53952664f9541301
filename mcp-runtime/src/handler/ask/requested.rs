//! A form as `requestedSchema`, in the order of its fields, as each revision knows it.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::form::{Choice, Field, FieldKind, Form, Format};
use crate::protocol::features::Features;
use crate::protocol::render::entry_if;
use crate::schema::Bound;

/// A form for a client of these features.
pub(crate) struct FormFor(pub(super) &'static Form, pub(super) &'static Features);

impl Serialize for FormFor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(self))?;
        let required: Vec<&str> =
            self.0.fields.iter().filter(|field| field.is_required()).map(|field| field.name).collect();
        entry_if(&mut map, "required", (!required.is_empty()).then_some(required))?;
        map.end()
    }
}

struct Properties<'a>(&'a FormFor);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FormFor(form, features) = *self.0;
        serializer.collect_map(form.fields.iter().map(|field| (field.name, Property(field, features))))
    }
}

struct Property(&'static Field, &'static Features);

/// A choice as `{"const": …, "title": …}`.
#[derive(Serialize)]
struct Titled {
    r#const: &'static str,
    title: &'static str,
}

fn titled(choices: &'static [Choice]) -> Vec<Titled> {
    choices.iter().map(|choice| Titled { r#const: choice.value, title: choice.label() }).collect()
}

fn values(choices: &'static [Choice]) -> Vec<&'static str> {
    choices.iter().map(|choice| choice.value).collect()
}

fn labels(choices: &'static [Choice]) -> Vec<&'static str> {
    choices.iter().map(Choice::label).collect()
}

fn have_titles(choices: &[Choice]) -> bool {
    choices.iter().any(|choice| !choice.title.is_empty())
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(field, features) = *self;
        let mut map = serializer.serialize_map(None)?;
        let kind = match field.kind {
            FieldKind::Integer(..) => "integer",
            FieldKind::Number => "number",
            FieldKind::Bool => "boolean",
            FieldKind::Several(_) if features.elicitation_modes => "array",
            FieldKind::Text | FieldKind::One(_) | FieldKind::Several(_) => "string",
        };
        map.serialize_entry("type", kind)?;
        entry_if(&mut map, "title", (!field.title.is_empty()).then_some(field.title))?;
        self.description(&mut map)?;
        match field.kind {
            FieldKind::Text => self.text_members(&mut map)?,
            FieldKind::Integer(least, most) => {
                let fits =
                    |bound: i128| (bound > i64::MIN.into() && bound < i64::MAX.into()).then_some(Bound::Int(bound));
                entry_if(&mut map, "minimum", field.range.min().or_else(|| fits(least)).and_then(Bound::to_value))?;
                entry_if(&mut map, "maximum", field.range.max().or_else(|| fits(most)).and_then(Bound::to_value))?;
            }
            FieldKind::Number => {
                entry_if(&mut map, "minimum", field.range.min().and_then(Bound::to_value))?;
                entry_if(&mut map, "maximum", field.range.max().and_then(Bound::to_value))?;
            }
            FieldKind::Bool => {}
            FieldKind::One(choices) if !have_titles(choices) => map.serialize_entry("enum", &values(choices))?,
            FieldKind::One(choices) if features.elicitation_modes && !field.enum_names => {
                map.serialize_entry("oneOf", &titled(choices))?;
            }
            FieldKind::One(choices) => {
                map.serialize_entry("enum", &values(choices))?;
                map.serialize_entry("enumNames", &labels(choices))?;
            }
            FieldKind::Several(choices) => self.several_members(&mut map, choices)?,
        }
        // 2025-06-18 knows a default for yes and no only.
        let has_default = features.elicitation_modes || matches!(field.kind, FieldKind::Bool);
        entry_if(&mut map, "default", field.default_value().filter(|value| has_default && !value.is_null()))?;
        map.end()
    }
}

impl Property {
    fn description<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let description = self.0.description;
        if let FieldKind::Several(choices) = self.0.kind {
            if !self.1.elicitation_modes {
                let choices: Vec<String> = choices.iter().map(|choice| format!("`{}`", choice.value)).collect();
                let text = format!("{description}\nAny of {}, with commas between them", choices.join(", "));
                return map.serialize_entry("description", text.trim_start());
            }
        }
        entry_if(map, "description", (!description.is_empty()).then_some(description))
    }

    fn text_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        entry_if(map, "minLength", self.0.length.0)?;
        entry_if(map, "maxLength", self.0.length.1)?;
        entry_if(map, "format", self.0.format.map(Format::as_str))
    }

    fn several_members<M: SerializeMap>(&self, map: &mut M, choices: &'static [Choice]) -> Result<(), M::Error> {
        if !self.1.elicitation_modes {
            return Ok(());
        }
        let items = if have_titles(choices) {
            json!({"anyOf": titled(choices)})
        } else {
            json!({"type": "string", "enum": values(choices)})
        };
        map.serialize_entry("items", &items)?;
        entry_if(map, "minItems", self.0.length.0)?;
        entry_if(map, "maxItems", self.0.length.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handler::ask::form::{FormField, FormPart};
    use crate::protocol::Revision;

    const Z: FormPart<bool> = FormField::PART.named(0, "z", "");
    const A: FormPart<Option<u64>> = FormField::PART.named(1, "a", "A number");
    const M: FormPart<String> = FormField::PART.named(2, "m", "").title("M");

    static FORM: Form = Form::new("test", &[Z.field(), A.field(), M.field()]);

    #[test]
    fn fields_stand_on_the_wire_in_the_order_of_the_source() {
        let written = serde_json::to_string(&FORM.with(Features::of(Revision::LATEST))).unwrap();
        let expected = r#"{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"integer","description":"A number","minimum":0},"m":{"type":"string","title":"M"}},"required":["z","m"]}"#;
        assert_eq!(written, expected);
    }
}
