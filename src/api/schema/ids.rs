use utoipa::openapi::OneOfBuilder;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};

use super::{string, text, whole, whole_number_pattern};
use crate::domain::{Fingerprint, PlayerId, PluginVersion, Timestamp};

/// First and last SteamID64 of an individual account in the public universe.
const FIRST_ID: u64 = 76_561_197_960_265_729;
const LAST_ID: u64 = 76_561_202_255_233_023;
/// First and last Unix second of the years 1 to 9999.
const FIRST_SECOND: i64 = -62_135_596_800;
const LAST_SECOND: i64 = 253_402_300_799;

/// Schema of a player id, in every form that requests may use. Answers use [`PlayerId`].
pub(crate) struct AnyPlayerId;

/// Schema of a time, in every form that requests may use. Answers use [`Timestamp`].
pub(crate) struct AnyTime;

/// Returns a regular expression for a SteamID64 in decimal.
pub(crate) fn steam_id64_pattern() -> String {
    whole_number_pattern(FIRST_ID, LAST_ID)
}

/// Returns the schema of a player id as a string: a SteamID64, `STEAM_X:Y:Z`, `[U:1:N]`, `U:1:N` or a profile link.
/// Excludes account number 0, which belongs to nobody.
pub(crate) fn any_id_text() -> Object {
    let ids = steam_id64_pattern();
    let halves = whole_number_pattern(1, u64::from(u32::MAX) / 2);
    let accounts = whole_number_pattern(1, u64::from(u32::MAX));
    let other_forms = format!(
        "[Ss][Tt][Ee][Aa][Mm]_[01]:(1:0|[01]:({halves}))|\\[[Uu]:1:({accounts})\\]|[Uu]:1:({accounts})"
    );
    let links = format!("(https?:[/][/])?(www[.])?steamcommunity[.]com/profiles/({ids})/?");
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(format!("^({ids}|{other_forms}|{links})$")))
        .build()
}

impl_schema!(
    PlayerId,
    "PlayerId",
    text(
        "A player's SteamID64 as a decimal string, because JSON numbers lose digits beyond 2^53.",
        &format!("^({})$", steam_id64_pattern()),
        17,
        17
    )
);
impl_schema!(
    AnyPlayerId,
    "AnyPlayerId",
    OneOfBuilder::new()
        .description(Some(
            "A player: the SteamID64 as a decimal string or an integer, `STEAM_X:Y:Z`, `[U:1:N]` or \
             `U:1:N`, or a profile link, `steamcommunity.com/profiles/…`. Bots have no id."
        ))
        .item(any_id_text())
        .item(whole(
            "The SteamID64.",
            FIRST_ID.cast_signed(),
            LAST_ID.cast_signed()
        ))
);
impl_schema!(
    Timestamp,
    "Timestamp",
    string("A time, RFC 3339 in UTC.")
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .build()
);
impl_schema!(
    AnyTime,
    "AnyTime",
    OneOfBuilder::new()
        .description(Some(
            "A time: RFC 3339, or whole unix seconds, in the years 1 to 9999."
        ))
        .item(string("RFC 3339.").format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))))
        .item(whole("Unix seconds.", FIRST_SECOND, LAST_SECOND))
);
impl_schema!(
    PluginVersion,
    "PluginVersion",
    text(
        "The version of a plugin: three numbers, optionally followed by the name of a build.",
        "^[0-9]{1,9}[.][0-9]{1,9}[.][0-9]{1,9}([-+][!-~]*)?$",
        5,
        64
    )
);
impl_schema!(
    Fingerprint,
    "Fingerprint",
    text(
        "Fingerprint that identifies a secret without revealing it.",
        "^[0-9a-f]{8}$",
        8,
        8
    )
);

#[cfg(test)]
mod tests {
    use super::{FIRST_ID, LAST_ID};
    use crate::domain::PlayerId;

    #[test]
    fn the_described_ids_are_those_that_are_read() {
        let is_read = |id| PlayerId::from_steam_id64(id).is_ok();
        assert!(is_read(FIRST_ID) && is_read(LAST_ID));
        assert!(!is_read(FIRST_ID - 1) && !is_read(LAST_ID + 1));
    }
}
