//! The queries of a unit of work on game servers, and on sessions of the dashboard.

use super::{Inner, Tx, within};
use crate::domain::{ServerName, Timestamp};
use crate::store::{Greeting, PoolId, StoreError, postgres, sqlite};

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
    fn end_session(id: &str, ends_at: Timestamp) -> () = sql::sessions::end;

    /// Deletes the marks of sessions that have expired by `now`.
    fn delete_over_sessions(now: Timestamp) -> () = sql::sessions::delete_over;

    /// Returns true if the session was ended by a log-out.
    fn has_ended_session(id: &str) -> bool = sql::sessions::has_ended;
}
