use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, OwnedMutexGuard};

use super::hours::{CountedHours, HOUR, HourCount};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolId, StoreError};

/// As many servers as are named; the others are counted together.
const NAMED: usize = 12;

/// How many rounds were played in each hour, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When the first of the hours begins.
    pub from: Timestamp,
    /// The servers with the most rounds, by name.
    pub servers: Vec<(ServerName, Vec<u64>)>,
    /// All other servers.
    pub others: Vec<u64>,
    /// All of them.
    pub total: Vec<u64>,
}

/// What was counted lately in each pool, held by whoever counts.
#[derive(Clone, Debug)]
pub(crate) struct CachedActivities(Arc<BTreeMap<PoolName, Held>>);

type Held = Arc<Mutex<CountedHours>>;

impl CachedActivities {
    /// Room for those of `pools`.
    pub(crate) fn of(pools: impl Iterator<Item = PoolName>) -> Self {
        Self(Arc::new(
            pools.map(|pool| (pool, Held::default())).collect(),
        ))
    }
}

impl Service {
    /// How many of the pool's rounds that count ended in each of the last `hours` hours; the last is
    /// the one that it is now. An hour is counted once for all who ask for it within ten seconds, or,
    /// where counting takes over a second, within ten times as long.
    ///
    /// Counting goes on where whoever asked has gone, and where it fails, the next try goes on from there.
    ///
    /// # Errors
    /// The database's; within a second of a failure the same.
    pub async fn count_activity(&self, pool: &Pool, hours: u32) -> Result<Activity, ServiceError> {
        let held = self.activities.0.get(&pool.name);
        let held = held.ok_or_else(|| ServiceError::NoSuchPool(pool.name.clone()))?;
        // Whoever comes while it is counted waits for it, and counts only what is still missing.
        let mut known = Arc::clone(held).lock_owned().await;
        let now = self.clock.now();
        let into_hour = now.unix_micros().rem_euclid(micros(HOUR));
        let this_hour = now.earlier(Duration::from_micros(into_hour.unsigned_abs()));
        let from = this_hour.earlier(HOUR * hours.saturating_sub(1));
        let asked: Vec<Timestamp> = (0..hours).map(|hour| from.later(HOUR * hour)).collect();
        known.drop_old(now);
        if !known.missing(&asked).is_empty() {
            if let Some(error) = known.failure.recent(Instant::now()) {
                return Err(error);
            }
            let counter = HourCounter {
                service: self.clone(),
                pool: pool.id,
                name: pool.name.clone(),
            };
            let counting = tokio::spawn(counter.count_missing(known, now, asked.clone()));
            known = counting.await.map_err(ServiceError::internal)??;
        }
        Ok(sorted(from, &asked, &known))
    }
}

/// Counts hours of a pool, whoever waits for it.
struct HourCounter {
    service: Service,
    pool: PoolId,
    name: PoolName,
}

impl HourCounter {
    /// Counts which of the hours `asked` for are missing, and keeps them as of `now`; where it fails,
    /// those before.
    async fn count_missing(
        self,
        mut known: OwnedMutexGuard<CountedHours>,
        now: Timestamp,
        asked: Vec<Timestamp>,
    ) -> Result<OwnedMutexGuard<CountedHours>, ServiceError> {
        let mut counts = Vec::new();
        let mut failed = None;
        for hour in known.missing(&asked) {
            match self.count_hour(hour).await {
                Ok(count) => counts.push(count),
                Err(error) => {
                    failed = Some(ServiceError::from(error));
                    break;
                }
            }
        }
        known.keep(now, &asked, counts);
        let Some(error) = failed else {
            return Ok(known);
        };
        tracing::warn!(error = ?error, pool = %self.name, "The activity of the pool cannot be counted");
        known.failure.remember(Instant::now(), error.clone());
        Err(error)
    }

    /// The rounds of each server in the hour from `begin` on. Every hour is a unit of work of its own:
    /// one is counted in time where all together would not be, and takes half as long as its share of a
    /// query for all, because engines sort less at once.
    async fn count_hour(&self, begin: Timestamp) -> Result<HourCount, StoreError> {
        let since = Instant::now();
        let mut tx = self.service.store.begin_read().await?;
        let played = tx
            .rounds_by_server(self.pool, begin, begin.later(HOUR))
            .await?;
        Ok(HourCount {
            begin,
            played,
            took: since.elapsed(),
        })
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The rounds of each server and hour as series.
fn sorted(from: Timestamp, hours: &[Timestamp], known: &CountedHours) -> Activity {
    let empty = vec![0; hours.len()];
    let mut total = empty.clone();
    let mut servers: BTreeMap<&ServerName, Vec<u64>> = BTreeMap::new();
    for (index, hour) in hours.iter().enumerate() {
        for (server, rounds) in known.played(*hour) {
            let series = servers.entry(server).or_insert_with(|| empty.clone());
            for series in [series, &mut total] {
                if let Some(sum) = series.get_mut(index) {
                    *sum += rounds;
                }
            }
        }
    }
    let mut servers: Vec<(&ServerName, Vec<u64>)> = servers.into_iter().collect();
    // They come by name, and the sorts keep that among equals.
    servers.sort_by_cached_key(|(_, series)| u64::MAX - series.iter().sum::<u64>());
    let left = servers.split_off(servers.len().min(NAMED));
    servers.sort_by(|one, other| one.0.cmp(other.0));
    let mut others = empty;
    for (_, series) in left {
        for (sum, rounds) in others.iter_mut().zip(series) {
            *sum += rounds;
        }
    }
    let servers = servers.into_iter();
    Activity {
        from,
        servers: servers
            .map(|(server, series)| (server.clone(), series))
            .collect(),
        others,
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_are_named_and_the_rest_counted_together() {
        // Server 1 has one round, server 14 has fourteen, in one of three hours.
        let from = Timestamp::UNIX_EPOCH;
        let hours = [0, 1, 2].map(|hour| from.later(HOUR * hour));
        let counts = [0, 1, 2].map(|hour: u32| {
            let numbers = (1..=14_u32).filter(|number| number % 3 == hour);
            let played = numbers.map(|number| {
                let server = format!("arena-{number:02}").parse().unwrap();
                (server, u64::from(number))
            });
            HourCount {
                begin: from.later(HOUR * hour),
                played: played.collect(),
                took: Duration::ZERO,
            }
        });
        let mut known = CountedHours::default();
        known.keep(from, &hours, counts.into());
        let activity = sorted(from, &hours, &known);
        let names: Vec<&str> = activity
            .servers
            .iter()
            .map(|(server, _)| server.as_str())
            .collect();
        let expected: Vec<String> = (3..=14)
            .map(|number| format!("arena-{number:02}"))
            .collect();
        assert_eq!(names, expected);
        assert_eq!(activity.servers[0].1, [3, 0, 0]);
        assert_eq!(activity.others, [0, 1, 2]);
        assert_eq!(activity.total, [30, 35, 40]);
    }
}
