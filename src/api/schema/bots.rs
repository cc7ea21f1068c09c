use utoipa::ToSchema as _;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};

use super::{closed_object, or_null, whole};
use crate::domain::{BotCounts, Stat, StatCount, Stats, TeamBots};

impl_schema!(
    BotCounts,
    "BotCounts",
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(
            "Number of bots of each level, at most 32 in all. The pool names the levels in \
             `[pools.NAME.bots]`.",
        ))
        .additional_properties(Some(AdditionalProperties::RefOr(
            whole("Number of bots of this level.", 0, BotCounts::MAX.into()).into(),
        )))
        .build()
);
impl_schema!(
    TeamBots,
    "TeamBots",
    closed_object()
        .description(Some("The bots in a match. They are not listed among the players."))
        .property("a", or_null(of_team("Bots on team a.")))
        .property("b", or_null(of_team("Bots on team b.")))
        .build(),
    refers to BotCounts
);

fn of_team(description: &str) -> RefOr<Schema> {
    let mut counts = Ref::from_schema_name(BotCounts::name());
    counts.description = String::from(description);
    counts.into()
}

/// Returns the schema of a scoreboard number from `-Stat::MAX` to `Stat::MAX`, or `null`.
fn stat(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Number, Type::Null]))
        .description(Some(description))
        .minimum(Some(-Stat::MAX))
        .maximum(Some(Stat::MAX))
}

fn stats() -> ObjectBuilder {
    let count = |description| {
        let count = whole(description, 0, i64::from(StatCount::MAX));
        or_null(count.into())
    };
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(
            "One player's numbers from the scoreboard of a round: any of the fields listed here, and \
             up to 8 more that the pool declares in `stats`, under the names declared there. None of these numbers \
             affects ratings.",
        ))
        .property("score", stat("The player's score in the game; may be negative."))
        .property("kills", count("Number of kills."))
        .property("deaths", count("Number of deaths."))
        .property("assists", count("Number of assists."))
        .additional_properties(Some(stat(
            "A number that the pool declares in `stats`. The field has the name declared there.",
        )))
}

impl_schema!(Stats, "Stats", stats());
