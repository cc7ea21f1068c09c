//! Queries on game servers, dashboard sessions, notices, constants, and challengers.

use super::{Inner, Tx, within};
use crate::domain::{NoticeName, ServerName, Timestamp};
use crate::rating::Parameters;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Greeting, NoticeRecord, PoolId, SettingsId, StoreError,
    postgres, sqlite,
};

queries! {
    /// Stores a server's greeting in place of an earlier one.
    fn save_greeting(greeting: &Greeting) -> () = sql::servers::save_greeting;

    /// Returns the last greeting of every server, sorted by name.
    fn greetings() -> Vec<Greeting> = sql::servers::greetings;

    /// Returns up to 100 servers to forget, the latest first: those whose last greeting or table of splits came before
    /// the cutoff, and those beyond the `most` heard of last.
    fn old_servers(cutoff: Timestamp, most: u32) -> Vec<ServerName> = sql::servers::old;

    /// Deletes the greeting and the tables of splits of a server.
    fn forget_server(server: &ServerName) -> () = sql::servers::forget;

    /// Deletes some of the past tables of splits beyond the last `most` of all servers, the oldest first.
    fn delete_past_split_tables(most: u32) -> () = sql::split_tables::delete_past;

    /// Returns the servers with rounds in the pool's log, void ones included, and the end of the last round of each, in
    /// no particular order.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)> = sql::servers::last_rounds;

    /// Marks the session as ended. The mark is needed until `ends_at`, when the session expires.
    fn end_session(id: &str, ends_at: Timestamp) -> () = sql::settings::end;

    /// Deletes the marks of sessions that have expired by `now`.
    fn delete_over_sessions(now: Timestamp) -> () = sql::settings::delete_over;

    /// Returns `true` if the session was ended by a log-out.
    fn has_ended_session(id: &str) -> bool = sql::settings::has_ended;
}

queries! {
    /// Deletes the server's notices of the same kind about the same player, and every server's notices that have
    /// expired when `by` is made.
    fn delete_replaced_notices(by: &NoticeRecord) -> () = sql::notices::delete_replaced;

    /// Inserts a new notice.
    fn insert_notice(notice: &NoticeRecord) -> () = sql::notices::insert;

    /// Deletes all of the server's notices except the latest `most`.
    fn keep_latest_notices(server: &ServerName, most: u32) -> () = sql::notices::keep_latest;

    /// Deletes the notice with this name, if there is one.
    fn delete_notice(server: &ServerName, name: &NoticeName) -> () = sql::notices::delete;

    /// Returns the server's notices that have not expired, the oldest first.
    fn notices(server: &ServerName, now: Timestamp) -> Vec<NoticeRecord> = sql::notices::list;
}

queries! {
    /// Returns the key of these constants. Inserts constants that are not stored yet.
    fn ensure_settings(parameters: &Parameters) -> SettingsId = sql::settings::ensure;

    /// Returns every set of constants that any pool was rated by. There are few.
    fn settings() -> Vec<(SettingsId, Parameters)> = sql::settings::list;

    /// Returns log position and constants of the pool's last round before `position` that was rated by other constants
    /// than `settings`. Without a position, searches the whole log; without settings, any constants match.
    fn last_round_with_other_settings(pool: PoolId, position: Option<u64>, settings: Option<SettingsId>)
        -> Option<(u64, SettingsId)> = sql::settings::last_round_with_other_settings;

    /// Returns log position and end time of the pool's first round behind `position`.
    fn first_round_behind(pool: PoolId, position: u64) -> Option<(u64, Timestamp)>
        = sql::settings::first_round_behind;
}

queries! {
    /// Returns the instance that computes the pool's challenger models, until when, and the models' scores; `None` if no
    /// instance ever did.
    fn challengers(pool: PoolId) -> Option<ChallengersRecord> = sql::challengers::get;

    /// Takes or renews the lease on following the pool's log. Returns `false` if another owner has renewed it at or
    /// after `lease_cutoff`.
    fn follow_log(pool: PoolId, owned: (&str, Timestamp), lease_cutoff: Timestamp) -> bool
        = sql::challengers::follow;

    /// Renews the owner's lease and stores the figures of the challengers. Returns `false` if the owner has lost the
    /// lease.
    fn save_challengers(pool: PoolId, owned: (&str, Timestamp), figures: &ChallengerFigures) -> bool
        = sql::challengers::save;

    /// Gives up the owner's lease on following the pool's log.
    fn leave_log(pool: PoolId, owner: &str) -> () = sql::challengers::leave;
}
