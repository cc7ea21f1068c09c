use std::sync::Arc;

use super::ReplayError;
use crate::domain::{
    ChangeId, FieldProblem, PoolName, RatingsName, RoundId, SeasonName, ServerName, Timestamp,
};
use crate::rating::ModelName;
use crate::store::{PrunedRound, StoreError};
use crate::turns::Crowded;

/// Reason for which the service refuses or fails a request.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ServiceError {
    /// Well-formed request with unacceptable fields.
    #[error("{}", crate::api::listed(.0))]
    Invalid(Vec<FieldProblem>),
    /// The configuration has no pool with the requested name.
    #[error("there is no pool \"{0}\"; pools are declared in the configuration, as [pools.{0}]")]
    NoSuchPool(PoolName),
    /// No splits were ever computed for the requested server.
    #[error(
        "no splits have been computed for the server \"{0}\" yet; request them with POST first"
    )]
    NoSplitTable(ServerName),
    /// The requested public page does not exist, or may not be shown.
    #[error(
        "there is no such public page; to make the leaderboard public, set public = \"ratings\" under [leaderboard] or \
         [pools.NAME.leaderboard], and for pages of players or matches also player_pages = true or match_pages = true"
    )]
    NoPublicPage,
    /// The round id of a report already belongs to another round of the server.
    #[error(
        "the round_id \"{round_id}\" of the server \"{server}\" was already used for another \
         round, which stays unchanged ({} from it); give every round its own id",
        differ(.differing)
    )]
    RoundIdTaken {
        /// Name of the server that reported two different rounds with the same round id.
        server: ServerName,
        /// Round id that a server sent for two different rounds.
        round_id: RoundId,
        /// Names of the fields in which a report differs from the counted round with the same round id.
        differing: Vec<&'static str>,
        /// Name of the pool that contains the round first reported with `round_id`.
        pool: PoolName,
    },
    /// The change id of an admin's request already belongs to another change.
    #[error(
        "the change_id \"{0}\" was already used for another change, which stays unchanged; use a new change_id"
    )]
    ChangeIdTaken(ChangeId),
    /// No ratings were imported into the pool under the requested name.
    #[error(
        "no ratings were imported into the pool \"{pool}\" under the name \"{name}\"; `rbs audit --pool {pool}` \
         lists the imports that were made"
    )]
    NoSuchRatings {
        /// Requested name of an import of ratings.
        name: RatingsName,
        /// Name of the pool into which no ratings were imported under the requested name.
        pool: PoolName,
    },
    /// Imported ratings cannot be undone, because the rounds needed to restore the earlier ratings are pruned.
    #[error(
        "the import of the ratings \"{0}\" cannot be undone, because rounds after it are pruned and earlier \
         ratings are only in the files that pruning wrote; set the ratings of individual players with `rbs player set`"
    )]
    RatingsPruned(RatingsName),
    /// The log has no round of the server with the requested round id.
    #[error("there is no round \"{round_id}\" of the server \"{server}\"")]
    NoSuchRound {
        /// Name of the server whose round was requested.
        server: ServerName,
        /// Requested round id, which the log does not contain for the server.
        round_id: RoundId,
    },
    /// No admin's change of a player has the requested change id.
    #[error(
        "there is no change \"{0}\" of a player that can be undone; the player's page and \
         GET /v1/admin/players/{{id}} name the last change"
    )]
    NoSuchChange(ChangeId),
    /// No start of a season in the pool has the requested change id.
    #[error(
        "no season of the pool was started by the change \"{0}\", so nothing was undone; GET /v1/admin/seasons names \
         the changes that started seasons"
    )]
    NoSuchStart(ChangeId),
    /// The pool has no season with the requested number.
    #[error(
        "the pool \"{pool}\" has no season {number}; its seasons are 0 to {last}, where 0 is the time before the first season"
    )]
    NoSuchSeason {
        /// Name of the pool whose season was requested.
        pool: PoolName,
        /// Number of the requested season.
        number: u32,
        /// Number of the current season, the highest of the pool.
        last: u32,
    },
    /// Another season of the pool already has the requested name.
    #[error("the pool \"{pool}\" already has a season \"{name}\"; choose another name")]
    SeasonNameTaken {
        /// Name requested for a season of the pool.
        name: SeasonName,
        /// Name of the pool in which another season already has the requested name.
        pool: PoolName,
    },
    /// The start of the season cannot be undone, because it lies before pruned rounds.
    #[error(
        "the season started by the change \"{0}\" cannot be undone, because rounds after its start are \
         pruned and can no longer be recomputed"
    )]
    SeasonPruned(ChangeId),
    /// The start of the season cannot be undone, because the pool has pruned rounds and a later season.
    #[error(
        "the season started by the change \"{0}\" cannot be undone while the pool has a later season: rounds are \
         pruned, so the standings at the start of the later season cannot be recomputed; undo the later season first"
    )]
    LaterSeason(ChangeId),
    /// The admin's change of a player cannot be undone, because it lies before pruned rounds.
    #[error(
        "the change \"{0}\" cannot be undone, because rounds after it are pruned and can no \
         longer be recomputed; set the player's rating with PUT /v1/admin/players/{{id}}"
    )]
    ChangePruned(ChangeId),
    /// The requested round was counted, and has been pruned from the database into a file since.
    #[error(
        "the round \"{}\" of the server \"{}\" was counted, and was pruned on {}: it still \
         counts in every rating, but its details are only in the file {}",
        .0.round_id, .0.server, day(.0.pruned_at), .0.file
    )]
    RoundPruned(Box<PrunedRound>),
    /// The configuration does not allow game servers to void rounds.
    #[error(
        "game servers may not void rounds here; send an admin's secret to \
         /v1/admin/rounds/{{server}}/{{round_id}}/void, or set void_own_minutes in the configuration"
    )]
    OwnVoidsOff,
    /// The round arrived too long ago for its game server to void it. Holds the limit in minutes.
    #[error(
        "the round arrived more than {0} minutes ago, and its game server may void it only within that time \
         (void_own_minutes); send an admin's secret to /v1/admin/rounds/{{server}}/{{round_id}}/void"
    )]
    TooLateToVoid(u64),
    /// The requested prune includes rounds that are too recent. Holds the number of days that must stay in the log.
    #[error(
        "rounds of the last {0} days cannot be pruned, because the service shows rating changes over that period; \
         give an earlier time with --before"
    )]
    PruneTooRecent(u32),
    /// Stored results differ from the results of a replay, so the log must not be pruned.
    #[error(
        "in the log of the pool \"{pool}\", the round at position {position} gives another result than the stored one, \
         so nothing was pruned; `rbs check` shows the difference, and `rbs rebuild` corrects it"
    )]
    FiguresDiffer {
        /// Name of the pool that was to be pruned.
        pool: PoolName,
        /// Log position of the round whose stored result differs from the result that a replay computes.
        position: u64,
    },
    /// The unread rest of a pool's log was pruned while the log was read.
    #[error(
        "rounds of the pool \"{0}\" were pruned while its log was being read, and are now in the file that pruning \
         wrote; run the command again"
    )]
    PrunedMeanwhile(PoolName),
    /// Another rebuild of the pool's ratings is in progress.
    #[error(
        "the ratings of the pool \"{0}\" are already being recomputed, by a void, a rebuild or \
         a prune; try again when that is done, or in 15 seconds if its process was killed"
    )]
    RebuildInProgress(PoolName),
    /// The rebuild of a pool lost its lease, and another process took over the pool.
    #[error(
        "recomputing the ratings of the pool \"{0}\" paused for so long that another recomputation of them began; \
         no rating was changed, so try again"
    )]
    RebuildLost(PoolName),
    /// The service was stopped during a rebuild of a pool's ratings.
    #[error(
        "the service was stopped before the ratings of the pool \"{0}\" were recomputed; they \
         are unchanged, so try again"
    )]
    RebuildStopped(PoolName),
    /// The rebuild of a pool's ratings was cancelled by a request.
    #[error(
        "the work on the pool \"{0}\" was cancelled; its ratings are unchanged. Start it again if you still \
         want it (a prune that had begun to delete rounds continues where it stopped, so keep its file)"
    )]
    RebuildCancelled(PoolName),
    /// No rebuild of the pool is in progress, so none can be cancelled.
    #[error(
        "the ratings of the pool \"{0}\" are not being recomputed, so there is nothing to cancel"
    )]
    NoRebuild(PoolName),
    /// The pool is already rated by the model to switch to.
    #[error("the pool \"{0}\" already uses the model {1}, so nothing was changed")]
    ModelInForce(PoolName, ModelName),
    /// The pool cannot switch to another model, which needs the first rounds of the log, because they are pruned.
    #[error(
        "another model would need all rounds of the pool \"{0}\", but some of them are pruned; \
         import the files that pruning wrote and an export of the pool into a new database, and switch the pool there"
    )]
    PrunedPool(PoolName),
    /// The pool's model needs the whole log for every rebuild, so the log cannot be pruned.
    #[error(
        "the pool \"{0}\" uses the model {1}, which starts at the first round whenever it recomputes \
         ratings, so none of its rounds can be pruned"
    )]
    NeedsWholeLog(PoolName, ModelName),
    /// The log of a pool cannot be replayed to compute ratings.
    #[error(
        "the ratings cannot be recomputed from the pool's log (to look for damage, run `rbs check`)"
    )]
    BadLog(#[source] Arc<ReplayError>),
    /// So many requests are waiting that this request cannot be answered in time. A retry is safe.
    #[error("too many requests are waiting; try again shortly")]
    Busy,
    /// The database does not answer. The request can be retried.
    #[error("the database does not answer")]
    Unavailable(#[source] Arc<StoreError>),
    /// Defect of RBS, of the stored data, or of the machine.
    #[error("an internal error")]
    Internal(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

impl ServiceError {
    /// Returns `true` if the database's disk is full.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Unavailable(cause) if matches!(**cause, StoreError::DiskFull(_)))
    }

    /// Returns the error for a well-formed request with one unacceptable field, at the JSON pointer `field`.
    pub(crate) fn invalid(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldProblem::new(field, detail)])
    }

    /// Returns an error that lists `problems`, unless there are none.
    pub(crate) fn check(problems: Vec<FieldProblem>) -> Result<(), Self> {
        if problems.is_empty() {
            return Ok(());
        }
        Err(Self::Invalid(problems))
    }

    pub(crate) fn internal(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Internal(Arc::new(error))
    }
}

/// Returns the date of a timestamp, such as 2026-11-20.
fn day(moment: Timestamp) -> String {
    moment.to_string().chars().take(10).collect()
}

/// Formats names of request fields as "a differs", "a and b differ" or "a, b and c differ".
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
