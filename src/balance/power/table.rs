use std::collections::BTreeMap;

use serde::Deserialize;

use super::figure::{Figure, PlaceScale};
use super::games_of::GamesOf;
use super::rule::{Combination, PowerRule, ScoreboardPower, Term};
use super::statistic::Statistic;
use crate::balance::policy::PartyMultipliers;
use crate::balance::state::Power;
use crate::catalog::{Catalog, InvalidEntry, Table, check};
use crate::domain::{GameWindow, ModeName, PowerName};

/// TOML table that sets parts of a power (measure of players' strength). A new power needs `terms` or `like`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PowerTable {
    /// Name of the power that a new power copies.
    like: Option<PowerName>,
    games_of: Option<String>,
    terms: Option<Vec<TermTable>>,
    combine: Option<String>,
    times: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    least_games: Option<usize>,
    newcomer: Option<f64>,
    party_multipliers: Option<Vec<f64>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct TermTable {
    figure: String,
    last_place: Option<f64>,
    first_place: Option<f64>,
    first_place_in: Option<BTreeMap<ModeName, f64>>,
    assists: Option<f64>,
    games: Option<usize>,
    days: Option<u32>,
    statistic: Option<String>,
    half_life: Option<f64>,
    weight: Option<f64>,
}

/// Maximum number of a player's last games that a power looks at.
const MAX_GAMES: usize = GameWindow::MAX as usize;
const MAX_TERMS: usize = 16;
/// Default number of a player's last games that a term of a power counts.
const GAMES: usize = 50;

/// Catalog of all powers (measures of players' strength), by name.
pub(crate) type PowerRules = Catalog<PowerTable>;

impl Table for PowerTable {
    type Name = PowerName;
    type Entry = PowerRule;

    const NOUN: &'static str = "power";
    const BUILT_IN: &'static str = include_str!("../../../config/powers.toml");
    const CHOICE: &'static str = "by";
    const LIKE_AS_SET: bool = true;

    fn without_table() -> BTreeMap<PowerName, PowerRule> {
        BTreeMap::from([(PowerName::default(), PowerRule::Rating)])
    }

    fn like(&self) -> Option<&PowerName> {
        self.like.as_ref()
    }

    fn built_in(&self) -> Result<PowerRule, InvalidEntry> {
        self.complete().map(PowerRule::Scoreboard)
    }

    fn alone(&self, _: &str) -> Result<PowerRule, InvalidEntry> {
        self.built_in()
    }

    fn over(&self, base: PowerRule) -> Result<PowerRule, InvalidEntry> {
        match base {
            PowerRule::Scoreboard(base) => self.scoreboard(base).map(PowerRule::Scoreboard),
            PowerRule::Rating => Err(InvalidEntry::new(
                "terms: the power \"rating\" has no terms, so it cannot be changed or copied; give your power another \
                 name, or copy another power with \"like\"",
            )),
        }
    }
}

impl PowerTable {
    /// Builds a power (measure of players' strength) from this TOML table alone; absent settings get defaults.
    fn complete(&self) -> Result<ScoreboardPower, InvalidEntry> {
        check(
            self.terms.is_some(),
            "terms are missing, and no power has this name; correct the name, set \"terms\", or copy \
             another power with \"like\"",
        )?;
        let most = Power::new(Power::MAX).unwrap_or_default();
        self.scoreboard(ScoreboardPower {
            games_of: GamesOf::Any,
            terms: Vec::new(),
            combination: Combination::Product,
            times: 1.0,
            least: Power::ZERO,
            most,
            least_games: 1,
            newcomer: None,
            party_multipliers: None,
        })
    }

    /// Returns the power `base` (measure of players' strength), changed by the settings of this TOML table.
    fn scoreboard(&self, base: ScoreboardPower) -> Result<ScoreboardPower, InvalidEntry> {
        let mut power = base;
        power.games_of = match self.games_of.as_deref() {
            None => power.games_of,
            Some("any") => GamesOf::Any,
            Some("mode") => GamesOf::Mode,
            Some("set") => GamesOf::Set,
            Some(_) => {
                return Err(InvalidEntry::new(
                    "games_of must be \"any\", \"mode\" or \"set\"",
                ));
            }
        };
        power.combination = match self.combine.as_deref() {
            None => power.combination,
            Some("product") => Combination::Product,
            Some("sum") => Combination::Sum,
            Some(_) => {
                return Err(InvalidEntry::new("combine must be \"product\" or \"sum\""));
            }
        };
        if let Some(terms) = &self.terms {
            check(
                (1..=MAX_TERMS).contains(&terms.len()),
                "terms must be 1 to 16 tables",
            )?;
            power.terms = terms
                .iter()
                .map(TermTable::term)
                .collect::<Result<_, _>>()?;
        }
        if let Some(times) = self.times {
            check(
                times > 0.0 && times <= 1e6,
                "times (a factor) must be above 0, and at most 1000000",
            )?;
            power.times = times;
        }
        let bound = |setting: Option<f64>, name: &str| {
            let bound = setting.map(|points| Power::of_setting(points, name));
            bound.transpose()
        };
        power.least = bound(self.least, "least")?.unwrap_or(power.least);
        power.most = bound(self.most, "most")?.unwrap_or(power.most);
        check(power.least <= power.most, "least must be at most most")?;
        power.newcomer = bound(self.newcomer, "newcomer")?.or(power.newcomer);
        if let Some(least) = self.least_games {
            check(
                (1..=MAX_GAMES).contains(&least),
                "least_games must be 1 to 200",
            )?;
            power.least_games = least;
        }
        let needed = power.least_games;
        check(
            power.terms.iter().all(|term| term.games >= needed),
            "least_games must not exceed \"games\" of any term, because no player would have enough games; lower \
             least_games, or raise \"games\"",
        )?;
        let is_sum = power.combination == Combination::Sum;
        check(
            is_sum || power.terms.iter().all(|term| term.weight == 1.0),
            "terms: weight is not allowed in a product; leave it out, or set combine to \"sum\"",
        )?;
        if let Some(numbers) = &self.party_multipliers {
            power.party_multipliers = Some(PartyMultipliers::of(numbers)?);
        }
        Ok(power)
    }
}

impl TermTable {
    fn term(&self) -> Result<Term, InvalidEntry> {
        let games = self.games.unwrap_or(GAMES);
        check(
            (1..=MAX_GAMES).contains(&games),
            "terms: games must be 1 to 200",
        )?;
        check(
            self.days.is_none_or(|days| (1..=3650).contains(&days)),
            "terms: days must be 1 to 3650",
        )?;
        let weight = self.weight.unwrap_or(1.0);
        check(
            (-1e6..=1e6).contains(&weight),
            "terms: weight must be -1000000 to 1000000",
        )?;
        Ok(Term {
            figure: self.figure()?,
            games,
            days: self.days,
            statistic: self.statistic()?,
            weight,
        })
    }

    fn figure(&self) -> Result<Figure, InvalidEntry> {
        let places = [self.last_place, self.first_place];
        let has_places = places.iter().any(Option::is_some) || self.first_place_in.is_some();
        check(
            !has_places || self.figure == "place",
            "terms: last_place, first_place and first_place_in need figure = \"place\"",
        )?;
        check(
            self.assists.is_none() || self.figure == "kills-per-death",
            "terms: assists needs figure = \"kills-per-death\"",
        )?;
        let figure = match &*self.figure {
            "place" => Figure::Place(self.places()?),
            "score" => Figure::Score,
            "kills" => Figure::Kills,
            "deaths" => Figure::Deaths,
            "assists" => Figure::Assists,
            "kills-per-death" => {
                let assists = self.assists.unwrap_or(0.0);
                check(
                    (0.0..=10.0).contains(&assists),
                    "terms: assists (the number of kills that an assist counts as) must be 0 to 10",
                )?;
                Figure::KillsPerDeath { assists }
            }
            "result" => Figure::Result,
            other => {
                let name = other
                    .strip_prefix("stats.")
                    .and_then(|name| name.parse().ok());
                Figure::Named(name.ok_or_else(|| {
                    InvalidEntry::new(
                        "terms: figure must be \"place\", \"score\", \"kills\", \"deaths\", \"assists\", \
                         \"kills-per-death\", \"result\", or \"stats.\" followed by the name of a number that the \
                         pool's stats declare",
                    )
                })?)
            }
        };
        Ok(figure)
    }

    fn places(&self) -> Result<PlaceScale, InvalidEntry> {
        let scale = PlaceScale {
            last: self.last_place.unwrap_or(0.0),
            first: self.first_place.unwrap_or(1.0),
            first_in: self.first_place_in.clone().unwrap_or_default(),
        };
        let worth = scale.last..=Power::MAX;
        let is_worth = |first: &f64| worth.contains(first);
        check(
            scale.last >= 0.0 && is_worth(&scale.first) && scale.first_in.values().all(is_worth),
            "terms: last_place must be at least 0, and first_place and first_place_in must be from last_place \
             to 1000000",
        )?;
        Ok(scale)
    }

    fn statistic(&self) -> Result<Statistic, InvalidEntry> {
        let statistic = match self.statistic.as_deref() {
            None | Some("mean") => Statistic::Mean {
                half_life: self.half_life,
            },
            Some("median") => Statistic::Median,
            Some("lower-of-mean-and-median") => Statistic::LowerOfMeanAndMedian,
            Some("per-minute") => Statistic::PerMinute,
            Some(_) => {
                return Err(InvalidEntry::new(
                    "terms: statistic must be \"mean\", \"median\", \"lower-of-mean-and-median\" or \
                     \"per-minute\"",
                ));
            }
        };
        let is_mean = matches!(statistic, Statistic::Mean { .. });
        check(
            is_mean || self.half_life.is_none(),
            "terms: half_life needs statistic = \"mean\"",
        )?;
        check(
            self.half_life
                .is_none_or(|games| (0.1..=1000.0).contains(&games)),
            "terms: half_life must be 0.1 to 1000 games",
        )?;
        Ok(statistic)
    }
}
