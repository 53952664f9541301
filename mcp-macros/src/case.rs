//! The cases in which names are written, as serde knows them.

/// A case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// As in the source.
    AsIs,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    /// Their names, for messages.
    pub(crate) const NAMES: &str = "`lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE`";

    /// The case of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// A variant's name, which is in `PascalCase`.
    pub(crate) fn of_variant(self, name: &str) -> String {
        match self {
            Self::AsIs | Self::Pascal => name.to_owned(),
            Self::Lower => name.to_lowercase(),
            Self::Upper => name.to_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => words(name),
            Self::ScreamingSnake => words(name).to_uppercase(),
            Self::Kebab => words(name).replace('_', "-"),
            Self::ScreamingKebab => words(name).to_uppercase().replace('_', "-"),
        }
    }

    /// A field's name, which is in `snake_case`.
    pub(crate) fn of_field(self, name: &str) -> String {
        match self {
            Self::AsIs | Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => lower_first(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_uppercase().replace('_', "-"),
        }
    }
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

fn pascal(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().into_iter().flat_map(char::to_uppercase).chain(chars.collect::<Vec<_>>())
        })
        .collect()
}

/// An underscore before every capital, as serde does it.
fn words(name: &str) -> String {
    let mut words = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_uppercase() {
            words.push('_');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// A type's name in `snake_case`, abbreviations as one word: `HttpCode` and `HTTPCode` are `http_code`.
pub(crate) fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        let after = chars.get(at + 1);
        let begins = c.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() && *before != '_' || after.is_some_and(|after| after.is_lowercase())
            });
        if begins {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_serde_writes_them() {
        assert_eq!(Case::Snake.of_variant("FirstClass"), "first_class");
        assert_eq!(Case::ScreamingKebab.of_variant("FirstClass"), "FIRST-CLASS");
        assert_eq!(Case::Camel.of_variant("FirstClass"), "firstClass");
        assert_eq!(Case::Camel.of_field("first_class"), "firstClass");
        assert_eq!(Case::Pascal.of_field("first_class"), "FirstClass");
        assert_eq!(Case::Kebab.of_field("first_class"), "first-class");
    }

    #[test]
    fn the_key_of_a_type_is_readable() {
        assert_eq!(snake("Confirm"), "confirm");
        assert_eq!(snake("TripPlan"), "trip_plan");
        assert_eq!(snake("HTTPCode"), "http_code");
        assert_eq!(snake("Step2Form"), "step2_form");
    }
}
