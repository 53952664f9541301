//! Types in, schemas and decoded values out: the module as its callers see it.

mod coercion;
mod depth;
mod portable;
mod properties;
mod violations;
mod whole;
mod wire;

use schemars::{JsonSchema, SchemaGenerator};

use super::{Prepared, Property, SchemaFn, SchemaProfile, input_from_properties};

/// What the macros write for a type.
fn schema_fn<T: JsonSchema>() -> SchemaFn {
    SchemaGenerator::subschema_for::<T>
}

/// A tool with one parameter `x: T`.
fn one<T: JsonSchema>() -> Prepared {
    input_from_properties(vec![Property::new("x", schema_fn::<T>())], SchemaProfile::Portable).unwrap()
}
