use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::OwnedMutexGuard;

use super::hours::{CountedHours, DAY_IN_HOURS, HOUR, HourCount, beginning};
use crate::api::{ActivityAnswer, ServerActivityAnswer};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolId, StoreError};

/// Time after which one transaction stops counting rounds by hour: a fraction of the database timeout.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// Number of the busiest servers that an activity answer lists by name; all other servers are summed up.
const NAMED: usize = 12;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::service) struct RoundsOfDay {
    /// Number of a server's counted rounds in the current hour and the 23 hours before.
    pub(in crate::service) last_24_hours: u64,
    /// Number of a server's counted rounds since midnight UTC.
    pub(in crate::service) today: u64,
}

impl Service {
    /// Returns the number of the pool's counted rounds in each of the last `hours` hours, including the current one.
    /// Counts are cached for ten seconds, or for ten times as long as counting takes.
    ///
    /// Counting continues if the caller goes away. After a failure, requests get the same error for a second. The next
    /// attempt resumes at the first missing hour.
    pub async fn get_activity(
        &self,
        pool: &Pool,
        hours: u32,
    ) -> Result<ActivityAnswer, ServiceError> {
        let (wanted, known) = self.count_hours(pool, hours).await?;
        Ok(answer(&pool.name, &wanted, &known))
    }

    /// Returns the pool's counted rounds by server, in the current hour and the 23 hours before. Cached like
    /// [`Service::get_activity`].
    pub(in crate::service) async fn rounds_of_day(
        &self,
        pool: &Pool,
    ) -> Result<BTreeMap<ServerName, RoundsOfDay>, ServiceError> {
        let (wanted, known) = self.count_hours(pool, DAY_IN_HOURS).await?;
        let today = wanted
            .last()
            .map(|hour| beginning(HOUR * DAY_IN_HOURS, *hour));
        let mut servers: BTreeMap<ServerName, RoundsOfDay> = BTreeMap::new();
        for hour in &wanted {
            for (server, rounds) in known.played(*hour) {
                let counts = servers.entry(server.clone()).or_default();
                counts.last_24_hours += rounds;
                if Some(*hour) >= today {
                    counts.today += rounds;
                }
            }
        }
        Ok(servers)
    }

    /// Returns the start times of the last `hours` hours, oldest first, and the cache that now has their round counts.
    async fn count_hours(
        &self,
        pool: &Pool,
        hours: u32,
    ) -> Result<(Vec<Timestamp>, OwnedMutexGuard<CountedHours>), ServiceError> {
        // Concurrent requests wait for the lock, and then count only the hours still missing.
        let mut known = Arc::clone(&pool.activity).lock_owned().await;
        let now = self.clock.now();
        let hours = hours.max(1);
        let from = beginning(HOUR, now).earlier(HOUR * (hours - 1));
        let wanted: Vec<Timestamp> = (0..hours).map(|hour| from.later(HOUR * hour)).collect();
        known.drop_old(now);
        if !known.missing(&wanted).is_empty() {
            if let Some(error) = known.failure.recent(Instant::now()) {
                return Err(error);
            }
            let name = pool.name.clone();
            let counting = self
                .clone()
                .count_missing(pool.id, name, known, now, wanted.clone());
            known = tokio::spawn(counting)
                .await
                .map_err(ServiceError::internal)??;
        }
        Ok((wanted, known))
    }

    /// Counts the pool's rounds in each of the `wanted` hours that the cache lacks, up to the first failed query.
    async fn count_missing(
        self,
        pool: PoolId,
        name: PoolName,
        mut known: OwnedMutexGuard<CountedHours>,
        now: Timestamp,
        wanted: Vec<Timestamp>,
    ) -> Result<OwnedMutexGuard<CountedHours>, ServiceError> {
        let mut counts = Vec::new();
        let mut failed = None;
        let mut missing = known.missing(&wanted);
        while !missing.is_empty() && failed.is_none() {
            match self.count_some(pool, &missing).await {
                Ok(counted) => {
                    missing.drain(..counted.len());
                    counts.extend(counted);
                }
                Err(error) => failed = Some(ServiceError::from(error)),
            }
        }
        known.add(now, &wanted, counts);
        let Some(error) = failed else {
            return Ok(known);
        };
        tracing::warn!(error = ?error, pool = %name, "Cannot count the pool's rounds per hour");
        known.failure.remember(Instant::now(), error.clone());
        Err(error)
    }

    /// Counts the rounds by server in the first of `hours`, and in the following ones until [`MAX_WAIT`] has passed.
    /// Counting all hours in one transaction could exceed the database timeout. One query per hour takes half the time
    /// of one query for all, because each sorts less.
    async fn count_some(
        &self,
        pool: PoolId,
        hours: &[Timestamp],
    ) -> Result<Vec<HourCount>, StoreError> {
        let began = Instant::now();
        let mut tx = self.store.begin_read().await?;
        let mut counts = Vec::new();
        for begin in hours.iter().copied() {
            let since = Instant::now();
            match tx.rounds_by_server(pool, begin, begin.later(HOUR)).await {
                Ok(played) => counts.push(HourCount {
                    begin,
                    played,
                    took: since.elapsed(),
                }),
                Err(error) if counts.is_empty() => return Err(error),
                // Keeps the hours counted before. The next transaction begins with the failed hour and returns its
                // error.
                Err(_) => break,
            }
            if began.elapsed() > MAX_WAIT {
                break;
            }
        }
        Ok(counts)
    }
}

/// Builds the activity answer: the rounds of each server in each of `hours`, which must not be empty.
fn answer(pool: &PoolName, hours: &[Timestamp], known: &CountedHours) -> ActivityAnswer {
    let empty = vec![0; hours.len()];
    let mut total = empty.clone();
    let mut servers: BTreeMap<&ServerName, Vec<u64>> = BTreeMap::new();
    for (index, hour) in hours.iter().enumerate() {
        for (server, rounds) in known.played(*hour) {
            let series = servers.entry(server).or_insert_with(|| empty.clone());
            series[index] += rounds;
            total[index] += rounds;
        }
    }
    let mut servers: Vec<ServerActivityAnswer> = servers
        .into_iter()
        .map(|(server, rounds)| ServerActivityAnswer {
            server: server.clone(),
            rounds,
        })
        .collect();
    // Stable sorts keep the order by name among equals.
    servers.sort_by_cached_key(|server| Reverse(server.rounds.iter().sum::<u64>()));
    let mut others = empty;
    for server in servers.split_off(servers.len().min(NAMED)) {
        for (sum, rounds) in others.iter_mut().zip(server.rounds) {
            *sum += rounds;
        }
    }
    servers.sort_by(|one, other| one.server.cmp(&other.server));
    ActivityAnswer {
        pool: pool.clone(),
        from: hours[0],
        hours: u32::try_from(hours.len()).unwrap_or(u32::MAX),
        servers,
        others,
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_are_named_and_the_rest_counted_together() {
        // In one of three hours, server 1 has one round and server 14 has fourteen.
        let from = Timestamp::UNIX_EPOCH;
        let hours = [0, 1, 2].map(|hour| from.later(HOUR * hour));
        let server = |number: u64| -> ServerName { format!("arena-{number:02}").parse().unwrap() };
        let counts = (0..).zip(hours).map(|(hour, begin)| {
            let played = (1..=14).filter(|number| number % 3 == hour);
            HourCount {
                begin,
                played: played.map(|number| (server(number), number)).collect(),
                took: Duration::ZERO,
            }
        });
        let mut known = CountedHours::default();
        known.add(from, &hours, counts.collect());
        let activity = answer(&PoolName::default(), &hours, &known);
        let named = activity.servers.iter().map(|one| one.server.clone());
        assert!(named.eq((3..=14).map(server)));
        assert_eq!(activity.servers[0].rounds, [3, 0, 0]);
        assert_eq!(activity.others, [0, 1, 2]);
        assert_eq!(activity.total, [30, 35, 40]);
    }
}
