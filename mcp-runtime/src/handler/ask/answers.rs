//! What a person filled in, read leniently and held against the form.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::form::{Choice, Field, FieldKind, Form, FormPart, Format};
use crate::schema::{Bound, EXACT};

/// An answer does not fit; its [`Answers`] have the reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// What was filled in.
#[derive(Debug)]
pub struct Answers<'a> {
    form: &'static Form,
    given: &'a Map<String, Value>,
    faults: Vec<String>,
}

impl<'a> Answers<'a> {
    pub(crate) const fn new(form: &'static Form, given: &'a Map<String, Value>) -> Self {
        Self { form, given, faults: Vec::new() }
    }

    /// The value of a field; what is wrong with it is noted.
    ///
    /// # Errors
    ///
    /// When it does not fit.
    pub fn take<T>(&mut self, part: &FormPart<T>) -> Result<T, Refused> {
        // The form's own field: the same data, but as long-lived as the form.
        let Some(field) = self.form.fields.get(part.index) else { return Err(Refused) };
        let given = self
            .given
            .get(field.name)
            .filter(|value| !(value.is_null() || field.is_optional && is_blank(value, field.kind)));
        let default = field.default_value().filter(|value| !value.is_null());
        let Some(value) = given.or(default.as_ref()) else {
            return (part.absent)().ok_or_else(|| self.refuse(field, &Expected(field), "nothing"));
        };
        match accept(field, value).and_then(part.from_answer) {
            Some(read) => Ok(read),
            None => Err(self.refuse(field, &Expected(field), &shorten(value))),
        }
    }

    fn refuse(&mut self, field: &Field, expected: &dyn fmt::Display, came: &str) -> Refused {
        self.faults.push(format!("/{}: expected {expected}, but got {came}", field.name));
        Refused
    }

    /// All that is wrong, a line each.
    pub(crate) fn into_faults(self) -> String {
        self.faults.iter().flat_map(|fault| ["\n- ", fault]).collect()
    }
}

/// An empty input of a page counts as no number, but it is a text.
fn is_blank(value: &Value, kind: FieldKind) -> bool {
    !matches!(kind, FieldKind::Text) && value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn shorten(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The value in its field's own JSON type, if it is one that the field allows.
fn accept(field: &Field, value: &Value) -> Option<Value> {
    match field.kind {
        FieldKind::Text => text(value).filter(|text| fits(field, text)).map(Value::String),
        FieldKind::Integer(..) => integer(value).filter(|number| is_within(field, number)).map(Value::Number),
        FieldKind::Number => number(value).filter(|number| is_within(field, number)).map(Value::Number),
        FieldKind::Bool => boolean(value).map(Value::Bool),
        FieldKind::One(choices) => choice(choices, value),
        FieldKind::Several(choices) => several(field, choices, value),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => serde_json::from_str(text.trim()).ok(),
        _ => None,
    }
}

/// A whole number; `30.0` is one, `1.5` and what a double cannot hold exactly are none.
fn integer(value: &Value) -> Option<Number> {
    let number = number(value)?;
    if number.is_i64() || number.is_u64() {
        return Some(number);
    }
    let double = number.as_f64().filter(|double| double.fract() == 0.0 && double.abs() <= EXACT)?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    Some(Number::from(double as i64))
}

fn is_within(field: &Field, number: &Number) -> bool {
    let Some(number) = Bound::of(number) else { return false };
    let (min, max) = (field.range.min(), field.range.max());
    min.is_none_or(|min| number.compare(min).is_some_and(std::cmp::Ordering::is_ge))
        && max.is_none_or(|max| number.compare(max).is_some_and(std::cmp::Ordering::is_le))
}

fn fits(field: &Field, text: &str) -> bool {
    let length = text.chars().count() as u64;
    is_of_length(field, length) && field.format.is_none_or(|format| is_formatted(format, text))
}

fn is_of_length(field: &Field, length: u64) -> bool {
    let (min, max) = field.length;
    min.is_none_or(|min| length >= min) && max.is_none_or(|max| length <= max)
}

/// The value of a choice; its title does, too, because some clients send what they show.
fn choice(choices: &[Choice], value: &Value) -> Option<Value> {
    let text = text(value)?;
    let by_value = choices.iter().find(|choice| choice.value == text);
    let found = by_value.or_else(|| choices.iter().find(|choice| !choice.title.is_empty() && choice.title == text));
    found.map(|choice| choice.value.into())
}

fn several(field: &Field, choices: &[Choice], value: &Value) -> Option<Value> {
    let chosen: Vec<Value> = match value {
        Value::Array(values) => values.iter().map(|value| choice(choices, value)).collect::<Option<_>>()?,
        Value::String(text) => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| choice(choices, &part.into())).collect::<Option<_>>()?
        }
        _ => return None,
    };
    is_of_length(field, chosen.len() as u64).then(|| chosen.into())
}

/// Whether a text has a format, as far as a server should judge: what is clearly something else is refused.
fn is_formatted(format: Format, text: &str) -> bool {
    match format {
        Format::Email => text.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && !host.is_empty() && !host.contains('@') && !text.contains(char::is_whitespace)
        }),
        Format::Uri => is_uri(text),
        Format::Date => is_date(text),
        Format::DateTime => text.split_once(['T', 't', ' ']).is_some_and(|(date, time)| is_date(date) && is_time(time)),
    }
}

/// An absolute URI.
pub(crate) fn is_uri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.is_empty()
            && !rest.contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c))
    })
}

/// `2026-07-28`
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = split(text, '-') else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 31,
    };
    text.len() == 10 && (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// `15:00:58Z`, `15:00:58.5+01:00`
fn is_time(text: &str) -> bool {
    let Some((clock, zone)) = text.find(['Z', 'z', '+', '-']).and_then(|at| text.split_at_checked(at)) else {
        return false;
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_clock = split(clock, ':')
        .is_some_and(|[hour, minute, second]| clock.len() == 8 && hour < 24 && minute < 60 && second <= 60);
    let is_zone = matches!(zone, "Z" | "z")
        || zone.get(1..).is_some_and(|zone| {
            zone.len() == 5
                && split(&format!("{zone}:00"), ':').is_some_and(|[hour, minute, _]| hour < 24 && minute < 60)
        });
    is_clock && is_zone && !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit())
}

fn split(text: &str, at: char) -> Option<[u32; 3]> {
    let mut parts =
        text.split(at).map(|part| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten());
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

/// What a field takes, in words.
struct Expected<'a>(&'a Field);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.0;
        match field.kind {
            FieldKind::Text => {
                f.write_str(field.format.map_or("text", |format| match format {
                    Format::Email => "an e-mail address",
                    Format::Uri => "a URI",
                    Format::Date => "a date such as `2026-07-28`",
                    Format::DateTime => "a date and time such as `2026-07-28T15:00:00Z`",
                }))?;
                bounds(f, field.length.0, field.length.1, " characters")
            }
            FieldKind::Integer(..) => {
                f.write_str("a whole number")?;
                bounds(f, field.range.min().and_then(Bound::to_value), field.range.max().and_then(Bound::to_value), "")
            }
            FieldKind::Number => {
                f.write_str("a number")?;
                bounds(f, field.range.min().and_then(Bound::to_value), field.range.max().and_then(Bound::to_value), "")
            }
            FieldKind::Bool => f.write_str("`true` or `false`"),
            FieldKind::One(choices) => listed(f, "one of ", choices),
            FieldKind::Several(choices) => {
                listed(f, "a list of ", choices)?;
                bounds(f, field.length.0, field.length.1, " of them")
            }
        }
    }
}

fn bounds(
    f: &mut fmt::Formatter<'_>,
    min: Option<impl fmt::Display>,
    max: Option<impl fmt::Display>,
    unit: &str,
) -> fmt::Result {
    match (min, max) {
        (None, None) => Ok(()),
        (Some(min), None) => write!(f, ", at least {min}{unit}"),
        (None, Some(max)) => write!(f, ", at most {max}{unit}"),
        (Some(min), Some(max)) => write!(f, ", {min} to {max}{unit}"),
    }
}

fn listed(f: &mut fmt::Formatter<'_>, before: &str, choices: &[Choice]) -> fmt::Result {
    f.write_str(before)?;
    for (index, choice) in choices.iter().enumerate() {
        write!(f, "{}`{}`", if index > 0 { ", " } else { "" }, choice.value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::form::FormField;
    use super::*;
    use serde_json::json;

    const CHOICES: &[Choice] = &[Choice::new("a", "First"), Choice::new("b", "")];

    const NAME: FormPart<String> = FormField::PART.named(0, "name", "").length(Some(2), Some(4));
    const AGE: FormPart<u8> = FormField::PART.named(1, "age", "").default_json("30");
    const SURE: FormPart<bool> = FormField::PART.named(2, "sure", "");
    const MAYBE: FormPart<Option<i64>> = FormField::PART.named(3, "maybe", "");
    const WHEN: FormPart<String> = FormField::PART.named(4, "when", "").format(Format::DateTime);
    const MANY: Field = Field { kind: FieldKind::Several(CHOICES), ..SURE.field() };

    static FORM: Form = Form::new("test", &[NAME.field(), AGE.field(), SURE.field(), MAYBE.field(), WHEN.field()]);

    fn take<T>(part: &FormPart<T>, given: Value) -> Result<T, String> {
        let Value::Object(given) = given else { panic!("an object") };
        let mut answers = Answers::new(&FORM, &given);
        answers.take(part).map_err(|Refused| answers.into_faults())
    }

    #[test]
    fn values_are_read_as_people_and_clients_send_them() {
        assert_eq!(take(&NAME, json!({"name": 42})), Ok("42".to_owned()));
        assert_eq!(take(&AGE, json!({"age": "30"})), Ok(30_u8));
        assert_eq!(take(&AGE, json!({"age": 30.0})), Ok(30_u8));
        assert_eq!(take(&AGE, json!({})), Ok(30_u8));
        assert_eq!(take(&SURE, json!({"sure": "true"})), Ok(true));
        assert_eq!(take(&MAYBE, json!({"maybe": ""})), Ok(None::<i64>));
        assert_eq!(take(&MAYBE, json!({"maybe": null})), Ok(None::<i64>));
        assert_eq!(take(&MAYBE, json!({"maybe": 7})), Ok(Some(7_i64)));
    }

    #[test]
    fn what_does_not_fit_is_refused_in_words() {
        assert_eq!(
            take(&NAME, json!({"name": "a"})),
            Err("\n- /name: expected text, 2 to 4 characters, but got \"a\"".to_owned())
        );
        assert_eq!(take(&AGE, json!({"age": 300})), Err("\n- /age: expected a whole number, but got 300".to_owned()));
        assert_eq!(take(&AGE, json!({"age": 1.5})), Err("\n- /age: expected a whole number, but got 1.5".to_owned()));
        assert_eq!(
            take(&SURE, json!({"sure": "maybe"})),
            Err("\n- /sure: expected `true` or `false`, but got \"maybe\"".to_owned())
        );
        assert_eq!(take(&SURE, json!({})), Err("\n- /sure: expected `true` or `false`, but got nothing".to_owned()));
        assert!(take(&NAME, json!({"name": ["ab"]})).is_err());
    }

    #[test]
    fn several_choices_come_as_a_list_or_with_commas() {
        let field = &MANY;
        assert_eq!(accept(field, &json!(["a", "b"])), Some(json!(["a", "b"])));
        assert_eq!(accept(field, &json!("First, b")), Some(json!(["a", "b"])));
        assert_eq!(accept(field, &json!(["c"])), None);
        assert_eq!(accept(field, &json!([])), Some(json!([])));
    }

    #[test]
    fn formats_are_checked_for_what_is_clearly_something_else() {
        for good in ["2026-07-28T15:00:58Z", "2024-02-29T00:00:00.5+01:00", "2026-07-28t15:00:58-09:30"] {
            assert!(is_formatted(Format::DateTime, good), "{good}");
        }
        for bad in ["2026-07-28", "2026-07-28T25:00:00Z", "2026-02-30T00:00:00Z", "2026-07-28T15:00:58", "é"] {
            assert!(!is_formatted(Format::DateTime, bad), "{bad}");
        }
        assert!(
            is_formatted(Format::Date, "2024-02-29")
                && !is_formatted(Format::Date, "2023-02-29")
                && !is_formatted(Format::Date, "2024-2-9")
        );
        assert!(
            is_formatted(Format::Email, "a@b")
                && !is_formatted(Format::Email, "a b@c")
                && !is_formatted(Format::Email, "a")
        );
        assert!(
            is_formatted(Format::Uri, "https://a.b/c?d#e")
                && is_formatted(Format::Uri, "mailto:a@b")
                && !is_formatted(Format::Uri, "a/b")
        );
    }
}
