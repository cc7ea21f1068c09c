//! Queries on the log of a pool, and on prunes.

use super::{Inner, Tx, within};
use crate::domain::{ChangeId, PlayerId, RoundId, ServerName, Timestamp};
use crate::store::{
    Change, LoggedRound, PoolId, PruneRecord, PrunedRound, RatedBatch, RecordedRound, RoundFilter,
    RoundMarks, StoreError, postgres, sqlite,
};

// The log: rounds and changes.
queries! {
    /// Returns the rounds with these servers and ids that are in the log of any pool.
    fn rounds(names: &[(ServerName, RoundId)]) -> Vec<RecordedRound> = queries::find_rounds;

    /// Appends rounds to a pool's log. Returns [`StoreError::Duplicate`] if another instance has just counted one.
    fn insert_rounds(pool: PoolId, rounds: &[&LoggedRound]) -> () = queries::insert_rounds;

    /// Writes everything that a batch of rated rounds changes. No player, and no row of rated rounds, may occur twice.
    fn save_batch(batch: &RatedBatch<'_>) -> () = save_batch::save_batch;

    /// Stores the changes that admins made to a round: its void, and a corrected winner.
    fn set_round_marks(pool: PoolId, position: u64, marks: RoundMarks) -> () = sql::rounds::set_marks;

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
    fn filter_positions(pool: PoolId, positions: &[u64], filter: &RoundFilter) -> Vec<u64> = sql::rounds::that_meet;

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
    fn pruned_rounds(names: &[(ServerName, RoundId)]) -> Vec<PrunedRound> = queries::find_pruned_rounds;

    /// Records that the rounds of the locked pool are pruned up to a log position.
    fn insert_prune(pool: PoolId, prune: &PruneRecord) -> () = sql::prunes::insert;

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

statements! {
    /// Returns up to `limit` rounds behind the log position `position`, in the order of the log.
    fn rounds_after(pool: PoolId, position: u64, limit: u32) -> Vec<LoggedRound>
        = read_all(
            select!(rounds, "from rounds where pool_id = $1 and position > $2 order by position limit $3"),
            sql::rounds::logged
        );

    /// Returns the changes that admins made to the log entries from position `first` to `last`, in the order of the
    /// log. These are voids, restorations and corrections of rounds, and undos of changes.
    fn changes_of_rounds(pool: PoolId, first: u64, last: u64) -> Vec<Change>
        = read_all(
            select!(
                changes,
                "from changes
                 where pool_id = $1 and round_position is not null
                   and round_position >= $2 and round_position <= $3
                 order by position"
            ),
            sql::changes::record
        );

    /// Returns up to `limit` changes by admins behind the log position `position`, in the order of the log.
    fn changes_after(pool: PoolId, position: u64, limit: u32) -> Vec<Change>
        = read_all(
            select!(changes, "from changes where pool_id = $1 and position > $2 order by position limit $3"),
            sql::changes::record
        );

    /// Returns the admin's change with this id and its pool, if there is such a change.
    fn change(change_id: &ChangeId) -> Option<(PoolId, Change)>
        = read_first(
            select!(changes, "from changes where change_id = $1"),
            sql::changes::with_pool
        );

    /// Returns the players whose rating admins have set or reset in the pool, each once, in no particular order.
    fn changed_players(pool: PoolId) -> Vec<PlayerId>
        = read_all(
            "select distinct player_id from changes where pool_id = $1 and player_id is not null",
            sql::changes::player
        );

    /// Returns log position and arrival time of the last round up to which every round of the log ended before the time
    /// `before`, or `None` if there is none.
    fn end_of_rounds_before(pool: PoolId, before: Timestamp) -> Option<(u64, Timestamp)>
        = read_first(
            "select position, received_at from rounds
             where pool_id = $1 and position < coalesce(
                 (select min(position) from rounds where pool_id = $1 and ended_at >= $2), 9223372036854775807)
             order by position desc limit 1",
            sql::rounds::received
        );

    /// Returns the pool's last prune (move of old rounds from the database into files), if any.
    fn last_prune(pool: PoolId) -> Option<PruneRecord>
        = read_first(
            select!(prunes, "from prunes where pool_id = $1 order by position desc limit 1"),
            sql::prunes::record
        );

    /// Returns the prune that removed the round at this log position.
    fn prune_of(pool: PoolId, position: u64) -> Option<PruneRecord>
        = read_first(
            select!(prunes, "from prunes where pool_id = $1 and position >= $2 order by position limit 1"),
            sql::prunes::record
        );

    /// Returns the id of the server's round in the pool that ended last up to `until`, void or not.
    fn last_round_of_server(pool: PoolId, server: &ServerName, until: Timestamp) -> Option<RoundId>
        = read_first(
            "select round_id from rounds where pool_id = $1 and server = $2 and ended_at <= $3
             order by ended_at desc, position desc limit 1",
            sql::rounds::id
        );

    /// Returns the number of rounds on each server that count and ended at or after `from` and before `to`, in no
    /// particular order. Servers without such a round are left out.
    fn rounds_by_server(pool: PoolId, from: Timestamp, to: Timestamp) -> Vec<(ServerName, u64)>
        = read_all(
            "select server, count(*) as played
             from rounds
             where pool_id = $1 and ended_at >= $2 and ended_at < $3 and voided_at is null
             group by server",
            sql::rounds::played_on_server
        );

    /// Returns log position and end time of the pool's first round behind the log position `position`.
    fn first_round_behind(pool: PoolId, position: u64) -> Option<(u64, Timestamp)>
        = read_first(
            "select position, ended_at from rounds where pool_id = $1 and position > $2
             order by position limit 1",
            sql::rounds::ended
        );

    /// Returns the servers with rounds in the pool's log, void ones included, and the end time of each server's last
    /// round.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)>
        = read_all(
            // Goes from each name to the next by the index, because servers are few and rounds are many.
            "with recursive named (server) as (
                 select min(server) from rounds where pool_id = $1
                 union all
                 select (select min(rounds.server) from rounds
                         where rounds.pool_id = $1 and rounds.server > named.server)
                 from named where named.server is not null
             )
             select named.server as server,
                    (select max(rounds.ended_at) from rounds
                     where rounds.pool_id = $1 and rounds.server = named.server) as ended_at
             from named where named.server is not null",
            sql::rounds::ended_on_server
        );

    /// Returns the changes that admins made to these players in the pool, in the order of the log.
    fn changes_of_players(pool: PoolId, players: &[PlayerId]) -> Vec<Change>
        = read_all(sql::changes::OF_PLAYERS, sql::changes::record);

    /// Returns the rounds at these log positions, in no particular order.
    fn rounds_at(pool: PoolId, positions: &[u64]) -> Vec<RecordedRound>
        = read_all(sql::rounds::AT, sql::rounds::recorded);
}
