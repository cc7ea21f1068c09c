//! Interface of the models that rate the pools of the service.

use std::fmt;

use super::ModelName;
use super::learnt::Learnt;
use super::state::{InvalidState, ModelState};
use crate::domain::{
    MapName, Presence, Probability, Rating, Round, Share, Side, TeamBots, Timestamp, Winner,
};
use crate::rating::{Parameters, Rated, Standing, convergence};

/// Rating model of a pool, in its state after some round. The model holds what the pool has learnt. Player states are
/// passed in with the lineup, and returned to the caller.
///
/// # Design
/// Models get all their inputs as arguments. One caller therefore stores the results of every model, and the same
/// rounds in the same order give the same bits.
///
/// # Errors
/// Methods return [`InvalidState`] if this model did not write the state of a player in their arguments.
pub trait PoolModel: fmt::Debug + Send + Sync {
    /// Returns the name of the rating model.
    fn name(&self) -> ModelName;

    /// Returns `true` if a player's state at any position of the log follows from the stored ratings. Otherwise a
    /// replay has to begin with the first round.
    fn follows_from_ratings(&self) -> bool {
        false
    }

    /// Returns the state that the model has learnt of the pool, to be stored. Fails only through a defect.
    fn state(&self) -> Result<ModelState, InvalidState>;

    /// Returns a player's current rating in points, as it counts in predictions and is shown.
    fn shown(&self, player: Profile<'_>, _: &Parameters) -> Result<Rating, InvalidState> {
        Ok(player.rating)
    }

    /// Returns the predicted win probability of team a, from the members of `lineup` who are in the rosters.
    fn predict(
        &self,
        lineup: &[LineupMember],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState>;

    /// Predicts a round, then learns its result. Replaces the states of the rated players in `lineup` with the states
    /// after the round.
    fn rate(
        &mut self,
        lineup: &mut [LineupMember],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState>;

    /// Returns the model's state of a player after an admin sets the shown rating to `rating`.
    fn set(
        &self,
        player: Profile<'_>,
        rating: Rating,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState>;

    /// Returns the model's state of a player at the start of a season, which moves the rating to `rating`. `_keep` is
    /// the share of the knowledge about the player that remains.
    ///
    /// A mean moves as the rating does, and a variance becomes [`widened`](crate::rating::widened): unchanged if
    /// everything is kept, a new player's if nothing is kept.
    fn begin_season(
        &self,
        player: Profile<'_>,
        rating: Rating,
        _keep: Share,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        self.set(player, rating, parameters)
    }

    /// Returns the points by which a round moves a player for a prediction error S - P of 1. `convergence` is the
    /// player's convergence (F3), 0 to 1.
    fn k_factor(
        &self,
        player: Profile<'_>,
        convergence: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState>;

    /// Returns the standard deviation of a player's rating in points, or `None` for a model without uncertainty.
    fn uncertainty(&self, _: Profile<'_>, _: &Parameters) -> Result<Option<f64>, InvalidState> {
        Ok(None)
    }

    /// Returns the lead of team a before anybody plays, in points of a team's sum: by its side, and by the map if one
    /// is given. Bots are not included.
    fn lean(&self, _: Option<&MapName>, _: &Parameters) -> f64 {
        0.0
    }

    /// Returns the points to subtract from a team's sum of ratings if the team has one player more than the other.
    /// `_size` is the mean number of players in a team. The result is 0 if the extra player counts with the whole
    /// rating.
    fn extra_player(&self, _size: f64, _: &Parameters) -> f64 {
        0.0
    }

    /// Returns the values that the model has learnt besides the players' ratings, such as the advantages of maps, or
    /// `None` if the model learns none.
    fn learnt(&self, _: &Parameters) -> Option<Learnt> {
        None
    }
}

/// Player between two rounds, as input of a rating model.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'player> {
    /// Rating after the player's last round or change, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds since the last reset.
    pub rounds: u32,
    /// State that the pool's rating model keeps for the player.
    pub state: &'player ModelState,
}

/// Player on a team of a round, rated or not, as input and output of a rating model.
#[derive(Clone, Debug, PartialEq)]
pub struct LineupMember {
    /// Team of the player in the round.
    pub side: Side,
    /// `true` if the player was there at the start of the round, and so counts in the prediction.
    pub in_roster: bool,
    /// `true` if the round rates the player.
    pub is_rated: bool,
    /// Time span in seconds of the player's presence in the round; `None` if unknown.
    pub presence: Option<Presence>,
    /// `true` if the player commands the team, as in Natural Selection 2.
    pub commands: bool,
    /// Shown rating and history of the player before the round. The window is empty if the player is not rated.
    pub standing: Standing,
    /// State that the pool's rating model keeps for the player.
    pub state: ModelState,
}

/// Conditions of a round besides its players: map, bots, time and parameters.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'round> {
    /// Map of the round, if known.
    pub map: Option<&'round MapName>,
    /// Bots on both teams of the round.
    pub bots: &'round TeamBots,
    /// Time at which the round ended, or the current time for a round that was not played yet.
    pub at: Timestamp,
    /// Rating parameters of the pool.
    pub parameters: &'round Parameters,
}

impl LineupMember {
    /// Returns the result of a rated round for this player, who has `rating` after the round.
    pub(super) fn rated(&self, rating: Rating, k: f64, parameters: &Parameters) -> Rated {
        Rated {
            rating,
            rounds: self.standing.rounds.saturating_add(1),
            k,
            whole_k: k,
            convergence: convergence(&self.standing.window, parameters),
        }
    }
}

impl<'round> Conditions<'round> {
    /// Returns the conditions (map, bots, time, parameters) of a played round.
    #[must_use]
    pub fn of(round: &'round Round, parameters: &'round Parameters) -> Self {
        let parts = round.parts();
        Self {
            map: parts.map.as_ref(),
            bots: &parts.bots,
            at: round.ended_at(),
            parameters,
        }
    }

    /// Returns the handicap of team a in points of a team's sum: its advantage on the map, plus its lead by bots.
    #[must_use]
    pub fn ahead(&self) -> i64 {
        self.parameters.advantages.on(self.map) + self.parameters.bots_ahead(self.bots)
    }

    /// Returns the handicap of team a in points, for models in which a new player counts as 0 points.
    #[must_use]
    pub(super) fn ahead_of_new(&self) -> f64 {
        let [a, b] = self.bots.counts().map(i64::from);
        let new = i64::from(self.parameters.initial_rating.points());
        points(self.ahead() - new * (a - b))
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn points(points: i64) -> f64 {
    points as f64
}

/// Prediction and results of one round by a rating model.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedRound {
    /// Win probability of team a, predicted before the round.
    pub win_probability: Probability,
    /// Results of the round's rated players, in the order of the lineup.
    pub players: Vec<Rated>,
}

/// Returns the lead of team a's roster in points, by the sums of the shown ratings.
#[must_use]
pub fn lead(lineup: &[LineupMember]) -> i64 {
    let roster = lineup.iter().filter(|member| member.in_roster);
    let points = roster.map(|member| {
        let points = i64::from(member.standing.rating.points());
        if member.side == Side::A {
            points
        } else {
            -points
        }
    });
    points.sum()
}

/// Adds up numbers in ascending order, so that the order of a team's players does not change a bit of the result.
pub(super) fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.into_iter().fold(0.0, |sum, number| sum + number)
}

pub(super) fn sums(numbers: impl Iterator<Item = (Side, f64)>) -> [f64; 2] {
    let (a, b): (Vec<_>, Vec<_>) = numbers.partition(|(side, _)| *side == Side::A);
    [a, b].map(|team| sum(team.into_iter().map(|(_, number)| number)))
}
