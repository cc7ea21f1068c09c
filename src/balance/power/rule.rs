use super::figure::Figure;
use super::games_of::{GamesOf, Situation};
use super::statistic::{Sample, Statistic};
use crate::balance::policy::PartyMultipliers;
use crate::balance::state::Power;
use crate::domain::{PastGame, Rating, Timestamp};

/// Rule that computes a player's power (value by which teams are balanced).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PowerRule {
    Rating,
    Scoreboard(ScoreboardPower),
}

/// Rule that computes a player's power from scoreboards.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScoreboardPower {
    pub(crate) games_of: GamesOf,
    /// Terms that are combined into the power, at least one.
    pub(crate) terms: Vec<Term>,
    pub(crate) combination: Combination,
    /// Factor by which the product or sum of the power's terms is multiplied.
    pub(crate) times: f64,
    /// Minimum of the power, in points; lower results are raised to it.
    pub(crate) least: Power,
    /// Maximum of the power, in points; higher results are reduced to it.
    pub(crate) most: Power,
    /// Minimum number of past games that each term of the power needs, from 1 to the term's own number of games.
    pub(crate) least_games: usize,
    /// Power of players with too few games; `None` gives these players no power.
    pub(crate) newcomer: Option<Power>,
    /// Factors for the weights of party members, which replace those of the balance policy; `None` keeps the latter.
    pub(crate) party_multipliers: Option<PartyMultipliers>,
}

/// Operation that combines the terms of a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    /// Product of the terms of a power. Negative terms count as 0, so that two cannot make a positive power.
    Product,
    Sum,
}

/// A term of a power, computed from a player's games.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) figure: Figure,
    /// Maximum number of games in the term: the latest ones that have the figure. From 1 to
    /// [`crate::domain::GameWindow::MAX`].
    pub(crate) games: usize,
    /// Maximum age in days of the games in the term; `None` for any age.
    pub(crate) days: Option<u32>,
    pub(crate) statistic: Statistic,
    /// Factor of the term in a power that is a sum of terms; unused in a product.
    pub(crate) weight: f64,
}

/// Power of one player, with its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Valued {
    pub(crate) power: Option<Power>,
    pub(crate) source: Source,
    /// Number of past games that the power was computed from; `None` if it needs no games.
    pub(crate) games: Option<usize>,
}

/// Origin of a player's power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Rating,
    /// The power is computed from the player's games in this selection.
    Games(GamesOf),
    /// The power is the default for newcomers, because the player has too few games.
    Newcomer,
    /// The player has no power, because of too few games.
    Nothing,
}

impl PowerRule {
    pub(crate) fn needs_games(&self) -> bool {
        matches!(self, Self::Scoreboard(_))
    }

    /// Returns the factors for the weights of party members that replace the factors of the balance policy, if any.
    pub(crate) fn party_multipliers(&self) -> Option<PartyMultipliers> {
        match self {
            Self::Rating => None,
            Self::Scoreboard(power) => power.party_multipliers,
        }
    }

    /// Returns the power of a player with this rating and these last games; `games` has the latest first.
    pub(crate) fn of(
        &self,
        rating: Rating,
        games: &[PastGame],
        situation: Situation<'_>,
    ) -> Valued {
        match self {
            Self::Rating => Valued {
                power: Some(Power::of_rating(rating)),
                source: Source::Rating,
                games: None,
            },
            Self::Scoreboard(power) => power.of(games, situation),
        }
    }
}

impl ScoreboardPower {
    pub(super) fn of(&self, games: &[PastGame], situation: Situation<'_>) -> Valued {
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

    /// Combines the terms of a power. Also returns the number of games used; `None` if there are too few.
    fn combined(&self, games: &[&PastGame], least: usize, now: Timestamp) -> Option<(f64, usize)> {
        let mut is_behind = vec![false; games.len()];
        let mut numbers = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let (places, samples): (Vec<usize>, Vec<Sample>) =
                term.samples(games, now).into_iter().unzip();
            // A set may ask for more games than the term looks at.
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
        // A power is at least 0 and at most a million.
        let within = number.clamp(0.0, Power::MAX);
        let power = Power::computed(within).unwrap_or(self.least);
        power.clamp(self.least, self.most)
    }
}

impl Term {
    /// Returns the figures that a term of a power reads from the player's latest games, with the seconds played and the
    /// index in `games`, the latest first.
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
