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

    /// Returns up to 100 game servers to forget, the latest first: those whose last `POST /v1/hello` or table of splits
    /// came before the cutoff, and those beyond the `most` heard of last.
    fn old_servers(cutoff: Timestamp, most: u32) -> Vec<ServerName> = sql::servers::old;

    /// Deletes the last `POST /v1/hello` and the tables of splits of a game server.
    fn forget_server(server: &ServerName) -> () = sql::servers::forget;

    /// Stores the last table of splits of `server`, unless a later one is stored.
    fn save_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = sql::split_tables::save;

    /// Stores a past table of splits of `server`. The last 200 of each server are kept.
    fn keep_split_table(server: &ServerName, computed_at: Timestamp, content: &str) -> ()
        = sql::split_tables::keep;

    /// Returns the JSON of the server's last table of splits computed after the first time and up to the second.
    fn past_split_table(server: &ServerName, between: (Timestamp, Timestamp)) -> Option<String>
        = sql::split_tables::last_before;

    /// Returns the texts of the past split tables of `server` that were computed after `from`, oldest first.
    fn split_tables_after(server: &ServerName, from: Timestamp) -> Vec<String>
        = sql::split_tables::after;

    /// Returns the last table of splits of `server`.
    fn split_table(server: &ServerName) -> Option<String> = sql::split_tables::get;

    /// Deletes some of the past tables of splits beyond the last `most` of all servers, the oldest first.
    fn delete_past_split_tables(most: u32) -> () = sql::split_tables::delete_past;

    /// Returns the servers with rounds in the pool's log, void ones included, and the end time of each server's last
    /// round.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)> = sql::servers::last_rounds;

    /// Stores a group of refusals, and deletes the oldest groups beyond `most`.
    fn save_refusal(refusal: &RefusalRecord, most: u32) -> () = sql::servers::save_refusal;

    /// Returns the stored groups of refusals, the latest first.
    fn refusals() -> Vec<RefusalRecord> = sql::servers::refusals;

    /// Adds refused rounds of a server in an hour, given by its beginning. Deletes the numbers of hours before `cutoff`.
    fn add_refused_rounds(
        server: &ServerName, in_hour: (Timestamp, u64), cutoff: Timestamp
    ) -> () = sql::servers::add_refused_rounds;

    /// Returns the numbers of refused rounds by server and hour, from the hour `from` on, oldest first.
    fn refused_rounds(from: Timestamp) -> Vec<(ServerName, Timestamp, u64)>
        = sql::servers::refused_rounds;

    /// Returns what the pool's chat was told last, as JSON.
    fn told(pool: PoolId) -> String = sql::pools::told;

    /// Stores what the pool's chat was told last, as JSON. Returns `false` if `before` is no longer stored.
    fn set_told(pool: PoolId, before: &str, now: &str) -> bool = sql::pools::set_told;

    /// Marks the session or the log-in link as ended. The mark is needed until `ends_at`, when it expires. Returns
    /// `false` if it was marked before.
    fn end_session(id: &str, ends_at: Timestamp) -> bool = sql::settings::end;

    /// Deletes the records of logged-out dashboard sessions that have expired by `now`.
    fn delete_over_sessions(now: Timestamp) -> () = sql::settings::delete_over;

    /// Returns `true` if the dashboard session was ended by a log-out.
    fn has_ended_session(id: &str) -> bool = sql::settings::has_ended;
}

queries! {
    /// Deletes the notices that the notice `by` replaces: its server's notices of the same kind about the same player.
    /// Also deletes every server's notices that have expired when `by` is made.
    fn delete_replaced_notices(by: &NoticeRecord) -> () = sql::notices::delete_replaced;

    /// Inserts a new notice to a game server.
    fn insert_notice(notice: &NoticeRecord) -> () = sql::notices::insert;

    /// Deletes all of the server's notices except the latest `most`.
    fn keep_latest_notices(server: &ServerName, most: u32) -> () = sql::notices::keep_latest;

    /// Deletes the game server's notice with this name, if there is one.
    fn delete_notice(server: &ServerName, name: &NoticeName) -> () = sql::notices::delete;

    /// Returns the server's notices that have not expired, the oldest first.
    fn notices(server: &ServerName, now: Timestamp) -> Vec<NoticeRecord> = sql::notices::list;
}

queries! {
    /// Returns the key of these rating constants. Inserts constants that are not stored yet.
    fn ensure_settings(parameters: &Parameters) -> SettingsId = sql::settings::ensure;

    /// Returns every set of rating constants that any pool was rated by. There are few.
    fn settings() -> Vec<(SettingsId, Parameters)> = sql::settings::list;

    /// Returns log position and rating constants of the pool's last round before `position` that was rated by other
    /// constants than `settings`. Without a position, searches the whole log; without settings, any constants match.
    fn last_round_with_other_settings(pool: PoolId, position: Option<u64>, settings: Option<SettingsId>)
        -> Option<(u64, SettingsId)> = sql::settings::last_round_with_other_settings;

    /// Returns log position and end time of the pool's first round behind the log position `position`.
    fn first_round_behind(pool: PoolId, position: u64) -> Option<(u64, Timestamp)>
        = sql::settings::first_round_behind;
}

queries! {
    /// Returns the lease on evaluating the pool's challengers, and their quality figures; `None` if it was never held.
    fn challengers(pool: PoolId) -> Option<ChallengersRecord> = sql::challengers::get;

    /// Takes or renews the lease on evaluating challenger models along the pool's log. Returns `false` if another owner
    /// has renewed it at or after `lease_cutoff`.
    fn follow_log(pool: PoolId, owned: (&str, Timestamp), lease_cutoff: Timestamp) -> bool
        = sql::challengers::follow;

    /// Renews the lease on evaluating challengers, and stores their quality figures. Returns `false` if it is lost.
    fn save_challengers(pool: PoolId, owned: (&str, Timestamp), figures: &ChallengerFigures) -> bool
        = sql::challengers::save;

    /// Gives up the owner's lease on evaluating the pool's challenger models.
    fn leave_log(pool: PoolId, owner: &str) -> () = sql::challengers::leave;
}
