use super::InvalidSetting;
use super::catalogs::{self, CatalogTable};
use crate::balance::{PowerRules, PowerTable};
use crate::domain::PowerName;

/// Settings of one pool's powers, which weigh players by scoreboards.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerSettings {
    /// Power of matches and splits if neither the request nor the policy names one; one of `rules`. `None` uses the
    /// weights of the policy in matches, and ratings in splits.
    pub by: Option<PowerName>,
    /// Built-in powers with this pool's changes, and powers that the configuration adds.
    pub(crate) rules: PowerRules,
}

/// Table `[powers]` or `[pools.NAME.powers]` of the configuration file.
pub(super) type PowersTable = CatalogTable<PowerTable>;

pub(super) fn check(
    common: &PowersTable,
    place: &str,
    own: Option<&PowersTable>,
) -> Result<PowerSettings, InvalidSetting> {
    let (by, rules) = catalogs::check(("powers", common), (place, own), |_| Ok(()))?;
    Ok(PowerSettings { by, rules })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{GamesOf, Power, PowerRule, ScoreboardPower, Statistic};
    use crate::config::tests::merged;

    fn settings(common: &str, own: &str) -> Result<PowerSettings, String> {
        merged([common, own], |common, own| {
            check(common, "pools.arena.powers", own)
        })
    }

    fn power(settings: &PowerSettings, name: &str) -> ScoreboardPower {
        match settings.rules.named(&name.parse().unwrap()).unwrap() {
            PowerRule::Scoreboard(power) => power.clone(),
            PowerRule::Rating => panic!("{name} is the rating"),
        }
    }

    #[test]
    fn without_any_change_every_power_is_the_built_in_one() {
        let settings = settings("", "").unwrap();
        assert_eq!(settings.by, None);
        assert_eq!(settings.rules, PowerRules::built_in().unwrap());
        let names: Vec<_> = settings
            .rules
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["kdr-power", "pub-power", "rating", "ut2004"]);
    }

    #[test]
    fn a_pools_own_parts_win_over_the_common_ones_and_those_over_the_presets() {
        let damage = "[house]\nnewcomer = 3\nleast_games = 5\ngames_of = \"mode\"\n[[house.terms]]\n\
                      figure = \"stats.damage\"\nstatistic = \"per-minute\"\ndays = 30";
        let settings = settings(
            &format!("by = \"pub-power\"\n{damage}\n[ut2004]\nnewcomer = 40\nmost = 90"),
            "by = \"house\"\n[house]\nnewcomer = 4\n[late]\nlike = \"ut2004\"",
        )
        .unwrap();
        assert_eq!(settings.by.as_ref().map(PowerName::as_str), Some("house"));
        let house = power(&settings, "house");
        assert_eq!(house.newcomer, Power::new(4.0));
        assert_eq!((house.least_games, house.games_of), (5, GamesOf::Mode));
        assert_eq!(house.terms[0].statistic, Statistic::PerMinute);
        assert_eq!((house.terms[0].games, house.terms[0].days), (50, Some(30)));
        let changed = power(&settings, "ut2004");
        assert_eq!(
            (changed.newcomer, Some(changed.most)),
            (Power::new(40.0), Power::new(90.0))
        );
        assert_eq!(power(&settings, "late"), changed);
    }

    #[track_caller]
    fn refuses(toml: &str, expected: &str) {
        let error = settings("", toml).unwrap_err();
        let expected = format!("pools.arena.powers.{expected}");
        assert!(error.starts_with(&expected), "{toml}: {error}");
    }

    #[test]
    fn a_name_that_makes_no_sense_is_named() {
        for (toml, expected) in [
            (
                "by = \"best\"",
                "by is not a known power; choose one of \"kdr-power\", \"pub-power\", \"rating\"",
            ),
            (
                "[house]\nnewcomer = 3",
                "house.terms are missing, and no power has this name",
            ),
            (
                "[house]\nlike = \"best\"",
                "house.like is not a known power; choose one of",
            ),
            (
                "[house]\nlike = \"rating\"",
                "house.terms: the power \"rating\" has no terms",
            ),
            (
                "[rating]\nnewcomer = 3",
                "rating.terms: the power \"rating\" has no terms",
            ),
            (
                "[ut2004]\nlike = \"pub-power\"",
                "ut2004.like is only for a new power",
            ),
        ] {
            refuses(toml, expected);
        }
    }

    #[test]
    fn a_part_out_of_its_range_is_named() {
        for (part, expected) in [
            ("games_of = \"map\"", "games_of must be"),
            ("combine = \"mean\"", "combine must be"),
            ("terms = []", "terms must be 1 to 16"),
            ("times = 0", "times (a factor) must be above 0"),
            ("least = -1", "least must be 0 to 1000000"),
            ("most = 1000001", "most must be 0 to 1000000"),
            ("least = 3\nmost = 2", "least must be at most most"),
            ("newcomer = -5", "newcomer must be 0 to 1000000"),
            ("least_games = 0", "least_games must be 1 to 200"),
            (
                "least_games = 51",
                "least_games must not exceed \"games\" of any term",
            ),
            (
                "party_multipliers = [1.155, 2, 2]",
                "party_multipliers must be three",
            ),
        ] {
            refuses(
                &format!("[pub-power]\n{part}"),
                &format!("pub-power.{expected}"),
            );
        }
    }

    #[test]
    fn a_part_of_a_term_that_makes_no_sense_is_named() {
        for (part, expected) in [
            ("figure = \"damage\"", "figure must be \"place\""),
            ("figure = \"stats.two words\"", "figure must be \"place\""),
            (
                "figure = \"score\"\nfirst_place = 3",
                "last_place, first_place and first_place_in need",
            ),
            ("figure = \"score\"\nassists = 0.5", "assists needs"),
            (
                "figure = \"kills-per-death\"\nassists = 11",
                "assists (the number of kills that an assist counts as) must be 0 to 10",
            ),
            ("figure = \"place\"\nlast_place = 2", "last_place must be"),
            (
                "figure = \"place\"\nfirst_place_in = { ctf = -1 }",
                "last_place must be",
            ),
            ("figure = \"score\"\ngames = 201", "games must be 1 to 200"),
            ("figure = \"score\"\ndays = 0", "days must be 1 to 3650"),
            (
                "figure = \"score\"\nstatistic = \"mode\"",
                "statistic must be",
            ),
            (
                "figure = \"score\"\nstatistic = \"median\"\nhalf_life = 3",
                "half_life needs",
            ),
            ("figure = \"score\"\nhalf_life = 0", "half_life must be"),
            (
                "figure = \"score\"\nweight = 2",
                "weight is not allowed in a product",
            ),
        ] {
            let toml = format!("[[house.terms]]\n{part}");
            refuses(&toml, &format!("house.terms: {expected}"));
        }
    }
}
