use utoipa::openapi::schema::{
    AdditionalProperties, KnownFormat, Object, ObjectBuilder, SchemaFormat, SchemaType, Type,
};

use super::{closed_object, or_null, string, whole};
use crate::api::{AnswerLength, Seats, Weight, Whole};
use crate::domain::{
    CalibrationRounds, FieldProblem, InterventionResult, NoticeKind, Probability, Rating,
    RoundActionName, Share, Side, SplitMethod, Winner,
};
use crate::rating::{Figure, WindowedCount};

/// Returns the schema of a number from 0 to `most`.
fn number(description: &str, most: f64) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some(description))
        .minimum(Some(0.0))
        .maximum(Some(most))
}

/// Returns the JSON Schema of an object with a figure over the last W rounds and over all rounds. `of` returns the
/// schema of one figure.
fn windowed(description: &str, of: fn(&str) -> Object) -> Object {
    ObjectBuilder::new()
        .description(Some(description))
        .property("window", of("Over the pool's last `window` rounds."))
        .property("all", of("Over all rounds of the pool."))
        .build()
}

impl_schema!(
    Figure,
    "WindowedAnswer",
    windowed(
        "A figure for the pool's last `window` rounds (500 by default), and the same figure for all its rounds.",
        |text| {
            ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::Number, Type::Null]))
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
                .description(Some(text))
                .build()
        }
    )
);
impl_schema!(
    WindowedCount,
    "WindowedCountAnswer",
    windowed(
        "A count for the pool's last `window` rounds (500 by default), and the same count for all its rounds.",
        |text| { whole(text, 0, i32::MAX.into()) }
    )
);
impl_schema!(Probability, "Probability", number("A probability.", 1.0));
impl_schema!(
    Weight,
    "Weight",
    number(
        "A player's weight in team balance, rounded to three decimals.",
        1e6
    )
);
impl_schema!(
    Rating,
    "Rating",
    whole(
        "A rating, in points.",
        Rating::MIN.points().into(),
        Rating::MAX.points().into()
    )
);
impl_schema!(
    {const MIN: u32, const MAX: u32} Whole<MIN, MAX>,
    format!("Whole{MIN}To{MAX}"),
    whole(&format!("A whole number from {MIN} to {MAX}."), MIN.into(), MAX.into())
);

impl_schema!(
    Share,
    "Share",
    number("A fraction from 0 to 1 with at most three decimals.", 1.0)
);
impl_schema!(
    CalibrationRounds,
    "CalibrationRounds",
    whole(
        "Number of rounds that a player must play in a season to be placed, so that the player can get a rank.",
        0,
        CalibrationRounds::MAX.into()
    )
);

/// Implements JSON Schemas of strings that allow only the listed values.
macro_rules! impl_choice_schemas {
    ($($type:ident, $name:literal: $description:literal, [$($text:literal),+];)+) => {
        $(impl_schema!($type, $name, string($description).enum_values(Some([$($text),+])));)+
    };
}

impl_choice_schemas! {
    Side, "Side": "A team.", ["a", "b"];
    Winner, "Winner": "The winner of a round, or a draw.", ["a", "b", "draw"];
    RoundActionName, "RoundActionName":
        "A change to a round: `void` stops it from counting, `unvoid` makes it count again, `correct` changes its winner.",
        ["void", "unvoid", "correct"];
    InterventionResult, "InterventionResult":
        "What RBS recommended for unbalanced teams: move players, fill the teams up with bots, or do nothing, because \
         no change would help.",
        ["moved", "filled", "nothing_helps"];
    NoticeKind, "NoticeKind":
        "The kind of a notice. Later versions may add kinds.", ["scramble", "rating", "plugin", "unknown_server"];
    SplitMethod, "MethodName":
        "How a split was found: `exact` is proven to be the best split, `greedy` is the best of those tried.",
        ["exact", "greedy"];
    AnswerLength, "AnswerLength":
        "How much the answer says about each counted round: `full` includes ratings, `brief` does not.",
        ["full", "brief"];
    Seats, "Seats":
        "The form of the teams in splits: lists of ids, or one letter for each player.",
        ["lists", "letters"];
}

impl_schema!(
    FieldProblem,
    "FieldProblem",
    closed_object()
        .description(Some("A problem with one field of the request."))
        .property("field", string("JSON pointer to the field."))
        .property("detail", string("What is wrong, and what to send instead."))
        .required("field")
        .required("detail")
);

/// JSON Schema of a map from names of servers or regions to pings in milliseconds.
pub(crate) struct Pings;

impl_schema!(
    Pings,
    "Pings",
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(
            "Ping to each server or region in milliseconds, by name, for up to 64 of them; `null` if unknown."
        ))
        .additional_properties(Some(AdditionalProperties::RefOr(or_null(
            whole("A ping in milliseconds.", 0, 60_000).into()
        ))))
        .build()
);
