use proptest::collection::vec;
use proptest::prelude::*;

use crate::uri_template::{ExpandError, Template, Variable, VariableKind};

/// Literals that are easily mistaken for a value: digits of escapes, punctuation that values keep, slashes. Not escapes: those
/// a value cannot avoid.
const SEPARATORS: &[&str] = &["/", "-", ".", "2", "22", "F", "/x/", "--", "to", ":", ",", "~_", "/-"];

/// `a://` and up to four variables with text between, ended by every kind of tail.
fn template() -> impl Strategy<Value = String> {
    let separator = proptest::sample::select(SEPARATORS);
    let hole = proptest::sample::select(&["{v#}", "{v#}", "{v#}{/w#}", "{v#}{/w#,u#}"][..]);
    let wide = proptest::option::of(proptest::sample::select(&["{+wide}", "{v}{/wide*}"][..]));
    let tail =
        proptest::sample::select(&["", "/end", "2", "{?q}", "{?q,r}", "{#f}", "?s=1{&q}", "?s={t}", "?s={t}{&q}"][..]);
    (vec((hole, separator.clone()), 0..4), wide, separator.clone(), vec((Just("{v#}"), separator), 0..3), tail)
        .prop_map(|(mut before, wide, middle, after, tail)| {
            for (hole, separator) in &mut before {
                // Refused: the slash could be that of the optional variable.
                if hole.contains('/') && *separator == "/" {
                    *separator = "/x/";
                }
            }
            let numbered = |(at, (hole, separator)): (usize, (&str, &str)), from: usize| {
                hole.replace('#', &(at + from).to_string()) + separator
            };
            let mut text = "a://".to_owned();
            text.extend(before.into_iter().enumerate().map(|pair| numbered(pair, 0)));
            if let Some(wide) = wide {
                text = text + wide + middle;
            }
            text.extend(after.into_iter().enumerate().map(|pair| numbered(pair, 10)));
            text + "z" + tail
        })
}

/// A value that every place in a template may hold.
fn value() -> impl Strategy<Value = String> {
    let text = prop_oneof!["[a-z0-9]{1,6}", "[-.~_:,%/?#&=+é2F]{1,8}", "\\PC{1,8}", "(to|--|22|x){1,3}"];
    text.prop_filter("paths stay within their root", |value| {
        !value.starts_with('/') && !value.contains(['\\', '\0']) && value.split('/').all(|s| s != "." && s != "..")
    })
}

proptest! {
    #[test]
    fn what_is_expanded_is_read_back(text in template(), values in vec(value(), 20)) {
        let template = Template::parse(&text).unwrap();
        let given: Vec<(&str, &str)> =
            template.variables().map(Variable::name).zip(values.iter().map(String::as_str)).collect();
        let uri = template.expand(given.iter().copied()).map_err(|e| TestCaseError::fail(format!("{text}: {e:?}")))?;
        let read = template.matches(&uri).unwrap().unwrap();
        let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (name, value.unwrap_or("∅"))).collect();
        prop_assert_eq!(read, given);
    }

    #[test]
    fn optional_variables_may_be_left_out(text in template(), values in vec(value(), 20)) {
        let template = Template::parse(&text).unwrap();
        let given: Vec<(&str, &str)> = template
            .variables()
            .zip(values.iter().map(String::as_str))
            .filter(|(variable, _)| !variable.kind().is_optional())
            .map(|(variable, value)| (variable.name(), value))
            .collect();
        let uri = template.expand(given.iter().copied()).unwrap();
        let read = template.matches(&uri).unwrap().unwrap();
        for variable in template.variables() {
            let expected = given.iter().find(|(name, _)| *name == variable.name()).map(|(_, value)| *value);
            prop_assert_eq!(read.get(variable.name()), expected);
        }
    }

    #[test]
    fn nothing_panics(text in "(a://)?[-a{}?&#/+*,%2é.: ]{0,24}", uri in "(a://)?[-a?&#/+*,%2é.\\\\: ]{0,24}") {
        if let Ok(template) = Template::parse(&text) {
            drop(template.matches(&uri));
            drop(template.expand(template.variables().map(|variable| (variable.name(), uri.as_str()))));
        }
    }

    #[test]
    fn what_is_read_has_no_way_out(path in "[./\\\\%2eEfFcC5a]{0,16}") {
        let template = Template::parse("file:///{+path}").unwrap();
        if let Some(Ok(captures)) = template.matches(&format!("file:///{path}")) {
            let path = captures.get("path").unwrap();
            prop_assert!(!path.starts_with('/') && !path.contains('\\'));
            prop_assert!(path.split('/').all(|segment| segment != ".." && segment != "."));
        }
    }
}

#[test]
fn expansion_follows_the_standard() {
    type Values = &'static [(&'static str, &'static str)];
    let expand = |text: &str, values: Values| Template::parse(text).unwrap().expand(values.iter().copied());
    let cases: [(&str, Values, &str); 9] = [
        ("note://{id}", &[("id", "a b/c")], "note://a%20b%2Fc"),
        ("note://{id}", &[("id", "é!~")], "note://%C3%A9%21~"),
        ("file:///{+path}", &[("path", "a/b c!")], "file:///a/b%20c!"),
        ("docs://x{/a,b}", &[("a", "1"), ("b", "2/3")], "docs://x/1/2%2F3"),
        ("docs://x{/a*}", &[("a", "1/2")], "docs://x/1/2"),
        ("find://x{?q,r}", &[("r", "1&2")], "find://x?r=1%262"),
        ("find://x{?q,r}", &[("q", ""), ("r", "2")], "find://x?q=&r=2"),
        ("docs://{page}{#at}", &[("page", "p"), ("at", "a/b")], "docs://p#a/b"),
        ("log://{day}-{kind}", &[("day", "2026-07"), ("kind", "x")], "log://2026%2D07-x"),
    ];
    for (text, values, uri) in cases {
        assert_eq!(expand(text, values).as_deref(), Ok(uri), "{text}");
    }
    assert_eq!(expand("note://{id}", &[]), Err(ExpandError::Missing("id".to_owned())));
    assert_eq!(expand("note://{id}", &[("id", "1"), ("x", "")]), Err(ExpandError::Unknown("x".to_owned())));
    assert!(matches!(expand("note://{id}", &[("id", "")]), Err(ExpandError::Unreadable(_))));
    assert!(matches!(expand("docs://x{/a,b}", &[("b", "1")]), Err(ExpandError::Unreadable(_))));
    assert!(matches!(expand("file:///{+path}", &[("path", "../x")]), Err(ExpandError::Refused(_))));
}

#[test]
fn only_simple_and_reserved_variables_are_required() {
    let required = [VariableKind::Simple, VariableKind::Reserved];
    assert!(required.iter().all(|kind| !kind.is_optional()));
    assert!(VariableKind::Query.is_optional() && VariableKind::PathExplode.is_optional());
}
