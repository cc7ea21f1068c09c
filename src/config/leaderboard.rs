use serde::Deserialize;

use super::InvalidSetting;
use crate::domain::PoolName;

const MAX_DIVISIONS: usize = 30;
/// Maximum length of a division's name, in characters.
const MAX_NAME: usize = 32;
/// Maximum length of the leaderboard's title, in characters.
const MAX_TITLE: usize = 64;

/// Leaderboard settings of one pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeaderboardSettings {
    public: Public,
    player_pages: bool,
    match_pages: bool,
    /// `true` if public pages show the players' names.
    pub names: bool,
    /// Title of the public pages, if one is set.
    pub title: Option<String>,
    /// Title of the common table, which other pools may have too; `None` if the pool has a title of its own.
    common_title: Option<String>,
    /// Divisions of the leaderboard, sorted from the highest to the lowest.
    divisions: Vec<Division>,
}

/// Part of the leaderboard that is public: readable without a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Public {
    #[default]
    Off,
    Ratings,
    Divisions,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Division {
    name: String,
    /// Percentile of the ranked players, from 0 to below 100, above which the division begins.
    from_percentile: f64,
}

/// Table `[leaderboard]` or `[pools.NAME.leaderboard]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeaderboardTable {
    public: Option<Public>,
    player_pages: Option<bool>,
    match_pages: Option<bool>,
    names: Option<bool>,
    title: Option<String>,
    divisions: Option<Vec<Division>>,
}

impl LeaderboardSettings {
    /// Returns `true` if the leaderboard is public.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.public != Public::Off
    }

    /// Returns `true` if the public leaderboard shows ratings.
    #[must_use]
    pub fn shows_ratings(&self) -> bool {
        self.public == Public::Ratings
    }

    /// Returns `true` if every player has a public page.
    #[must_use]
    pub fn has_player_pages(&self) -> bool {
        self.is_public() && self.player_pages
    }

    /// Returns `true` if every round has a public page.
    #[must_use]
    pub fn has_match_pages(&self) -> bool {
        self.is_public() && self.match_pages
    }

    /// Returns the name of each division and the percentile (0 to below 100) above which it begins, the highest first.
    pub fn divisions(&self) -> impl Iterator<Item = (&str, f64)> {
        self.divisions
            .iter()
            .map(|division| (division.name.as_str(), division.from_percentile))
    }

    /// Returns the next higher division of a player, and the maximum number of better players that its members have.
    /// The player has `better` better players out of `ranked`. `None` if no division is higher.
    #[must_use]
    pub fn next_division(&self, better: u64, ranked: u64) -> Option<(&str, u64)> {
        let above = |division: &&Division| percentile(better, ranked) <= division.from_percentile;
        let next = self.divisions.iter().take_while(above).last()?;
        // Bisection finds the lowest rank in the division: every better player is in the division or above.
        let (mut within, mut beyond) = (0, better);
        while beyond - within > 1 {
            let middle = u64::midpoint(within, beyond);
            if percentile(middle, ranked) > next.from_percentile {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        // With few players, this rank may belong to an even higher division.
        Some((self.division(within, ranked)?, within))
    }

    /// Returns the division of a player, given the number of better players out of `ranked` players. `None` if the
    /// player is below all divisions. The best player is always in the highest division.
    #[must_use]
    pub fn division(&self, better: u64, ranked: u64) -> Option<&str> {
        let percentile = percentile(better, ranked);
        let mut divisions = self.divisions.iter();
        let found = divisions.find(|division| percentile > division.from_percentile);
        found.map(|division| division.name.as_str())
    }
}

/// Returns the percentile of a player, given the number of better players: 100 for the best player.
#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 players")]
fn percentile(better: u64, ranked: u64) -> f64 {
    100.0 - 100.0 * better as f64 / ranked.max(1) as f64
}

/// Merges a pool's own leaderboard table, whose path is `place`, over the common table.
pub(super) fn check(
    common: &LeaderboardTable,
    place: &str,
    own: Option<&LeaderboardTable>,
) -> Result<LeaderboardSettings, InvalidSetting> {
    let set = |place, table: &LeaderboardTable| Some((place, table.divisions.clone()?));
    let (divisions_place, divisions) = own
        .and_then(|own| set(place, own))
        .or_else(|| set("leaderboard", common))
        .unwrap_or((place, Vec::new()));
    let divisions = check_divisions(divisions_place, divisions)?;
    let public = own
        .and_then(|own| own.public)
        .or(common.public)
        .unwrap_or_default();
    let own_title = own.and_then(|own| own.title.as_ref());
    let title = own_title
        .map(|title| (place, title))
        .or_else(|| common.title.as_ref().map(|title| ("leaderboard", title)));
    if let Some((place, title)) = title {
        let length = title.chars().count();
        require!(
            (1..=MAX_TITLE).contains(&length)
                && !title.trim().is_empty()
                && !title.chars().any(char::is_control),
            "{place}.title must be 1 to {MAX_TITLE} characters without control characters"
        );
    }
    require!(
        public != Public::Divisions || !divisions.is_empty(),
        "{divisions_place}.divisions must name divisions if {divisions_place}.public is \"divisions\", such as \
         [{{name = \"Gold\", from_percentile = 80}}, {{name = \"Silver\", from_percentile = 0}}]"
    );
    let flag = |of: fn(&LeaderboardTable) -> Option<bool>| own.and_then(of).or(of(common));
    Ok(LeaderboardSettings {
        public,
        player_pages: flag(|table| table.player_pages).unwrap_or_default(),
        match_pages: flag(|table| table.match_pages).unwrap_or_default(),
        names: flag(|table| table.names).unwrap_or_default(),
        common_title: common.title.clone().filter(|_| own_title.is_none()),
        title: title.map(|(_, title)| title.clone()),
        divisions,
    })
}

/// Adds the name of each pool to the title of the common table, if several pools are public.
pub(super) fn tell_apart<'pool>(
    pools: impl Iterator<Item = (&'pool PoolName, &'pool mut LeaderboardSettings)>,
) {
    let public: Vec<_> = pools.filter(|(_, one)| one.is_public()).collect();
    let several = public.len() > 1;
    for (name, one) in public.into_iter().filter(|_| several) {
        if let Some(title) = &one.common_title {
            one.title = Some(format!("{title} · {name}"));
        }
    }
}

fn check_divisions(
    place: &str,
    mut divisions: Vec<Division>,
) -> Result<Vec<Division>, InvalidSetting> {
    require!(
        divisions.len() <= MAX_DIVISIONS,
        "{place}.divisions must have at most {MAX_DIVISIONS} divisions"
    );
    for Division {
        name,
        from_percentile,
    } in &divisions
    {
        let length = name.chars().count();
        require!(
            (1..=MAX_NAME).contains(&length) && !name.chars().any(char::is_control),
            "{place}.divisions must have names of 1 to {MAX_NAME} characters without control \
             characters"
        );
        require!(
            (0.0..100.0).contains(from_percentile),
            "{place}.divisions must have a from_percentile of at least 0 and below 100; that of \"{name}\" \
             is {from_percentile}"
        );
    }
    divisions.sort_by(|one, other| other.from_percentile.total_cmp(&one.from_percentile));
    for (index, one) in divisions.iter().enumerate() {
        let same = divisions[index + 1..]
            .iter()
            .find(|other| other.name == one.name || other.from_percentile == one.from_percentile);
        if let Some(other) = same {
            return Err(InvalidSetting(format!(
                "{place}.divisions must differ in name and in from_percentile; \"{}\" and \
                 \"{}\" do not",
                one.name, other.name
            )));
        }
    }
    Ok(divisions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::merged;

    fn settings(common: &str, own: &str) -> Result<LeaderboardSettings, String> {
        merged([common, own], |common, own| {
            check(common, "pools.arena.leaderboard", own)
        })
    }

    const METALS: &str = "divisions = [{name = \"Bronze\", from_percentile = 0}, \
                          {name = \"Gold\", from_percentile = 80}, \
                          {name = \"Silver\", from_percentile = 50}]";

    #[test]
    fn nobody_sees_anything_by_default() {
        let settings = settings("", "").unwrap();
        assert!(!settings.is_public() && !settings.shows_ratings());
        assert_eq!(settings.division(0, 10), None);
    }

    #[test]
    fn players_have_pages_only_where_the_leaderboard_is_open_too() {
        let pages = |common: &str, own: &str| settings(common, own).unwrap().has_player_pages();
        assert!(pages("public = \"ratings\"", "player_pages = true"));
        assert!(!pages("player_pages = true", ""));
        assert!(!pages("public = \"ratings\"", ""));
        assert!(!pages(
            "public = \"ratings\"\nplayer_pages = true",
            "player_pages = false"
        ));
    }

    #[test]
    fn a_pools_own_settings_win_one_by_one() {
        let both = settings(&format!("public = \"ratings\"\n{METALS}"), "").unwrap();
        assert!(both.is_public() && both.shows_ratings());
        let own = settings(METALS, "public = \"divisions\"").unwrap();
        assert!(own.is_public() && !own.shows_ratings());
        assert_eq!(own.division(0, 10), Some("Gold"));
        let none = settings(METALS, "divisions = []").unwrap();
        assert_eq!(none.division(0, 10), None);
    }

    #[test]
    fn a_division_holds_its_share_of_the_ranked() {
        let metals = settings(METALS, "").unwrap();
        let of_ten: Vec<Option<&str>> = (0..10).map(|rank| metals.division(rank, 10)).collect();
        let count = |name| of_ten.iter().filter(|of| **of == Some(name)).count();
        assert_eq!((count("Gold"), count("Silver"), count("Bronze")), (2, 3, 5));
        assert_eq!(metals.division(0, 1), Some("Gold"), "the best of one");
        let top = settings("", "divisions = [{name = \"Top\", from_percentile = 90}]").unwrap();
        let places = (top.division(0, 10), top.division(1, 10));
        assert_eq!(places, (Some("Top"), None));
    }

    #[test]
    fn the_next_division_begins_at_the_last_who_is_in_it() {
        let metals = settings(METALS, "").unwrap();
        assert_eq!(metals.next_division(0, 10), None, "nothing is above gold");
        assert_eq!(metals.next_division(1, 10), None);
        assert_eq!(metals.next_division(2, 10), Some(("Gold", 1)));
        assert_eq!(metals.next_division(4, 10), Some(("Gold", 1)));
        assert_eq!(metals.next_division(5, 10), Some(("Silver", 4)));
        assert_eq!(metals.next_division(9, 10), Some(("Silver", 4)));
        let top = settings("", "divisions = [{name = \"Top\", from_percentile = 90}]").unwrap();
        assert_eq!(top.next_division(5, 10), Some(("Top", 0)));
        assert_eq!(settings("", "").unwrap().next_division(5, 10), None);
        for ranked in 1..200 {
            for better in 0..ranked {
                if let Some((name, last)) = metals.next_division(better, ranked) {
                    assert_eq!(metals.division(last, ranked), Some(name));
                    assert!(last < better);
                    assert_ne!(metals.division(last + 1, ranked), Some(name));
                    assert_ne!(metals.division(better, ranked), Some(name));
                }
            }
        }
    }

    #[test]
    fn a_title_is_visible_text() {
        let titled = settings("title = \"Ours\"", "").unwrap();
        assert_eq!(titled.title.as_deref(), Some("Ours"));
        let own = settings("title = \"Ours\"", "title = \"Arena\"").unwrap();
        assert_eq!(own.title.as_deref(), Some("Arena"));
        for bad in ["", " ", "a\\nb", &"x".repeat(65)] {
            let error = settings("", &format!("title = \"{bad}\"")).unwrap_err();
            assert!(
                error.starts_with("pools.arena.leaderboard.title"),
                "{error}"
            );
        }
    }

    #[test]
    fn divisions_that_make_no_sense_are_refused_with_their_place() {
        let one = |name: &str, from: &str| {
            format!("divisions = [{{name = \"{name}\", from_percentile = {from}}}]")
        };
        let two = |first: &str, second: &str| {
            format!(
                "divisions = [{{name = \"{first}\", from_percentile = 10}}, \
                 {{name = \"{second}\", from_percentile = 10.0}}]"
            )
        };
        for (toml, expected) in [
            (one("", "0"), "names of 1 to 32 characters"),
            (one(&"x".repeat(33), "0"), "names of 1 to 32 characters"),
            (one("Gold", "100"), "that of \"Gold\" is 100"),
            (one("Gold", "-1"), "that of \"Gold\" is -1"),
            (one("Gold", "nan"), "that of \"Gold\" is NaN"),
            (two("Gold", "Silver"), "\"Gold\" and \"Silver\" do not"),
            ("public = \"divisions\"".to_owned(), "must name divisions"),
        ] {
            let error = settings("", &toml).unwrap_err();
            assert!(
                error.starts_with("pools.arena.leaderboard.divisions") && error.contains(expected),
                "{toml}: {error}"
            );
        }
    }
}
