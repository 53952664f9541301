//! What a handler's parameters need: their schema, their defaults, what completes them.

use std::borrow::Cow;

use serde_json::Value;

use super::{Builder, Source, Who};
use crate::handler::arguments::{Input, Inputs};
use crate::handler::param_info::{DefaultValue, ParamInfo, ParamKind};
use crate::registry::entry::Handler;
use crate::registry::item::Completer;
use crate::registry::problem::Problem;
use crate::schema::{
    Prepared as Schema, Property, SchemaProfile, closed_values, input_from_properties, readable_from_text,
};

impl Builder<'_> {
    pub(super) fn inputs(&mut self, who: Who<'_>, handler: &'static Handler, source: Source) -> Inputs {
        for param in handler.params {
            if let ParamKind::State { id, name } = param.of.kind {
                if !(self.has_state)(id()) {
                    self.missing_states.or_default(name()).push((who.to_string(), handler.at));
                }
            }
        }
        let mut params: Vec<Input> = handler.params.iter().map(|param| self.input(who, handler, param)).collect();
        let whole = handler.params.iter().find(|param| matches!(param.of.kind, ParamKind::Whole));
        let schema = match whole {
            Some(param) => param.of.schema.input(self.profile),
            None => input_from_properties(properties(handler.params, &params), self.profile),
        };
        let schema = schema.unwrap_or_else(|error| {
            let text = error.to_string();
            let (rule, advice) = text.split_once('\n').unwrap_or((&text, ""));
            self.problems.push(Problem::new(format!("{who}: {rule}"), advice).at("at", Some(handler.at)));
            no_arguments()
        });
        for warning in schema.warnings() {
            self.problems.push(Problem::new(format!("{who}: {warning}"), "").at("at", Some(handler.at)));
        }
        if source == Source::Text {
            self.check_readable(who, handler, &schema);
        }
        if schema.may_have_fractions() {
            for (param, input) in handler
                .params
                .iter()
                .zip(&mut params)
                .filter(|(param, _)| param.is_argument() && param.of.schema.is_single())
            {
                input.constraints = Some(Box::new(param.constraints.within_single()));
            }
        }
        Inputs { params, is_whole: whole.is_some(), schema, reading: self.reading }
    }

    fn input(&mut self, who: Who<'_>, handler: &'static Handler, param: &'static ParamInfo) -> Input {
        let default = self.default(who, handler, param);
        Input {
            name: param.is_argument().then_some(Cow::Borrowed(param.name)),
            is_optional: param.is_argument() && (param.of.is_optional)(),
            default: default.map(|default| default.to_string()),
            constraints: (!param.constraints.is_empty()).then(|| Box::new(*param.constraints)),
        }
    }

    fn default(&mut self, who: Who<'_>, handler: &'static Handler, param: &'static ParamInfo) -> Option<Value> {
        let (value, written) = match param.default? {
            DefaultValue::With(make) => (Ok(make()), "its expression".to_owned()),
            DefaultValue::Json(json) => {
                (serde_json::from_str(json).map_err(|error| error.to_string()), format!("`{json}`"))
            }
        };
        let checked = value.and_then(|value| (param.of.accepts)(&value).map(|()| value));
        let problem = match &checked {
            Err(error) => Some(format!("does not fit its type: {error}")),
            Ok(value) => {
                param.constraints.check(&value.to_string()).map(|violation| format!("breaks its own rule: {violation}"))
            }
        };
        if let Some(problem) = problem {
            let rule = format!("{who}: the default of argument `{}` {problem}", param.name);
            self.problems.push(Problem::new(rule, format!("change {written}")).at("at", Some(handler.at)));
        }
        checked.ok()
    }

    /// Prompts and templates give text: a struct or a list cannot be read from it.
    fn check_readable(&mut self, who: Who<'_>, handler: &'static Handler, schema: &Schema) {
        for param in handler.params.iter().filter(|param| param.is_argument()) {
            if schema.property(param.name).is_some_and(|node| !readable_from_text(node)) {
                let rule = format!("{who}: argument `{}` comes as text, which cannot give its type", param.name);
                let advice = "take a string, a number, a bool, an enum of names, or `#[arg(from_str)]` for a type with `FromStr`";
                self.problems.push(Problem::new(rule, advice).at("at", Some(handler.at)));
            }
        }
    }
}

fn properties(params: &'static [ParamInfo], inputs: &[Input]) -> Vec<Property> {
    (params.iter().zip(inputs))
        .filter(|(param, _)| param.is_argument())
        .map(|(param, input)| Property {
            name: param.name,
            schema: param.of.schema,
            required: !input.is_optional && input.default.is_none(),
            title: param.title,
            description: param.doc,
            default: input.default.as_deref().and_then(|json| serde_json::from_str(json).ok()).map(Box::new),
            constraints: param.constraints,
            example: param.example.map(|make| Box::new(make())),
            header: param.header,
        })
        .collect()
}

pub(super) fn completers(params: &'static [ParamInfo], schema: &Schema) -> Vec<(Cow<'static, str>, Completer)> {
    (params.iter().filter(|param| param.is_argument()))
        .filter_map(|param| {
            let closed = || schema.property(param.name).and_then(closed_values).map(Completer::Closed);
            param
                .complete
                .map(Completer::Function)
                .or_else(closed)
                .map(|completer| (Cow::Borrowed(param.name), completer))
        })
        .collect()
}

#[expect(clippy::expect_used, reason = "a schema of our own making")]
pub(super) fn no_arguments() -> Schema {
    input_from_properties(Vec::new(), SchemaProfile::Portable).expect("no arguments have a schema")
}
