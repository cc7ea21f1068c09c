use super::text;
use crate::api::{BalanceTicket, ReasonText};
use crate::domain::{
    ApartName, BotLevel, ChangeId, MapName, ModeName, MutatorName, NoticeName, PartyName,
    PlayerDisplayName, PolicyName, PoolName, PowerName, RegionName, RoleName, RoundId, SeasonName,
    SecretName, ServerName, TeamLetter, TicketName,
};

const PLAIN: &str = "^[A-Za-z0-9._-]+$";
const VISIBLE: &str = "^[!-~]+$";
/// Pattern of a plain name in a URL path, where `.` and `..` are escaped by a trailing `~`.
const PLAIN_IN_PATH: &str = "^[A-Za-z0-9._-]+$|^[.]{1,2}~$";
const TICKET: &str = "^-?[0-9]+;[a-z_,]*;[0-9>a-h,]*$";
const TEAM: &str = "^[a-h]$";
const NO_CONTROL: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";

/// JSON Schema of a server name as a segment of a URL path.
pub(crate) struct ServerInPath;

/// JSON Schema of a round id as a segment of a URL path.
pub(crate) struct RoundInPath;

/// Implements JSON Schemas of names, each from a description, a pattern and a maximum number of characters.
macro_rules! impl_name_schemas {
    ($($name:ident: $description:literal, $pattern:ident, $most:literal;)+) => {
        $(impl_schema!($name, stringify!($name), text($description, $pattern, 1, $most));)+
    };
}

impl_name_schemas! {
    ServerName: "The name that a game server gives itself.", PLAIN, 64;
    ServerInPath:
        "The name of a game server. In a path, write the names `.` and `..` as `.~` and `..~`.",
        PLAIN_IN_PATH, 64;
    RoundInPath: "The id of the round. In a path, write the ids `.` and `..` as `.~` and `..~`.", VISIBLE, 64;
    PoolName: "The name of a pool: a set of ratings that one or more servers share.", PLAIN, 64;
    ModeName: "A game mode, such as `ctf` or `ffa`.", NO_CONTROL, 64;
    MutatorName: "A change to the rules of the game, such as `InstaGib`.", NO_CONTROL, 64;
    RoundId:
        "An id that the client chooses for one round, unique within its server. It makes retries safe.",
        VISIBLE, 64;
    ChangeId:
        "An id that the client chooses for an admin's change. The change is made once, however often it is sent.",
        VISIBLE, 64;
    MapName: "The map on which a round was played.", NO_CONTROL, 64;
    NoticeName: "The id of a notice, unique within its game server.", VISIBLE, 64;
    TicketName: "The id of a matchmaking ticket, unique within its queue.", VISIBLE, 64;
    RegionName: "A region of servers, such as `eu`.", PLAIN, 64;
    PartyName: "A label of a party: players with the same label are in one party.", NO_CONTROL, 64;
    ApartName: "A label for keeping players apart: players with the same label should not share a team.", NO_CONTROL, 64;
    BotLevel: "A skill level of bots, defined by the pool, such as `expert`.", PLAIN, 32;
    RoleName: "A role that a player can fill on a team, such as `medic`.", VISIBLE, 32;
    PlayerDisplayName: "A player's display name.", NO_CONTROL, 64;
    SeasonName: "The name of a season of a pool.", NO_CONTROL, 40;
    ReasonText: "The reason that an admin gives.", NO_CONTROL, 500;
    PolicyName:
        "The name of a balance policy: a built-in one, such as `ns2`, or one from the configuration.",
        PLAIN, 64;
    SecretName: "The name of a secret, which says who uses the secret.", PLAIN, 32;
    TeamLetter: "The letter of a team: `a` is the first team, `h` the eighth.", TEAM, 1;
    BalanceTicket:
        "State that `/v1/balance` returned for a match. Send it with the next request about the same match.",
        TICKET, 4096;
    PowerName:
        "The name of a power (a value calculated from a player's past scoreboards): a built-in one, such as \
         `pub-power`, or one from the configuration.",
        PLAIN, 64;
}
