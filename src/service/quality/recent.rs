use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::{Probability, Round, Score, Side, Stat, Stats};
use crate::rating::{
    ChangeKind, Departure, MeanMovement, ModelName, Parameters, RatedRoundSum, RatingChange,
    RatingEvent, WatchedRound, departures, mean_movement,
};
use crate::service::ServiceError;
use crate::store::{Changed, Generation, LoggedRound, PoolRecord, SettingsId, StoreError, Tx};

/// Number of latest log positions of a pool whose rounds are searched for results that predictions do not explain.
const LOOKED_AT: u64 = 10_000;
const PAGE: u32 = 500;

/// Cache of a pool's latest rounds, and of the differences between their results and predictions that chance does not
/// explain.
///
/// # Design
/// The rounds follow from the log and the projection, so they are not stored. A process reads them on the first
/// request, and only new rounds afterwards. A void or rebuild changes the pool's generation (computation number), and
/// then all rounds are read again.
#[derive(Debug, Default)]
pub(crate) struct RecentRounds {
    generation: Generation,
    /// Last position in the pool's log that was read.
    position: u64,
    positions: Vec<u64>,
    rounds: Arc<Vec<WatchedRound>>,
    departures: Vec<Departure>,
    changed: u64,
    /// Rounds, rating changes by admins and starts of seasons, each with its position in the pool's log.
    events: Arc<Vec<(u64, RatingEvent)>>,
    mean: Option<MeanMovement>,
}

impl RecentRounds {
    pub(super) fn rounds(&self) -> &[WatchedRound] {
        &self.rounds
    }

    pub(super) fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Returns how the mean rating of the pool's active players moved over the latest rounds; `None` without rounds.
    pub(super) fn mean(&self) -> Option<&MeanMovement> {
        self.mean.as_ref()
    }

    /// Reads the rounds and rating changes added to the pool's log since the last update. Shifts the predictions of
    /// earlier rounds to the map advantages in `parameters`. So a newly configured advantage of a team also explains
    /// results from before.
    pub(super) async fn update(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        parameters: &Parameters,
    ) -> Result<(), ServiceError> {
        if self.generation != pool.generation || self.position > pool.log_length {
            *self = Self {
                generation: pool.generation,
                ..Self::default()
            };
        }
        if self.position == pool.log_length {
            return Ok(());
        }
        let before = pool.log_length.saturating_sub(LOOKED_AT).max(pool.pruned);
        let settings: HashMap<SettingsId, Parameters> = tx.settings().await?.into_iter().collect();
        self.read_changes(tx, pool, before, &settings).await?;
        self.read_from(tx, pool, before, (parameters, &settings))
            .await?;
        let old = self.positions.partition_point(|place| *place <= before);
        self.positions.drain(..old);
        Arc::make_mut(&mut self.rounds).drain(..old);
        let events = Arc::make_mut(&mut self.events);
        events.sort_by_key(|(place, _)| *place);
        events.drain(..events.partition_point(|(place, _)| *place <= before));
        let (rounds, events) = (Arc::clone(&self.rounds), Arc::clone(&self.events));
        let stale_days = parameters.stale_days;
        let found = tokio::task::spawn_blocking(move || {
            let events = events.iter().map(|(_, event)| event);
            (departures(&rounds), mean_movement(events, stale_days))
        });
        let (departures, mean) = found.await.map_err(ServiceError::internal)?;
        self.departures = departures;
        self.mean = mean;
        // Updated last: a cancelled update is repeated as a whole.
        let last = self.positions.last().copied().unwrap_or(0);
        self.position = last.max(pool.log_length);
        Ok(())
    }

    async fn read_changes(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        before: u64,
        settings: &HashMap<SettingsId, Parameters>,
    ) -> Result<(), StoreError> {
        self.changed = self.changed.max(before);
        loop {
            let changes = tx.changes_after(pool.id, self.changed, PAGE).await?;
            if changes.is_empty() {
                return Ok(());
            }
            let events = Arc::make_mut(&mut self.events);
            for change in changes {
                self.changed = change.position;
                let then = settings.get(&change.settings);
                let event = match (change.changed, then) {
                    (Changed::Player(player, ChangeKind::Set(rating)), _) => {
                        RatingEvent::Changed(player, rating)
                    }
                    (Changed::Player(player, ChangeKind::Reset), Some(then)) => {
                        RatingEvent::Changed(player, then.initial_rating)
                    }
                    (Changed::Season(season), Some(then)) => {
                        RatingEvent::Season(season.keep, Box::new(then.clone()))
                    }
                    (Changed::Undo { position, .. }, _) => {
                        events.retain(|(place, _)| *place != position);
                        continue;
                    }
                    _ => continue,
                };
                events.push((change.position, event));
            }
        }
    }

    async fn read_from(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        before: u64,
        (parameters, settings): (&Parameters, &HashMap<SettingsId, Parameters>),
    ) -> Result<(), StoreError> {
        let model = pool.model;
        // Models that learn maps already include the advantage of a map in their predictions.
        let takes_advantages = model.counts_advantages() && !model.learns_maps();
        let mut position = self.positions.last().copied().unwrap_or(0).max(before);
        loop {
            let rounds = tx.rounds_after(pool.id, position, PAGE).await?;
            let results = tx.results_after(pool.id, position, PAGE).await?;
            let Some(last) = rounds.last() else {
                return Ok(());
            };
            position = last.position;
            for (
                LoggedRound {
                    position,
                    round,
                    voided_at,
                    settings: rated_by,
                    ..
                },
                result,
            ) in rounds.into_iter().zip(results)
            {
                // Reading stops at a round whose result is not stored yet.
                if result.position != position {
                    return Ok(());
                }
                if voided_at.is_none() {
                    let parts = round.parts();
                    let rated_by = settings.get(&rated_by).unwrap_or(parameters);
                    let on = |set: &Parameters| set.advantages.on(parts.map.as_ref());
                    let more = if takes_advantages {
                        on(parameters) - on(rated_by)
                    } else {
                        0
                    };
                    let changes = result.players.iter().map(|player| RatingChange {
                        before: player.before,
                        after: player.after,
                        k: player.k,
                    });
                    let moved = RatedRoundSum::new(
                        result.predictions.rounds,
                        &round,
                        result.win_probability,
                        changes,
                        model == ModelName::SynElo,
                        rated_by,
                    );
                    let event = RatingEvent::Round(moved);
                    Arc::make_mut(&mut self.events).push((position, event));
                    self.positions.push(position);
                    Arc::make_mut(&mut self.rounds).push(WatchedRound {
                        map: parts.map.clone(),
                        server: parts.server.clone(),
                        predicted: shifted(result.win_probability, more, result.theta),
                        score: parts.winner.score(Side::A),
                        scoreboard: by_scoreboard(&round),
                    });
                }
            }
        }
    }
}

/// Returns the win probability of team a if its lead in rating points were larger by `points`.
fn shifted(for_a: Probability, points: i64, theta: f64) -> Probability {
    if points == 0 {
        return for_a;
    }
    #[expect(clippy::cast_precision_loss, reason = "some thousand points")]
    let by = libm::exp(-points as f64 / theta);
    let (for_a, for_b) = (for_a.get(), for_a.complement().get());
    Probability::new(for_a / (for_a + for_b * by)).unwrap_or(Probability::HALF)
}

/// Returns the result of team a (win, draw or loss) if the scoreboard decided: by the sums of scores, or else of kills.
/// `None` if a team has neither.
fn by_scoreboard(round: &Round) -> Option<Score> {
    let numbers: [fn(&Stats) -> Option<f64>; 2] = [
        |stats| stats.score.map(Stat::value),
        |stats| stats.kills.map(|kills| f64::from(kills.get())),
    ];
    numbers.iter().find_map(|number| {
        let sum = |side| {
            let entries = round.entries().filter(|(of, _)| *of == side);
            let given = entries.filter_map(|(_, entry)| number(entry.stats.as_deref()?));
            given.fold(None, |sum: Option<f64>, one| Some(sum.unwrap_or(0.0) + one))
        };
        let (a, b) = (sum(Side::A)?, sum(Side::B)?);
        Some(if a > b {
            Score::WIN
        } else if a < b {
            Score::LOSS
        } else {
            Score::DRAW
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::win_probability;

    #[test]
    fn odds_are_shifted_as_f1_has_it() {
        for (lead, points) in [(0, 300), (-900, 1200), (700, -4000), (500, 0)] {
            let shifted = shifted(win_probability(lead, 0, 800.0), points, 800.0).get();
            let expected = win_probability(lead + points, 0, 800.0).get();
            assert!((shifted - expected).abs() < 1e-12, "{lead} {points}");
        }
        let sure = Probability::new(1.0).unwrap();
        assert_eq!(shifted(sure, -500, 800.0), sure);
    }
}
