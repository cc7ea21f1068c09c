//! The queries of a unit of work on the constants that rounds were rated by.

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::rating::Parameters;
use crate::store::{PoolId, SettingsId, StoreError, postgres, sqlite};

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
