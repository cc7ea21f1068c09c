//! Methods of [`Tx`] that each run one database query. Each is declared with its SQL text, or with the function that
//! runs it: in `sql` if SQLite and PostgreSQL share the SQL text, otherwise in the module of each engine.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Inner, Tx, within};
use crate::domain::{PlayerId, PoolName, Probability, Progress, RoundId, ServerName, Timestamp};
use crate::rating::{
    GroupKind, GroupTotals, PlayerState, PredictionTotals, RatingCount, RoundGroup, RoundResult,
};
use crate::store::{
    AuditEntry, ChunksBefore, EntryChunk, Generation, ImportRecord, Intervention,
    InterventionFilter, LastRow, NewIntervention, PlayerCounts, PoolId, PoolRecord, RebuildRecord,
    RebuiltRounds, RoundEnd, RoundPlayed, RoundTraces, StoreError, StoredChunk, postgres, sqlite,
};

// Pools and players.
queries! {
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

    /// Returns up to `limit` of the pool's players after `last`, by id, with ratings, numbers of rounds and totals.
    fn players_after(pool: PoolId, last: Option<PlayerId>, limit: u32) -> Vec<PlayerState> = sql::players::after;

    /// Inserts or replaces players with their last rows of entries (rated rounds). No id may occur twice. Without a
    /// generation (version of computed rows), writes the one that is read.
    fn save_players_with_last_rows(
        pool: PoolId, generation: Option<Generation>, players: &[(&PlayerState, LastRow<'_>)]
    ) -> () = queries::save_players;

    /// Copies up to `limit` of the pool's players after `after`, by id, into another generation (version of computed
    /// rows), unless it has them already. Returns the last of these players, or `None` if there was none.
    fn copy_players(pool: PoolId, generation: Generation, after: Option<PlayerId>, limit: u32)
        -> Option<PlayerId> = sql::players::copy;

    /// Deletes up to `limit` stored players of the pool's generations (versions of computed rows) that are not read,
    /// and returns their number. Without `all`, spares later generations, which a rebuild may be writing.
    fn clear_players(pool: PoolId, all: bool, limit: u32) -> u64 = sql::players::clear;

    /// Counts the pool's players. Hidden ones have fewer than `shadow_rounds` rounds; stale ones last played before
    /// `stale_before`.
    fn count_players(pool: PoolId, shadow_rounds: u32, stale_before: Timestamp) -> PlayerCounts = sql::players::count;
}

// Rebuilds, and the projection: results, entries and groups of rounds.
queries! {
    /// Records a rebuild of the pool, in place of any other: its owner, its start, the change of rounds that comes with
    /// it, and the number of log entries to compute.
    fn begin_rebuild(
        pool: PoolId, owned: (&str, Timestamp), change: Option<RebuiltRounds>, total: u64
    ) -> () = sql::rebuilds::begin;

    /// Returns `true` if the pool has a rebuild, even if the owner of the rebuild has died.
    fn has_rebuild(pool: PoolId) -> bool = sql::rebuilds::is_left_over;

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
    fn insert_results(pool: PoolId, generation: Generation, results: &[&RoundResult]) -> () = queries::insert_results;

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
    fn add_to_groups(pool: PoolId, added: &BTreeMap<RoundGroup, GroupTotals>) -> () = queries::add_to_groups;

    /// Returns names and totals of up to `limit` groups of rounds of this kind (such as maps), most rounds first.
    fn groups(pool: PoolId, kind: GroupKind, limit: u32) -> Vec<(String, GroupTotals)> = sql::rounds::results::list;
}

// Predictions, the audit, interventions and imports.
queries! {
    /// Returns the sums over the pool's predictions, such as log loss, up to the last round before this log position.
    fn predictions_before(pool: PoolId, position: u64) -> PredictionTotals = sql::rounds::results::predictions_before;

    /// Writes an entry of the audit, the list of admins' actions.
    fn insert_audit(entry: &AuditEntry) -> () = sql::audit::insert;

    /// Returns up to `limit` entries of the audit of one pool or all, latest first, before the entry with this time and
    /// id.
    fn list_audit(
        pool: Option<PoolId>, before: Option<(Timestamp, &str)>, limit: u32
    ) -> Vec<AuditEntry> = sql::audit::list;

    /// Records an intervention (advice to a game server to balance a running match). If the policy gave the same server
    /// the same moves and bots at `same_since` or later, counts one more request for that intervention instead.
    fn record_intervention(intervention: &NewIntervention, same_since: Timestamp) -> () = sql::interventions::record;

    /// Inserts or updates the record of an import of rounds in progress, with its number of bytes read so far.
    fn save_import(import: &ImportRecord) -> () = sql::rebuilds::save_import;

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

// Pools, players and the log.
statements! {
    /// Checks that the database takes writes, without changing a row.
    fn try_to_write() -> () = execute("update pools set name = name where false");

    /// Writes the row of any one pool unchanged, if there is a pool.
    fn rewrite_a_pool() -> () = execute("update pools set name = name where id = (select min(id) from pools)");

    /// Returns current ratings, numbers of rounds and totals of the `players` that the pool knows, in no particular
    /// order.
    fn players(pool: PoolId, players: &[PlayerId]) -> Vec<PlayerState>
        = read_all(sql::players::FIND, sql::players::record);

    /// Returns the `players` that the pool knows with ratings, numbers of rounds, totals, and last rows of entries
    /// (rated rounds), in no particular order.
    fn players_with_last_rows(pool: PoolId, players: &[PlayerId]) -> Vec<(PlayerState, EntryChunk)>
        = read_all(sql::players::FIND_WITH_LAST_ROWS, sql::players::with_last_row);

    /// Returns players with stored rated rounds in the pool but without a row in the table `players`, in any order.
    fn players_without_row(pool: PoolId) -> Vec<PlayerId>
        = read_all(
            concat!(
                "select distinct player_id from entries
                 where pool_id = $1 and not exists (
                     select 1 from players where",
                of_pool_players!(),
                " and players.player_id = entries.player_id)"
            ),
            sql::rounds::entries::player
        );

    /// Makes this generation (version of computed rows) of the pool's players the one that is read.
    fn activate_players(pool: PoolId, generation: Generation) -> ()
        = execute("update pools set players_generation = $2 where id = $1");

    /// Deletes stored players that the log does not contain, by default from the generation (row version) that is read.
    fn delete_players(pool: PoolId, generation: Option<Generation>, players: &[PlayerId]) -> ()
        = execute(sql::players::DELETE);

    /// Returns the number of the pool's players with each rating, lowest rating first. Players with fewer than
    /// `shadow_rounds` rounds are also counted as hidden.
    fn rating_counts(pool: PoolId, shadow_rounds: u32) -> Vec<RatingCount>
        = read_all(
            concat!(
                "select rating, count(*) as players, count(*) filter (where rounds < $2) as hidden
                 from players where",
                of_pool_players!(),
                " group by rating order by rating"
            ),
            sql::players::rating_count
        );

    /// Returns servers, ids, end times and arrival times of the rounds at these log positions, in no particular order.
    fn round_names(pool: PoolId, positions: &[u64]) -> Vec<RoundPlayed>
        = read_all(sql::reports::ROUND_NAMES, sql::reports::played);

    /// Returns for each of these log positions the round there, or the next one behind it, in no particular order.
    /// Positions behind the last round are left out.
    fn rounds_from(pool: PoolId, positions: &[u64]) -> Vec<(u64, RoundPlayed)>
        = read_all(sql::reports::ROUNDS_FROM, sql::reports::played_from);

    /// Returns outcomes and predictions of the rounds at these log positions, in no particular order.
    fn round_ends(pool: PoolId, positions: &[u64]) -> Vec<RoundEnd>
        = read_all(sql::reports::ROUND_ENDS, sql::reports::end);

    /// Returns the log positions of up to `limit` of the server's rounds that ended within `span`, ends included, in
    /// any order.
    fn positions_of_server(pool: PoolId, server: &ServerName, span: (Timestamp, Timestamp), limit: u32) -> Vec<u64>
        = read_all(
            "select position from rounds
                 where pool_id = $1 and server = $2 and ended_at >= $3 and ended_at <= $4 limit $5",
            sql::rounds::position
        );
}

// Rebuilds, and the projection: results, predictions and groups of rounds.
statements! {
    /// Records that all replaced rows of the pool up to this generation (version of computed rows) are deleted.
    fn set_cleared(pool: PoolId, cleared: Generation) -> ()
        = execute("update pools set cleared = $2 where id = $1 and cleared < $2");

    /// Returns the pool's rebuild if its owner renewed the lease at or after `lease_cutoff`.
    fn rebuild(pool: PoolId, lease_cutoff: Timestamp) -> Option<RebuildRecord>
        = read_first(
            "select round_position, voids, started_at, renewed_at, done, total, cancelled, winner,
                    rounds
             from rebuilds where pool_id = $1 and renewed_at >= $2",
            sql::rebuilds::record
        );

    /// Renews the owner's lease on the rebuild. Returns `false` if the owner has lost the rebuild. Until this unit of
    /// work ends, nobody else can take the rebuild over.
    fn renew_rebuild(pool: PoolId, owned: (&str, Timestamp)) -> bool
        = changes_any("update rebuilds set renewed_at = $3 where pool_id = $1 and owner = $2");

    /// Renews the lease like [`Tx::renew_rebuild`], and stores the progress. Returns `Some(true)` if the rebuild is
    /// cancelled, and `None` if the owner has lost the rebuild.
    fn advance_rebuild(pool: PoolId, owned: (&str, Timestamp), progress: Progress) -> Option<bool>
        = read_first(
            "update rebuilds set renewed_at = $3, done = $4, total = $5
                 where pool_id = $1 and owner = $2 returning cancelled",
            sql::rebuilds::is_cancelled
        );

    /// Cancels the pool's rebuild, if its owner renewed the lease at or after `lease_cutoff`. Returns `false`
    /// otherwise.
    fn cancel_rebuild(pool: PoolId, lease_cutoff: Timestamp) -> bool
        = changes_any(
            "update rebuilds set cancelled = 1 where pool_id = $1 and renewed_at >= $2"
        );

    /// Ends a rebuild of the pool. Returns `false` if the owner has lost it to another.
    fn finish_rebuild(pool: PoolId, owner: &str) -> bool
        = changes_any("delete from rebuilds where pool_id = $1 and owner = $2");

    /// Returns up to `limit` results of rounds behind the log position `position`, in the order of the log.
    fn results_after(pool: PoolId, position: u64, limit: u32) -> Vec<RoundResult>
        = read_all(
            concat!(
                "select results.position, ",
                columns!(results),
                " from results where pool_id = $1 and position > $2 and",
                is_current!(results, active_generation!()),
                " order by position limit $3"
            ),
            sql::rounds::results::record
        );

    /// Returns log position and team a's predicted win probability of up to `limit` rounds behind `position`, in log
    /// order.
    fn odds_after(pool: PoolId, position: u64, limit: u32) -> Vec<(u64, Probability)>
        = read_all(
            concat!(
                "select position, content from results where pool_id = $1 and position > $2 and",
                is_current!(results, active_generation!()),
                " order by position limit $3"
            ),
            sql::rounds::results::odds
        );

    /// Returns the log position of each of the pool's rounds with these `numbers`, and totals such as log loss over all
    /// predictions up to this round. Rounds are numbered from 1 in log order, without void ones. The order of the items
    /// is arbitrary.
    fn predictions_at_each(pool: PoolId, numbers: &[u64]) -> Vec<(u64, PredictionTotals)>
        = read_all(sql::reports::PREDICTIONS_AT_EACH, sql::reports::predictions);

    /// Deletes the pool's groups of rounds that contain no round.
    fn delete_empty_groups(pool: PoolId) -> () = execute("delete from round_groups where pool_id = $1 and rounds = 0");
}

// Imports and interventions.
statements! {
    /// Returns the imports that reported progress at or after `lease_cutoff`, earliest start first.
    fn imports(lease_cutoff: Timestamp) -> Vec<ImportRecord>
        = read_all(
            "select id, source, started_at, renewed_at, done, total from imports
             where renewed_at >= $1 order by started_at, id",
            sql::rebuilds::import
        );

    /// Deletes the import with this id, and imports that have reported no progress since `lease_cutoff`.
    fn delete_imports(id: &str, lease_cutoff: Timestamp) -> ()
        = execute("delete from imports where id = $1 or renewed_at < $2");

    /// Deletes interventions among the oldest `at_most` of all pools: those last asked for before the time `before`,
    /// and those with at least `beyond` later interventions.
    fn forget_interventions(before: Timestamp, beyond: u32, at_most: u32) -> ()
        = execute(
            // The oldest rows have the lowest keys, and keys have few gaps. So no more rows than the limit are read.
            "delete from interventions where id in (
                 select id from (select id, last_asked_at from interventions order by id limit $3)
                     as oldest
                 where last_asked_at < $1 or id <= (select max(id) from interventions) - $2)"
        );
}
