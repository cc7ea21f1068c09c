use super::{Engine, EngineError, PlayerState, PoolSums};
use crate::domain::{PlayerId, Probability, Rating, Round};
use crate::rating::{Constant, InvalidParameter, InvalidState, ModelName, Parameters, PoolModel};

/// A pool that is rated in memory from its first round on, as a pool of the service is: for comparisons of models,
/// fits of constants, and simulations.
#[derive(Debug)]
pub struct InMemoryPool {
    engine: Engine,
    parameters: Parameters,
    /// Number of rounds so far.
    rounds: u64,
}

impl InMemoryPool {
    /// A pool before its first round.
    #[must_use]
    pub fn new(model: ModelName, parameters: &Parameters) -> Self {
        Self::by(model.start(), parameters.clone())
    }

    /// A pool before its first round, with these of the model's constants in place of the usual ones.
    ///
    /// # Errors
    /// Constants of SynElo that make no sense together.
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
            // Only SynElo predicts by windows and returns, and windows take most of a player's memory.
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

    /// Returns the probability that team a wins, from the rounds before alone; then learns how the round ended.
    ///
    /// # Errors
    /// A state that the model did not write.
    pub fn rate(&mut self, round: &Round) -> Result<Probability, EngineError> {
        self.rounds += 1;
        let applied = self
            .engine
            .rate(self.rounds, round, false, &self.parameters)?;
        Ok(applied.result.win_probability)
    }

    /// Returns what the model takes the player for now, as splits add it up; a new player's rating of a stranger.
    ///
    /// # Errors
    /// A state that the model did not write.
    pub fn rating(&self, player: PlayerId) -> Result<Rating, InvalidState> {
        match self.player(player) {
            Some(known) => self.model().shown(known.profile(), &self.parameters),
            None => Ok(self.parameters.initial_rating),
        }
    }

    /// Returns the player as of the last round; `None` of a stranger.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> Option<&PlayerState> {
        self.engine.known(player)
    }

    /// Returns the model, with what it has learnt so far.
    #[must_use]
    pub fn model(&self) -> &dyn PoolModel {
        self.engine.model()
    }
}
