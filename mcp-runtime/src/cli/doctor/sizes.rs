//! D4: how much there is. A model reads every definition again and again.

use std::fmt;

use super::finding::{Findings, Level, Rule};
use crate::cli::definitions::Definitions;

pub(super) const TOO_MANY: Rule =
    Rule::new("D401", Level::Error, "more than 128 tools: VS Code and OpenAI refuse the request");
pub(super) const MANY: Rule =
    Rule::new("D402", Level::Warning, "more than 40 tools: Cursor leaves some out, and models choose worse");
pub(super) const COSTLY: Rule =
    Rule::new("D403", Level::Warning, "definitions of more than about 10000 tokens, which every conversation pays");
pub(super) const PAGES: Rule =
    Rule::new("D404", Level::Warning, "a list of more than one page: many clients read only the first");

const MOST: usize = 128;
const FEW: usize = 40;
const CHEAP: usize = 10_000;

/// What `tools/list` costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) tools: usize,
    pub(super) bytes: usize,
}

impl Cost {
    /// About four bytes of JSON are a token.
    pub(super) const fn tokens(self) -> usize {
        self.bytes.div_ceil(4)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.tools == 1 { "" } else { "s" };
        write!(f, "{} tool{plural}: tools/list is {} bytes, about {} tokens", self.tools, self.bytes, self.tokens())
    }
}

pub(super) fn check(definitions: &Definitions, page: usize, findings: &mut Findings) -> Cost {
    let tools = definitions.tools.len();
    let advice = "serve fewer: `.group(…)` narrows a server, or split it";
    if tools > MOST {
        findings.add(&TOO_MANY, None, format!("the server has {tools} tools"), advice);
    } else if tools > FEW {
        findings.add(&MANY, None, format!("the server has {tools} tools"), advice);
    }
    let cost = Cost { tools, bytes: definitions.tools.iter().map(|tool| tool.json.to_string().len()).sum() };
    if cost.tokens() > CHEAP {
        findings.add(
            &COSTLY,
            None,
            format!("the tools' definitions are about {} tokens", cost.tokens()),
            "shorten descriptions and schemas",
        );
    }
    for (list, items) in definitions.lists() {
        if items.len() > page {
            let text = format!("`{list}` has {} entries and needs several pages of {page}", items.len());
            findings.add(&PAGES, None, text, "raise `.page_size(…)`");
        }
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::definitions::Definition;
    use serde_json::json;

    fn codes(count: usize, page: usize, text: &str) -> Vec<&'static str> {
        let tools = (0..count)
            .map(|number| Definition { json: json!({"name": number, "description": text}), at: None })
            .collect();
        let mut findings = Findings::default();
        check(&Definitions { tools, ..Definitions::default() }, page, &mut findings);
        findings.codes()
    }

    #[test]
    fn what_is_too_much_is_said() {
        assert_eq!(codes(40, 1000, ""), [""; 0]);
        assert_eq!(codes(41, 1000, ""), ["D402"]);
        assert_eq!(codes(129, 100, ""), ["D401", "D404"]);
        assert_eq!(codes(1, 1, &"x".repeat(50_000)), ["D403"]);
    }
}
