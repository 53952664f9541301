use crate::uri_template::{Template, TemplateError, VariableKind, ambiguous};

fn kinds(text: &str) -> Vec<(String, VariableKind)> {
    let template = Template::parse(text).unwrap();
    template.variables().map(|variable| (variable.name().to_owned(), variable.kind())).collect()
}

fn error(text: &str) -> TemplateError {
    Template::parse(text).expect_err(text)
}

#[test]
fn every_kind_of_variable_is_recognized() {
    use VariableKind::{Fragment, Path, PathExplode, Query, QueryContinuation, Reserved, Simple};
    let cases: [(&str, &[(&str, VariableKind)]); 9] = [
        ("test://static-text", &[]),
        ("users://{id}/profile", &[("id", Simple)]),
        ("file:///{+path}", &[("path", Reserved)]),
        ("docs://home{/section,page}", &[("section", Path), ("page", Path)]),
        ("docs://home{/page*}", &[("page", PathExplode)]),
        ("docs://home{/first,rest*}", &[("first", Path), ("rest", PathExplode)]),
        ("search://notes{?q,limit}", &[("q", Query), ("limit", Query)]),
        ("search://notes?sort=date{&q}", &[("q", QueryContinuation)]),
        ("docs://{page}{#heading}", &[("page", Simple), ("heading", Fragment)]),
    ];
    for (text, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
        assert_eq!(kinds(text), expected, "{text}");
    }
    assert!(Template::parse("test://static-text").unwrap().is_direct());
}

#[test]
fn each_mistake_has_its_own_error() {
    use TemplateError as E;
    type Check = fn(&TemplateError) -> bool;
    let cases: [(&str, Check); 40] = [
        ("", |e| matches!(e, E::Empty)),
        ("  ", |e| matches!(e, E::Empty)),
        ("notes/{id}", |e| matches!(e, E::NoScheme(_))),
        ("{scheme}://notes", |e| matches!(e, E::NoScheme(_))),
        ("notes/{id}/a:b", |e| matches!(e, E::NoScheme(_))),
        ("1note://x", |e| matches!(e, E::Scheme(_))),
        ("my_notes://x", |e| matches!(e, E::Scheme(_))),
        ("note://{{id}}", |e| matches!(e, E::Nested(_))),
        ("://x", |e| matches!(e, E::NoScheme(_))),
        ("note://{id", |e| matches!(e, E::Unclosed(_))),
        ("note://{id/{x}", |e| matches!(e, E::Unclosed(_))),
        ("note://id}", |e| matches!(e, E::StrayClose(_))),
        ("note://{id}}", |e| matches!(e, E::StrayClose(_))),
        ("note://{}", |e| matches!(e, E::EmptyExpression(_))),
        ("note://{+}", |e| matches!(e, E::EmptyExpression(_))),
        ("note://{;id}", |e| matches!(e, E::PathParameter(_))),
        ("note://x{.ext}", |e| matches!(e, E::Label(_))),
        ("note://{=id}", |e| matches!(e, E::UnknownOperator { operator: '=', .. })),
        ("note://{a,b}", |e| matches!(e, E::List(_))),
        ("note://{+a,b}", |e| matches!(e, E::List(_))),
        ("note://{a:3}", |e| matches!(e, E::Prefix { .. })),
        ("note://{a*}", |e| matches!(e, E::Explode { .. })),
        ("note://x{?a*}", |e| matches!(e, E::Explode { .. })),
        ("note://{a b}", |e| matches!(e, E::Name(_))),
        ("note://{a.b}", |e| matches!(e, E::Name(_))),
        ("note://{user-id}", |e| matches!(e, E::Name(_))),
        ("note://x{?a,}", |e| matches!(e, E::EmptyExpression(_))),
        ("note://{a}/{a}", |e| matches!(e, E::Twice(_))),
        ("note://{a}{b}", |e| matches!(e, E::Touching { .. })),
        ("note://{/a}{b}", |e| matches!(e, E::Touching { .. })),
        ("note://{+a}{/b}", |e| matches!(e, E::PathAfterWide { .. })),
        ("note://{+a}/{b}{/c}", |e| matches!(e, E::PathAfterWide { .. })),
        ("note://x{/a}/{b}", |e| matches!(e, E::SlashAfterPath { .. })),
        ("note://{+a}/{+b}", |e| matches!(e, E::TwoWide { .. })),
        ("note://x{?a}/tail", |e| matches!(e, E::AfterTail { .. })),
        ("note://x{?a}{&b}", |e| matches!(e, E::AfterTail { .. })),
        ("note://x{&a}", |e| matches!(e, E::NothingToContinue(_))),
        ("note://x?a=1{?b}", |e| matches!(e, E::SecondQuery(_))),
        ("note://a note", |e| matches!(e, E::Character { found: ' ', .. })),
        ("note://100%/{id}", |e| matches!(e, E::Percent(_))),
    ];
    for (text, expected) in cases {
        let error = error(text);
        assert!(expected(&error), "{text}: {error:?}");
    }
}

#[test]
fn messages_name_the_part_and_the_way_out() {
    let cases = [
        (
            "note://{a,b}",
            "`{a,b}` holds several variables\ngive each its own braces with text between them, such as `{a}/{b}`",
        ),
        ("note://{id", "`{` is not closed in `{id`\nadd `}`, or write a literal brace as `%7B`"),
        (
            "note://x{.ext}",
            "`{.ext}` is not supported: where a `.` label ends is not clear\nwrite the dot outside: `.{ext}`",
        ),
        ("note://{id:3}", "`{id:3}` takes only a part of `id`, which a URI cannot be read back from\nwrite `{id}`"),
        (
            "note://{a}{b}",
            "nothing between `{a}` and `{b}` says where the first one ends\nput text between them, such as `/`",
        ),
        ("note://a note", "` ` in `note://a note` cannot be in a URI\nescape it: `%20`"),
        ("note://<id>", "`<` in `note://<id>` cannot be in a URI\nwrite a variable as in `{id}`, or escape it: `%3C`"),
        ("note://a\nb", "`\\n` in `note://a\\nb` cannot be in a URI\nescape it: `%0A`"),
        (
            "x_y://a",
            "`x_y` cannot be the scheme of a URI\n\
             begin with a letter, and use letters, digits, `+`, `-` and `.` only, as in `my-notes://`",
        ),
        ("note://{{id}}", "`{{id}}` has two pairs of braces\nwrite `{id}`"),
        (
            "note://x{#a}{?b}",
            "`{?b}` comes after `{#a}`, which must be the last\n\
             a template ends in a query or in a fragment: remove one of them",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(text).to_string(), message);
    }
}

#[test]
fn more_specific_templates_come_first() {
    let ordered = [
        "note://archive/{id}",
        "note://{id}/body",
        "note://{id}",
        "note://{id}{/page}",
        "note://{id}{?page}",
        "note://{+path}",
    ];
    let mut shuffled: Vec<Template> = ordered.iter().rev().map(|text| Template::parse(text).unwrap()).collect();
    shuffled.sort_by(Template::compare);
    assert_eq!(shuffled.iter().map(Template::as_str).collect::<Vec<_>>(), ordered);
}

#[test]
fn templates_that_differ_in_names_only_are_ambiguous() {
    let same = |a: &str, b: &str| ambiguous(&Template::parse(a).unwrap(), &Template::parse(b).unwrap());
    assert!(same("note://{id}", "note://{name}"));
    assert!(same("NOTE://{id}", "note://{id}"));
    assert!(same("note://x{?a}", "note://x{?b,c}"));
    assert!(same("note://x{/a,b}", "note://x{/c}{/d}"));
    assert!(same("note://é", "note://%c3%a9"));
    assert!(!same("note://{id}", "note://{+id}"));
    assert!(!same("note://{id}", "note://{id}/body"));
    assert!(!same("note://x{/a}", "note://x{/a,b}"));
}
