use serde::Deserialize;

use super::InvalidSetting;

/// Maximum of the setting `newcomers`, in rating points.
const MAX_FOR_NEWCOMERS: u32 = 100;

/// Split settings of one pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitSettings {
    /// Number of rating points by which the distribution of newcomers may make a split worse, unless the request sets
    /// its own; 0 ignores newcomers.
    pub newcomers: u32,
    /// Share of scrambles whose teams are drawn at random, from 0 to 1.
    pub probe_share: f64,
}

/// Table `[splits]` or `[pools.NAME.splits]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplitsTable {
    newcomers: Option<u32>,
    probe_share: Option<f64>,
}

/// Merges a pool's own split table, whose path is `place`, over the common table.
pub(super) fn check(
    common: &SplitsTable,
    place: &str,
    own: Option<&SplitsTable>,
) -> Result<SplitSettings, InvalidSetting> {
    let (newcomers, at) = of_tables(|table| table.newcomers, "newcomers", (common, place, own))?;
    require!(
        newcomers <= MAX_FOR_NEWCOMERS,
        "{at}.newcomers must be 0 to {MAX_FOR_NEWCOMERS} rating points"
    );
    let (probe_share, at) = of_tables(
        |table| table.probe_share,
        "probe_share",
        (common, place, own),
    )?;
    require!(
        (0.0..=1.0).contains(&probe_share),
        "{at}.probe_share must be 0 to 1, the share of scrambles with teams drawn at random"
    );
    Ok(SplitSettings {
        newcomers,
        probe_share,
    })
}

/// Returns a value of the pool's own table or else of the common one, and the name of that table.
fn of_tables<T>(
    value: impl Fn(&SplitsTable) -> Option<T>,
    name: &str,
    (common, place, own): (&SplitsTable, &str, Option<&SplitsTable>),
) -> Result<(T, String), InvalidSetting> {
    let own = own.and_then(&value).map(|value| (value, place.to_owned()));
    own.or_else(|| Some((value(common)?, "splits".to_owned())))
        .ok_or_else(|| {
            InvalidSetting(format!(
                "{place}.{name} is missing and has no default; set it"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::merged;

    #[test]
    fn a_pools_own_points_take_the_place_of_the_common_ones() {
        let newcomers = |common: u32, own: &str| {
            let common = format!("newcomers = {common}\nprobe_share = 0.0");
            merged([&common, own], |common, own| {
                check(common, "pools.arena.splits", own)
            })
            .map(|settings| settings.newcomers)
        };
        assert_eq!(newcomers(20, ""), Ok(20));
        assert_eq!(newcomers(20, "newcomers = 0"), Ok(0));
        assert_eq!(newcomers(0, "newcomers = 100"), Ok(100));
        let refused = newcomers(20, "newcomers = 101").unwrap_err();
        assert!(refused.starts_with("pools.arena.splits.newcomers must be 0 to 100"));
        let refused = newcomers(101, "").unwrap_err();
        assert!(refused.starts_with("splits.newcomers"));
    }
}
