use std::collections::BTreeMap;
use std::time::Duration;

use super::{Pool, Service, ServiceError};
use crate::domain::{ServerName, Timestamp};

/// As many servers as are named; the others are counted together.
const NAMED: usize = 12;

const HOUR: Duration = Duration::from_hours(1);

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

impl Service {
    /// How many of the pool's rounds that count ended in each of the last `hours` hours; the last is
    /// the one that it is now.
    ///
    /// # Errors
    /// The database's.
    pub async fn count_activity(&self, pool: &Pool, hours: u32) -> Result<Activity, ServiceError> {
        let now = self.clock.now();
        let into_hour = now.unix_micros().rem_euclid(micros(HOUR));
        let this_hour = now.earlier(Duration::from_micros(into_hour.unsigned_abs()));
        let from = this_hour.earlier(HOUR * hours.saturating_sub(1));
        let to = this_hour.later(HOUR);
        let mut tx = self.store.begin_read().await?;
        let counted = tx.hourly_rounds(pool.id, from, to).await?;
        Ok(sorted(from, hours, counted))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The rounds of each server and hour as series.
fn sorted(from: Timestamp, hours: u32, counted: Vec<(ServerName, u64, u64)>) -> Activity {
    let empty = vec![0; usize::try_from(hours).unwrap_or(0)];
    let mut total = empty.clone();
    let mut servers: BTreeMap<ServerName, Vec<u64>> = BTreeMap::new();
    for (server, hour, rounds) in counted {
        let series = servers.entry(server).or_insert_with(|| empty.clone());
        let hour = usize::try_from(hour).unwrap_or(usize::MAX);
        for series in [series, &mut total] {
            if let Some(sum) = series.get_mut(hour) {
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
        let counted = (1..=14_u64).map(|number| {
            let server = format!("arena-{number:02}").parse().unwrap();
            (server, number % 3, number)
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
