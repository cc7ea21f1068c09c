use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scores::Windowed;
use crate::domain::{PlayerEntry, Probability, Round, Score, Side, Winner};
use crate::rating::{EngineError, InMemoryPool, ModelName, ModelScores, Parameters};

/// Challengers: models that predict a pool's rounds beside the pool's own model, with all predictions and results.
///
/// Each round takes 8 bytes for each model, because sums do not suffice for a calibration slope.
#[derive(Debug)]
pub struct Challengers {
    models: Vec<Challenger>,
    /// Win probabilities of team a that the pool's own model predicted, one a round.
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

/// Counts of the rounds on which the predictions of rating models are compared: all, drawn, uneven and unrated rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ComparedRoundsAnswer)]
pub struct ComparedRounds {
    /// Number of all rounds on which the rating models are compared.
    pub rounds: u64,
    /// Number of draws among the rounds on which the rating models are compared.
    pub draws: u64,
    /// Number of rounds that began with teams of different sizes, among those on which the rating models are compared.
    pub uneven: u64,
    /// Number of rounds where one team had no rated players, among those on which the rating models are compared.
    /// Models learn little or nothing from such rounds.
    pub unrated: u64,
}

impl Challengers {
    /// Creates challengers (rating models evaluated beside the pool's own) for `models`, before the first round.
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

    /// Makes every challenger (model evaluated beside the pool's own) predict the round and then learn its result.
    /// `own` is the prediction of the pool's own model.
    pub fn rate(&mut self, round: &Round, own: Probability) -> Result<(), EngineError> {
        for challenger in &mut self.models {
            challenger.predicted.push(challenger.pool.rate(round)?);
        }
        self.own.push(own);
        self.scores.push(round.parts().winner.score(Side::A));
        self.rounds.count(round);
        Ok(())
    }

    /// Returns the counts of rounds on which the models were compared: all, drawn, uneven and unrated rounds.
    #[must_use]
    pub fn rounds(&self) -> ComparedRounds {
        self.rounds
    }

    /// Scores every model's predictions over the last `window` rounds and over all rounds. The pool's own model, `own`,
    /// comes first. The other models follow in the order of [`Self::new`], each compared with `own`.
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
    /// Adds a round that all compared models predicted to these counts.
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
        self.rounds += 1;
        self.draws += u64::from(round.parts().winner == Winner::Draw);
        self.uneven += u64::from(roster_a != roster_b);
        self.unrated += u64::from(rated.contains(&0));
    }
}

#[cfg(test)]
mod tests;
