//! Queries of a unit of work on game servers, sessions of the dashboard, notices, settings, and challengers.

use super::{Inner, Tx, within};
use crate::domain::{NoticeName, ServerName, Timestamp};
use crate::rating::Parameters;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Greeting, NoticeRecord, PoolId, SettingsId, StoreError,
    postgres, sqlite,
};

queries! {
    /// Keeps a server's greeting in place of an earlier one.
    fn save_greeting(greeting: &Greeting) -> () = sql::servers::save_greeting;

    /// The last greeting of every server, by name.
    fn greetings() -> Vec<Greeting> = sql::servers::greetings;

    /// Returns up to 100 servers, latest first, whose last greeting or table of splits came before the cutoff, or that are
    /// not among the `most` servers heard of last.
    fn old_servers(cutoff: Timestamp, most: u32) -> Vec<ServerName> = sql::servers::old;

    /// Deletes the greeting and the tables of splits of a server.
    fn forget_server(server: &ServerName) -> () = sql::servers::forget;

    /// Deletes some of the past tables of splits beyond the last `most` of all servers, the oldest first.
    fn delete_past_split_tables(most: u32) -> () = sql::split_tables::delete_past;

    /// The servers that have rounds in the pool's log, void ones too, and when the last of each ended, in no
    /// particular order.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)> = sql::servers::last_rounds;

    /// Marks the session as ended. The mark is needed until `ends_at`, when the session expires.
    fn end_session(id: &str, ends_at: Timestamp) -> () = sql::settings::end;

    /// Deletes the marks of sessions that have expired by `now`.
    fn delete_over_sessions(now: Timestamp) -> () = sql::settings::delete_over;

    /// Returns true if the session was ended by a log-out.
    fn has_ended_session(id: &str) -> bool = sql::settings::has_ended;
}

queries! {
    /// Deletes the server's notices of the same kind about the same player, and everybody's that are too old when
    /// this one is made.
    fn delete_replaced_notices(by: &NoticeRecord) -> () = sql::notices::delete_replaced;

    /// Writes a new notice.
    fn insert_notice(notice: &NoticeRecord) -> () = sql::notices::insert;

    /// Deletes all of the server's notices but the latest so many.
    fn keep_latest_notices(server: &ServerName, most: u32) -> () = sql::notices::keep_latest;

    /// Deletes the notice of that name, if it is there.
    fn delete_notice(server: &ServerName, name: &NoticeName) -> () = sql::notices::delete;

    /// The server's notices that are not too old, the oldest first.
    fn notices(server: &ServerName, now: Timestamp) -> Vec<NoticeRecord> = sql::notices::list;
}

queries! {
    /// The key of these constants, written if they are not there yet.
    fn ensure_settings(parameters: &Parameters) -> SettingsId = sql::settings::ensure;

    /// Every set of constants that anything was rated by, in whichever pool: there are few.
    fn settings() -> Vec<(SettingsId, Parameters)> = sql::settings::list;

    /// The last round of the pool before `position` (`None`: of all) that was rated by other constants than `settings`
    /// (`None`: by any): its place in the log, and its constants.
    fn last_round_otherwise(pool: PoolId, position: Option<u64>, settings: Option<SettingsId>)
        -> Option<(u64, SettingsId)> = sql::settings::last_round_otherwise;

    /// The pool's first round behind `position`: its place in the log, and when it ended.
    fn first_round_behind(pool: PoolId, position: u64) -> Option<(u64, Timestamp)>
        = sql::settings::first_round_behind;
}

queries! {
    /// Who follows the pool's log for its challengers, and how well those did; `None` where nobody ever has.
    fn challengers(pool: PoolId) -> Option<ChallengersRecord> = sql::challengers::get;

    /// Notes that `owner` follows the pool's log at that moment; `false` where another does who was heard of
    /// since `lease_cutoff`.
    fn follow_log(pool: PoolId, owned: (&str, Timestamp), lease_cutoff: Timestamp) -> bool
        = sql::challengers::follow;

    /// The same, and writes how well the challengers did; `false` where somebody else follows the log by now.
    fn save_challengers(pool: PoolId, owned: (&str, Timestamp), figures: &ChallengerFigures) -> bool
        = sql::challengers::save;

    /// Notes that `owner` follows the pool's log no longer.
    fn leave_log(pool: PoolId, owner: &str) -> () = sql::challengers::leave;
}
