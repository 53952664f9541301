//! The scanner judged by `serde_json`, which takes its time.

use proptest::prelude::*;

use super::*;

/// Whether the whole text is one value.
fn is_json(text: &str) -> bool {
    let mut scan = Scan::new(text);
    scan.value().and_then(|_| scan.end()).is_ok()
}

fn serde_takes(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[test]
fn what_is_json_is_what_serde_json_takes() {
    for text in [
        "",
        " ",
        "{}",
        "[]",
        "{ }",
        " [ ] ",
        "{\"a\":1}",
        "{\"a\" : 1 , \"b\":[1,2,{}]}",
        "[1,]",
        "[,1]",
        "{,}",
        "{\"a\":1,}",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1]",
        "[1}",
        "[[]",
        "[]]",
        "1",
        "-1",
        "-",
        "01",
        "-0",
        "0",
        "1.",
        "1.5",
        ".5",
        "1e",
        "1e5",
        "1E+5",
        "1e-",
        "1.5e-7",
        "+1",
        "1 2",
        "tru",
        "true",
        "truex",
        "nul",
        "null",
        "false",
        "\"",
        "\"a",
        "\"a\"",
        "\"\\",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\u1234\"",
        "\"\n\"",
        "\"\u{7f}\"",
        "\"é\\n漢字🎉\"",
        "\"12345678\u{1}\"",
        "\"1234567\\\"\"",
        "{\"a\":1}}",
        "\u{feff}1",
        "\u{a0}1",
        "NaN",
    ] {
        assert_eq!(is_json(text), serde_takes(text), "{text}");
    }
}

#[test]
fn members_keep_their_text() {
    let mut seen = Vec::new();
    let mut scan = Scan::new(r#" { "a" : [1, {"b":"}"}] , "\u0062\n":"x" , "":-1.5e3 } "#);
    let read = scan.object(|key, scan| {
        seen.push((key, scan.value()?));
        Ok(())
    });
    assert_eq!(read.and_then(|()| scan.end()), Ok(()));
    let seen: Vec<_> = seen.iter().map(|(key, value)| (&**key, value.get())).collect();
    assert_eq!(seen, [("a", r#"[1, {"b":"}"}]"#), ("b\n", "\"x\""), ("", "-1.5e3")]);
}

type Members = Vec<(String, String)>;

/// The members of an object, as they are read, and as they are noted if they are.
fn both_ways(text: &str) -> (Members, Option<Members>) {
    let mut read = Vec::new();
    let mut keep = |key: Cow<'_, str>, scan: &mut Scan<'_>| {
        read.push((key.into_owned(), scan.value()?.get().to_owned()));
        Ok(())
    };
    Scan::new(text).object(&mut keep).unwrap();
    let (whole, places) = Scan::new(text).noted().unwrap();
    assert_eq!(whole.get(), text.trim());
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    (read, places.of(whole.get()).map(|members| members.map(owned).collect()))
}

#[test]
fn the_members_of_a_small_object_are_noted_where_they_are() {
    for text in ["{}", " { } ", r#"{"a":1}"#, " {\"é\" : [ {} ] ,\"b\": \"x\\n\" } ", r#"{"a":1,"a":{"b":{}}}"#] {
        let (read, noted) = both_ways(text);
        assert_eq!(noted, Some(read), "{text}");
    }
    let many = |count: usize| format!("{{{}}}", vec!["\"a\":1"; count].join(","));
    assert!(both_ways(&many(MOST_PLACES)).1.is_some());
    for text in [many(MOST_PLACES + 1), format!("{{\"a\":\"{}\"}}", "x".repeat(70_000)), r#"{"\u0061":1,"b":2}"#.into()]
    {
        assert_eq!(both_ways(&text).1, None);
    }
    let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(Scan::new(&deep(127)).noted().is_ok() && is_json(&deep(127)));
    assert!(Scan::new(&deep(128)).noted().is_err() && !is_json(&deep(128)));
}

#[test]
fn nesting_ends_somewhere() {
    for (depth, good) in [(128, true), (129, false), (1_000_000, false)] {
        assert_eq!(is_json(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))), good, "{depth}");
    }
    let mixed = format!("{}1{}", "[{\"a\":".repeat(64), "}]".repeat(64));
    assert!(is_json(&mixed) && !is_json(&mixed.replacen("}]", "]}", 1)));
}

proptest! {
    #[test]
    fn any_text_is_judged_as_serde_json_does(text in r#"([\[\]{},: ]|[0-9.eE+-]|"a"|"\\|"|\\|u00|é|true|null|[ -~]){0,24}"#) {
        prop_assert_eq!(is_json(&text), serde_takes(&text));
    }

    #[test]
    fn what_is_written_is_read(text in any::<String>(), number in any::<f64>(), whole in any::<i64>()) {
        let value = serde_json::json!({"t": text, (text.clone()): [number, whole, null, {"x": [true, text]}]}).to_string();
        prop_assert!(is_json(&value));
        let string = serde_json::to_string(&text).unwrap();
        let read = Scan::new(&string).value().unwrap().text();
        prop_assert_eq!(read.as_deref(), Some(text.as_str()));
    }

    #[test]
    fn the_end_of_the_plain_part_is_found(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let slow = bytes.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\'));
        prop_assert_eq!(plain(&bytes), slow.unwrap_or(bytes.len()));
    }
}
