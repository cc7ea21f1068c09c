use super::figure::Figure;
use super::games_of::{GamesOf, Situation};
use super::statistic::{Sample, Statistic};
use crate::balance::policy::PartyMultipliers;
use crate::balance::state::Power;
use crate::domain::{PastGame, Rating, Timestamp};

/// How a player's power is found.
#[derive(Clone, Debug, PartialEq)]
pub enum PowerRule {
    /// It is the rating.
    Rating,
    /// From the scoreboards of the player's last games.
    Scoreboard(ScoreboardPower),
}

/// A power from scoreboards.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreboardPower {
    /// Which games count for a match.
    pub games_of: GamesOf,
    /// What is taken from them; at least one.
    pub terms: Vec<Term>,
    /// How the terms become one number.
    pub combination: Combination,
    /// What that number is multiplied by.
    pub times: f64,
    /// What is less counts as much.
    pub least: Power,
    /// What is more counts as much.
    pub most: Power,
    /// How many games each term needs, at least one and at most those that it counts.
    pub least_games: usize,
    /// The power of somebody with fewer; `None` where such a player has none.
    pub newcomer: Option<Power>,
    /// By how much more those in a party weigh, in place of what the policy says.
    pub party_multipliers: Option<PartyMultipliers>,
}

/// How several terms become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// Their product, in which a term below 0 counts as 0: two of them make no positive power.
    Product,
    /// The sum of each times its weight.
    Sum,
}

/// What is taken from a player's games.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What each game says.
    pub figure: Figure,
    /// How many of those that say so count, the last ones; 1 to [`crate::domain::GameWindow::MAX`].
    pub games: usize,
    /// How many days ago the earliest of them may have ended, where that matters.
    pub days: Option<u32>,
    /// How they become one number.
    pub statistic: Statistic,
    /// The weight in a sum.
    pub weight: f64,
}

/// What a power says of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The power; `None` where nothing is known.
    pub power: Option<Power>,
    /// Where it comes from.
    pub source: Source,
    /// How many games are behind it; `None` where it does not come from games.
    pub games: Option<usize>,
}

/// Where a power comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The rating.
    Rating,
    /// These of the player's games.
    Games(GamesOf),
    /// Too few games, and what a newcomer gets.
    Newcomer,
    /// Too few games, and newcomers get nothing.
    Nothing,
}

impl PowerRule {
    /// Whether it comes from games.
    #[must_use]
    pub fn needs_games(&self) -> bool {
        matches!(self, Self::Scoreboard(_))
    }

    /// By how much more those in a party weigh, where the power says so.
    #[must_use]
    pub fn party_multipliers(&self) -> Option<PartyMultipliers> {
        match self {
            Self::Rating => None,
            Self::Scoreboard(power) => power.party_multipliers,
        }
    }

    /// The power of a player of that rating with these last games, the latest first.
    #[must_use]
    pub fn of(&self, rating: Rating, games: &[PastGame], situation: Situation<'_>) -> Valued {
        match self {
            Self::Rating => Valued {
                power: Some(Power::of_rating(rating)),
                source: Source::Rating,
                games: None,
            },
            Self::Scoreboard(power) => power.of(games, situation),
        }
    }

    /// The power of a player with these last games where it comes from games alone, else nothing.
    pub(super) fn of_games(&self, games: &[PastGame], situation: Situation<'_>) -> Valued {
        match self {
            Self::Rating => Valued {
                power: None,
                source: Source::Nothing,
                games: None,
            },
            Self::Scoreboard(power) => power.of(games, situation),
        }
    }
}

impl ScoreboardPower {
    fn of(&self, games: &[PastGame], situation: Situation<'_>) -> Valued {
        let found = self.games_of.in_order(situation).iter().find_map(|kind| {
            let alike = games.iter().filter(|game| situation.is_like(*kind, game));
            let may_widen = self.games_of == GamesOf::Set && *kind != GamesOf::Any;
            let enough = if may_widen { situation.enough() } else { 1 };
            let least = self.least_games.max(enough);
            let (number, behind) =
                self.combined(&alike.collect::<Vec<_>>(), least, situation.now)?;
            Some(Valued {
                power: Some(self.bounded(number)),
                source: Source::Games(*kind),
                games: Some(behind),
            })
        });
        found.unwrap_or_else(|| {
            let source = match self.newcomer {
                Some(_) => Source::Newcomer,
                None => Source::Nothing,
            };
            Valued {
                power: self.newcomer,
                source,
                games: Some(0),
            }
        })
    }

    /// The number that the terms become, and of how many games; `None` where one has too few.
    fn combined(&self, games: &[&PastGame], least: usize, now: Timestamp) -> Option<(f64, usize)> {
        let mut is_behind = vec![false; games.len()];
        let mut numbers = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let (places, samples): (Vec<usize>, Vec<Sample>) =
                term.samples(games, now).into_iter().unzip();
            // Sets may ask for more games than the term looks at.
            if samples.len() < least.min(term.games) {
                return None;
            }
            for place in places {
                is_behind[place] = true;
            }
            numbers.push((term.weight, term.statistic.of(&samples)?));
        }
        let number: f64 = match self.combination {
            Combination::Product => numbers.iter().map(|(_, number)| number.max(0.0)).product(),
            Combination::Sum => numbers.iter().map(|(weight, number)| weight * number).sum(),
        };
        let behind = is_behind.iter().filter(|is_behind| **is_behind).count();
        Some((number * self.times, behind))
    }

    fn bounded(&self, number: f64) -> Power {
        // Below nothing is nothing, and a power is at most a million.
        let within = number.clamp(0.0, Power::MAX);
        let power = Power::computed(within).unwrap_or(self.least);
        power.clamp(self.least, self.most)
    }
}

impl Term {
    /// The last of these games that say something, and where they stand; the latest first.
    fn samples(&self, games: &[&PastGame], now: Timestamp) -> Vec<(usize, Sample)> {
        let earliest = self.days.map(|days| now.days_earlier(days));
        let recent = games
            .iter()
            .enumerate()
            .filter(|(_, game)| earliest.is_none_or(|earliest| game.ended_at >= earliest));
        let said = recent.filter_map(|(place, game)| {
            let sample = Sample {
                figure: self.figure.of(game)?,
                seconds: game.seconds,
            };
            self.statistic.counts(sample).then_some((place, sample))
        });
        said.take(self.games).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::PowerRules;
    use super::*;
    use crate::domain::{Mutators, Place, Score, SetRules, Stat, StatCount, Stats};

    fn game() -> PastGame {
        let stats = Stats {
            score: Stat::new(-500.0),
            kills: StatCount::new(4),
            deaths: StatCount::new(2),
            ..Stats::default()
        };
        PastGame {
            ended_at: Timestamp::UNIX_EPOCH,
            seconds: None,
            mode: "ctf".parse().ok(),
            mutators: Mutators::default(),
            map: None,
            stats: Some(Box::new(stats)),
            result: Score::DRAW,
            place: Some(Place { place: 1.0, of: 2 }),
            is_rated: true,
        }
    }

    fn valued(power: &str, games: &[PastGame], sets: Option<&SetRules>) -> Valued {
        let powers = PowerRules::built_in().unwrap();
        let mode = "ctf".parse().ok();
        let situation = Situation {
            now: Timestamp::UNIX_EPOCH,
            mode: mode.as_ref(),
            mutators: &Mutators::default(),
            sets,
        };
        powers
            .named(&power.parse().unwrap())
            .unwrap()
            .of_games(games, situation)
    }

    #[test]
    fn two_terms_below_nothing_make_no_power_above_it() {
        let found = valued("kdr-power", &[game()], None);
        assert_eq!(found.power.map(Power::points), Some(0.0));
        assert_eq!(found.games, Some(1));
    }

    #[test]
    fn a_term_needs_no_more_games_than_it_counts_whatever_sets_ask_for() {
        let sets = SetRules {
            mutators: BTreeSet::new(),
            by_mode: BTreeMap::new(),
            least_games: 40,
        };
        // UT2004's counts 30.
        let found = valued("ut2004", &vec![game(); 50], Some(&sets));
        assert_eq!(found.source, Source::Games(GamesOf::Set));
        assert_eq!(found.games, Some(30));
    }
}
