//! Queries on game servers, dashboard sessions, notices, constants, and challengers.

use super::{Inner, Tx, within};
use crate::domain::{NoticeName, ServerName, Timestamp};
use crate::rating::Parameters;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Greeting, NoticeRecord, PoolId, RefusalRecord,
    SettingsId, StoreError, postgres, sqlite,
};

queries! {
    /// Stores the last `POST /v1/hello` of a game server in place of an earlier one.
    fn save_greeting(greeting: &Greeting) -> () = sql::servers::save_greeting;

    /// Returns the last `POST /v1/hello` of every game server, sorted by server name.
    fn greetings() -> Vec<Greeting> = sql::servers::greetings;

    /// Deletes the last `POST /v1/hello` and the tables of splits of a game server.
    fn forget_server(server: &ServerName) -> () = sql::servers::forget;

    /// Stores a past table of splits of `server`. The last 200 of each server are kept.
    fn keep_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = sql::servers::keep_split_table;

    /// Stores a group of refusals, and deletes the oldest groups beyond `most`.
    fn save_refusal(refusal: &RefusalRecord, most: u32) -> () = sql::servers::save_refusal;

    /// Adds refused rounds of a server in an hour, given by its beginning. Deletes the numbers of hours before `cutoff`.
    fn add_refused_rounds(
        server: &ServerName, in_hour: (Timestamp, u64), cutoff: Timestamp
    ) -> () = sql::servers::add_refused_rounds;

    /// Returns what the pool's chat was told last, as JSON.
    fn told(pool: PoolId) -> String = sql::pools::told;

    /// Returns `true` if the dashboard session was ended by a log-out.
    fn has_ended_session(id: &str) -> bool = sql::settings::has_ended;
}

queries! {
    /// Deletes the notices that the notice `by` replaces: its server's notices of the same kind about the same player.
    /// Also deletes every server's notices that have expired when `by` is made.
    fn delete_replaced_notices(by: &NoticeRecord) -> () = sql::servers::delete_replaced_notices;

    /// Inserts a new notice to a game server.
    fn insert_notice(notice: &NoticeRecord) -> () = sql::servers::insert_notice;
}

queries! {
    /// Returns the key of these rating constants. Inserts constants that are not stored yet.
    fn ensure_settings(parameters: &Parameters) -> SettingsId = sql::settings::ensure;

    /// Returns log position and rating constants of the pool's last round before `position` that was rated by other
    /// constants than `settings`. Without a position, searches the whole log; without settings, any constants match.
    fn last_round_with_other_settings(pool: PoolId, position: Option<u64>, settings: Option<SettingsId>)
        -> Option<(u64, SettingsId)> = sql::settings::last_round_with_other_settings;
}

queries! {
    /// Renews the lease on evaluating challengers, and stores their quality figures. Returns `false` if it is lost.
    fn save_challengers(pool: PoolId, owned: (&str, Timestamp), figures: &ChallengerFigures) -> bool
        = sql::challengers::save;
}

statements! {
    /// Returns up to 100 game servers to forget, the latest first: those whose last `POST /v1/hello` or table of splits
    /// came before the cutoff, and those beyond the `most` heard of last. Forgetting more at once would block other
    /// writers.
    fn old_servers(cutoff: Timestamp, most: u32) -> Vec<ServerName>
        = read_all(
            "select server from (
                 select server, heard_at, row_number() over (order by heard_at desc) as place from (
                     select server, max(heard_at) as heard_at from (
                         select server, hello_at as heard_at from servers
                         union all
                         select server, computed_at as heard_at from split_tables) as signs
                     group by server) as heard) as placed
             where heard_at < $1 or place > $2
             order by heard_at desc limit 100",
            sql::servers::name
        );

    /// Stores the last table of splits of `server`, unless a later one is stored.
    fn save_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = execute(
            "insert into split_tables (server, computed_at, content) values ($1, $2, $3)
             on conflict (server) do update
             set computed_at = excluded.computed_at, content = excluded.content
             where split_tables.computed_at <= excluded.computed_at"
        );

    /// Returns the texts of the past split tables of `server` that were computed after `from`, oldest first.
    fn split_tables_after(server: &ServerName, from: Timestamp) -> Vec<String>
        = read_all(
            "select content from past_split_tables where server = $1 and computed_at > $2
             order by computed_at",
            sql::servers::split_table
        );

    /// Returns the last table of splits of `server`.
    fn split_table(server: &ServerName) -> Option<String>
        = read_first(
            "select content from split_tables where server = $1",
            sql::servers::split_table
        );

    /// Deletes some of the past tables of splits beyond the last `most` of all servers, the oldest first.
    fn delete_past_split_tables(most: u32) -> ()
        = execute(
            // At most 500 in one transaction, which blocks other writers.
            "delete from past_split_tables where (server, computed_at) in (
                 select server, computed_at from past_split_tables where computed_at < (
                     select computed_at from past_split_tables
                     order by computed_at desc limit 1 offset $1)
                 order by computed_at limit 500)"
        );

    /// Returns the stored groups of refusals, the latest first.
    fn refusals() -> Vec<RefusalRecord>
        = read_all(
            "select id, last_at, content from refusals order by last_at desc, id",
            sql::servers::refusal
        );

    /// Returns the numbers of refused rounds by server and hour, from the hour `from` on, oldest first.
    fn refused_rounds(from: Timestamp) -> Vec<(ServerName, Timestamp, u64)>
        = read_all(
            "select server, hour, rounds from refused_rounds where hour >= $1 order by hour, server",
            sql::servers::refused_rounds
        );

    /// Stores what the pool's chat was told last, as JSON. Returns `false` if `before` is no longer stored.
    fn set_told(pool: PoolId, before: &str, now: &str) -> bool
        = changes_any("update pools set told = $3 where id = $1 and told = $2");

    /// Marks the session or the log-in link as ended. The mark is needed until `ends_at`, when it expires. Returns
    /// `false` if it was marked before.
    fn end_session(id: &str, ends_at: Timestamp) -> bool
        = changes_any(
            "insert into ended_sessions (id, ends_at) values ($1, $2) on conflict (id) do nothing"
        );

    /// Deletes the records of logged-out dashboard sessions that have expired by `now`.
    fn delete_over_sessions(now: Timestamp) -> () = execute("delete from ended_sessions where ends_at <= $1");

    /// Deletes all of the server's notices except the latest `most`.
    fn keep_latest_notices(server: &ServerName, most: u32) -> ()
        = execute(
            "delete from notices where server = $1 and name not in (
                 select name from notices where server = $1
                 order by made_at desc, name desc limit $2)"
        );

    /// Deletes the game server's notice with this name, if there is one.
    fn delete_notice(server: &ServerName, name: &NoticeName) -> ()
        = execute("delete from notices where server = $1 and name = $2");

    /// Returns the server's notices that have not expired, the oldest first.
    fn notices(server: &ServerName, now: Timestamp) -> Vec<NoticeRecord>
        = read_all(
            "select server, name, kind, player_id, rating, message, made_at, expires_at from notices
             where server = $1 and expires_at > $2 order by made_at, name",
            sql::servers::notice
        );

    /// Returns every set of rating constants that any pool was rated by. There are few.
    fn settings() -> Vec<(SettingsId, Parameters)>
        = read_all(
            "select id, content from settings order by id",
            sql::settings::record
        );

    /// Returns the lease on evaluating the pool's challengers, and their quality figures; `None` if it was never held.
    fn challengers(pool: PoolId) -> Option<ChallengersRecord>
        = read_first(
            select!(challengers, "from challengers where pool_id = $1"),
            sql::challengers::record
        );

    /// Gives up the owner's lease on evaluating the pool's challenger models.
    fn leave_log(pool: PoolId, owner: &str) -> ()
        = execute("update challengers set renewed_at = 0 where pool_id = $1 and owner = $2");

    /// Returns the JSON of the server's last table of splits computed after the first time and up to the second.
    fn past_split_table(server: &ServerName, between: (Timestamp, Timestamp)) -> Option<String>
        = read_first(
            "select content from past_split_tables
                 where server = $1 and computed_at > $2 and computed_at <= $3
                 order by computed_at desc limit 1",
            sql::servers::split_table
        );

    /// Takes or renews the lease on evaluating challenger models along the pool's log. Returns `false` if another owner
    /// has renewed it at or after `lease_cutoff`.
    fn follow_log(pool: PoolId, owned: (&str, Timestamp), lease_cutoff: Timestamp) -> bool
        = changes_any(
            "insert into challengers (pool_id, owner, renewed_at) values ($1, $2, $3)
                 on conflict (pool_id) do update set owner = excluded.owner, renewed_at = excluded.renewed_at
                 where challengers.owner = excluded.owner or challengers.renewed_at < $4"
        );
}
