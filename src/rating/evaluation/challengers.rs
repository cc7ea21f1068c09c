use super::scores::Windowed;
use crate::domain::{PlayerEntry, Probability, Round, Score, Side, Winner};
use crate::rating::{EngineError, InMemoryPool, ModelName, ModelScores, Parameters};

/// Models that predict the rounds of a pool beside the pool's own, and what came of every prediction.
///
/// Besides what each model knows of the players it keeps 8 bytes a round and model, because a calibration slope
/// follows from no sums.
#[derive(Debug)]
pub struct Challengers {
    models: Vec<Challenger>,
    /// By the pool's own model.
    own: Vec<Probability>,
    scores: Vec<Score>,
    rounds: ComparedRounds,
}

#[derive(Debug)]
struct Challenger {
    name: ModelName,
    pool: InMemoryPool,
    predicted: Vec<Probability>,
}

/// The rounds that models were compared on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComparedRounds {
    /// All of them.
    pub total: u64,
    /// Those that nobody won.
    pub draws: u64,
    /// Those that began with more players on one team than on the other.
    pub uneven: u64,
    /// Those in which a team had nobody who is rated, so that models learn little or nothing from them.
    pub unrated: u64,
}

impl Challengers {
    /// Those models before the first round.
    #[must_use]
    pub fn new(models: &[ModelName], parameters: &Parameters) -> Self {
        let challengers = models.iter().map(|name| Challenger {
            name: *name,
            pool: InMemoryPool::new(*name, parameters),
            predicted: Vec::new(),
        });
        Self {
            models: challengers.collect(),
            own: Vec::new(),
            scores: Vec::new(),
            rounds: ComparedRounds::default(),
        }
    }

    /// Has every model predict the round, for which the pool's own predicted `own`, and then learn how it
    /// ended.
    ///
    /// # Errors
    /// A state that a model did not write.
    pub fn rate(&mut self, round: &Round, own: Probability) -> Result<(), EngineError> {
        for challenger in &mut self.models {
            challenger.predicted.push(challenger.pool.rate(round)?);
        }
        self.own.push(own);
        self.scores.push(round.parts().winner.score(Side::A));
        self.rounds.count(round);
        Ok(())
    }

    /// Returns the rounds that the models are compared on.
    #[must_use]
    pub fn rounds(&self) -> ComparedRounds {
        self.rounds
    }

    /// Scores every model over the last `window` rounds and over all: first the pool's own, `own`, then the others against
    /// it, in the order in which they were named.
    #[must_use]
    pub fn scores(&self, own: ModelName, window: u32) -> Vec<(ModelName, Windowed<ModelScores>)> {
        let paired = |predicted: &[Probability]| -> Vec<(Probability, Score)> {
            let scores = self.scores.iter().copied();
            predicted.iter().copied().zip(scores).collect()
        };
        let baseline = paired(&self.own);
        let challengers = self.models.iter().map(|challenger| {
            let predicted = paired(&challenger.predicted);
            let scores = ModelScores::windowed(&predicted, Some(&baseline), window);
            (challenger.name, scores)
        });
        std::iter::once((own, ModelScores::windowed(&baseline, None, window)))
            .chain(challengers)
            .collect()
    }
}

impl ComparedRounds {
    /// Counts one more.
    pub fn count(&mut self, round: &Round) {
        let count = |is_counted: fn(&PlayerEntry) -> bool| {
            [Side::A, Side::B].map(|side| {
                let entries = round.entries();
                let counted = entries.filter(|(of, entry)| *of == side && is_counted(entry));
                counted.count()
            })
        };
        let [roster_a, roster_b] = count(|entry| entry.at_start);
        let rated = count(PlayerEntry::is_rated);
        self.total += 1;
        self.draws += u64::from(round.parts().winner == Winner::Draw);
        self.uneven += u64::from(roster_a != roster_b);
        self.unrated += u64::from(rated.contains(&0));
    }
}

#[cfg(test)]
mod tests;
