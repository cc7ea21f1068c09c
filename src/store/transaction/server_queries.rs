//! The queries of a unit of work on game servers.

use super::{Inner, Tx, within};
use crate::domain::{ServerName, Timestamp};
use crate::store::{Greeting, PoolId, StoreError, postgres, sqlite};

queries! {
    /// Keeps a server's greeting in place of an earlier one.
    fn save_greeting(greeting: &Greeting) -> () = sql::servers::save_greeting;

    /// The last greeting of every server, by name.
    fn greetings() -> Vec<Greeting> = sql::servers::greetings;

    /// The servers that have rounds in the pool's log, void ones too, and when the last of each ended, in no
    /// particular order.
    fn last_rounds(pool: PoolId) -> Vec<(ServerName, Timestamp)> = sql::servers::last_rounds;
}
