use std::sync::Arc;

use super::ReplayError;
use crate::domain::{
    ChangeId, FieldProblem, PoolName, RatingsName, RoundId, SeasonName, ServerName, Timestamp,
};
use crate::rating::ModelName;
use crate::store::{PrunedRound, StoreError};
use crate::turns::Crowded;

/// Why the service cannot do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ServiceError {
    /// What was sent is well-formed but not acceptable.
    #[error("{}", crate::api::listed(.0))]
    Invalid(Vec<FieldProblem>),
    /// No pool of that name is configured.
    #[error("there is no pool \"{0}\"; pools are declared in the configuration, as [pools.{0}]")]
    NoSuchPool(PoolName),
    /// No table of splits was ever computed for that server.
    #[error("no splits have been computed for the server \"{0}\" yet; ask with POST first")]
    NoSplitTable(ServerName),
    /// The pool shows its players to nobody without a secret.
    #[error(
        "there is no public leaderboard of that pool; public = \"ratings\" under [leaderboard], or \
         under [pools.NAME.leaderboard], opens it"
    )]
    NoPublicLeaderboard,
    /// The pool shows no single player to anybody without a secret.
    #[error(
        "there are no public pages of that pool's players; player_pages = true under [leaderboard], or \
         under [pools.NAME.leaderboard], opens them with the leaderboard"
    )]
    NoPublicPlayers,
    /// The id was used for another round.
    #[error(
        "the round_id \"{round_id}\" of the server \"{server}\" was used for another round, which \
         stays as it was counted ({} from it); give every round an id of its own",
        differ(.differing)
    )]
    RoundIdTaken {
        /// The server.
        server: ServerName,
        /// The id.
        round_id: RoundId,
        /// The fields that are not as they were counted.
        differing: Vec<&'static str>,
        /// The pool that the other round counts in.
        pool: PoolName,
    },
    /// The name was used for another change.
    #[error("the change_id \"{0}\" was used for another change, which stays as it was made")]
    ChangeIdTaken(ChangeId),
    /// No ratings were brought to the pool under that name.
    #[error(
        "no ratings were imported into the pool \"{pool}\" under the name \"{name}\"; `rbs audit --pool {pool}` \
         lists those that were"
    )]
    NoSuchRatings {
        /// The name.
        name: RatingsName,
        /// The pool.
        pool: PoolName,
    },
    /// What players were before is not there any more.
    #[error(
        "the ratings \"{0}\" cannot be taken back, because rounds behind them are pruned and what players were \
         rated before is in files by now; set single players with `rbs player set`"
    )]
    RatingsPruned(RatingsName),
    /// No round of that name was ever counted.
    #[error("there is no round \"{round_id}\" of the server \"{server}\"")]
    NoSuchRound {
        /// The server.
        server: ServerName,
        /// The id.
        round_id: RoundId,
    },
    /// No change of a player has that name.
    #[error(
        "there is no change \"{0}\" of a player that could be undone; the player's page and \
         GET /v1/admin/players/{{id}} name the last one"
    )]
    NoSuchChange(ChangeId),
    /// No start of a season of the pool has that name.
    #[error(
        "no season was started by the change \"{0}\" that could be undone; GET /v1/admin/seasons names the changes \
         that started seasons"
    )]
    NoSuchStart(ChangeId),
    /// The pool has no season of that number.
    #[error(
        "the pool \"{pool}\" has no season {number}; there are 0 to {last}, and 0 is what was before the first start"
    )]
    NoSuchSeason {
        /// The pool.
        pool: PoolName,
        /// What was asked for.
        number: u32,
        /// The number of the season that goes on.
        last: u32,
    },
    /// The pool has another season of that name.
    #[error("the pool \"{pool}\" has a season \"{name}\" already; give this one another name")]
    SeasonNameTaken {
        /// The name.
        name: SeasonName,
        /// The pool.
        pool: PoolName,
    },
    /// The start of a season stands in front of what is pruned.
    #[error(
        "the start of a season by the change \"{0}\" cannot be undone, because rounds behind it are pruned and what \
         they would become is in files by now"
    )]
    SeasonPruned(ChangeId),
    /// Another season started behind it, in a pool whose rounds are pruned.
    #[error(
        "the start of a season by the change \"{0}\" cannot be undone while a later season of the pool stands: rounds \
         are pruned, and what the standings at its start would become is in files by now; undo the later one first"
    )]
    LaterSeason(ChangeId),
    /// The change stands in front of what is pruned.
    #[error(
        "the change \"{0}\" cannot be undone, because rounds behind it are pruned and what they would become is in \
         files by now; set the player with PUT /v1/admin/players/{{id}}"
    )]
    ChangePruned(ChangeId),
    /// The round was counted, and is in a file by now.
    #[error(
        "the round \"{}\" of the server \"{}\" was counted, and pruned on {}: every rating stays as it \
         made it, and nothing else is left of it here than its name; the file {} has it",
        .0.round_id, .0.server, day(.0.pruned_at), .0.file
    )]
    RoundPruned(Box<PrunedRound>),
    /// No game server may void a round.
    #[error(
        "game servers may not void rounds here; send an admin's secret to \
         /v1/admin/rounds/{{server}}/{{round_id}}/void, or set void_own_minutes in the configuration"
    )]
    OwnVoidsOff,
    /// The round arrived too long ago for its game server to void it.
    #[error(
        "the round arrived more than {0} minutes ago, which is as long as void_own_minutes lets its game server \
         void it; send an admin's secret to /v1/admin/rounds/{{server}}/{{round_id}}/void"
    )]
    TooLateToVoid(u64),
    /// More than what is old enough was to be pruned.
    #[error(
        "rounds of the last {0} days cannot be pruned, because the service shows changes over that time; \
         name an earlier moment with --before"
    )]
    PruneTooRecent(u32),
    /// What is stored is not what the log gives, so the log has to stay.
    #[error(
        "the pool \"{pool}\" stores another result of the round at place {position} of its log than the log \
         gives, so nothing of it was pruned; `rbs check` names what differs, and `rbs rebuild` computes it again"
    )]
    FiguresDiffer {
        /// The pool.
        pool: PoolName,
        /// The round's place in its log.
        position: u64,
    },
    /// The log was being read, and what was still to be read was pruned.
    #[error(
        "rounds of the pool \"{0}\" were pruned while its log was read; begin again, and the file of the prune \
         has what is missing then"
    )]
    PrunedMeanwhile(PoolName),
    /// The pool's ratings are being computed again.
    #[error(
        "the ratings of the pool \"{0}\" are being computed again already, by a void, a rebuild or a prune; \
         ask again when that is done, or, where it was killed, in a quarter of a minute"
    )]
    RebuildUnderWay(PoolName),
    /// The pool's ratings were being computed again, and somebody else took it over.
    #[error(
        "work on the pool \"{0}\" took so long a pause that another began; no rating was changed, and what was \
         begun can be done again"
    )]
    RebuildLost(PoolName),
    /// The service was asked to stop while it computed a pool's ratings again.
    #[error(
        "the service was stopped before the ratings of the pool \"{0}\" were computed again; they are \
         as they were, so ask again"
    )]
    RebuildStopped(PoolName),
    /// Somebody called it off.
    #[error(
        "the work on the pool \"{0}\" was called off; its ratings are as they were, so ask again where it is to \
         be done after all (a prune that had begun to delete goes on where it was: keep its file)"
    )]
    RebuildCancelled(PoolName),
    /// Nothing is there to be called off.
    #[error(
        "the ratings of the pool \"{0}\" are not being computed again, so there is nothing to call off"
    )]
    NoRebuild(PoolName),
    /// The pool is to be switched to the model that it is rated by.
    #[error("the pool \"{0}\" is rated by {1} already, so nothing was changed")]
    ModelInForce(PoolName, ModelName),
    /// A model is to rate a pool whose first rounds are gone.
    #[error(
        "rounds of the pool \"{0}\" are pruned, and another model would have to begin with the first of them; \
         import the files of its prunes and an export into a new database, and switch the pool there"
    )]
    PrunedPool(PoolName),
    /// A model needs the whole log.
    #[error(
        "the pool \"{0}\" is rated by {1}, which has to begin with the first round whenever it computes ratings \
         again, so nothing of its log can be pruned"
    )]
    NeedsWholeLog(PoolName, ModelName),
    /// The log does not give ratings.
    #[error("the log cannot be replayed")]
    BadLog(#[source] Arc<ReplayError>),
    /// More is waiting than will be done in time.
    #[error("too many requests are waiting; try again shortly")]
    Busy,
    /// The database does not answer; what was asked may be asked again.
    #[error("the database does not answer")]
    Unavailable(#[source] Arc<StoreError>),
    /// A defect of RBS, of what is stored, or of the machine.
    #[error("an internal error")]
    Internal(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

impl ServiceError {
    /// Returns true if the disk of the database is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Unavailable(cause) if matches!(**cause, StoreError::DiskFull(_)))
    }

    pub(super) fn internal(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Internal(Arc::new(error))
    }
}

/// The day of a moment, such as 2026-11-20.
fn day(moment: Timestamp) -> String {
    moment.to_string().chars().take(10).collect()
}

/// "a differs", "a and b differ" or "a, b and c differ".
fn differ(fields: &[&str]) -> String {
    match fields {
        [only] => format!("{only} differs"),
        [others @ .., last] => format!("{} and {last} differ", others.join(", ")),
        [] => "nothing differs".to_owned(),
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_)
            | StoreError::DiskFull(_)
            | StoreError::ReadOnly(_)
            | StoreError::TimedOut => Self::Unavailable(Arc::new(error)),
            StoreError::Crowded => Self::Busy,
            _ => Self::internal(error),
        }
    }
}

impl From<Crowded> for ServiceError {
    fn from(_: Crowded) -> Self {
        Self::Busy
    }
}

impl From<ReplayError> for ServiceError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Store(error) => error.into(),
            error => Self::BadLog(Arc::new(error)),
        }
    }
}
