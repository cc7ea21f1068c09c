//! Rating models that only know the players and the winner of a round, and store a few numbers for each player.

use std::fmt;

use skillratings::Outcomes;

use super::ModelName;
use super::pool::{Conditions, LineupMember, PoolModel, Profile, RatedRound, points};
use super::state::{InvalidState, ModelState};
use super::teams::outcome;
use crate::domain::{MapName, Probability, Rating, Share, Side, Winner};
use crate::rating::{Parameters, Rated, convergence};

const VERSION: u8 = 1;

/// Number of rating points in one unit of skill, for models whose new players have a skill of 25: 25 units are 1000
/// points.
pub(super) const POINTS_OF_25: f64 = 40.0;

pub(super) trait Skill: Copy + fmt::Debug + Send + Sync + 'static {
    const NAME: ModelName;

    type Config: Clone + fmt::Debug + Send + Sync;

    /// Returns the model's configuration with the default constants.
    fn usual() -> Self::Config;

    fn new(config: &Self::Config) -> Self;

    /// Returns the player's skill as numbers to store.
    fn numbers(self) -> [f64; 3];

    fn of_numbers(numbers: [f64; 3]) -> Self;

    /// Returns the player's points above a new player's rating.
    fn points(self) -> f64;

    fn moved(self, points: f64) -> Self;

    /// Returns the standard deviation of the player's points, or `None` if the model has none.
    fn deviation(self) -> Option<f64>;

    /// Returns the player's skill with its uncertainty moved towards that of `new`, a new player, at the start of a
    /// season.
    fn widened(self, keep: Share, new: Self) -> Self;

    /// Returns the probability that team a wins. Models that add up points add the handicap `ahead` to team a's points.
    /// The order of players has no effect, and swapped teams give the complement.
    fn predict(teams: [&[Self]; 2], config: &Self::Config, theta: f64, ahead: f64) -> Probability;

    /// Returns the skills of the rated players after a round. Each team has at least one of them. `expected` is the win
    /// probability of team a by the rosters.
    fn learn(
        teams: [&[Self]; 2],
        outcome: Outcomes,
        expected: f64,
        config: &Self::Config,
    ) -> [Vec<Self>; 2];
}

/// Implements [`Skill`] for a model of the `skillratings` crate with a `rating` and an `uncertainty`. The crate starts
/// a new player at 25 with a deviation of 25/3. Here a new player starts at 0, so that the mere presence of an unknown
/// player decides nothing.
macro_rules! skill_of_25 {
    ($rating:ty, $config:ty, $name:expr, $predict:path, $learn:path) => {
        impl $crate::rating::models::plain::Skill for $rating {
            const NAME: $crate::rating::models::ModelName = $name;

            type Config = $config;

            fn usual() -> $config {
                config(CONSTANTS.map(|constant| constant.value))
            }

            fn new(_: &$config) -> Self {
                Self {
                    rating: 0.0,
                    ..Self::default()
                }
            }

            fn numbers(self) -> [f64; 3] {
                [self.rating, self.uncertainty, 0.0]
            }

            fn of_numbers([rating, uncertainty, _]: [f64; 3]) -> Self {
                Self {
                    rating,
                    uncertainty,
                }
            }

            fn points(self) -> f64 {
                $crate::rating::models::plain::POINTS_OF_25 * self.rating
            }

            fn moved(self, points: f64) -> Self {
                Self {
                    rating: self.rating + points / $crate::rating::models::plain::POINTS_OF_25,
                    ..self
                }
            }

            fn deviation(self) -> Option<f64> {
                Some($crate::rating::models::plain::POINTS_OF_25 * self.uncertainty)
            }

            fn widened(self, keep: $crate::domain::Share, new: Self) -> Self {
                let square = |deviation: f64| deviation * deviation;
                let (known, prior) = (square(self.uncertainty), square(new.uncertainty));
                Self {
                    uncertainty: $crate::rating::widened(known, prior, keep).sqrt(),
                    ..self
                }
            }

            fn predict(
                teams: [&[Self]; 2],
                config: &$config,
                _: f64,
                _: f64,
            ) -> $crate::domain::Probability {
                $predict(teams, config)
            }

            fn learn(
                [a, b]: [&[Self]; 2],
                outcome: skillratings::Outcomes,
                _: f64,
                config: &$config,
            ) -> [Vec<Self>; 2] {
                let (a, b) = $learn(a, b, &outcome, config);
                [a, b]
            }
        }
    };
}
pub(super) use skill_of_25;

/// Rating model that learns nothing of a pool besides its players.
pub(super) struct PlainModel<S: Skill> {
    config: S::Config,
}

impl<S: Skill> PlainModel<S> {
    pub(super) fn new(config: S::Config) -> Self {
        Self { config }
    }

    pub(super) fn usual() -> Self {
        Self::new(S::usual())
    }

    fn read(&self, state: &ModelState) -> Result<S, InvalidState> {
        let stored = state.read(VERSION)?;
        Ok(stored.map_or_else(|| S::new(&self.config), S::of_numbers))
    }

    fn teams(
        &self,
        lineup: &[LineupMember],
        is_wanted: impl Fn(&LineupMember) -> bool,
    ) -> Result<[Vec<S>; 2], InvalidState> {
        let team = |side| {
            lineup
                .iter()
                .filter(|member| member.side == side && is_wanted(member))
                .map(|member| self.read(&member.state))
                .collect::<Result<Vec<S>, InvalidState>>()
        };
        Ok([team(Side::A)?, team(Side::B)?])
    }

    /// Returns a player's K-factor: the difference in points between a win and a loss against an equal player.
    fn k_factor_of(&self, skill: S) -> f64 {
        let after = |outcome| {
            let [players, _] = S::learn([&[skill], &[skill]], outcome, 0.5, &self.config);
            players.first().map_or(0.0, |player| player.points())
        };
        after(Outcomes::WIN) - after(Outcomes::LOSS)
    }
}

impl<S: Skill> fmt::Debug for PlainModel<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(S::NAME.name())
    }
}

impl<S: Skill> PoolModel for PlainModel<S> {
    fn name(&self) -> ModelName {
        S::NAME
    }

    fn state(&self) -> Result<ModelState, InvalidState> {
        Ok(ModelState::default())
    }

    fn predict(
        &self,
        lineup: &[LineupMember],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let [a, b] = self.teams(lineup, |member| member.in_roster)?;
        let (theta, ahead) = (conditions.parameters.theta, conditions.ahead_of_new());
        Ok(S::predict([&a, &b], &self.config, theta, ahead))
    }

    fn rate(
        &mut self,
        lineup: &mut [LineupMember],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let parameters = conditions.parameters;
        let win_probability = self.predict(lineup, conditions)?;
        let [a, b] = self.teams(lineup, |member| member.is_rated)?;
        // If a team has no rated player, the other team has nobody to compare with.
        let [after_a, after_b] = if a.is_empty() || b.is_empty() {
            [a, b]
        } else {
            S::learn(
                [&a, &b],
                outcome(winner),
                win_probability.get(),
                &self.config,
            )
        };
        let (mut after_a, mut after_b) = (after_a.into_iter(), after_b.into_iter());
        let mut players = Vec::with_capacity(lineup.len());
        for member in lineup.iter_mut().filter(|member| member.is_rated) {
            let before = self.read(&member.state)?;
            let after = match member.side {
                Side::A => after_a.next(),
                Side::B => after_b.next(),
            };
            let after = after.unwrap_or(before);
            member.state = ModelState::write(VERSION, &after.numbers())?;
            let initial = f64::from(parameters.initial_rating.points());
            let k = self.k_factor_of(before);
            players.push(Rated {
                rating: Rating::from_rounded(initial + after.points()).max(parameters.min_rating),
                rounds: member.standing.rounds.saturating_add(1),
                k,
                whole_k: k,
                convergence: convergence(&member.standing.window, parameters),
            });
        }
        Ok(RatedRound {
            win_probability,
            players,
        })
    }

    fn set(
        &self,
        player: Profile<'_>,
        rating: Rating,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let skill = self.read(player.state)?;
        let wanted = f64::from(rating.points() - parameters.initial_rating.points());
        let moved = skill.moved(wanted - skill.points());
        ModelState::write(VERSION, &moved.numbers())
    }

    fn begin_season(
        &self,
        player: Profile<'_>,
        rating: Rating,
        keep: Share,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let skill = self.read(player.state)?;
        let widened = skill.widened(keep, S::new(&self.config));
        let state = ModelState::write(VERSION, &widened.numbers())?;
        let player = Profile {
            state: &state,
            ..player
        };
        self.set(player, rating, parameters)
    }

    fn k_factor(&self, player: Profile<'_>, _: f64, _: &Parameters) -> Result<f64, InvalidState> {
        Ok(self.k_factor_of(self.read(player.state)?))
    }

    fn uncertainty(
        &self,
        player: Profile<'_>,
        _: &Parameters,
    ) -> Result<Option<f64>, InvalidState> {
        Ok(self.read(player.state)?.deviation())
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        if S::NAME.counts_advantages() {
            points(parameters.advantages.on(map))
        } else {
            0.0
        }
    }

    /// Returns the initial rating in points, because these models count points above a new player's rating.
    fn extra_player(&self, _size: f64, parameters: &Parameters) -> f64 {
        points(i64::from(parameters.initial_rating.points()))
    }
}
