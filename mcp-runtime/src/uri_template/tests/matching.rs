use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::uri_template::{Reason, Template};

/// The values as `name=value` pairs joined by spaces, `-` when the template does not match, `!` and the reason when refused.
fn read(template: &str, uri: &str) -> String {
    match Template::parse(template).unwrap().matches(uri) {
        None => "-".to_owned(),
        Some(Err(refusal)) => format!("! {:?}", refusal.reason()),
        Some(Ok(captures)) => captures.iter().fold(String::new(), |mut text, (name, value)| {
            let gap = if text.is_empty() { "" } else { " " };
            write!(text, "{gap}{name}={}", value.unwrap_or("∅")).unwrap();
            text
        }),
    }
}

fn check(cases: &[(&str, &str, &str)]) {
    for (template, uri, expected) in cases {
        assert_eq!(read(template, uri), *expected, "{template} against {uri}");
    }
}

#[test]
fn a_simple_variable_is_one_segment() {
    check(&[
        ("test://static-text", "test://static-text", ""),
        ("test://static-text", "test://static", "-"),
        ("test://template/{id}/data", "test://template/123/data", "id=123"),
        ("users://{id}/profile", "users:///profile", "-"),
        ("users://{id}/profile", "users://a/b/profile", "-"),
        ("users://{id}/profile", "users://a/profile/", "-"),
        ("users://{id}/profile", "users://a/profile?x=1", "-"),
        ("users://{id}", "users://7?x=1", "-"),
        ("users://{id}", "users://7#x", "-"),
        ("users://{id}", "other://7", "-"),
        ("users://{id}", "", "-"),
        ("log://{year}-{month}", "log://2026-07", "year=2026 month=07"),
        ("log://{year}-{month}", "log://2026-07-28", "year=2026 month=07-28"),
        ("img://{name}.png", "img://a.png.png", "name=a.png"),
    ]);
}

#[test]
fn values_are_percent_decoded_once() {
    check(&[
        ("users://{id}/profile", "users://a%20b/profile", "id=a b"),
        ("users://{id}/profile", "users://a b/profile", "id=a b"),
        ("users://{id}/profile", "users://a%2Fb/profile", "id=a/b"),
        ("users://{id}/profile", "users://%C3%A9/profile", "id=é"),
        ("users://{id}/profile", "users://é/profile", "id=é"),
        ("users://{id}/profile", "users://%252e/profile", "id=%2e"),
        ("users://{id}/profile", "users://%FF/profile", "! Utf8"),
        ("users://{id}/profile", "users://%zz/profile", "! Escape"),
        ("users://{id}/profile", "users://50%/profile", "! Escape"),
        ("users://{id}/profile", "users://a%00/profile", "! Nul"),
        ("a://{x}2{y}", "a://%20%212z", "x= ! y=z"),
    ]);
}

#[test]
fn uris_are_compared_in_normal_form() {
    check(&[
        ("note://é/{id}", "note://%c3%a9/1", "id=1"),
        ("note://%c3%a9/{id}", "NOTE://é/1", "id=1"),
        ("note://Case/{id}", "note://case/1", "-"),
    ]);
}

#[test]
fn path_variables_are_optional_segments() {
    check(&[
        ("docs://home{/section,page}", "docs://home", "section=∅ page=∅"),
        ("docs://home{/section,page}", "docs://home/a", "section=a page=∅"),
        ("docs://home{/section,page}", "docs://home/a/b", "section=a page=b"),
        ("docs://home{/section,page}", "docs://home/a/b/c", "-"),
        ("docs://home{/section,page}", "docs://homea", "-"),
        ("docs://home{/section,page}", "docs://home/", "-"),
        ("docs://{user}{/page}", "docs://me/a", "user=me page=a"),
        ("docs://{user}{/page}", "docs://me", "user=me page=∅"),
        ("docs://home{/path*}", "docs://home", "path=∅"),
        ("docs://home{/path*}", "docs://home/a/b%20c", "path=a/b c"),
        ("docs://home{/first,rest*}", "docs://home/a/b/c", "first=a rest=b/c"),
        ("docs://home{/page}/edit", "docs://home/edit", "page=∅"),
        ("docs://home{/page}/edit", "docs://home/a/edit", "page=a"),
    ]);
}

#[test]
fn query_parameters_are_optional_and_unordered() {
    check(&[
        ("find://notes{?q,limit}", "find://notes", "q=∅ limit=∅"),
        ("find://notes{?q,limit}", "find://notes?limit=3&q=a%26b", "q=a&b limit=3"),
        ("find://notes{?q,limit}", "find://notes?q", "q= limit=∅"),
        ("find://notes{?q,limit}", "find://notes?q=../..&utm=1", "q=../.. limit=∅"),
        ("find://notes{?q,limit}", "find://notes?q=1&q=2", "! Repeated"),
        ("find://notes{?q,limit}", "find://notes?q=1#x", "-"),
        ("find://{kind}{?q}", "find://notes?q=1", "kind=notes q=1"),
        ("find://notes?sort=date{&q}", "find://notes?sort=date&q=1", "q=1"),
        ("find://notes?sort=date{&q}", "find://notes?sort=date", "q=∅"),
        ("find://notes?sort=date{&q}", "find://notes?sort=name&q=1", "-"),
        ("find://notes?a={a}&b={b}{&q}", "find://notes?a=1&b=x/y&q=3", "a=1 b=x/y q=3"),
        ("docs://{page}{#heading}", "docs://a#b/c?d", "page=a heading=b/c?d"),
        ("docs://{page}{#heading}", "docs://a", "page=a heading=∅"),
    ]);
}

#[test]
fn a_wide_variable_gets_what_the_rest_leaves() {
    check(&[
        ("git://{repo}/{+path}", "git://r/a/b?c#d", "repo=r path=a/b?c#d"),
        ("git://{+dir}/{name}.rs", "git://src/a/lib.rs", "dir=src/a name=lib"),
        ("git://r{/dir*}/{name}", "git://r/a/b/c", "dir=a/b name=c"),
        ("git://r{/dir*}/{name}", "git://r/c", "dir=∅ name=c"),
        ("git://{repo}/{+path}/at/{rev}", "git://r/a/at/b/at/1", "repo=r path=a/at/b rev=1"),
        ("git://{+path}{?rev}", "git://a/b?rev=1", "path=a/b rev=1"),
        ("git://r/{+path}", "git://r/", "-"),
        ("web://{+url}", "web://https://example.com/x", "url=https://example.com/x"),
    ]);
}

#[test]
fn no_path_leads_out_of_its_root() {
    for escape in [
        "../etc/passwd",
        "a/../../etc",
        "..%2f..%2fetc",
        "%2e%2e/etc",
        "%2E%2E%2Fetc",
        "a/./b",
        ".",
        "..",
        "a/..",
        "a%5C..%5Cb",
        "..\\etc",
        "a\\b",
        "/etc/passwd",
        "//host/share",
        "%2Fetc",
        "a%00.txt",
        "C:/Windows",
        "c%3A%5Cx",
    ] {
        for template in ["file:///{+path}", "file:///root{/path*}"] {
            let uri = template.replace("{+path}", escape).replace("{/path*}", &format!("/{escape}"));
            assert!(read(template, &uri).starts_with('!'), "{template} against {uri}: {}", read(template, &uri));
        }
    }
    check(&[
        ("file:///{+path}", "file:///notes/..a/b...md", "path=notes/..a/b...md"),
        ("file:///{name}", "file:///..%2fetc", "! DotSegment"),
        ("file:///{name}", "file:///a%5cb", "! Backslash"),
        ("note://{id}", "note://..%2f..%2fetc", "! DotSegment"),
        ("note://{id}", "note://..", "! DotSegment"),
        ("note://{id}", "note://a%5cb", "id=a\\b"),
    ]);
}

#[test]
fn a_refusal_names_the_variable_and_the_rule() {
    let template = Template::parse("file:///{+path}").unwrap();
    let refusal = template.matches("file:///../x").unwrap().unwrap_err();
    assert_eq!((refusal.variable(), refusal.reason()), ("path", Reason::DotSegment));
    assert_eq!(refusal.to_string(), "`path` in the URI must not contain the path segments `.` and `..`");
}

#[test]
fn hostile_uris_take_linear_time() {
    for template in [
        "a://{a}-{b}-{c}-{d}-{e}-{f}!",
        "a://{a}--{b}--{c}!{d}",
        "a://{+a}-{b}-{c}-{d}!",
        "a://{a}2{b}22{c}",
        "a://{+a}2{b}22{c}",
        "a://x{/a*}/b/{c}",
        "a://{a}{?b,c}",
    ] {
        let parsed = Template::parse(template).unwrap();
        for piece in ["-", "%22", "/"] {
            for begin in ["a://", "a://x?", "a://x/b/"] {
                let uri = |pieces| format!("{begin}{}?{0}", piece.repeat(pieces));
                let growth = growth(&parsed, &uri(1000), &uri(4000));
                assert!(
                    growth < 9.0,
                    "{template} against {begin} and {piece}: four times as long took {growth} times as long"
                );
            }
        }
    }
}

/// How many times longer the second takes than the first: four times, or sixteen times if the time is quadratic.
///
/// Each counts with its quickest run, because a busy machine slows some of them down, but speeds none up.
fn growth(template: &Template, first: &str, second: &str) -> f64 {
    let begun = Instant::now();
    let mut quickest = [Duration::MAX; 2];
    for round in 0.. {
        for (uri, quickest) in [first, second].into_iter().zip(&mut quickest) {
            let begun = Instant::now();
            drop(template.matches(uri));
            *quickest = begun.elapsed().min(*quickest);
        }
        let growth = quickest[1].as_secs_f64() / quickest[0].as_secs_f64();
        // A few rounds at least, and many more as long as the machine may be to blame.
        if round >= 5 && (growth < 9.0 || begun.elapsed() > Duration::from_secs(5)) {
            return growth;
        }
    }
    unreachable!()
}
