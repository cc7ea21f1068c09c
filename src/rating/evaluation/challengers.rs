use super::windowed::Windowed;
use crate::domain::{PlayerEntry, Probability, Round, Score, Side, Winner};
use crate::rating::{
    EngineError, InMemoryPool, ModelName, ModelScores, PairedDifference, Parameters,
};

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

/// How well models predicted the same rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Which rounds these are.
    pub rounds: ComparedRounds,
    /// The pool's own model.
    pub own: Windowed<ModelScores>,
    /// The others, in the order in which they were named.
    pub challengers: Vec<ModelComparison>,
}

/// How well a model predicted the rounds that another predicted too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelComparison {
    /// The model.
    pub model: ModelName,
    /// How well it did.
    pub scores: Windowed<ModelScores>,
    /// Against the pool's own model; `None` without rounds.
    pub difference: Windowed<Option<PairedDifference>>,
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

    /// How well they did, over the last `window` rounds and over all.
    #[must_use]
    pub fn comparison(&self, window: u32) -> Comparison {
        let begin = self
            .scores
            .len()
            .saturating_sub(usize::try_from(window).unwrap_or(usize::MAX));
        let scored = |predicted: &[Probability]| -> Vec<(Probability, Score)> {
            let scores = self.scores.iter().copied();
            predicted.iter().copied().zip(scores).collect()
        };
        let over = |all: &[(Probability, Score)]| Windowed {
            window: ModelScores::of(&all[begin..]),
            all: ModelScores::of(all),
        };
        let own = scored(&self.own);
        let challengers = self.models.iter().map(|challenger| {
            let predicted = scored(&challenger.predicted);
            ModelComparison {
                model: challenger.name,
                scores: over(&predicted),
                difference: Windowed {
                    window: PairedDifference::between(&predicted[begin..], &own[begin..]),
                    all: PairedDifference::between(&predicted, &own),
                },
            }
        });
        Comparison {
            rounds: self.rounds,
            own: over(&own),
            challengers: challengers.collect(),
        }
    }
}

impl ComparedRounds {
    fn count(&mut self, round: &Round) {
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
