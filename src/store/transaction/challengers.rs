//! The queries on models that predict beside a pool's own.

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::store::{ChallengerFigures, ChallengersRecord, PoolId, StoreError, postgres, sqlite};

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
