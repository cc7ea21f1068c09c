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

/// A player on a team of a round, in any form that is read; [`PlayerEntry`] is described as it is
/// written.
#[derive(Debug)]
pub(crate) struct AnyPlayerEntry;

/// A player of a lobby, in any form that is read.
#[derive(Debug)]
pub(crate) struct AnyLobbyPlayer;

/// A round of several, which are each read for themselves.
#[derive(Debug)]
pub(crate) struct AnyRound;

/// What is wished of the splits of a round's players: as in [`ScrambleRequest`], where the round
/// names the server.
#[derive(Debug)]
pub(crate) struct SplitsOfRound;

/// Up to `MAX` players, each once.
#[derive(Debug)]
pub(crate) struct UniquePlayers<const MAX: usize>;

fn flag(description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .description(Some(description))
}

/// An entry whose id is described by `Id`, and, where it `is_sent`, with what the player is called.
fn entry<Id: ToSchema>(is_sent: bool) -> RefOr<Schema> {
    let seconds = whole(
        "For how many seconds the player was there, if given; only with `round_seconds`, and no more: \
         from the start on for those who stood there then, else up to the end. With 0 the player is \
         not rated.",
        0,
        86_400,
    );
    let mut role = Ref::from_schema_name(RoleName::name());
    role.description = String::from(
        "What the player did for the team, such as `commander`: a model may rate commanders apart (`ns2` does). It is \
         kept with the round.",
    );
    let mut id = Ref::from_schema_name(Id::name());
    id.description = String::from("Who it is.");
    let mut stats = Ref::from_schema_name(Stats::name());
    stats.description = String::from(
        "What the scoreboard said, if given; of a player who changed sides once, of the whole round.",
    );
    let mut object = closed_object()
        .property("id", id)
        .property(
            "at_start",
            flag("Stood on the team when the round started: counts into the team's sum.")
                .default(Some(true.into())),
        )
        .property(
            "participated",
            flag("Took part: is rated for the round.").default(Some(true.into())),
        )
        .property("seconds", or_null(seconds.into()))
        .property("stats", or_null(stats.into()))
        .property("role", or_null(role.into()))
        .required("id");
    if is_sent {
        let name = ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some(
                "What the player is called. It is kept for people to read, and is no part of the round; what cannot be \
                 seen of it is left out, and what is longer than 64 characters is cut.",
            ));
        object = object.property("name", name);
    }
    OneOfBuilder::new()
        .description(Some(
            "A player on one team of a round: the id, or an object where more is known.",
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
            "A player of a lobby: the id, or an object where more is known."
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
            "A round, as `/v1/update` takes it. Anything else is answered in its place, and is no \
             matter of the others."
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
            "Rounds in a row that players have waited: by their ids in any form that is a text, or as the \
             service knows it."
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
            "Two teams as they stand or stood, sides interchangeable, each player once; of objects only the \
             ids count."
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

/// Two teams by these names.
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
        let description =
            "Who may play, and what is wished of the splits, by the ratings after the round.";
        object.description = Some(description.to_owned());
    }
    schema
}
