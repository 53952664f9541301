//! What `mcp-runtime` offers, item by item, as its documentation has it: a change that would break a user's program shows as a
//! line that is gone.
//!
//! `public_api DOC LIST` compares the documentation in the folder DOC with the file LIST; `public_api DOC LIST --bless` writes it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [doc, list, rest @ ..] = args.as_slice() else {
        eprintln!("public_api DOC LIST [--bless]");
        return ExitCode::from(2);
    };
    let mut items = BTreeSet::new();
    collect(Path::new(doc), "mcp_runtime", &mut items);
    if items.len() < 100 {
        eprintln!("{doc} is no documentation of all that is public: {} items", items.len());
        return ExitCode::from(2);
    }
    if rest.first().is_some_and(|arg| arg == "--bless") {
        let lines: Vec<&str> = items.iter().map(String::as_str).collect();
        fs::write(list, lines.join("\n") + "\n").expect("the list is written");
        return ExitCode::SUCCESS;
    }
    let known: BTreeSet<String> = fs::read_to_string(list).expect("the list").lines().map(str::to_owned).collect();
    for gone in known.difference(&items) {
        println!("gone: {gone}");
    }
    for new in items.difference(&known) {
        println!("new:  {new}");
    }
    if known.is_subset(&items) {
        println!("{} public items are as they were", known.len());
        return ExitCode::SUCCESS;
    }
    println!("what is gone breaks programs; what is meant is recorded with `--bless`");
    ExitCode::FAILURE
}

/// The items of a module and those below.
fn collect(folder: &Path, path: &str, items: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the documentation") {
        let entry = entry.expect("an entry").path();
        let name = entry.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("__") {
            continue;
        }
        if entry.is_dir() {
            collect(&entry, &format!("{path}::{name}"), items);
            continue;
        }
        if name == "index.html" {
            let page = fs::read_to_string(&entry).expect("a page");
            for piece in page.split("<code>pub use ").skip(1) {
                let used = piece.split("</code>").next().unwrap_or_default();
                items.insert(format!("{path} : pub use {}", plain(used)));
            }
            continue;
        }
        let mut parts = name.split('.');
        let (Some(kind), Some(item), Some("html"), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let page = fs::read_to_string(&entry).expect("a page");
        // An item that is shown elsewhere: its own module is private.
        if page.contains("http-equiv=\"refresh\"") {
            continue;
        }
        let item = format!("{path}::{item}");
        items.insert(match between(&page, "item-decl\"><code>", "</code></pre>") {
            Some(declaration) => format!("{item} = {}", plain(declaration)),
            None => format!("{item} = {kind}"),
        });
        // Traits that hold by themselves or for every type are nobody's promise.
        let own = page.split("id=\"synthetic-implementations\"").next().unwrap_or(&page);
        let (inherent, traits) = own.split_once("id=\"trait-implementations\"").unwrap_or((own, ""));
        for section in inherent.split("<section id=\"method.").skip(1) {
            if let Some(signature) = between(section, "<h4 class=\"code-header\">", "</h4>") {
                items.insert(format!("{item} : {}", plain(signature)));
            }
        }
        for section in traits.split("<section id=\"impl-").skip(1) {
            if let Some(head) = between(section, "<h3 class=\"code-header\">", "</h3>") {
                let head = plain(head);
                if !head.contains("StructuralPartialEq") {
                    items.insert(format!("{item} : {head}"));
                }
            }
        }
    }
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    let length = text.get(from..)?.find(end)?;
    text.get(from..from + length)
}

/// A piece of HTML as one line of text.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for character in html.chars() {
        match character {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            _ => text.push(character),
        }
    }
    for (entity, character) in
        [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " ")]
    {
        text = text.replace(entity, character);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
