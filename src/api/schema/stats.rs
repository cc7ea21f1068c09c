use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use super::{or_null, whole};
use crate::domain::{Stat, StatCount, Stats};

/// A number of either sign, or null.
fn stat(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Number, Type::Null]))
        .description(Some(description))
        .minimum(Some(-Stat::MOST))
        .maximum(Some(Stat::MOST))
}

fn stats() -> ObjectBuilder {
    let count = |description| {
        let count = whole(description, 0, i64::from(StatCount::MOST));
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
