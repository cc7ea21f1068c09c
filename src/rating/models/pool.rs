//! What a model must be able to do for a pool of the service to be rated by it.

use std::fmt;

use super::ModelName;
use super::learnt::Learnt;
use super::state::{InvalidState, ModelState};
use crate::domain::{
    MapName, Presence, Probability, Rating, Round, Share, Side, TeamBots, Timestamp, Winner,
};
use crate::rating::{Parameters, Rated, Standing};

/// A model that rates a pool, as it is after some round. It holds what the pool has learnt; what it knows of the
/// players comes with them and goes back to whoever keeps them.
///
/// # Design
/// A model is given everything and asks for nothing, so that one place writes what it makes, whatever the model,
/// and the same rounds in the same order give the same bits.
pub trait PoolModel: fmt::Debug + Send + Sync {
    /// Its name.
    fn name(&self) -> ModelName;

    /// Whether what a player was at any place of the log follows from the ratings after the rounds before it.
    /// Else a replay has to begin with the first round.
    fn follows_from_ratings(&self) -> bool {
        false
    }

    /// What it has learnt of the pool, to be stored.
    ///
    /// # Errors
    /// None but a defect's.
    fn state(&self) -> Result<ModelState, InvalidState>;

    /// The rating of a player as it counts and is shown now.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn shown(&self, player: Profile<'_>, _: &Parameters) -> Result<Rating, InvalidState> {
        Ok(player.rating)
    }

    /// The probability that team a wins, by the rosters among the `participants`.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn predict(
        &self,
        participants: &[Participant],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState>;

    /// Predicts a round, then learns how it ended: the states in the participants of those who are rated become those
    /// after it.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn rate(
        &mut self,
        participants: &mut [Participant],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState>;

    /// What it remembers of a player whom an admin gives a `rating`, which is then what is shown.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn set(
        &self,
        player: Profile<'_>,
        rating: Rating,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState>;

    /// What it remembers of a player whose rating becomes `rating` as a season starts, which `keep` of what is known
    /// of the player outlives: a mean moves as the rating does. What is uncertain becomes so much more uncertain that the variance v becomes
    /// [`widened`](crate::rating::widened): nothing where all is kept, and a new player's where nothing is.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn begin_season(
        &self,
        player: Profile<'_>,
        rating: Rating,
        _keep: Share,
        parameters: &Parameters,
    ) -> Result<ModelState, InvalidState> {
        self.set(player, rating, parameters)
    }

    /// By how many points a round moves a player for a whole point of surprise, S - P, where F3 gives that
    /// `convergence`.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn k_factor(
        &self,
        player: Profile<'_>,
        convergence: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState>;

    /// The standard deviation of a player's rating, in points; `None` where the model knows none.
    ///
    /// # Errors
    /// A state that is not this model's.
    fn uncertainty(&self, _: Profile<'_>, _: &Parameters) -> Result<Option<f64>, InvalidState> {
        Ok(None)
    }

    /// What team a is ahead by before anybody plays, in points of a team's sum: for its side, and for the map
    /// where one is named. Nothing of bots, who play.
    fn lean(&self, _: Option<&MapName>, _: &Parameters) -> f64 {
        0.0
    }

    /// What is to be taken from the sum of a team that has a player more than the other, in points, where teams
    /// have `size` players in the mean: 0 where such a player counts with the whole rating.
    fn extra_player(&self, _size: f64, _: &Parameters) -> f64 {
        0.0
    }

    /// What it has learnt of the pool besides its players, for people to read; `None` where it learns nothing.
    fn learnt(&self, _: &Parameters) -> Option<Learnt> {
        None
    }
}

/// A player between two rounds, as far as a model needs it.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'player> {
    /// The rating after the last round or set.
    pub rating: Rating,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// What the model remembers.
    pub state: &'player ModelState,
}

/// A player's place in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// The team.
    pub side: Side,
    /// Whether the player stood there at the start, and so counts into the prediction.
    pub in_roster: bool,
    /// Whether the player is rated by the round.
    pub is_rated: bool,
    /// What the player was there for; `None` where it is not known.
    pub presence: Option<Presence>,
    /// Whether the player commands the team.
    pub commands: bool,
    /// What is known before the round; the rating is the one that is shown. The window counts where the player
    /// is rated.
    pub standing: Standing,
    /// What the model remembers.
    pub state: ModelState,
}

/// What a round is played and rated by, besides the players.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'round> {
    /// The map, where it is known.
    pub map: Option<&'round MapName>,
    /// The bots on both teams.
    pub bots: &'round TeamBots,
    /// When the round ended, or, of one that has not been played, now.
    pub at: Timestamp,
    /// The constants that hold.
    pub parameters: &'round Parameters,
}

impl<'round> Conditions<'round> {
    /// Those of a round that was played.
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

    /// What team a is ahead by besides its players, in points of a team's sum: on the map, and by bots.
    #[must_use]
    pub fn ahead(&self) -> i64 {
        self.parameters.ahead(self.map, self.bots)
    }

    /// The same, where whoever counts as a new player counts nothing.
    #[must_use]
    pub(super) fn ahead_of_new(&self) -> f64 {
        let [a, b] = self.bots.counts().map(i64::from);
        let new = i64::from(self.parameters.initial_rating.points());
        points(self.ahead() - new * (a - b))
    }
}

/// Points as a number.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn points(points: i64) -> f64 {
    points as f64
}

/// What a model makes of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedRound {
    /// The probability that team a wins, from before the round.
    pub win_probability: Probability,
    /// Those who are rated, in the order of their participants.
    pub players: Vec<Rated>,
}

/// What team a's roster is ahead by, in points.
#[must_use]
pub fn lead(participants: &[Participant]) -> i64 {
    let roster = participants
        .iter()
        .filter(|participant| participant.in_roster);
    let points = roster.map(|participant| {
        let points = i64::from(participant.standing.rating.points());
        if participant.side == Side::A {
            points
        } else {
            -points
        }
    });
    points.sum()
}
