use std::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType,
    Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::{string, whole};
use crate::api::{Weight, Whole};
use crate::domain::{
    FieldProblem, InterventionResult, Probability, Rating, Side, SplitMethod, VoidAction, Winner,
};
use crate::rating::{Figure, WindowedCount};

/// A number from `least` to `most`.
fn number(description: &str, least: f64, most: f64) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some(description))
        .minimum(Some(least))
        .maximum(Some(most))
}

/// A value over the last W rounds, and over all, each as `of` describes it.
fn windowed(description: &str, of: fn(&str) -> Object) -> Object {
    ObjectBuilder::new()
        .description(Some(description))
        .property("window", of("Over the window."))
        .property("all", of("Over all rounds."))
        .build()
}

impl_schema!(
    Figure,
    "WindowedAnswer",
    windowed("A figure over the last W rounds, and over all.", |text| {
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::Number, Type::Null]))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
            .description(Some(text))
            .build()
    })
);
impl_schema!(
    WindowedCount,
    "WindowedCountAnswer",
    windowed("A count over the last W rounds, and over all.", |text| {
        whole(text, 0, i32::MAX.into())
    })
);
impl_schema!(
    Probability,
    "Probability",
    number("A probability.", 0.0, 1.0).build()
);
impl_schema!(
    Weight,
    "Weight",
    number(
        "What a player weighs; three decimals count.",
        0.0,
        1_000_000.0
    )
    .build()
);
impl_schema!(
    Rating,
    "Rating",
    whole("A rating, in points.", 0, i64::from(Rating::MAX.points()))
);
impl_schema!(
    Side,
    "Side",
    string("A team.").enum_values(Some(["a", "b"])).build()
);
impl_schema!(
    Winner,
    "Winner",
    string("How a round ended.")
        .enum_values(Some(["a", "b", "draw"]))
        .build()
);
impl_schema!(
    VoidAction,
    "VoidAction",
    string("Whether a round does not count any more, or counts again.")
        .enum_values(Some(["void", "unvoid"]))
        .build()
);
impl_schema!(
    InterventionResult,
    "InterventionResult",
    string("What is to be done about teams that are unbalanced.")
        .enum_values(Some(["moved", "filled", "nothing_helps"]))
        .build()
);
impl_schema!(
    SplitMethod,
    "MethodName",
    string("How a split was found: proven to be the best, or the best of what was tried.")
        .enum_values(Some(["exact", "greedy"]))
        .build()
);

impl<const LEAST: u32, const MOST: u32> PartialSchema for Whole<LEAST, MOST> {
    fn schema() -> RefOr<Schema> {
        let description = format!("A whole number from {LEAST} to {MOST}.");
        whole(&description, LEAST.into(), MOST.into()).into()
    }
}

impl<const LEAST: u32, const MOST: u32> ToSchema for Whole<LEAST, MOST> {
    fn name() -> Cow<'static, str> {
        format!("Whole{LEAST}To{MOST}").into()
    }
}

impl_schema!(
    FieldProblem,
    "FieldProblem",
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some("Something wrong with one field of what was sent."))
        .property("field", string("Where: a JSON pointer."))
        .property("detail", string("What is wrong and what to send instead."))
        .required("field")
        .required("detail")
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .build()
);
