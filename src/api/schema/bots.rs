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
            "How many bots of each level play, by the names that the pool gives the levels (`[pools.NAME.bots]`); at most 32 \
             in all.",
        ))
        .additional_properties(Some(AdditionalProperties::RefOr(
            whole("How many of that level.", 0, BotCounts::MAX.into()).into(),
        )))
        .build()
);
impl_schema!(
    TeamBots,
    "TeamBots",
    closed_object()
        .description(Some("The bots of a match, which are no players."))
        .property("a", or_null(of_team("Those on team a.")))
        .property("b", or_null(of_team("Those on team b.")))
        .build(),
    refers to BotCounts
);

fn of_team(description: &str) -> RefOr<Schema> {
    let mut counts = Ref::from_schema_name(BotCounts::name());
    counts.description = String::from(description);
    counts.into()
}

/// A number of either sign, or null.
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
            "What the scoreboard of a round says of one player: any of these numbers, and up to 8 more that the pool \
             declares (`stats`) under their names. No rating hangs on them.",
        ))
        .property("score", stat("What the game itself counts by; may be below 0."))
        .property("kills", count("How often the player killed somebody."))
        .property("deaths", count("How often the player died."))
        .property("assists", count("How often the player helped with a kill."))
        .additional_properties(Some(stat("A number that the pool declares, under its name.")))
}

impl_schema!(Stats, "Stats", stats());
