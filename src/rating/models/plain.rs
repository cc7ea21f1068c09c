//! Pools that are rated by a model which knows nothing of a round but who played and who won, and of a player but a
//! few numbers.

use std::fmt;

use skillratings::Outcomes;

use super::ModelName;
use super::pool::{Conditions, Participant, PoolModel, Profile, RatedRound, points};
use super::state::{InvalidState, ModelState};
use super::teams::outcome;
use crate::domain::{MapName, Probability, Rating, Share, Side, Winner};
use crate::rating::{Parameters, Rated, convergence};

/// How states are written.
const VERSION: u8 = 1;

/// Where a new player has a skill of 25, as in TrueSkill, the points of one of it: 25 is 1000.
pub(super) const POINTS_OF_25: f64 = 40.0;

/// What such a model knows of a player.
pub(super) trait Skill: Copy + fmt::Debug + Send + Sync + 'static {
    /// The model.
    const NAME: ModelName;

    /// What the model's constants make.
    type Config: Clone + fmt::Debug + Send + Sync;

    /// The same of the usual constants.
    fn usual() -> Self::Config;

    /// Of a player who has not played.
    fn new(config: &Self::Config) -> Self;

    /// All that is known, to be stored.
    fn numbers(self) -> [f64; 3];

    /// What was stored.
    fn of_numbers(numbers: [f64; 3]) -> Self;

    /// Points above a new player's rating.
    fn points(self) -> f64;

    /// The same player with so many points more.
    fn moved(self, points: f64) -> Self;

    /// The standard deviation of the points, where the model knows it.
    fn deviation(self) -> Option<f64>;

    /// The same player so much more uncertain as the start of a season makes one, where `new` is a new player.
    fn widened(self, keep: Share, new: Self) -> Self;

    /// Returns the probability that team a wins. Models that add up points count the handicap `ahead`, in points, for team a.
    /// The order of players changes nothing, and swapped teams have the complement.
    fn predict(teams: [&[Self]; 2], config: &Self::Config, theta: f64, ahead: f64) -> Probability;

    /// What a round makes of those who are rated by it, some on either team, where team a was `expected` to win by
    /// the rosters.
    fn learn(
        teams: [&[Self]; 2],
        outcome: Outcomes,
        expected: f64,
        config: &Self::Config,
    ) -> [Vec<Self>; 2];
}

/// A model of the crate whose players have a `rating` and an `uncertainty`, on the scale on which a new player is at 25
/// with a deviation of 25/3. Here a new player is at 0: one of whom nothing is known must not decide by being there.
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

/// A model that learns nothing of a pool besides its players.
pub(super) struct PlainModel<S: Skill> {
    config: S::Config,
}

impl<S: Skill> PlainModel<S> {
    pub(super) fn new(config: S::Config) -> Self {
        Self { config }
    }

    /// The model with the usual constants.
    pub(super) fn usual() -> Self {
        Self::new(S::usual())
    }

    fn read(&self, state: &ModelState) -> Result<S, InvalidState> {
        let stored = state.read(VERSION)?;
        Ok(stored.map_or_else(|| S::new(&self.config), S::of_numbers))
    }

    /// The skills of those of either team who are wanted.
    fn teams(
        &self,
        participants: &[Participant],
        is_wanted: impl Fn(&Participant) -> bool,
    ) -> Result<[Vec<S>; 2], InvalidState> {
        let team = |side| {
            participants
                .iter()
                .filter(|participant| participant.side == side && is_wanted(participant))
                .map(|participant| self.read(&participant.state))
                .collect::<Result<Vec<S>, InvalidState>>()
        };
        Ok([team(Side::A)?, team(Side::B)?])
    }

    /// The points that a win leaves a player with beyond those that a loss does, against an equal.
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
        participants: &[Participant],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let [a, b] = self.teams(participants, |participant| participant.in_roster)?;
        let (theta, ahead) = (conditions.parameters.theta, conditions.ahead_of_new());
        Ok(S::predict([&a, &b], &self.config, theta, ahead))
    }

    fn rate(
        &mut self,
        participants: &mut [Participant],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let parameters = conditions.parameters;
        let win_probability = self.predict(participants, conditions)?;
        let [a, b] = self.teams(participants, |participant| participant.is_rated)?;
        // Where nobody of a team is rated, there is nobody to compare the other with.
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
        let mut players = Vec::with_capacity(participants.len());
        for participant in participants
            .iter_mut()
            .filter(|participant| participant.is_rated)
        {
            let before = self.read(&participant.state)?;
            let after = match participant.side {
                Side::A => after_a.next(),
                Side::B => after_b.next(),
            };
            let after = after.unwrap_or(before);
            participant.state = ModelState::write(VERSION, &after.numbers())?;
            let initial = f64::from(parameters.initial_rating.points());
            let k = self.k_factor_of(before);
            players.push(Rated {
                rating: Rating::from_rounded(initial + after.points()).max(parameters.min_rating),
                rounds: participant.standing.rounds.saturating_add(1),
                k,
                whole_k: k,
                convergence: convergence(&participant.standing.window, parameters),
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

    /// All of these models count players from a new one's rating up.
    fn extra_player(&self, _size: f64, parameters: &Parameters) -> f64 {
        points(i64::from(parameters.initial_rating.points()))
    }
}
