//! URIs from templates, for those who announce, list or link what a template gives.

use std::fmt::Display;

use super::error::Error;
use crate::uri_template::Template;

/// The URI that a template gives for these values, percent-encoded where they need it.
///
/// ```
/// # fn main() -> mcp_runtime::Result<()> {
/// let uri = mcp_runtime::expand_uri("attachment://{note}/{name}", &[("note", &7), ("name", &"a b.png")])?;
/// assert_eq!(uri, "attachment://7/a%20b.png");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// When the template is none, a variable has no value, or the resource of this template would not read the values back:
/// an empty one, say, or `..` in a path.
pub fn expand_uri(template: &str, values: &[(&str, &dyn Display)]) -> Result<String, Error> {
    let template = Template::parse(template).map_err(Error::msg)?;
    let texts: Vec<_> = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
    template.expand(texts.iter().map(|(name, text)| (*name, text.as_str()))).map_err(Error::msg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_resource_would_read_back_is_an_error() {
        let wrong = |template, values: &[(&str, &dyn Display)]| expand_uri(template, values).unwrap_err().to_string();
        assert_eq!(wrong("a://{x}/{y}", &[("x", &1)]), "`y` has no value and the URI needs one");
        assert_eq!(wrong("a://{x}", &[("x", &1), ("z", &1)]), "the URI template has no variable `z`");
        assert!(wrong("a://{x", &[]).contains("is not closed"));
        for (template, value) in [("a://{x}", ""), ("a://{+x}", "../secret"), ("a://{+x}", "/etc/passwd")] {
            wrong(template, &[("x", &value)]);
        }
    }
}
