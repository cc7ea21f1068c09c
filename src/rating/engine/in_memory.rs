use super::{Engine, EngineError, PlayerState, PoolSums};
use crate::domain::{PlayerId, Probability, Rating, Round};
use crate::rating::{Constant, InvalidParameter, InvalidState, ModelName, Parameters, PoolModel};

/// Pool in memory that is rated from its first round by the engine of the service. Used to compare models, fit
/// constants, and simulate pools.
#[derive(Debug)]
pub struct InMemoryPool {
    engine: Engine,
    parameters: Parameters,
    rounds: u64,
}

impl InMemoryPool {
    /// Creates a pool in memory, before its first round.
    #[must_use]
    pub fn new(model: ModelName, parameters: &Parameters) -> Self {
        Self::by(model.start(), parameters.clone())
    }

    /// Creates a pool in memory, before its first round, with `constants` in place of the model's default constants.
    ///
    /// # Errors
    /// Returns an error if the constants make SynElo's parameters invalid.
    pub fn with_constants(
        model: ModelName,
        parameters: &Parameters,
        constants: &[Constant],
    ) -> Result<Self, InvalidParameter> {
        let (model, parameters) = model.start_with(parameters, constants)?;
        Ok(Self::by(model, parameters))
    }

    fn by(model: Box<dyn PoolModel>, mut parameters: Parameters) -> Self {
        let mut times = parameters.returning_rounds();
        if !model.follows_from_ratings() {
            // Only SynElo rates by windows and returns, and windows take most of a player's memory.
            (parameters.window, times) = (1, 0);
        }
        let mut engine = Engine::new(parameters.window, times);
        engine.begin(model, PoolSums::default());
        Self {
            engine,
            parameters,
            rounds: 0,
        }
    }

    /// Returns the probability that team a wins, predicted from earlier rounds alone, and then learns the result of the
    /// round.
    pub fn rate(&mut self, round: &Round) -> Result<Probability, EngineError> {
        self.rounds += 1;
        let applied = self
            .engine
            .rate(self.rounds, round, false, &self.parameters)?;
        Ok(applied.result.win_probability)
    }

    /// Returns the player's current rating by the pool's model, in points, as splits add it up. An unknown player has a
    /// new player's rating.
    pub fn rating(&self, player: PlayerId) -> Result<Rating, InvalidState> {
        match self.player(player) {
            Some(known) => self.model().shown(known.profile(), &self.parameters),
            None => Ok(self.parameters.initial_rating),
        }
    }

    /// Returns the player's state after the last round, or `None` if the player has not played.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> Option<&PlayerState> {
        self.engine.known(player)
    }

    /// Returns the pool's rating model with its learnt state.
    #[must_use]
    pub fn model(&self) -> &dyn PoolModel {
        self.engine.model()
    }
}
