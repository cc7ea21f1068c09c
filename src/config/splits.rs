use serde::Deserialize;

use super::InvalidSetting;

/// Maximum of the setting `newcomers`, in rating points.
const MAX_FOR_NEWCOMERS: u32 = 100;

/// Settings of one pool for splits into teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitSettings {
    /// Number of rating points by which the distribution of newcomers may make a split worse, unless the request sets
    /// its own; 0 ignores newcomers.
    pub newcomers: u32,
}

/// Table `[splits]` or `[pools.NAME.splits]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplitsTable {
    newcomers: Option<u32>,
}

/// Merges a pool's own split table, whose path is `place`, over the common table.
pub(super) fn check(
    common: &SplitsTable,
    place: &str,
    own: Option<&SplitsTable>,
) -> Result<SplitSettings, InvalidSetting> {
    let own = own.and_then(|own| own.newcomers).map(|own| (place, own));
    let common = common.newcomers.map(|common| ("splits", common));
    let (place, newcomers) = own
        .or(common)
        .ok_or_else(|| InvalidSetting(format!("{place}.newcomers has no default")))?;
    require!(
        newcomers <= MAX_FOR_NEWCOMERS,
        "{place}.newcomers must be 0 to {MAX_FOR_NEWCOMERS} rating points"
    );
    Ok(SplitSettings { newcomers })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newcomers(common: u32, own: Option<u32>) -> Result<u32, String> {
        let table = |newcomers| SplitsTable { newcomers };
        let own = own.map(|own| table(Some(own)));
        let settings = check(&table(Some(common)), "pools.arena.splits", own.as_ref());
        let newcomers = settings.map(|settings| settings.newcomers);
        newcomers.map_err(|error| error.to_string())
    }

    #[test]
    fn a_pools_own_points_take_the_place_of_the_common_ones() {
        assert_eq!(newcomers(20, None), Ok(20));
        assert_eq!(newcomers(20, Some(0)), Ok(0));
        assert_eq!(newcomers(0, Some(100)), Ok(100));
        let refused = newcomers(20, Some(101)).unwrap_err();
        assert!(refused.starts_with("pools.arena.splits.newcomers must be 0 to 100"));
        assert!(
            newcomers(101, None)
                .unwrap_err()
                .starts_with("splits.newcomers")
        );
    }
}
