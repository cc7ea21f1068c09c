use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::InvalidSetting;
use crate::domain::{GameWindow, ModeName, MutatorName, SetRules, StatName, Stats};

/// Scoreboard settings of one pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreboardSettings {
    /// Names of scoreboard numbers that rounds may report besides score, kills, deaths and assists.
    pub stats: BTreeSet<StatName>,
    /// Rules by which games count as alike for powers; `None` if all games are alike.
    pub sets: Option<SetRules>,
}

/// Table `[scoreboard]` or `[pools.NAME.scoreboard]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScoreboardTable {
    stats: Option<Vec<String>>,
    sets: Option<SetsTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetsTable {
    least_games: Option<u32>,
    #[serde(default)]
    mutators: Vec<String>,
    #[serde(default)]
    modes: BTreeMap<String, Vec<String>>,
}

/// Allowed values of the setting `least_games`. No power is computed from more games.
const MIN_GAMES: RangeInclusive<u32> = 1..=GameWindow::MAX;
const DEFAULT_LEAST_GAMES: u32 = 10;

/// Merges a pool's own scoreboard table, whose path is `place`, over the common table.
pub(super) fn check(
    common: &ScoreboardTable,
    place: &str,
    own: Option<&ScoreboardTable>,
) -> Result<ScoreboardSettings, InvalidSetting> {
    let mut tables = own
        .map(|own| (place, own))
        .into_iter()
        .chain([("scoreboard", common)]);
    let stats = tables
        .clone()
        .find_map(|(place, table)| Some((place, table.stats.as_ref()?)));
    let sets = tables.find_map(|(place, table)| Some((place, table.sets.as_ref()?)));
    Ok(ScoreboardSettings {
        stats: match stats {
            Some((place, names)) => check_stats(&format!("{place}.stats"), names)?,
            None => BTreeSet::new(),
        },
        sets: match sets {
            Some((place, sets)) => Some(check_sets(&format!("{place}.sets"), sets)?),
            None => None,
        },
    })
}

fn check_stats(place: &str, names: &[String]) -> Result<BTreeSet<StatName>, InvalidSetting> {
    let mut stats = BTreeSet::new();
    for name in names {
        let stat: StatName = name
            .parse()
            .map_err(|error| InvalidSetting(format!("{place} has \"{name}\": a name {error}")))?;
        require!(
            !Stats::OF_EVERY_POOL.contains(&name.as_str()),
            "{place} has \"{name}\", which every pool has anyway; leave it out"
        );
        require!(
            stats.insert(stat),
            "{place} has \"{name}\" twice; list each name once"
        );
    }
    require!(
        stats.len() <= Stats::MAX_NAMED,
        "{place} must have at most {} names",
        Stats::MAX_NAMED
    );
    Ok(stats)
}

fn check_sets(place: &str, sets: &SetsTable) -> Result<SetRules, InvalidSetting> {
    let least_games = sets.least_games.unwrap_or(DEFAULT_LEAST_GAMES);
    require!(
        MIN_GAMES.contains(&least_games),
        "{place}.least_games must be {} to {}",
        MIN_GAMES.start(),
        MIN_GAMES.end()
    );
    let mutators = |place: &str,
                    names: &[String]|
     -> Result<BTreeSet<MutatorName>, InvalidSetting> {
        let parsed = names.iter().map(|name| {
            name.parse()
                .map_err(|error| InvalidSetting(format!("{place} has \"{name}\": a name {error}")))
        });
        parsed.collect()
    };
    let by_mode = sets.modes.iter().map(|(mode, names)| {
        let name: ModeName = mode.parse().map_err(|error| {
            InvalidSetting(format!("{place}.modes: the mode \"{mode}\" {error}"))
        })?;
        let names = mutators(&format!("{place}.modes.{mode}"), names)?;
        Ok((name, names))
    });
    Ok(SetRules {
        mutators: mutators(&format!("{place}.mutators"), &sets.mutators)?,
        by_mode: by_mode.collect::<Result<_, InvalidSetting>>()?,
        least_games,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::merged;

    fn settings(common: &str, own: &str) -> Result<ScoreboardSettings, String> {
        merged([common, own], |common, own| {
            check(common, "pools.arena.scoreboard", own)
        })
    }

    const SETS: &str = "[sets]\nmutators = [\"InstaGib\"]\n[sets.modes]\n\"Last Man\" = []";

    #[test]
    fn a_pools_own_settings_win_one_by_one() {
        assert_eq!(settings("", ""), Ok(ScoreboardSettings::default()));
        let common = format!("stats = [\"damage\"]\n{SETS}");
        let own = settings(&common, "stats = [\"healing\", \"blocks\"]").unwrap();
        let names: Vec<&str> = own.stats.iter().map(StatName::as_str).collect();
        assert_eq!(names, ["blocks", "healing"]);
        let sets = own.sets.unwrap();
        assert_eq!((sets.least_games, sets.mutators.len()), (10, 1));
        assert!(sets.by_mode[&"Last Man".parse().unwrap()].is_empty());
        let own = settings(&common, "[sets]\nleast_games = 3").unwrap();
        assert_eq!(
            (own.stats.len(), own.sets.map(|sets| sets.least_games)),
            (1, Some(3))
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_place() {
        for (toml, expected) in [
            (
                "stats = [\"kills\"]",
                "stats has \"kills\", which every pool has",
            ),
            ("stats = [\"a\", \"a\"]", "stats has \"a\" twice"),
            (
                "stats = [\"a b\"]",
                "stats has \"a b\": a name must be 1 to 32",
            ),
            (
                "stats = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]",
                "stats must have at most 8 names",
            ),
            (
                "sets = {least_games = 0}",
                "sets.least_games must be 1 to 200",
            ),
            (
                "sets = {least_games = 201}",
                "sets.least_games must be 1 to 200",
            ),
            (
                "sets = {mutators = [\"\"]}",
                "sets.mutators has \"\": a name must be 1 to 64",
            ),
            (
                "sets = {modes = {\"\" = []}}",
                "sets.modes: the mode \"\" must be 1 to 64",
            ),
            (
                "sets = {modes = {ctf = [\"\"]}}",
                "sets.modes.ctf has \"\": a name must",
            ),
        ] {
            let error = settings("", toml).unwrap_err();
            let expected = format!("pools.arena.scoreboard.{expected}");
            assert!(error.starts_with(&expected), "{toml}: {error}");
        }
    }
}
