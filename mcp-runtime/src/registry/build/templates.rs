//! URI templates: read, held against the parameters of their variables and against each other.

use super::{Builder, Who};
use crate::handler::param_info::ParamInfo;
use crate::registry::entry::{Handler, Location};
use crate::registry::item::{Offered, ResourceItem};
use crate::registry::problem::Problem;
use crate::schema::{Prepared as Schema, gives_any_text, readable_from_text};
use crate::uri_template::{Template, ambiguous};

impl Builder<'_> {
    pub(super) fn template(&mut self, uri: &str, at: Location) -> Option<Template> {
        let read = Template::parse(uri);
        read.map_err(|error| {
            let who = format!("resource \"{uri}\"");
            self.problems.push(Problem::from_text(who, &error.to_string()).at("at", at));
        })
        .ok()
    }

    /// What a variable may hold is held against the type of its parameter.
    pub(super) fn check_variables(&mut self, who: Who<'_>, handler: &Handler, template: &Template, schema: &Schema) {
        let at = handler.at;
        for variable in template.variables() {
            let name = variable.name();
            let is_meant = |param: &&ParamInfo| param.is_argument() && param.name == name;
            let Some(param) = handler.params.iter().find(is_meant) else { continue };
            if variable.kind().is_tail() && param.default.is_none() && !(param.of.is_optional)() {
                let rule = format!("{who}: `{variable}` may be absent from the URI, but argument `{name}` may not");
                let advice = "take an `Option<…>`, or add `#[arg(default = …)]`";
                self.problems.push(Problem::new(rule, advice).at("at", at));
            }
            // What no text can give has been told already.
            let is_narrow = schema.property(name).is_some_and(|node| readable_from_text(node) && !gives_any_text(node));
            if variable.kind().is_wide() && is_narrow {
                let rule = format!(
                    "{who}: `{variable}` holds text with `/` in it, which argument `{name}` cannot be read from"
                );
                let advice = format!("take a `String`, or write `{{{name}}}` in the template");
                self.problems.push(Problem::new(rule, advice).at("at", at));
            }
        }
    }

    /// Templates that match the same URIs: each set of them once.
    pub(crate) fn check_templates(&mut self, items: &[Offered<ResourceItem>]) {
        for (index, (first, _)) in items.iter().enumerate() {
            let is_same = |item: &ResourceItem| ambiguous(&first.template, &item.template);
            if items.iter().take(index).any(|(earlier, _)| is_same(earlier)) {
                continue;
            }
            let mut same: Vec<&ResourceItem> = vec![first];
            for (item, _) in items.iter().skip(index + 1).filter(|(item, _)| is_same(item)) {
                // Two of one URI are told as that.
                if same.iter().all(|known| known.resource.uri != item.resource.uri) {
                    same.push(item);
                }
            }
            self.problems.extend(clash(&same));
        }
    }
}

/// Why a template cannot be added beside one that is there.
pub(crate) fn same_templates(known: &ResourceItem, added: &ResourceItem) -> Option<Problem> {
    let is_same = known.resource.uri != added.resource.uri && ambiguous(&known.template, &added.template);
    if is_same { clash(&[known, added]) } else { None }
}

/// Why resources cannot stand beside each other: all would be meant by some URIs.
fn clash(same: &[&ResourceItem]) -> Option<Problem> {
    let mut uris: Vec<String> = same.iter().map(|item| format!("\"{}\"", item.resource.uri)).collect();
    let last = uris.pop().filter(|_| !uris.is_empty())?;
    let rule = format!("the templates {} and {last} match the same URIs", uris.join(", "));
    let several = if same.len() > 2 { "change all but one" } else { "change one" };
    let problem = Problem::new(rule, format!("{several}, so that a URI leads to one resource"));
    Some(same.iter().fold(problem, |problem, item| problem.at(format!("\"{}\"", item.resource.uri), item.common.at)))
}
