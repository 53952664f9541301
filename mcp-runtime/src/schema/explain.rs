//! What to say when no branch of a union fits: which branch was meant, and what is wrong with the value as that one.

use serde_json::Value;

use super::{
    graph::Id,
    text,
    types::Types,
    violation::{Fault, Violation},
    walk::Walker,
};

impl Walker<'_, '_> {
    fn attempt(&mut self, branch: Id, value: &Value, depth: usize) -> Vec<Violation> {
        let mut found = Vec::new();
        let mut attempt = Walker {
            graph: self.graph,
            rules: self.rules,
            budget: &mut *self.budget,
            report: Some(&mut found),
            pointer: self.pointer.clone(),
        };
        attempt.walk(branch, value, depth + 1);
        found
    }

    /// Says what is wrong when no branch of a union fits: the faults of the branch that was meant, if one stands out.
    pub(super) fn explain(&mut self, id: Id, union: &[Id], value: &Value, depth: usize) {
        let mut meant: Vec<(Id, Vec<Violation>)> = Vec::new();
        // Words cost more than steps.
        if !self.budget.spend(100) {
            return;
        }
        for branch in union {
            if self.graph.types(*branch).meets(Types::of(value)) {
                meant.push((*branch, self.attempt(*branch, value, depth)));
            }
        }
        meant.retain(|(_, found)| !found.is_empty());
        if let Some(choice) = self.one_choice(&meant) {
            self.refuse(|_| choice);
            return;
        }
        if let Some(found) = self.best(meant) {
            if let Some(report) = &mut self.report {
                report.extend(found);
            }
            return;
        }
        let graph = self.graph;
        self.refuse(|at| match text::values(graph, id) {
            Some(values) => Violation::not_allowed(at, text::listed(&values), value),
            None => Violation::new(at, Fault::Type, text::describe_union(graph, union), value),
        });
    }

    /// The faults of the one branch that less speaks against than against any other.
    fn best(&self, meant: Vec<(Id, Vec<Violation>)>) -> Option<Vec<Violation>> {
        let against =
            |found: &[Violation]| found.iter().map(|violation| evidence(violation, &self.pointer)).sum::<usize>();
        let scored: Vec<_> = meant.into_iter().map(|(_, found)| (against(&found), found)).collect();
        let least = scored.iter().map(|(against, _)| *against).min()?;
        let mut of_least = scored.into_iter().filter(|(against, _)| *against == least);
        let (_, found) = of_least.next()?;
        let stands_out = of_least.next().is_none();
        (stands_out && least < WRONG_KIND).then_some(found)
    }

    /// When every branch wants another value at one and the same place (a tag), that place is what is wrong.
    fn one_choice(&self, meant: &[(Id, Vec<Violation>)]) -> Option<Violation> {
        let tag_of = |found: &[Violation]| {
            let mut tags = found.iter().filter(|violation| !violation.allowed().is_empty());
            let is_tag = |violation: &&Violation| {
                matches!(violation.fault(), Fault::Value | Fault::Missing)
                    && violation
                        .pointer()
                        .strip_prefix(&self.pointer)
                        .is_some_and(|rest| rest.matches('/').count() <= 1)
            };
            tags.find(is_tag).cloned()
        };
        let mut tags = meant.iter().map(|(_, found)| tag_of(found));
        let mut choice = tags.next()??;
        for tag in tags {
            let tag = tag.filter(|tag| tag.pointer() == choice.pointer())?;
            choice.allow_also(tag.allowed());
        }
        Some(choice)
    }
}

/// The evidence of a wrong type, or of a value that is not listed.
const WRONG_KIND: usize = 10_000;

/// How much a violation speaks for another branch being meant: most, when the thing itself is of a wrong kind; much,
/// when its tag is another; a little, when a key is missing or not known directly in it; not at all further down.
fn evidence(violation: &Violation, here: &str) -> usize {
    let Some(rest) = violation.pointer().strip_prefix(here) else {
        return 0;
    };
    match (violation.fault(), rest.matches('/').count()) {
        (Fault::Type | Fault::Value, 0) => WRONG_KIND,
        (Fault::Value | Fault::Missing, 1) if violation.allowed().len() == 1 => 100,
        (Fault::Missing | Fault::Unknown, 1) => 1,
        _ => 0,
    }
}
