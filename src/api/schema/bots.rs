use utoipa::ToSchema as _;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};

use super::{closed_object, or_null, whole};
use crate::domain::{BotCounts, TeamBots};

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
            whole("How many of that level.", 0, BotCounts::MOST.into()).into(),
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
