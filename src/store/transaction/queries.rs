//! The queries of a unit of work but for those on ranks and notices, and the functions that answer it: one of `sql` where both engines
//! understand the same text, else one of each engine.

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
    /// Writes nothing, in a way that fails where something could not be written.
    fn try_to_write() -> () = sql::pools::try_to_write;

    /// Writes the row of one pool as it is, if there is a pool.
    fn rewrite_a_pool() -> () = sql::pools::rewrite_one;

    /// The pool of that name, made if it is not there yet.
    fn ensure_pool(name: &PoolName) -> PoolId = sql::pools::ensure;

    /// The pool of that key, locked for writing until this unit of work ends. A key that no pool
    /// has is [`StoreError::Corrupt`].
    fn lock_pool(pool: PoolId) -> PoolRecord = queries::lock_pool;

    /// As [`Tx::lock_pool`], and then what there is of the named rounds, as of one moment: those of which there is
    /// anything.
    fn lock_pool_and_look_up(pool: PoolId, names: &[(ServerName, RoundId)])
        -> (PoolRecord, Vec<RoundTraces>) = queries::lock_pool_and_look_up;

    /// The pool of that key. A key that no pool has is [`StoreError::Corrupt`].
    fn pool(pool: PoolId) -> PoolRecord = sql::pools::get;

    /// Every pool, by name.
    fn pools() -> Vec<PoolRecord> = sql::pools::list;

    /// Writes a locked pool's log length and figures.
    fn save_pool(pool: &PoolRecord) -> () = sql::pools::save;

    /// Those of `players` that the pool knows, in no particular order.
    fn players(pool: PoolId, players: &[PlayerId]) -> Vec<PlayerState> = sql::players::find;

    /// Up to `limit` of the pool's players behind `last`, by id.
    fn players_after(pool: PoolId, last: Option<PlayerId>, limit: u32) -> Vec<PlayerState>
        = sql::players::after;

    /// The players who have rows of entries in the pool and none of their own, in no particular order.
    fn players_without_row(pool: PoolId) -> Vec<PlayerId> = sql::players::without_row;

    /// Notes that nothing up to that generation is left to be deleted.
    fn set_cleared(pool: PoolId, cleared: Generation) -> () = sql::pools::set_cleared;

    /// Those of `players` that the pool knows, in no particular order, with their last rows of entries.
    fn players_with_last_rows(pool: PoolId, players: &[PlayerId])
        -> Vec<(PlayerState, EntryChunk)> = sql::players::find_with_last_rows;

    /// Writes players, new or changed, with their last rows of entries; no id may stand twice. Without a
    /// generation, into the one that is read.
    fn save_players_with_last_rows(
        pool: PoolId, generation: Option<Generation>, players: &[(&PlayerState, LastRow<'_>)]
    ) -> () = queries::save_players;

    /// Deletes players whom the log does not know; without a generation, of the one that is read.
    fn delete_players(pool: PoolId, generation: Option<Generation>, players: &[PlayerId]) -> ()
        = sql::players::delete;

    /// Copies up to `limit` of the pool's players behind `after`, by id, into a generation that does not have
    /// them yet; answers the last of them.
    fn copy_players(pool: PoolId, generation: Generation, after: Option<PlayerId>, limit: u32)
        -> Option<PlayerId> = sql::players::copy;

    /// Makes the pool's players of that generation those that are read.
    fn activate_players(pool: PoolId, generation: Generation) -> () = sql::players::activate;

    /// Deletes up to `limit` of the pool's players of generations that are not read: of those before the one that
    /// is or, where nobody else may write a later one, of `all`. Answers how many.
    fn clear_players(pool: PoolId, all: bool, limit: u32) -> u64 = sql::players::clear;

    /// How many players the pool has; hidden are those with fewer than `shadow_rounds` rounds,
    /// stale those who last played before `stale_before`.
    fn count_players(pool: PoolId, shadow_rounds: u32, stale_before: Timestamp) -> PlayerCounts
        = sql::players::count;

    /// How many players have each rating, ratings ascending; hidden are those with fewer than
    /// `shadow_rounds` rounds.
    fn rating_counts(pool: PoolId, shadow_rounds: u32) -> Vec<RatingCount>
        = sql::players::rating_counts;
}

// The log: rounds, changes, and the constants that they were rated by.
queries! {
    /// Those of the named rounds that are in the log already, with the pool that they are in.
    fn rounds(names: &[(ServerName, RoundId)]) -> Vec<RecordedRound> = queries::find_rounds;

    /// Writes new rounds into a pool's log; [`StoreError::Duplicate`] where another instance has
    /// just counted one.
    fn insert_rounds(pool: PoolId, rounds: &[&LoggedRound]) -> () = queries::insert_rounds;

    /// Writes what new rounds make of their pool. No row of entries and no player may stand in it twice.
    fn save_batch(batch: &RatedBatch<'_>) -> () = save_batch::save_batch;

    /// Notes what admins made of a round.
    fn set_round_marks(pool: PoolId, position: u64, marks: RoundMarks) -> ()
        = sql::rounds::set_marks;

    /// Up to `limit` of the pool's rounds of whichever players that the filter lets pass, in descending
    /// order of when they ended and of their place in the log, from behind the one `before` on.
    fn list_rounds(
        pool: PoolId, filter: &RoundFilter, before: Option<(Timestamp, u64)>, limit: u32
    ) -> Vec<RecordedRound> = sql::rounds::list;

    /// When the rounds ended, and their places in the pool's log, in which the player stands without
    /// having been rated, void ones among them; else as [`Tx::list_rounds`].
    fn unrated_rounds_of_player(
        pool: PoolId, player: PlayerId, filter: &RoundFilter, before: Option<(Timestamp, u64)>,
        limit: u32
    ) -> Vec<(Timestamp, u64)> = sql::rounds::unrated_of_player;

    /// The places of those of the rounds at those places that have the filter's map, secret and time of arrival, in no
    /// particular order.
    fn positions_that_meet(pool: PoolId, positions: &[u64], filter: &RoundFilter) -> Vec<u64>
        = sql::rounds::that_meet;

    /// The rounds at those places of the pool's log, in no particular order.
    fn rounds_at(pool: PoolId, positions: &[u64]) -> Vec<RecordedRound> = sql::rounds::at;

    /// Up to `limit` rounds behind `position` in the pool's log, in its order.
    fn rounds_after(pool: PoolId, position: u64, limit: u32) -> Vec<LoggedRound>
        = sql::rounds::after;

    /// The voids and restorations of the pool's rounds from the place `first` to the place `last`
    /// of its log, in its order.
    fn changes_of_rounds(pool: PoolId, first: u64, last: u64) -> Vec<Change>
        = sql::changes::of_rounds;

    /// What admins changed of those players in the pool, in the order of its log.
    fn changes_of_players(pool: PoolId, players: &[PlayerId]) -> Vec<Change>
        = sql::changes::of_players;

    /// Up to `limit` changes behind `position` in the pool's log, in its order.
    fn changes_after(pool: PoolId, position: u64, limit: u32) -> Vec<Change>
        = sql::changes::after;

    /// The change of that name, if it has been made already, and the pool it was made in.
    fn change(change_id: &ChangeId) -> Option<(PoolId, Change)> = sql::changes::find;

    /// Writes a new change; [`StoreError::Duplicate`] where one of that name is there.
    fn insert_change(pool: PoolId, change: &Change) -> () = sql::changes::insert;

    /// The same of several; where one of those names is there, none is written.
    fn insert_changes(pool: PoolId, changes: &[Change]) -> () = queries::insert_changes;

    /// The pool's changes whose names begin with that, in the order of its log.
    fn changes_named(pool: PoolId, beginning: &str) -> Vec<Change> = sql::changes::named;
}

// Prunes.
queries! {
    /// Those of the named rounds that are pruned. Whoever asks whether a round is in the log or was asks for
    /// this after [`Tx::rounds`]: a round goes from there to here.
    fn pruned_rounds(names: &[(ServerName, RoundId)]) -> Vec<PrunedRound>
        = queries::find_pruned_rounds;

    /// The place of the last round of the log up to which every round ended `before` that moment, and when it
    /// was received; `None` where there is none.
    fn end_of_rounds_before(pool: PoolId, before: Timestamp) -> Option<(u64, Timestamp)>
        = sql::prunes::end;

    /// Notes that the locked pool's rounds are pruned up to a place of its log, from now on.
    fn insert_prune(pool: PoolId, prune: &PruneRecord) -> () = sql::prunes::insert;

    /// The pool's last prune.
    fn last_prune(pool: PoolId) -> Option<PruneRecord> = sql::prunes::last;

    /// The prune that the round at that place of the pool's log went with.
    fn prune_of(pool: PoolId, position: u64) -> Option<PruneRecord> = sql::prunes::of_position;

    /// Deletes up to `limit` of the rounds up to the place `last` of the log, and keeps their names; `false` where
    /// there is none.
    fn delete_rounds(pool: PoolId, last: u64, limit: u32) -> bool = sql::prunes::delete_rounds;

    /// Looks at up to `limit` results behind the first of those places of the log and up to the second, and
    /// deletes those with a number below `first`; answers the last place, or `None` where there is none.
    fn delete_results(pool: PoolId, between: (u64, u64), first: u64, limit: u32) -> Option<u64>
        = sql::prunes::delete_results;

    /// Looks at up to `limit` rows of entries of the players behind `after`, by id. Of those that begin up to
    /// a place of the log (the first of `kept`) it deletes all but each player's last so many (the second), where
    /// the player was not reset up to there; answers the last player, or `None` where there is none.
    fn delete_entries(
        pool: PoolId, after: Option<PlayerId>, kept: (u64, u64), limit: u32
    ) -> Option<PlayerId> = sql::prunes::delete_entries;

    /// The same of those who stood in rounds up to the place `last` without being rated, all of them.
    fn delete_unrated_players(
        pool: PoolId, after: Option<PlayerId>, last: u64, limit: u32
    ) -> Option<PlayerId> = sql::prunes::delete_unrated;
}

// Rebuilds, and what is computed: results, entries and groups of rounds.
queries! {
    /// Notes that `owner` computes the pool again from that moment on, `total` of the log, and what is made of
    /// rounds with it, where anything is. Takes the place of whoever did before.
    fn begin_rebuild(
        pool: PoolId, owned: (&str, Timestamp), change: Option<RebuiltRounds>, total: u64
    ) -> () = sql::rebuilds::begin;

    /// The rebuild of the pool whose owner was heard of since `lease_cutoff`, if there is one.
    fn rebuild(pool: PoolId, lease_cutoff: Timestamp) -> Option<RebuildRecord>
        = sql::rebuilds::get;

    /// Whether the pool has a rebuild, whose owner may be dead.
    fn has_rebuild(pool: PoolId) -> bool = sql::rebuilds::is_left_over;

    /// Notes that `owner` still computes the pool; `false` where it is no longer theirs. Until this unit of
    /// work ends, nobody else can take over.
    fn renew_rebuild(pool: PoolId, owned: (&str, Timestamp)) -> bool = sql::rebuilds::renew;

    /// The same, and how far it is; answers whether it is to be given up, or `None` where it is no longer
    /// theirs.
    fn advance_rebuild(
        pool: PoolId, owned: (&str, Timestamp), progress: Progress
    ) -> Option<bool> = sql::rebuilds::advance;

    /// Has the rebuild of the pool given up whose owner was heard of since `lease_cutoff`; `false` where there
    /// is none.
    fn cancel_rebuild(pool: PoolId, lease_cutoff: Timestamp) -> bool = sql::rebuilds::cancel;

    /// Ends a rebuild; `false` where it is no longer the owner's.
    fn finish_rebuild(pool: PoolId, owner: &str) -> bool = sql::rebuilds::finish;

    /// Looks at some results behind the place `after` of the log and deletes those that the active
    /// generation has replaced, those above the generation to keep, and those below the last; answers the
    /// last place, or `None` where there is none.
    fn clear_results(pool: PoolId, after: u64, some: (u32, Generation, Generation)) -> Option<u64>
        = sql::rebuilds::clear_results;

    /// The same of the entries of the players behind `after`, by id.
    fn clear_entries(
        pool: PoolId, after: Option<PlayerId>, some: (u32, Generation, Generation)
    ) -> Option<PlayerId>
        = sql::rebuilds::clear_entries;

    /// Writes results of rounds that have none of that generation.
    fn insert_results(pool: PoolId, generation: Generation, results: &[&RoundResult]) -> ()
        = queries::insert_results;

    /// Up to `limit` results of the rounds behind `position` in the pool's log, in its order.
    fn results_after(pool: PoolId, position: u64, limit: u32) -> Vec<RoundResult>
        = sql::results::after;

    /// The odds of team a in up to `limit` rounds behind `position` in the pool's log, each with the round's place, in
    /// the order of the log.
    fn odds_after(pool: PoolId, position: u64, limit: u32) -> Vec<(u64, Probability)>
        = sql::results::odds_after;

    /// Those full rows of entries that are there, by player and chunk, in no particular order: as that generation has
    /// them or, without, the one that is active.
    fn chunks(
        pool: PoolId, generation: Option<Generation>, chunks: &[(PlayerId, u64)]
    ) -> Vec<EntryChunk> = queries::find_chunks;

    /// Up to `limit` full rows of the pool's entries behind `last`, by player and chunk.
    fn chunks_after(pool: PoolId, last: Option<(PlayerId, u64)>, limit: u32) -> Vec<EntryChunk>
        = sql::entries::after;

    /// Up to `limit` full rows of a player's entries that may reach into the time from the one moment to the
    /// other, both included, the last first.
    fn chunks_of_player(
        pool: PoolId, player: PlayerId, between: (Option<Timestamp>, Option<Timestamp>), limit: u32
    ) -> Vec<EntryChunk> = sql::entries::of_player;

    /// The number of the first of a player's entries that is in a full row.
    fn first_entry(pool: PoolId, player: PlayerId) -> Option<u64> = sql::entries::first;

    /// Of each of `players` the last so many full rows of entries before the end, and behind them those that are being
    /// written without entries.
    fn chunks_before(
        pool: PoolId, players: &[PlayerId], end: ChunksBefore, chunks: u64
    ) -> Vec<EntryChunk> = sql::entries::before;

    /// Writes rows of entries, new or changed.
    fn save_stored_chunks(pool: PoolId, chunks: &[StoredChunk]) -> () = queries::save_chunks;

    /// Adds to the sums of groups of rounds.
    fn add_to_groups(pool: PoolId, added: &BTreeMap<RoundGroup, GroupTotals>) -> ()
        = queries::add_to_groups;

    /// Deletes the groups that have no round.
    fn delete_empty_groups(pool: PoolId) -> () = sql::results::delete_empty;

    /// The names and sums of up to `limit` groups of the pool's rounds of that kind, those with the
    /// most rounds first.
    fn groups(pool: PoolId, kind: GroupKind, limit: u32) -> Vec<(String, GroupTotals)>
        = sql::results::list;
}

// Reports, the audit, interventions, imports and split tables.
queries! {
    /// The pool's sums up to the last round before that place of its log.
    fn predictions_before(pool: PoolId, position: u64) -> PredictionTotals
        = sql::results::predictions_before;

    /// The places in the log of the pool's rounds of those `numbers` (from 1), and its sums up to each, in no
    /// particular order.
    fn predictions_at_each(pool: PoolId, numbers: &[u64]) -> Vec<(u64, PredictionTotals)>
        = sql::reports::predictions_at_each;

    /// The names of the rounds at those places of the pool's log, in no particular order.
    fn round_names(pool: PoolId, positions: &[u64]) -> Vec<RoundPlayed>
        = sql::reports::round_names;

    /// How the rounds at those places of the pool's log ended, in no particular order.
    fn round_ends(pool: PoolId, positions: &[u64]) -> Vec<RoundEnd> = sql::reports::round_ends;

    /// For each of those places of the pool's log, in no particular order, the round that stands
    /// there or next behind it; nothing where there is none.
    fn rounds_from(pool: PoolId, positions: &[u64]) -> Vec<(u64, RoundPlayed)>
        = sql::reports::rounds_from;

    /// The places in the pool's log of up to `limit` of the server's rounds that ended from the first to the
    /// second of `span`, in no particular order.
    fn positions_of_server(
        pool: PoolId, server: &ServerName, span: (Timestamp, Timestamp), limit: u32
    ) -> Vec<u64> = sql::rounds::positions_of_server;

    /// The name of the server's round in the pool that ended last up to that time, void or not.
    fn last_round_of_server(pool: PoolId, server: &ServerName, until: Timestamp) -> Option<RoundId>
        = sql::rounds::last_of_server;

    /// How many rounds that count ended from `from` up to, not including, `to` on each server, in
    /// no particular order, and without the servers on which none did.
    fn rounds_by_server(pool: PoolId, from: Timestamp, to: Timestamp) -> Vec<(ServerName, u64)>
        = sql::rounds::by_server;

    /// Records what an admin did.
    fn insert_audit(entry: &AuditEntry) -> () = sql::audit::insert;

    /// Up to `limit` of the things that admins did, the latest first, in one pool or all, from
    /// behind the one of that moment and id on.
    fn list_audit(
        pool: Option<PoolId>, before: Option<(Timestamp, &str)>, limit: u32
    ) -> Vec<AuditEntry> = sql::audit::list;

    /// Records an intervention. Where the same policy answered the same moves, and as many bots,
    /// for the same server at `same_since` or later, it is that one, asked for once more.
    fn record_intervention(intervention: &NewIntervention, same_since: Timestamp) -> ()
        = sql::interventions::record;

    /// Writes how far an import is, new or changed.
    fn save_import(import: &ImportRecord) -> () = sql::imports::save;

    /// The imports that were heard of since `lease_cutoff`, the first that began first.
    fn imports(lease_cutoff: Timestamp) -> Vec<ImportRecord> = sql::imports::list;

    /// Deletes the import of that key, and those that were not heard of since `lease_cutoff`.
    fn delete_imports(id: &str, lease_cutoff: Timestamp) -> () = sql::imports::delete;

    /// Deletes those of the oldest `at_most` interventions, of whichever pool, that were last asked
    /// for `before` that moment, or that stand `beyond` so many later ones.
    fn forget_interventions(before: Timestamp, beyond: u32, at_most: u32) -> ()
        = sql::interventions::forget;

    /// Up to `limit` of the pool's interventions that the filter lets pass, those first asked for
    /// last first, from behind the one `before` (when it was first asked for, and its key) on.
    ///
    /// The round that one was in is the first of its server that counts and that ended, and came,
    /// when it was first asked for or later, but ended no later than `round_within` after.
    fn list_interventions(
        pool: PoolId, filter: &InterventionFilter, before: Option<(Timestamp, u64)>,
        round_within: Duration, limit: u32
    ) -> Vec<Intervention> = sql::interventions::list;

    /// Keeps `content`, computed at that moment, as the last table of splits of `server`, unless a
    /// later one is there.
    fn save_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = sql::split_tables::save;

    /// Keeps a table of splits beside the last ones of its server, some hundred of which are kept.
    fn keep_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = sql::split_tables::keep;

    /// The last table of splits of the server that was computed behind the first moment and up to the second, as far
    /// as it is kept.
    fn past_split_table(server: &ServerName, between: (Timestamp, Timestamp)) -> Option<String>
        = sql::split_tables::last_before;

    /// The last table of splits of `server`, as it was kept.
    fn split_table(server: &ServerName) -> Option<String> = sql::split_tables::get;
}
