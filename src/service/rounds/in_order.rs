use std::sync::Arc;

use super::queue::MAX_BATCH;
use super::record::Recorded;
use crate::domain::Round;
use crate::service::{Pool, Service, ServiceError};

impl Service {
    /// Counts `rounds`, each in its pool, as if each had been sent once the one before it was
    /// answered, and answers what became of each.
    ///
    /// Rounds of one pool that follow one another share a transaction. Behind a round that could
    /// not be counted now, but may be later, none is: it would overtake that one. Those get its
    /// error.
    pub async fn record_in_order(
        &self,
        rounds: Vec<(Arc<Pool>, Round)>,
    ) -> Vec<Result<Recorded, ServiceError>> {
        let count = rounds.len();
        let mut outcomes = Vec::with_capacity(count);
        for (pool, group) in groups(rounds) {
            let size = group.len();
            match self.recorder.record_together(pool, group).await {
                Ok(counted) => outcomes.extend(counted),
                Err(error) => outcomes.extend((0..size).map(|_| Err(error.clone()))),
            }
            let again = outcomes.iter().rev().take(size).find_map(to_be_sent_again);
            if let Some(error) = again.cloned() {
                outcomes.resize_with(count, || Err(error.clone()));
                break;
            }
        }
        outcomes
    }
}

/// Why a round was not counted now and may be later, if that is how it is.
fn to_be_sent_again(outcome: &Result<Recorded, ServiceError>) -> Option<&ServiceError> {
    let error = outcome.as_ref().err()?;
    matches!(error, ServiceError::Busy | ServiceError::Unavailable(_)).then_some(error)
}

/// The rounds in their order, those of one pool that follow one another together, as many as one
/// transaction takes.
fn groups(rounds: Vec<(Arc<Pool>, Round)>) -> Vec<(Arc<Pool>, Vec<Round>)> {
    let mut groups: Vec<(Arc<Pool>, Vec<Round>)> = Vec::new();
    for (pool, round) in rounds {
        match groups.last_mut() {
            Some((of, group)) if of.id == pool.id && group.len() < MAX_BATCH => group.push(round),
            _ => groups.push((pool, vec![round])),
        }
    }
    groups
}
