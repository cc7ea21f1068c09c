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

/// A number from 0 to `most`.
fn number(description: &str, most: f64) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .description(Some(description))
        .minimum(Some(0.0))
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
impl_schema!(Probability, "Probability", number("A probability.", 1.0));
impl_schema!(
    Weight,
    "Weight",
    number("What a player weighs; three decimals count.", 1e6)
);
impl_schema!(
    Rating,
    "Rating",
    whole("A rating, in points.", 0, i64::from(Rating::MAX.points()))
);
impl_schema!(
    {const MIN: u32, const MAX: u32} Whole<MIN, MAX>,
    format!("Whole{MIN}To{MAX}"),
    whole(&format!("A whole number from {MIN} to {MAX}."), MIN.into(), MAX.into())
);

impl_schema!(
    Share,
    "Share",
    number("A share, with three decimals at most.", 1.0)
);
impl_schema!(
    CalibrationRounds,
    "CalibrationRounds",
    whole(
        "How many rounds of a season it takes until a player is placed.",
        0,
        CalibrationRounds::MAX.into()
    )
);

/// Gives texts of which there are only a few their schemas: their name, what they are, and which.
macro_rules! impl_choice_schemas {
    ($($type:ident, $name:literal: $description:literal, [$($text:literal),+];)+) => {
        $(impl_schema!($type, $name, string($description).enum_values(Some([$($text),+])));)+
    };
}

impl_choice_schemas! {
    Side, "Side": "A team.", ["a", "b"];
    Winner, "Winner": "How a round ended.", ["a", "b", "draw"];
    RoundActionName, "RoundActionName":
        "What becomes of a round: it does not count any more, counts again, or ended otherwise.",
        ["void", "unvoid", "correct"];
    InterventionResult, "InterventionResult":
        "What is to be done about teams that are unbalanced.", ["moved", "filled", "nothing_helps"];
    NoticeKind, "NoticeKind":
        "What a notice is about; more kinds may come.", ["scramble", "rating", "plugin", "unknown_server"];
    SplitMethod, "MethodName":
        "How a split was found: proven to be the best, or the best of what was tried.",
        ["exact", "greedy"];
    AnswerLength, "AnswerLength":
        "How much is answered of each round that counts: all, or nothing of the ratings.",
        ["full", "brief"];
    Seats, "Seats":
        "How the teams of splits are answered: as lists of ids, or as a letter for each player.",
        ["lists", "letters"];
}

impl_schema!(
    FieldProblem,
    "FieldProblem",
    closed_object()
        .description(Some("Something wrong with one field of what was sent."))
        .property("field", string("Where: a JSON pointer."))
        .property("detail", string("What is wrong and what to send instead."))
        .required("field")
        .required("detail")
);

/// Places by name with the ping to each.
#[derive(Debug)]
pub(crate) struct Pings;

impl_schema!(
    Pings,
    "Pings",
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(
            "Servers or regions by name, up to 64, with the ping to each in milliseconds; `null` where it is not known."
        ))
        .additional_properties(Some(AdditionalProperties::RefOr(or_null(
            whole("A ping in milliseconds.", 0, 60_000).into()
        ))))
        .build()
);
