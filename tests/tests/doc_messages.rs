//! The error messages that the documentation shows are those of the compiler.
//!
//! A `compile_fail` block that is followed by a `text` block is compiled, and the text must be what comes out. With
//! `DOC_MESSAGES=overwrite` in the environment the text is replaced instead; read the result as its user would.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A failing program, and where the text that shows its errors is.
struct Case {
    page: PathBuf,
    name: String,
    program: String,
    text: std::ops::Range<usize>,
}

const BEGIN: &str = "```compile_fail\n";
const BETWEEN: &str = "```\n\n```text\n";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp-runtime/src/docs")
}

fn cases(page: &Path) -> Vec<Case> {
    let stem = page.file_stem().unwrap().to_string_lossy().into_owned();
    let content = std::fs::read_to_string(page).unwrap();
    let mut cases = Vec::new();
    for (begin, _) in content.match_indices(BEGIN) {
        let code = &content[begin + BEGIN.len()..];
        let code = &code[..code.find("```").unwrap()];
        let after = begin + BEGIN.len() + code.len();
        if !content[after..].starts_with(BETWEEN) {
            continue;
        }
        let text = after + BETWEEN.len();
        let end = text + content[text..].find("```").unwrap();
        // What readers do not see goes below, so that the lines they see keep their numbers.
        let (hidden, visible): (Vec<&str>, Vec<&str>) = code.lines().partition(|line| line.starts_with("# "));
        let mut program = visible.join("\n") + "\n";
        for line in hidden {
            writeln!(program, "{}", line.trim_start_matches("# ")).unwrap();
        }
        cases.push(Case { page: page.to_owned(), name: format!("{stem}_{}", cases.len()), program, text: text..end });
    }
    cases
}

/// Compiles all programs at once; gives the errors of each.
fn compile(cases: &[Case]) -> BTreeMap<String, String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let package = target.join("doc-messages");
    let bins = package.join("src/bin");
    drop(std::fs::remove_dir_all(&bins));
    std::fs::create_dir_all(&bins).unwrap();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let manifest = format!(
        "[package]\nname = \"doc-messages\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\nmcp-runtime = {{ path = {:?}, features = [\"http\"] }}\n",
        workspace.join("mcp-runtime")
    );
    std::fs::write(package.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    for case in cases {
        std::fs::write(bins.join(format!("{}.rs", case.name)), &case.program).unwrap();
    }
    let output = Command::new(env!("CARGO"))
        .args(["check", "--keep-going", "--offline", "--message-format=json", "--bins"])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", target.join("doc-messages-target"))
        .output()
        .unwrap();
    let mut errors = BTreeMap::<String, String>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let is_error =
            message["message"]["level"] == "error" && !message["message"]["spans"].as_array().unwrap().is_empty();
        if let (true, Some(name)) = (is_error, message["target"]["name"].as_str()) {
            let rendered = message["message"]["rendered"].as_str().unwrap();
            let shown = shown(&rendered.replace(&format!("src/bin/{name}.rs"), "src/lib.rs"));
            let all = errors.entry(name.to_owned()).or_default();
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(&shown);
        }
    }
    assert!(!errors.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    errors
}

/// An error without the parts that are about the runtime's own source.
fn shown(rendered: &str) -> String {
    let others = [
        "\nnote: required by a bound",
        "\nhelp: the trait `Parameter` is implemented for",
        "\nhelp: the following other types implement",
        "\n  = help: the following other types implement",
    ];
    let own = others.iter().fold(rendered, |own, other| own.split(other).next().unwrap_or_default());
    // The margin is as wide as the longest number, which may have been that of a line of ours.
    let mut lines: Vec<&str> = own.lines().map(str::trim_end).collect();
    let is_in_margin = |line: &str| line.starts_with(|c: char| c == ' ' || c.is_ascii_digit());
    let may_narrow = |lines: &[&str]| {
        let mut margin = lines.iter().filter(|line| is_in_margin(line)).peekable();
        margin.peek().is_some() && margin.all(|line| line.starts_with(' '))
    };
    while may_narrow(&lines) {
        lines.iter_mut().for_each(|line| *line = line.strip_prefix(' ').unwrap_or(line));
    }
    let mut shown = String::new();
    for line in lines {
        writeln!(shown, "{line}").unwrap();
    }
    format!("{}\n", shown.trim_end().trim_end_matches("\n  |"))
}

#[test]
fn the_messages_in_the_documentation_are_those_of_the_compiler() {
    let pages = std::fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<Case> = pages.flat_map(|page| cases(&page)).collect();
    let errors = compile(&all);
    let overwrite = std::env::var("DOC_MESSAGES").is_ok_and(|value| value == "overwrite");
    // From the back, so that places in front stay where they are.
    all.reverse();
    for case in all {
        let content = std::fs::read_to_string(&case.page).unwrap();
        let expected = errors.get(&case.name).unwrap_or_else(|| panic!("{} compiles", case.name));
        if overwrite {
            let (before, after) = (&content[..case.text.start], &content[case.text.end..]);
            std::fs::write(&case.page, format!("{before}{expected}{after}")).unwrap();
        } else {
            assert_eq!(&content[case.text], expected, "{}", case.name);
        }
    }
}
