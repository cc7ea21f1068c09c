use serde::Deserialize;

use super::InvalidSetting;
use crate::domain::{CalibrationRounds, PoolName, Share, StartMonths};

/// Settings of the seasons that start by the calendar in one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonSettings {
    /// Months (1 to 12) at whose beginnings a season starts; empty if no season starts by the calendar.
    pub start_months: StartMonths,
    /// Share of its distance from the initial rating that each rating keeps at the start of a season, from 0 to 1.
    pub keep: Share,
    /// Number of rounds in a season until a player is placed.
    pub calibration: CalibrationRounds,
}

/// Table `[season]` or `[pools.NAME.season]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeasonTable {
    start_months: Option<Vec<u8>>,
    keep: Option<Share>,
    calibration: Option<CalibrationRounds>,
}

/// Maximum length of the name of a pool with seasons by the calendar, in bytes. The ids of season starts contain the
/// name.
const MAX_POOL_NAME: usize = 40;

/// Merges a pool's own season table, whose path is `place`, over the common table.
pub(super) fn check(
    common: &SeasonTable,
    place: &str,
    own: Option<&SeasonTable>,
    pool: &PoolName,
) -> Result<SeasonSettings, InvalidSetting> {
    let (place, months) = match own.and_then(|own| own.start_months.as_ref()) {
        Some(months) => (place, Some(months)),
        None => ("season", common.start_months.as_ref()),
    };
    let start_months = StartMonths::new(months.map_or(&[], Vec::as_slice)).ok_or_else(|| {
        InvalidSetting(format!(
            "{place}.start_months must be month numbers, 1 to 12, each once, such as [1, 7]"
        ))
    })?;
    require!(
        start_months.is_empty() || pool.as_str().len() <= MAX_POOL_NAME,
        "{place}.start_months is set for the pool {pool}, whose name has more than {MAX_POOL_NAME} characters; set \
         it to [] for this pool, and start the pool's seasons with rbs season start"
    );
    Ok(SeasonSettings {
        start_months,
        keep: own
            .and_then(|own| own.keep)
            .or(common.keep)
            .unwrap_or(Share::HALF),
        calibration: own
            .and_then(|own| own.calibration)
            .or(common.calibration)
            .unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::merged;

    fn settings(common: &str, own: &str, pool: &str) -> Result<SeasonSettings, String> {
        let pool = pool.parse().unwrap();
        merged([common, own], |common, own| {
            check(common, "pools.arena.season", own, &pool)
        })
    }

    #[test]
    fn a_pools_own_settings_win_one_by_one() {
        let default = settings("", "", "arena").unwrap();
        assert!(default.start_months.is_empty());
        assert_eq!((default.keep, default.calibration.get()), (Share::HALF, 10));
        let common = "start_months = [1, 7]\nkeep = 0.25\ncalibration = 5";
        let own = settings(common, "keep = 1", "arena").unwrap();
        assert_eq!(StartMonths::new(&[1, 7]).unwrap(), own.start_months);
        assert_eq!((own.keep.thousandths(), own.calibration.get()), (1000, 5));
        let none = settings(common, "start_months = []", "arena").unwrap();
        assert!(none.start_months.is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let long = "p".repeat(41);
        for (toml, pool, expected) in [
            (
                "start_months = [13]",
                "arena",
                "pools.arena.season.start_months must be month numbers",
            ),
            ("start_months = [1, 1]", "arena", "each once"),
            ("start_months = [1]", &long, "more than 40 characters"),
            ("keep = 1.5", "arena", "must be 0 to 1"),
            ("calibration = 501", "arena", "must be 0 to 500 rounds"),
        ] {
            let error = settings("", toml, pool).unwrap_err();
            assert!(error.contains(expected), "{toml}: {error}");
        }
        assert!(settings("", "", &long).is_ok());
    }
}
