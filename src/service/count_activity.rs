use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::{Pool, Service, ServiceError};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::store::StoreError;

/// As many servers as are named; the others are counted together.
const NAMED: usize = 12;

const HOUR: Duration = Duration::from_hours(1);

/// How long what was counted is held, at the least.
const HELD: Duration = Duration::from_secs(10);
/// How many times as long as counting took it is held at the least: whoever looks all day long takes up
/// a tenth of a connection at most, however many rounds there are.
const REST: u32 = 10;

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

/// What was counted last in each pool.
#[derive(Clone, Debug)]
pub(super) struct HeldActivities(Arc<BTreeMap<PoolName, Mutex<Option<Held>>>>);

#[derive(Debug)]
struct Held {
    activity: Arc<Activity>,
    counted_at: Timestamp,
    good_until: Timestamp,
}

impl HeldActivities {
    /// Room for those of `pools`.
    pub(super) fn of(pools: impl Iterator<Item = PoolName>) -> Self {
        Self(Arc::new(
            pools.map(|pool| (pool, Mutex::default())).collect(),
        ))
    }
}

impl Held {
    /// Whether it can still be shown at `now` to whoever asks for these hours.
    fn serves(&self, now: Timestamp, from: Timestamp, hours: u32) -> bool {
        let same = self.activity.from == from && self.activity.total.len() == hours as usize;
        same && (self.counted_at..self.good_until).contains(&now)
    }
}

impl Service {
    /// How many of the pool's rounds that count ended in each of the last `hours` hours; the last is
    /// the one that it is now. Counted once for all who ask within ten seconds, or, where counting
    /// takes over a second, within ten times as long.
    ///
    /// # Errors
    /// The database's.
    pub async fn count_activity(
        &self,
        pool: &Pool,
        hours: u32,
    ) -> Result<Arc<Activity>, ServiceError> {
        let held = self.activities.0.get(&pool.name);
        let held = held.ok_or_else(|| ServiceError::NoSuchPool(pool.name.clone()))?;
        // Whoever comes while it is counted waits for it, and counts nothing.
        let mut held = held.lock().await;
        let now = self.clock.now();
        let into_hour = now.unix_micros().rem_euclid(micros(HOUR));
        let this_hour = now.earlier(Duration::from_micros(into_hour.unsigned_abs()));
        let from = this_hour.earlier(HOUR * hours.saturating_sub(1));
        if let Some(held) = held.as_ref().filter(|held| held.serves(now, from, hours)) {
            return Ok(Arc::clone(&held.activity));
        }
        let begun = Instant::now();
        let counted = self.count_hours(pool, from, hours).await?;
        let activity = Arc::new(sorted(from, hours, counted));
        *held = Some(Held {
            activity: Arc::clone(&activity),
            counted_at: now,
            good_until: now.later(HELD.max(begun.elapsed() * REST)),
        });
        Ok(activity)
    }

    /// The rounds of each server and hour from `from` on. Every hour is a unit of work of its own: one
    /// is counted in time where all together would not be, and takes half as long as its share of a
    /// query for all, because engines sort less at once.
    async fn count_hours(
        &self,
        pool: &Pool,
        from: Timestamp,
        hours: u32,
    ) -> Result<Vec<(ServerName, u32, u64)>, StoreError> {
        let mut counted = Vec::new();
        for hour in 0..hours {
            let begin = from.later(HOUR * hour);
            let mut tx = self.store.begin_read().await?;
            let played = tx
                .rounds_by_server(pool.id, begin, begin.later(HOUR))
                .await?;
            let played = played.into_iter();
            counted.extend(played.map(|(server, rounds)| (server, hour, rounds)));
        }
        Ok(counted)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The rounds of each server and hour as series.
fn sorted(from: Timestamp, hours: u32, counted: Vec<(ServerName, u32, u64)>) -> Activity {
    let empty = vec![0; hours as usize];
    let mut total = empty.clone();
    let mut servers: BTreeMap<ServerName, Vec<u64>> = BTreeMap::new();
    for (server, hour, rounds) in counted {
        let series = servers.entry(server).or_insert_with(|| empty.clone());
        for series in [series, &mut total] {
            if let Some(sum) = series.get_mut(hour as usize) {
                *sum += rounds;
            }
        }
    }
    let mut servers: Vec<(ServerName, Vec<u64>)> = servers.into_iter().collect();
    // They come by name, and the sorts keep that among equals.
    servers.sort_by_cached_key(|(_, series)| u64::MAX - series.iter().sum::<u64>());
    let left = servers.split_off(servers.len().min(NAMED));
    servers.sort_by(|one, other| one.0.cmp(&other.0));
    let mut others = empty;
    for (_, series) in left {
        for (sum, rounds) in others.iter_mut().zip(series) {
            *sum += rounds;
        }
    }
    Activity {
        from,
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
        // Server 1 has one round, server 14 has fourteen, in one of three hours.
        let counted = (1..=14_u32).map(|number| {
            let server = format!("arena-{number:02}").parse().unwrap();
            (server, number % 3, u64::from(number))
        });
        let activity = sorted(Timestamp::UNIX_EPOCH, 3, counted.collect());
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
