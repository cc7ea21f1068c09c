//! Methods of [`Tx`] that each run one database query. Each is declared with the function that runs it: in `sql` if
//! SQLite and PostgreSQL share the SQL text, otherwise in the module of each engine.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Inner, Tx, within};
use crate::domain::{
    ChangeId, PlayerId, PoolName, Probability, Progress, RoundId, ServerName, Timestamp,
};
use crate::rating::{
    GroupKind, GroupTotals, PlayerState, PredictionTotals, RatingCount, RoundGroup, RoundResult,
};
use crate::store::{
    AuditEntry, Change, ChunksBefore, EntryChunk, Generation, ImportRecord, Intervention,
    InterventionFilter, LastRow, LoggedRound, NewIntervention, PlayerCounts, PoolId, PoolRecord,
    PruneRecord, PrunedRound, RatedBatch, RebuildRecord, RebuiltRounds, RecordedRound, RoundEnd,
    RoundFilter, RoundMarks, RoundPlayed, RoundTraces, StoreError, StoredChunk, postgres, sqlite,
};

// Pools and players.
queries! {
    /// Checks that the database takes writes, without changing a row.
    fn try_to_write() -> () = sql::pools::try_to_write;

    /// Writes the row of any one pool unchanged, if there is a pool.
    fn rewrite_a_pool() -> () = sql::pools::rewrite_one;

    /// Returns the key of the pool with this name. Creates a pool that does not exist.
    fn ensure_pool(name: &PoolName) -> PoolId = sql::pools::ensure;

    /// Returns the pool, and locks it until this transaction ends. A key without a pool is [`StoreError::Corrupt`].
    fn lock_pool(pool: PoolId) -> PoolRecord = queries::lock_pool;

    /// Locks the pool like [`Tx::lock_pool`], and looks up reported rounds: if each is known, and if its server has
    /// notices. Rounds with neither are left out.
    fn lock_pool_and_look_up(pool: PoolId, names: &[(ServerName, RoundId)])
        -> (PoolRecord, Vec<RoundTraces>) = queries::lock_pool_and_look_up;

    /// Returns the pool with this key. A key without a pool is [`StoreError::Corrupt`].
    fn pool(pool: PoolId) -> PoolRecord = sql::pools::get;

    /// Returns every pool, sorted by name.
    fn pools() -> Vec<PoolRecord> = sql::pools::list;

    /// Writes log length, sums, generation and rating model of a locked pool.
    fn save_pool(pool: &PoolRecord) -> () = sql::pools::save;

    /// Returns current ratings, numbers of rounds and totals of the `players` that the pool knows, in no particular
    /// order.
    fn players(pool: PoolId, players: &[PlayerId]) -> Vec<PlayerState> = sql::players::find;

    /// Returns up to `limit` of the pool's players after `last`, by id, with ratings, numbers of rounds and totals.
    fn players_after(pool: PoolId, last: Option<PlayerId>, limit: u32) -> Vec<PlayerState>
        = sql::players::after;

    /// Returns players with stored rated rounds in the pool but without a row in the table `players`, in any order.
    fn players_without_row(pool: PoolId) -> Vec<PlayerId> = sql::players::without_row;

    /// Records that all replaced rows of the pool up to this generation (version of computed rows) are deleted.
    fn set_cleared(pool: PoolId, cleared: Generation) -> () = sql::pools::set_cleared;

    /// Returns the `players` that the pool knows with ratings, numbers of rounds, totals, and last rows of entries
    /// (rated rounds), in no particular order.
    fn players_with_last_rows(pool: PoolId, players: &[PlayerId])
        -> Vec<(PlayerState, EntryChunk)> = sql::players::find_with_last_rows;

    /// Inserts or replaces players with their last rows of entries (rated rounds). No id may occur twice. Without a
    /// generation (version of computed rows), writes the one that is read.
    fn save_players_with_last_rows(
        pool: PoolId, generation: Option<Generation>, players: &[(&PlayerState, LastRow<'_>)]
    ) -> () = queries::save_players;

    /// Deletes stored players that the log does not contain, by default from the generation (row version) that is read.
    fn delete_players(pool: PoolId, generation: Option<Generation>, players: &[PlayerId]) -> ()
        = sql::players::delete;

    /// Copies up to `limit` of the pool's players after `after`, by id, into another generation (version of computed
    /// rows), unless it has them already. Returns the last of these players, or `None` if there was none.
    fn copy_players(pool: PoolId, generation: Generation, after: Option<PlayerId>, limit: u32)
        -> Option<PlayerId> = sql::players::copy;

    /// Makes this generation (version of computed rows) of the pool's players the one that is read.
    fn activate_players(pool: PoolId, generation: Generation) -> () = sql::players::activate;

    /// Deletes up to `limit` stored players of the pool's generations (versions of computed rows) that are not read,
    /// and returns their number. Without `all`, spares later generations, which a rebuild may be writing.
    fn clear_players(pool: PoolId, all: bool, limit: u32) -> u64 = sql::players::clear;

    /// Counts the pool's players. Hidden ones have fewer than `shadow_rounds` rounds; stale ones last played before
    /// `stale_before`.
    fn count_players(pool: PoolId, shadow_rounds: u32, stale_before: Timestamp) -> PlayerCounts
        = sql::players::count;

    /// Returns the number of the pool's players with each rating, lowest rating first. Players with fewer than
    /// `shadow_rounds` rounds are also counted as hidden.
    fn rating_counts(pool: PoolId, shadow_rounds: u32) -> Vec<RatingCount>
        = sql::players::rating_counts;
}

// The log: rounds and changes.
queries! {
    /// Returns the rounds with these servers and ids that are in the log of any pool.
    fn rounds(names: &[(ServerName, RoundId)]) -> Vec<RecordedRound> = queries::find_rounds;

    /// Appends rounds to a pool's log. Returns [`StoreError::Duplicate`] if another instance has just counted one.
    fn insert_rounds(pool: PoolId, rounds: &[&LoggedRound]) -> () = queries::insert_rounds;

    /// Writes everything that a batch of rated rounds changes. No player, and no row of rated rounds, may occur twice.
    fn save_batch(batch: &RatedBatch<'_>) -> () = save_batch::save_batch;

    /// Stores the changes that admins made to a round: its void, and a corrected winner.
    fn set_round_marks(pool: PoolId, position: u64, marks: RoundMarks) -> ()
        = sql::rounds::set_marks;

    /// Returns up to `limit` of the pool's rounds that pass the filter, by descending end time and log position.
    /// `before` is the last round of the previous page: end time and log position.
    fn list_rounds(
        pool: PoolId, filter: &RoundFilter, before: Option<(Timestamp, u64)>, limit: u32
    ) -> Vec<RecordedRound> = sql::rounds::list;

    /// Returns end time and log position of the rounds in which the player was on a team without being rated, void ones
    /// included. Filter, order and page are those of [`Tx::list_rounds`].
    fn unrated_rounds_of_player(
        pool: PoolId, player: PlayerId, filter: &RoundFilter, before: Option<(Timestamp, u64)>,
        limit: u32
    ) -> Vec<(Timestamp, u64)> = sql::rounds::unrated_of_player;

    /// Returns those of the pool's log `positions` whose rounds match map, secret and arrival time of the filter, in
    /// any order.
    fn filter_positions(pool: PoolId, positions: &[u64], filter: &RoundFilter) -> Vec<u64>
        = sql::rounds::that_meet;

    /// Returns the rounds at these log positions, in no particular order.
    fn rounds_at(pool: PoolId, positions: &[u64]) -> Vec<RecordedRound> = sql::rounds::at;

    /// Returns up to `limit` rounds behind the log position `position`, in the order of the log.
    fn rounds_after(pool: PoolId, position: u64, limit: u32) -> Vec<LoggedRound>
        = sql::rounds::after;

    /// Returns the changes that admins made to the log entries from position `first` to `last`, in the order of the
    /// log. These are voids, restorations and corrections of rounds, and undos of changes.
    fn changes_of_rounds(pool: PoolId, first: u64, last: u64) -> Vec<Change>
        = sql::changes::of_rounds;

    /// Returns the changes that admins made to these players in the pool, in the order of the log.
    fn changes_of_players(pool: PoolId, players: &[PlayerId]) -> Vec<Change>
        = sql::changes::of_players;

    /// Returns up to `limit` changes by admins behind the log position `position`, in the order of the log.
    fn changes_after(pool: PoolId, position: u64, limit: u32) -> Vec<Change>
        = sql::changes::after;

    /// Returns the admin's change with this id and its pool, if there is such a change.
    fn change(change_id: &ChangeId) -> Option<(PoolId, Change)> = sql::changes::find;

    /// Appends an admin's change to the pool's log. Returns [`StoreError::Duplicate`] if its id exists already.
    fn insert_change(pool: PoolId, change: &Change) -> () = sql::changes::insert;

    /// Appends several changes by admins to the pool's log. If one of their ids exists already, appends none and
    /// returns [`StoreError::Duplicate`].
    fn insert_changes(pool: PoolId, changes: &[Change]) -> () = queries::insert_changes;

    /// Returns the changes by admins in the pool whose ids begin with `beginning`, in the order of the log.
    fn changes_named(pool: PoolId, beginning: &str) -> Vec<Change> = sql::changes::named;
}

// Prunes.
queries! {
    /// Returns the rounds with these servers and ids that are pruned. To find out if a round was ever in the log, call
    /// [`Tx::rounds`] first, because a prune moves rounds from the log to the pruned ones.
    fn pruned_rounds(names: &[(ServerName, RoundId)]) -> Vec<PrunedRound>
        = queries::find_pruned_rounds;

    /// Returns log position and arrival time of the last round up to which every round of the log ended before the time
    /// `before`, or `None` if there is none.
    fn end_of_rounds_before(pool: PoolId, before: Timestamp) -> Option<(u64, Timestamp)>
        = sql::prunes::end;

    /// Records that the rounds of the locked pool are pruned up to a log position.
    fn insert_prune(pool: PoolId, prune: &PruneRecord) -> () = sql::prunes::insert;

    /// Returns the pool's last prune (move of old rounds from the database into files), if any.
    fn last_prune(pool: PoolId) -> Option<PruneRecord> = sql::prunes::last;

    /// Returns the prune that removed the round at this log position.
    fn prune_of(pool: PoolId, position: u64) -> Option<PruneRecord> = sql::prunes::of_position;

    /// Deletes up to `limit` rounds up to the log position `last` with their scoreboards, and keeps their servers and
    /// ids. Returns `false` if there was no round.
    fn delete_rounds(pool: PoolId, last: u64, limit: u32) -> bool = sql::prunes::delete_rounds;

    /// Examines up to `limit` results of rounds behind the first and up to the second log position of `between`.
    /// Deletes the results of rounds that are numbered below `first`: the pool's rounds are numbered from 1, without
    /// void ones. Returns the last log position examined, if any.
    fn delete_results(pool: PoolId, between: (u64, u64), first: u64, limit: u32) -> Option<u64>
        = sql::prunes::delete_results;

    /// Examines up to `limit` rows of rated rounds of the players after `after`, by id. Among the rows that begin up to
    /// the log position `kept.0`, deletes all but the last `kept.1` of each player. No window and no later replay needs
    /// the deleted ones. Spares players who were reset up to that position. Returns the last player examined, if any.
    fn delete_entries(
        pool: PoolId, after: Option<PlayerId>, kept: (u64, u64), limit: u32
    ) -> Option<PlayerId> = sql::prunes::delete_entries;

    /// Examines up to `limit` rows of `unrated_players` behind the player `after`, by id, and deletes those up to the
    /// log position `last`. Returns the last player examined, if any.
    fn delete_unrated_players(
        pool: PoolId, after: Option<PlayerId>, last: u64, limit: u32
    ) -> Option<PlayerId> = sql::prunes::delete_unrated;
}

// Rebuilds, and the projection: results, entries and groups of rounds.
queries! {
    /// Records a rebuild of the pool, in place of any other: its owner, its start, the change of rounds that comes with
    /// it, and the number of log entries to compute.
    fn begin_rebuild(
        pool: PoolId, owned: (&str, Timestamp), change: Option<RebuiltRounds>, total: u64
    ) -> () = sql::rebuilds::begin;

    /// Returns the pool's rebuild if its owner renewed the lease at or after `lease_cutoff`.
    fn rebuild(pool: PoolId, lease_cutoff: Timestamp) -> Option<RebuildRecord>
        = sql::rebuilds::get;

    /// Returns `true` if the pool has a rebuild, even if the owner of the rebuild has died.
    fn has_rebuild(pool: PoolId) -> bool = sql::rebuilds::is_left_over;

    /// Renews the owner's lease on the rebuild. Returns `false` if the owner has lost the rebuild. Until this unit of
    /// work ends, nobody else can take the rebuild over.
    fn renew_rebuild(pool: PoolId, owned: (&str, Timestamp)) -> bool = sql::rebuilds::renew;

    /// Renews the lease like [`Tx::renew_rebuild`], and stores the progress. Returns `Some(true)` if the rebuild is
    /// cancelled, and `None` if the owner has lost the rebuild.
    fn advance_rebuild(
        pool: PoolId, owned: (&str, Timestamp), progress: Progress
    ) -> Option<bool> = sql::rebuilds::advance;

    /// Cancels the pool's rebuild, if its owner renewed the lease at or after `lease_cutoff`. Returns `false`
    /// otherwise.
    fn cancel_rebuild(pool: PoolId, lease_cutoff: Timestamp) -> bool = sql::rebuilds::cancel;

    /// Ends a rebuild of the pool. Returns `false` if the owner has lost it to another.
    fn finish_rebuild(pool: PoolId, owner: &str) -> bool = sql::rebuilds::finish;

    /// Deletes unneeded results of rounds behind the log position `after`. `some` is the number of rows to examine and
    /// two generations (row versions). Deletes rows that the active generation has replaced, rows above the first
    /// generation, and rows below the second. Returns the last position examined, if any.
    fn clear_results(pool: PoolId, after: u64, some: (u32, Generation, Generation)) -> Option<u64>
        = sql::rebuilds::clear_results;

    /// Deletes unneeded rows of rated rounds of the players after `after`, by id, with the parameters of
    /// [`Tx::clear_results`]. Returns the last player examined.
    fn clear_entries(
        pool: PoolId, after: Option<PlayerId>, some: (u32, Generation, Generation)
    ) -> Option<PlayerId>
        = sql::rebuilds::clear_entries;

    /// Inserts results of rounds that have no result of this generation (version of computed rows) yet.
    fn insert_results(pool: PoolId, generation: Generation, results: &[&RoundResult]) -> ()
        = queries::insert_results;

    /// Returns up to `limit` results of rounds behind the log position `position`, in the order of the log.
    fn results_after(pool: PoolId, position: u64, limit: u32) -> Vec<RoundResult>
        = sql::rounds::results::after;

    /// Returns log position and team a's predicted win probability of up to `limit` rounds behind `position`, in log
    /// order.
    fn odds_after(pool: PoolId, position: u64, limit: u32) -> Vec<(u64, Probability)>
        = sql::rounds::results::odds_after;

    /// Returns full rows of entries (rated rounds) by player and index, in no particular order. Rows are as of the
    /// given generation (version of computed rows) or, without one, of the active generation.
    fn chunks(
        pool: PoolId, generation: Option<Generation>, chunks: &[(PlayerId, u64)]
    ) -> Vec<EntryChunk> = queries::find_chunks;

    /// Returns up to `limit` full rows of entries (rated rounds) in the pool behind the row `last`, by player and
    /// index.
    fn chunks_after(pool: PoolId, last: Option<(PlayerId, u64)>, limit: u32) -> Vec<EntryChunk>
        = sql::rounds::entries::after;

    /// Returns up to `limit` full rows of a player's entries (rated rounds) that may overlap a range of end times, both
    /// ends included. The last row comes first.
    fn chunks_of_player(
        pool: PoolId, player: PlayerId, between: (Option<Timestamp>, Option<Timestamp>), limit: u32
    ) -> Vec<EntryChunk> = sql::rounds::entries::of_player;

    /// Returns the number, from 1, of a player's first entry (rated round) that is in a full row.
    fn first_entry(pool: PoolId, player: PlayerId) -> Option<u64> = sql::rounds::entries::first;

    /// Returns the last `chunks` full rows of entries (rated rounds) of each player before `end`. Also returns later
    /// rows without entries, by which a rebuild marks that the player no longer has these rounds.
    fn chunks_before(
        pool: PoolId, players: &[PlayerId], end: ChunksBefore, chunks: u64
    ) -> Vec<EntryChunk> = sql::rounds::entries::before;

    /// Inserts or replaces encoded rows of players' entries (rated rounds).
    fn save_stored_chunks(pool: PoolId, chunks: &[StoredChunk]) -> () = queries::save_chunks;

    /// Adds to the stored totals of groups of rounds, such as the scores and log losses on one map.
    fn add_to_groups(pool: PoolId, added: &BTreeMap<RoundGroup, GroupTotals>) -> ()
        = queries::add_to_groups;

    /// Deletes the pool's groups of rounds that contain no round.
    fn delete_empty_groups(pool: PoolId) -> () = sql::rounds::results::delete_empty;

    /// Returns names and totals of up to `limit` groups of rounds of this kind (such as maps), most rounds first.
    fn groups(pool: PoolId, kind: GroupKind, limit: u32) -> Vec<(String, GroupTotals)>
        = sql::rounds::results::list;
}

// Reports, the audit, interventions, imports and split tables.
queries! {
    /// Returns the sums over the pool's predictions, such as log loss, up to the last round before this log position.
    fn predictions_before(pool: PoolId, position: u64) -> PredictionTotals
        = sql::rounds::results::predictions_before;

    /// Returns the log position of each of the pool's rounds with these `numbers`, and totals such as log loss over all
    /// predictions up to this round. Rounds are numbered from 1 in log order, without void ones. The order of the items
    /// is arbitrary.
    fn predictions_at_each(pool: PoolId, numbers: &[u64]) -> Vec<(u64, PredictionTotals)>
        = sql::reports::predictions_at_each;

    /// Returns servers, ids, end times and arrival times of the rounds at these log positions, in no particular order.
    fn round_names(pool: PoolId, positions: &[u64]) -> Vec<RoundPlayed>
        = sql::reports::round_names;

    /// Returns outcomes and predictions of the rounds at these log positions, in no particular order.
    fn round_ends(pool: PoolId, positions: &[u64]) -> Vec<RoundEnd> = sql::reports::round_ends;

    /// Returns for each of these log positions the round there, or the next one behind it, in no particular order.
    /// Positions behind the last round are left out.
    fn rounds_from(pool: PoolId, positions: &[u64]) -> Vec<(u64, RoundPlayed)>
        = sql::reports::rounds_from;

    /// Returns the log positions of up to `limit` of the server's rounds that ended within `span`, ends included, in
    /// any order.
    fn positions_of_server(
        pool: PoolId, server: &ServerName, span: (Timestamp, Timestamp), limit: u32
    ) -> Vec<u64> = sql::rounds::positions_of_server;

    /// Returns the id of the server's round in the pool that ended last up to `until`, void or not.
    fn last_round_of_server(pool: PoolId, server: &ServerName, until: Timestamp) -> Option<RoundId>
        = sql::rounds::last_of_server;

    /// Returns the number of rounds on each server that count and ended at or after `from` and before `to`, in no
    /// particular order. Servers without such a round are left out.
    fn rounds_by_server(pool: PoolId, from: Timestamp, to: Timestamp) -> Vec<(ServerName, u64)>
        = sql::rounds::by_server;

    /// Writes an entry of the audit, the list of admins' actions.
    fn insert_audit(entry: &AuditEntry) -> () = sql::audit::insert;

    /// Returns up to `limit` entries of the audit of one pool or all, latest first, before the entry with this time and
    /// id.
    fn list_audit(
        pool: Option<PoolId>, before: Option<(Timestamp, &str)>, limit: u32
    ) -> Vec<AuditEntry> = sql::audit::list;

    /// Records an intervention (advice to a game server to balance a running match). If the policy gave the same server
    /// the same moves and bots at `same_since` or later, counts one more request for that intervention instead.
    fn record_intervention(intervention: &NewIntervention, same_since: Timestamp) -> ()
        = sql::interventions::record;

    /// Inserts or updates the record of an import of rounds in progress, with its number of bytes read so far.
    fn save_import(import: &ImportRecord) -> () = sql::imports::save;

    /// Returns the imports that reported progress at or after `lease_cutoff`, earliest start first.
    fn imports(lease_cutoff: Timestamp) -> Vec<ImportRecord> = sql::imports::list;

    /// Deletes the import with this id, and imports that have reported no progress since `lease_cutoff`.
    fn delete_imports(id: &str, lease_cutoff: Timestamp) -> () = sql::imports::delete;

    /// Deletes interventions among the oldest `at_most` of all pools: those last asked for before the time `before`,
    /// and those with at least `beyond` later interventions.
    fn forget_interventions(before: Timestamp, beyond: u32, at_most: u32) -> ()
        = sql::interventions::forget;

    /// Returns up to `limit` of the pool's interventions that pass the filter, latest first request first. `before` is
    /// the end of the previous page: time of the first request, and key.
    ///
    /// The round of an intervention is the first round of its server that counts and that both ended and arrived at or
    /// after the first request. It must have ended within `round_within` of that request.
    fn list_interventions(
        pool: PoolId, filter: &InterventionFilter, before: Option<(Timestamp, u64)>,
        round_within: Duration, limit: u32
    ) -> Vec<Intervention> = sql::interventions::list;
}
