//! Rating models that only know the players and the winner of a round, and store a few numbers for each player.

use std::fmt;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;

use super::ModelName;
use super::pool::{Conditions, LineupMember, PoolModel, Profile, RatedRound, points};
use super::state::{InvalidState, ModelState};
use crate::domain::{MapName, Probability, Rating, Score, Share, Side, Winner};
use crate::rating::{Parameters, widened};

const VERSION: u8 = 1;

/// Skill of a player in the unit of the model. Models without deviations or volatilities keep them at 0.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Skill {
    pub(super) rating: f64,
    pub(super) deviation: f64,
    pub(super) volatility: f64,
}

/// Formulas of a rating model, with the values of its constants.
pub(super) trait Formulas: fmt::Debug + Send + Sync + 'static {
    const NAME: ModelName;

    /// Number of rating points in one unit of skill.
    const POINTS: f64 = 1.0;

    fn new_player(&self) -> Skill;

    /// Returns the probability that team a wins. Models that add up points add the handicap `ahead` to team a's points.
    /// The order of players has no effect, and swapped teams give the complement.
    fn predict(&self, teams: [&[Skill]; 2], theta: f64, ahead: f64) -> Probability;

    /// Returns the skills of the rated players after a round. Each team has at least one of them. `score` is team a's
    /// score, and `expected` the win probability of team a by the rosters.
    fn learn(&self, teams: [&[Skill]; 2], score: Score, expected: f64) -> [Vec<Skill>; 2];
}

/// Number of rating points in one unit of skill, for models whose new players have a skill of 25: 25 units are 1000
/// points.
pub(super) const POINTS_OF_25: f64 = 40.0;

/// Skill of a new player in models of the `skillratings` crate that start at 25 with a deviation of 25/3. Here a new
/// player starts at 0, so that the mere presence of an unknown player decides nothing.
pub(super) const NEW_OF_25: Skill = Skill {
    rating: 0.0,
    deviation: 25.0 / 3.0,
    volatility: 0.0,
};

/// Implements [`Formulas::learn`] by `learn`, which calls a function of the `skillratings` crate for two teams.
pub(super) fn learn_of_25<R: skillratings::Rating>(
    teams: [&[Skill]; 2],
    learn: impl FnOnce(&[R], &[R]) -> (Vec<R>, Vec<R>),
) -> [Vec<Skill>; 2] {
    let [a, b] = teams.map(|team| {
        team.iter()
            .map(|player| R::new(Some(player.rating), Some(player.deviation)))
            .collect::<Vec<R>>()
    });
    let (a, b) = learn(&a, &b);
    [a, b].map(|team| {
        let after = team.iter().map(|player| Skill {
            rating: player.rating(),
            deviation: player.uncertainty().unwrap_or_default(),
            volatility: 0.0,
        });
        after.collect()
    })
}

pub(super) fn outcome(score: Score) -> Outcomes {
    match score {
        Score::WIN => Outcomes::WIN,
        Score::LOSS => Outcomes::LOSS,
        _ => Outcomes::DRAW,
    }
}

/// Rating model that learns nothing of a pool besides its players.
#[derive(Debug)]
pub(super) struct PlainModel<F>(pub(super) F);

impl<F: Formulas> PlainModel<F> {
    fn read(&self, state: &ModelState) -> Result<Skill, InvalidState> {
        let stored = state.read(VERSION)?;
        Ok(stored.unwrap_or_else(|| self.0.new_player()))
    }

    /// Returns the player's points above a new player's rating.
    fn points(&self, skill: Skill) -> f64 {
        F::POINTS * (skill.rating - self.0.new_player().rating)
    }

    fn teams(
        &self,
        lineup: &[LineupMember],
        is_wanted: impl Fn(&LineupMember) -> bool,
    ) -> Result<[Vec<Skill>; 2], InvalidState> {
        let team = |side| {
            lineup
                .iter()
                .filter(|member| member.side == side && is_wanted(member))
                .map(|member| self.read(&member.state))
                .collect::<Result<Vec<Skill>, InvalidState>>()
        };
        Ok([team(Side::A)?, team(Side::B)?])
    }

    /// Returns a player's K-factor: the difference in points between a win and a loss against an equal player.
    fn k_factor_of(&self, skill: Skill) -> f64 {
        let after = |score| {
            let [players, _] = self.0.learn([&[skill], &[skill]], score, 0.5);
            players.first().map_or(0.0, |player| self.points(*player))
        };
        after(Score::WIN) - after(Score::LOSS)
    }
}

impl<F: Formulas> PoolModel for PlainModel<F> {
    fn name(&self) -> ModelName {
        F::NAME
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
        Ok(self.0.predict([&a, &b], theta, ahead))
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
            let score = winner.score(Side::A);
            self.0.learn([&a, &b], score, win_probability.get())
        };
        let (mut after_a, mut after_b) = (after_a.into_iter(), after_b.into_iter());
        let mut players = Vec::with_capacity(lineup.len());
        for member in lineup.iter_mut().filter(|member| member.is_rated) {
            let before = self.read(&member.state)?;
            let computed = match member.side {
                Side::A => after_a.next(),
                Side::B => after_b.next(),
            };
            let after = computed.unwrap_or(before);
            member.state = ModelState::write(VERSION, &after)?;
            let initial = f64::from(parameters.initial_rating.points());
            let rating = Rating::from_rounded(initial + self.points(after));
            let k = self.k_factor_of(before);
            players.push(member.rated(rating.max(parameters.min_rating), k, parameters));
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
        let mut skill = self.read(player.state)?;
        let wanted = f64::from(rating.points() - parameters.initial_rating.points());
        skill.rating += (wanted - self.points(skill)) / F::POINTS;
        ModelState::write(VERSION, &skill)
    }

    fn begin_season(
        &self,
        player: Profile<'_>,
        rating: Rating,
        keep: Share,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        let mut skill = self.read(player.state)?;
        let square = |deviation: f64| deviation * deviation;
        let (known, prior) = (
            square(skill.deviation),
            square(self.0.new_player().deviation),
        );
        skill.deviation = widened(known, prior, keep).sqrt();
        let state = ModelState::write(VERSION, &skill)?;
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
        let deviation = self.read(player.state)?.deviation;
        Ok((deviation > 0.0).then_some(F::POINTS * deviation))
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        if F::NAME.counts_advantages() {
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
