use super::text;
use crate::api::ReasonText;
use crate::domain::{
    ChangeId, MapName, ModeName, PartyName, PolicyName, PoolName, RoleName, RoundId, ServerName,
};

const PLAIN: &str = "^[A-Za-z0-9._-]+$";
const VISIBLE: &str = "^[!-~]+$";
/// A name, or one of dots with what escapes it.
const PLAIN_IN_PATH: &str = "^[A-Za-z0-9._-]+$|^[.]{1,2}~$";
const NO_CONTROL: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";

described!(
    ServerName,
    "ServerName",
    text("A game server, as it names itself.", PLAIN, 1, 64)
);
/// The name of a server as one part of a path.
#[derive(Debug)]
pub(crate) struct ServerInPath;

/// The name of a round as one part of a path.
#[derive(Debug)]
pub(crate) struct RoundInPath;

described!(
    ServerInPath,
    "ServerInPath",
    text(
        "The server of the round; `.~` and `..~` are the names `.` and `..`.",
        PLAIN_IN_PATH,
        1,
        64
    )
);
described!(
    RoundInPath,
    "RoundInPath",
    text(
        "The round; `.~` and `..~` are the names `.` and `..`.",
        VISIBLE,
        1,
        64
    )
);
described!(
    PoolName,
    "PoolName",
    text(
        "A set of ratings that one or more servers share.",
        PLAIN,
        1,
        64
    )
);
described!(
    ModeName,
    "ModeName",
    text("A way of playing, such as `ffa`.", PLAIN, 1, 64)
);
described!(
    RoundId,
    "RoundId",
    text(
        "The client's own name for one round, unique within its server; makes retries safe.",
        VISIBLE,
        1,
        64
    )
);
described!(
    ChangeId,
    "ChangeId",
    text(
        "What an admin's change is named for good, so that it is made once however often it is sent.",
        VISIBLE,
        1,
        64
    )
);
described!(
    MapName,
    "MapName",
    text("The map that a round was played on.", NO_CONTROL, 1, 64)
);
described!(
    PartyName,
    "PartyName",
    text("Who has the same is in one party.", NO_CONTROL, 1, 64)
);
described!(
    RoleName,
    "RoleName",
    text(
        "What a player can do for a team, such as `medic`.",
        VISIBLE,
        1,
        32
    )
);
described!(
    ReasonText,
    "ReasonText",
    text("An admin's words on why.", NO_CONTROL, 1, 500)
);
described!(
    PolicyName,
    "PolicyName",
    text(
        "A policy of balance: a built-in one, such as `ns2`, or one of the configuration's own.",
        PLAIN,
        1,
        64
    )
);
