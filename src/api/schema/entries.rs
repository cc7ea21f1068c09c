use utoipa::openapi::schema::{
    AnyOfBuilder, ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{OneOfBuilder, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::{AnyPlayerId, any_id_text, closed_object, or_null, reference, whole};
use crate::api::{
    LobbyPlayer, MAX_PLAYERS, Pair, ScrambleRequest, TeamsRequest, UpdateRequest, WaitedRounds,
    Whole,
};
use crate::domain::{PlayerEntry, PlayerId, RoleName, Stats};

/// Schema of a player on a team of a round, in every form that requests may use. Answers use [`PlayerEntry`].
pub(crate) struct AnyPlayerEntry;

/// Schema of a lobby player, in every form that requests may use.
pub(crate) struct AnyLobbyPlayer;

/// Schema of an item of `POST /v1/updates`: a valid [`UpdateRequest`], or any other value, which is refused alone.
pub(crate) struct AnyRound;

/// Schema of the `scramble` field of an update: [`ScrambleRequest`] without `server`, which the round names.
pub(crate) struct SplitsOfRound;

/// Schema of a list of up to `MAX` distinct players.
pub(crate) struct UniquePlayers<const MAX: usize>;

fn flag(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .description(Some(description))
}

/// Returns the schema of a player on a team of a round, whose id has the schema `Id`. Includes the player's name if
/// `is_sent`.
fn entry<Id: ToSchema>(is_sent: bool) -> RefOr<Schema> {
    let seconds = whole(
        "Seconds that the player was on the team. RBS treats them as the first part of the round if the player was \
         there at the start, otherwise as the last part. Must not exceed `round_seconds`, which must be sent too. \
         A player with 0 seconds is not rated.",
        0,
        86_400,
    );
    let mut role = Ref::from_schema_name(RoleName::name());
    role.description = String::from(
        "The player's role on the team, such as `commander`. It is stored with the round, and a model may rate \
         commanders separately (`ns2` does).",
    );
    let mut id = Ref::from_schema_name(Id::name());
    id.description = String::from("The player's id.");
    let mut stats = Ref::from_schema_name(Stats::name());
    stats.description = String::from(
        "The player's numbers from the scoreboard. For a player who changed sides, send those of the whole round, on one team only.",
    );
    let mut object = closed_object()
        .property("id", id)
        .property(
            "at_start",
            flag("Whether the player was on the team when the round started, and so counts in the team's sum of ratings.")
                .default(Some(true.into())),
        )
        .property(
            "participated",
            flag("Whether the player took part and is rated for the round.").default(Some(true.into())),
        )
        .property("seconds", or_null(seconds.into()))
        .property("stats", or_null(stats.into()))
        .property("role", or_null(role.into()))
        .required("id");
    if is_sent {
        let name = ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some(
                "The player's display name. It is stored for people to read and is not part of the round. \
                 Invisible characters are removed, and a name over 64 characters is cut.",
            ));
        object = object.property("name", name);
    }
    OneOfBuilder::new()
        .description(Some(
            "A player on one team of a round: the id, or an object with the id and further fields.",
        ))
        .item(reference::<Id>())
        .item(object)
        .into()
}

impl_schema!(PlayerEntry, "PlayerEntry", entry::<PlayerId>(false), refers to PlayerId, RoleName, Stats);
impl_schema!(AnyPlayerEntry, "AnyPlayerEntry", entry::<AnyPlayerId>(true), refers to AnyPlayerId, RoleName, Stats);
impl_schema!(
    AnyLobbyPlayer,
    "AnyLobbyPlayer",
    OneOfBuilder::new()
        .description(Some(
            "A player in a lobby: the id, or an object with the id and further fields."
        ))
        .item(reference::<AnyPlayerId>())
        .item(reference::<LobbyPlayer>()),
    refers to AnyPlayerId, LobbyPlayer
);
impl_schema!(
    AnyRound,
    "AnyRound",
    Schema::AnyOf(AnyOfBuilder::new()
        .description(Some(
            "A round in the form that `/v1/update` takes. If a value is not a valid round, only this value is \
             refused: its entry in the answer states the error, and the other rounds are not affected."
        ))
        .item(reference::<UpdateRequest>())
        .item(ObjectBuilder::new().schema_type(SchemaType::AnyValue))
        .build()),
    refers to UpdateRequest
);
impl_schema!(
    Pair,
    "Pair",
    ArrayBuilder::new()
        .description(Some("Two players."))
        .items(reference::<AnyPlayerId>())
        .min_items(Some(2))
        .max_items(Some(2))
        .unique_items(true)
        .build(),
    refers to AnyPlayerId
);
impl_schema!(
    WaitedRounds,
    "WaitedRounds",
    OneOfBuilder::new()
        .description(Some(
            "Number of consecutive rounds that players have waited: an object with the number for each player \
             id, or `auto` for the service's own count."
        ))
        .item(
            ObjectBuilder::new()
                .schema_type(Type::Object)
                .property_names(Some(any_id_text()))
                .additional_properties(Some(Whole::<0, 1_000_000>::schema()))
                .max_properties(Some(1024))
        )
        .item(
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(["auto"]))
        )
);

impl_schema!(
    TeamsRequest,
    "TeamsRequest",
    OneOfBuilder::new()
        .description(Some(
            "Two current or past teams, in either order. List each player once; only the ids of \
             player objects are used."
        ))
        .item(both_teams("team_a", "team_b"))
        .item(both_teams("a", "b")),
    refers to AnyLobbyPlayer
);
impl_schema!(SplitsOfRound, "SplitsOfRound", splits_of_round(), refers to ScrambleRequest);
impl_schema!(
    {const MAX: usize} UniquePlayers<MAX>,
    format!("DistinctPlayers{MAX}"),
    ArrayBuilder::new()
        .description(Some(format!("Up to {MAX} players, each once.")))
        .items(reference::<AnyPlayerId>())
        .max_items(Some(MAX))
        .unique_items(true),
    refers to AnyPlayerId
);

/// Returns the schema of a JSON object with two teams of players, in the fields `one` and `other`.
fn both_teams(one: &str, other: &str) -> ObjectBuilder {
    let team = |description: &str| {
        let players = ArrayBuilder::new()
            .items(reference::<AnyLobbyPlayer>())
            .max_items(Some(MAX_PLAYERS));
        players.description(Some(description))
    };
    closed_object()
        .property(one, team("One team."))
        .property(other, team("The other team."))
        .required(one)
        .required(other)
}

fn splits_of_round() -> RefOr<Schema> {
    let mut schema = ScrambleRequest::schema();
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.properties.remove("server");
        object.required.retain(|name| name != "server");
        let description = "The players for the next round and the wishes for its splits. \
                           The splits use the ratings after the reported round.";
        object.description = Some(description.to_owned());
    }
    schema
}
