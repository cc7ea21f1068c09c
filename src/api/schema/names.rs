use super::text;
use crate::api::{BalanceTicket, ReasonText};
use crate::domain::{
    ApartName, BotLevel, ChangeId, MapName, ModeName, MutatorName, NoticeName, PartyName,
    PlayerDisplayName, PolicyName, PoolName, PowerName, RegionName, RoleName, RoundId, SeasonName,
    SecretName, ServerName, TeamLetter, TicketName,
};

const PLAIN: &str = "^[A-Za-z0-9._-]+$";
const VISIBLE: &str = "^[!-~]+$";
/// A name, or one of dots with what escapes it.
const PLAIN_IN_PATH: &str = "^[A-Za-z0-9._-]+$|^[.]{1,2}~$";
const TICKET: &str = "^-?[0-9]+;[a-z_,]*;[0-9>a-h,]*$";
const TEAM: &str = "^[a-h]$";
const NO_CONTROL: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";

/// The name of a server as one part of a path.
#[derive(Debug)]
pub(crate) struct ServerInPath;

/// The name of a round as one part of a path.
#[derive(Debug)]
pub(crate) struct RoundInPath;

/// Gives names their schemas: what they are, which characters they have, and how many at most.
macro_rules! impl_name_schemas {
    ($($name:ident: $description:literal, $pattern:ident, $most:literal;)+) => {
        $(impl_schema!($name, stringify!($name), text($description, $pattern, 1, $most));)+
    };
}

impl_name_schemas! {
    ServerName: "A game server, as it names itself.", PLAIN, 64;
    ServerInPath:
        "A server as one part of a path; `.~` and `..~` are the names `.` and `..`.",
        PLAIN_IN_PATH, 64;
    RoundInPath: "The round; `.~` and `..~` are the names `.` and `..`.", VISIBLE, 64;
    PoolName: "A set of ratings that one or more servers share.", PLAIN, 64;
    ModeName: "A way of playing, such as `ctf` or `ffa`.", NO_CONTROL, 64;
    MutatorName: "What changes the rules of the game, such as `InstaGib`.", NO_CONTROL, 64;
    RoundId:
        "The client's own name for one round, unique within its server; makes retries safe.",
        VISIBLE, 64;
    ChangeId:
        "What an admin's change is named for good, so that it is made once however often it is sent.",
        VISIBLE, 64;
    MapName: "The map that a round was played on.", NO_CONTROL, 64;
    NoticeName: "A notice to a game server, unique within it.", VISIBLE, 64;
    TicketName: "A ticket of those who wait for a match, unique within its queue.", VISIBLE, 64;
    RegionName: "Where servers stand, such as `eu`.", PLAIN, 64;
    PartyName: "Who has the same is in one party.", NO_CONTROL, 64;
    ApartName: "Who has the same should not share a team.", NO_CONTROL, 64;
    BotLevel: "How skilled a bot is set to be, as the pool calls it, such as `expert`.", PLAIN, 32;
    RoleName: "What a player can do for a team, such as `medic`.", VISIBLE, 32;
    PlayerDisplayName: "What a player is called, for people to read.", NO_CONTROL, 64;
    SeasonName: "A season of a pool, as people call it.", NO_CONTROL, 40;
    ReasonText: "An admin's words on why.", NO_CONTROL, 500;
    PolicyName:
        "A policy of balance: a built-in one, such as `ns2`, or one of the configuration's own.",
        PLAIN, 64;
    SecretName: "What a secret is called, so that people know whose it is.", PLAIN, 32;
    TeamLetter: "A team, by its place: `a` is the first, `h` the eighth.", TEAM, 1;
    BalanceTicket:
        "What `/v1/balance` found about a match, for the next time that it is asked about it.",
        TICKET, 4096;
    PowerName:
        "What players are weighed by: a built-in power, such as `pub-power`, or one of the configuration's own.",
        PLAIN, 64;
}
