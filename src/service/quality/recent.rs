use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::scrambles::Scrambles;
use super::server_rounds::ServerRounds;
use super::verdict::fitting_theta;
use super::watched::{by_scoreboard, players};
use crate::api::PoolSummaryAnswer;
use crate::domain::{Probability, Round, Score, ServerName, Side, Timestamp};
use crate::rating::{
    ChangeKind, Departure, Judgement, MeanMovement, ModelName, Parameters, People, RatedRoundSum,
    RatingEvent, Remedy, RoundResult, WatchedRound, best_remedy, departures, mean_movement,
};
use crate::service::ServiceError;
use crate::service::splits::last::MAX_ROUND;
use crate::store::{Changed, Generation, LoggedRound, PoolRecord, SettingsId, StoreError, Tx};

/// Number of latest log positions of a pool whose rounds are searched for results that predictions do not explain.
const LOOKED_AT: u64 = 10_000;
const PAGE: u32 = 500;
/// Minimum number of rounds sent twice by one game server that the quality report mentions.
const MIN_COPIES: u64 = 3;
/// Number of a pool's latest log positions on whose rounds alternative rating settings are tried.
const TRIED: u64 = 3_000;
/// Number of new entries in a pool's log after which alternative rating settings are tried again.
const TRIED_AGAIN_AFTER: u64 = TRIED / 10;

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
    /// Log position of the last round in the cache of a pool's latest rounds.
    position: u64,
    /// Number of entries in the pool's log when the cached rounds and differences were last brought up to date.
    computed: u64,
    /// Log position and end of each cached round, with the numbers of rounds that its players had waited before.
    pub(super) logged: Vec<(u64, Timestamp, Vec<u32>)>,
    pub(super) rounds: Arc<Vec<WatchedRound>>,
    pub(super) departures: Vec<Departure>,
    changed: u64,
    /// Cached rounds, rating changes by admins and season starts, each with its position in the pool's log.
    events: Arc<Vec<(u64, RatingEvent)>>,
    /// Change of the mean rating of a pool's active players over its latest rounds; `None` without rounds.
    pub(super) mean: Option<MeanMovement>,
    /// Length of the pool's log when alternative rating settings were last tried, and the setting that improved the
    /// predictions most.
    tried: Option<(u64, Option<Remedy>)>,
    pub(super) people: People,
    scrambles: Scrambles,
    servers: BTreeMap<ServerName, ServerRounds>,
    /// Log position up to which rounds are too old for the cache, or pruned.
    pub(super) cut: u64,
    /// Summary of the pool since the last log entry, without the figures of its servers.
    pub(super) summary: Option<PoolSummaryAnswer>,
}

impl RecentRounds {
    /// Number of rounds that each game server sent again under another id, for servers with at least three.
    pub(super) fn copies(&self) -> BTreeMap<&ServerName, u64> {
        let counts = self.servers.iter();
        counts
            .map(|(server, rounds)| (server, rounds.copies))
            .filter(|(_, count)| *count >= MIN_COPIES)
            .collect()
    }

    /// Game servers whose clocks are behind, each with the minimum by which its clock is behind.
    pub(super) fn clocks_behind(&self) -> impl Iterator<Item = (&ServerName, Duration)> {
        let servers = self.servers.iter();
        servers.filter_map(|(server, rounds)| Some((server, rounds.clock_behind()?)))
    }

    /// Returns the rating setting that would improve a pool's predictions most. Returns `None` if the predictions need
    /// no change, or while results on a map or server depart from them. Rates the latest rounds anew for every
    /// candidate, and keeps the answer for 300 log entries.
    pub(super) async fn remedy(
        &mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        parameters: &Parameters,
        judgement: &Judgement,
    ) -> Result<Option<Remedy>, ServiceError> {
        if !judgement.word.is_off() || !self.departures.is_empty() {
            return Ok(None);
        }
        let theta = fitting_theta(judgement, pool.model, parameters.theta);
        if pool.model != ModelName::SynElo {
            return Ok(theta.map(Remedy::Theta));
        }
        if self
            .tried
            .is_none_or(|(at, _)| pool.log_length >= at + TRIED_AGAIN_AFTER)
        {
            let rounds = read_tried(tx, pool).await?;
            let parameters = parameters.clone();
            let best =
                tokio::task::spawn_blocking(move || best_remedy(&rounds, &parameters, theta))
                    .await
                    .map_err(ServiceError::internal)?
                    .map_err(ServiceError::internal)?;
            self.tried = Some((pool.log_length, best));
        }
        // The value of theta follows the latest fit.
        let better_than_theta = self
            .tried
            .and_then(|(_, best)| best)
            .filter(|best| !matches!(best, Remedy::Theta(_)));
        Ok(better_than_theta.or(theta.map(Remedy::Theta)))
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
        if self.generation != pool.generation || self.computed > pool.log_length {
            *self = Self {
                generation: pool.generation,
                ..Self::default()
            };
        }
        if self.computed == pool.log_length {
            return Ok(());
        }
        self.summary = None;
        let before = pool.log_length.saturating_sub(LOOKED_AT).max(pool.pruned);
        let settings: HashMap<SettingsId, Parameters> = tx.settings().await?.into_iter().collect();
        self.cut = before;
        self.read_changes(tx, pool, before, &settings).await?;
        self.read_from(tx, pool, before, (parameters, &settings))
            .await?;
        let old = self.logged.partition_point(|(place, ..)| *place <= before);
        self.logged.drain(..old);
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
        // Updated last: a cancelled update computes the figures anew.
        self.computed = pool.log_length;
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
        let mut position = self.position.max(before);
        loop {
            let rounds = tx.rounds_after(pool.id, position, PAGE).await?;
            let results = tx.results_after(pool.id, position, PAGE).await?;
            let Some(last) = rounds.last() else {
                return Ok(());
            };
            position = last.position;
            let servers = rounds.iter().map(|logged| &logged.round.parts().server);
            for server in servers.collect::<BTreeSet<_>>() {
                self.scrambles.read(tx, server).await?;
            }
            for (logged, result) in rounds.into_iter().zip(results) {
                // Reading stops at a round whose result is not stored yet.
                if result.position != logged.position {
                    return Ok(());
                }
                self.position = logged.position;
                if logged.voided_at.is_some() {
                    continue;
                }
                let rated_by = settings.get(&logged.settings).unwrap_or(parameters);
                let map = logged.round.parts().map.as_ref();
                let more = if takes_advantages {
                    parameters.advantages.on(map) - rated_by.advantages.on(map)
                } else {
                    0
                };
                self.add(&logged, &result, (model, rated_by), more);
            }
        }
    }

    fn add(
        &mut self,
        logged: &LoggedRound,
        result: &RoundResult,
        (model, rated_by): (ModelName, &Parameters),
        more: i64,
    ) {
        let round = &logged.round;
        let moved = RatedRoundSum::new(round, result, model == ModelName::SynElo, rated_by);
        Arc::make_mut(&mut self.events).push((logged.position, RatingEvent::Round(moved)));
        let of_server = self
            .servers
            .entry(round.parts().server.clone())
            .or_default();
        let before = of_server.last_end();
        if of_server.add(logged) {
            return;
        }
        let begin = round.ended_at().earlier(MAX_ROUND);
        let begin = before.map_or(begin, |before| before.max(begin));
        let (is_scrambled, waited) = self.scrambles.take_followed(round, begin);
        let sums = by_scoreboard(round);
        let watched = WatchedRound {
            map: round.parts().map.clone(),
            server: round.parts().server.clone(),
            predicted: shifted(result.win_probability, more, result.theta),
            score: round.parts().winner.score(Side::A),
            scoreboard: sums.map(|(a, b)| {
                if a > b {
                    Score::WIN
                } else if a < b {
                    Score::LOSS
                } else {
                    Score::DRAW
                }
            }),
            leading_share: sums
                .filter(|(a, b)| *a >= 0.0 && *b >= 0.0 && a + b > 0.0)
                .map(|(a, b)| a.max(b) / (a + b)),
            seconds: round.parts().round_seconds,
            is_scrambled,
            players: players(round, &result.players),
        };
        self.people.add(&watched);
        let ended_at = round.ended_at();
        self.logged.push((logged.position, ended_at, waited));
        Arc::make_mut(&mut self.rounds).push(watched);
    }
}

/// Reads the pool's latest rounds, oldest first, without void rounds and without rounds that a server sent twice.
async fn read_tried(tx: &mut Tx, pool: &PoolRecord) -> Result<Vec<Round>, StoreError> {
    let mut position = pool.log_length.saturating_sub(TRIED).max(pool.pruned);
    let mut servers: HashMap<ServerName, ServerRounds> = HashMap::new();
    let mut rounds = Vec::new();
    loop {
        let page = tx.rounds_after(pool.id, position, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(rounds);
        };
        position = last.position;
        for logged in page.into_iter().filter(|logged| logged.voided_at.is_none()) {
            let server = logged.round.parts().server.clone();
            if !servers.entry(server).or_default().add(&logged) {
                rounds.push(logged.round);
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
