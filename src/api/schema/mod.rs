//! How the values of the contract are described to machines (JSON Schema, as OpenAPI 3.1 has it).
//!
//! What is a plain struct derives its schema where it stands. Here is what a derived one would get
//! wrong: texts with rules, numbers with ranges, and what is read in more forms than it is written.

/// Gives a type, whose parameters stand before it in braces, the schema that an expression makes,
/// under its own name.
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

/// The schemas that a schema refers to, by name.
pub(crate) type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds the schema of `T`, and those that it refers to.
pub(crate) fn add<T: ToSchema>(schemas: &mut Schemas) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// Points to the schema of `T`.
fn reference<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

/// A text that fits `pattern`, of `least` to `most` characters.
fn text(description: &str, pattern: &str, least: usize, most: usize) -> Object {
    string(description)
        .pattern(Some(pattern))
        .min_length(Some(least))
        .max_length(Some(most))
        .build()
}

/// Any text.
fn string(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
}

/// A whole number from `least` to `most`.
fn whole(description: &str, least: i64, most: i64) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .description(Some(description))
        .minimum(Some(least))
        .maximum(Some(most))
        .build()
}

/// An object that has no properties but those that are added.
fn closed_object() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

/// Either `null` or what the schema describes.
fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(null).item(schema).into()
}
