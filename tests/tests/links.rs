//! Every link in what people read leads somewhere: to a file, and in it to a heading.
//!
//! Links to the web are looked at, not followed. What rustdoc links is rustdoc's to check.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The pages: those at the root, a README wherever there is one, the guides.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages: Vec<_> = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|page| root.join(page)).into();
    let examples = fs::read_dir(root.join("examples")).unwrap().map(|example| example.unwrap().path());
    pages.extend(examples.filter(|example| example.is_dir()).map(|example| example.join("README.md")));
    pages.extend(["benches/README.md", "template/README.md"].map(|page| root.join(page)));
    let guides = fs::read_dir(root.join("mcp-runtime/src/docs")).unwrap().map(|guide| guide.unwrap().path());
    pages.extend(guides.filter(|guide| guide.extension().is_some_and(|extension| extension == "md")));
    pages
}

/// The lines of a page that are no code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Where the links of a page lead.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text).map(without_code) {
        targets.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned));
        if let Some((label, target)) = line.split_once("]: ") {
            targets.extend(label.starts_with('[').then(|| target.to_owned()));
        }
    }
    targets
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> Vec<String> {
    prose(text).filter(|line| line.starts_with('#')).map(anchor).collect()
}

/// `crate::Json`, `macro@data`, `guide::resources`, `Ctx`: rustdoc's.
fn is_item(target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    let path = path.strip_prefix("macro@").unwrap_or(path).trim_end_matches(['!', '(', ')']);
    !path.is_empty() && path.split("::").all(|part| part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// What is wrong with a link, if anything.
fn fault(page: &Path, target: &str) -> Option<String> {
    if let Some((scheme, rest)) = target.split_once("://") {
        let host = rest.split('/').next().unwrap_or_default();
        let is_whole = host.contains('.') && !target.contains(char::is_whitespace) && scheme == "https";
        return (!is_whole).then(|| "is no https address".to_owned());
    }
    if page.parent().is_some_and(|folder| folder.ends_with("mcp-runtime/src/docs")) && is_item(target) {
        return None;
    }
    let (file, heading) = target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let file = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    if !file.exists() {
        return Some("does not exist".to_owned());
    }
    let known = anchors(&fs::read_to_string(&file).unwrap_or_default());
    let heading = heading.filter(|heading| !known.iter().any(|known| known == heading))?;
    Some(format!("has no heading `{heading}`, but {known:?}"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut faults = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        for target in targets(&text) {
            count += 1;
            faults.extend(fault(&page, &target).map(|fault| format!("{}: {target} {fault}", page.display())));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count > 50, "the links are found");
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let page = root().join("README.md");
    let text =
        "[a](LICENSE-MIT) `[b](code)`\n```\n[c](code)\n```\n[d](nothing.md)[e](#nowhere)\n[f]: http://example.com";
    let seen: Vec<_> = targets(text).into_iter().filter(|target| fault(&page, target).is_some()).collect();
    assert_eq!(seen, ["nothing.md", "#nowhere", "http://example.com"]);
    assert_eq!(anchor("### `a_b` and C-d!"), "a_b-and-c-d");
}
