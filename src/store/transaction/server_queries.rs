//! Queries on game servers, dashboard sessions, notices, constants, and challengers.

use super::{Inner, Tx, within};
use crate::domain::{NoticeName, ServerName, Timestamp};
use crate::rating::Parameters;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Greeting, NoticeRecord, PoolId, SettingsId, StoreError,
    postgres, sqlite,
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

    /// Deletes some of the past tables of splits beyond the last `most` of all servers, the oldest first.
    fn delete_past_split_tables(most: u32) -> () = sql::split_tables::delete_past;

    /// Returns the servers with rounds in the pool's log, void ones included, and the end time of each server's last
    /// round.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)> = sql::servers::last_rounds;

    /// Records that a dashboard session was logged out. The record is needed until `ends_at`, when the session expires.
    fn end_session(id: &str, ends_at: Timestamp) -> () = sql::settings::end;

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
