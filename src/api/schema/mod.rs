//! JSON Schemas of the API's values, as in OpenAPI 3.1.
//!
//! Plain structs derive their schemas. The schemas here replace derived ones that would be wrong: strings with rules,
//! numbers with ranges, and values that requests may send in several forms.

/// Implements the JSON Schema traits for a type, with a schema name and an expression for the schema. Generic
/// parameters precede the type, in braces.
macro_rules! impl_schema {
    ($({$($parameters:tt)+})? $type:ty, $name:expr, $schema:expr $(, refers to $($other:ty),+)?) => {
        impl$(<$($parameters)+>)? utoipa::PartialSchema for $type {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                $schema.into()
            }
        }

        impl$(<$($parameters)+>)? utoipa::ToSchema for $type {
            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schemas(_schemas: &mut $crate::api::schema::Schemas) {
                $($($crate::api::schema::add::<$other>(_schemas);)+)?
            }
        }
    };
}

pub(crate) use impl_schema;

pub(crate) mod bots;
pub(crate) mod entries;
pub(crate) mod ids;
pub(crate) mod integer_pattern;
pub(crate) mod names;
pub(crate) mod numbers;

use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{OneOfBuilder, Ref, RefOr};

pub(crate) use entries::{AnyLobbyPlayer, AnyPlayerEntry, AnyRound, SplitsOfRound, UniquePlayers};
pub(crate) use ids::{AnyPlayerId, AnyTime, any_id_text, steam_id64_pattern};
pub(crate) use integer_pattern::whole_number_pattern;
pub(crate) use names::{RoundInPath, ServerInPath};
pub(crate) use numbers::Pings;

/// Names and bodies of the JSON Schemas that another schema refers to.
pub(crate) type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds the JSON Schema of `T` to a list, and the schemas that `T` refers to.
pub(crate) fn add<T: ToSchema>(schemas: &mut Schemas) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// Returns a reference to the JSON Schema of `T`.
fn reference<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

/// Returns the JSON Schema of a string that matches `pattern` and has `least` to `most` characters.
fn text(description: &str, pattern: &str, least: usize, most: usize) -> Object {
    string(description)
        .pattern(Some(pattern))
        .min_length(Some(least))
        .max_length(Some(most))
        .build()
}

fn string(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
}

/// Returns the JSON Schema of a whole number from `least` to `most`.
fn whole(description: &str, least: i64, most: i64) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .description(Some(description))
        .minimum(Some(least))
        .maximum(Some(most))
        .build()
}

/// Returns a builder for the JSON Schema of an object that forbids properties other than its declared ones.
fn closed_object() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

/// Returns a JSON Schema that allows `null` in addition to `schema`.
fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(null).item(schema).into()
}
