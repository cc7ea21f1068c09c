//! Metrics of the last activity of game servers and secrets.

use super::registry::labels;
use super::{Metrics, in_pool, show, unix_seconds};
use crate::domain::{Fingerprint, PoolName, ServerName, Timestamp};

impl Metrics {
    /// Sets the end of each server's last round in a pool. Removes the metrics of servers that the list leaves out.
    pub fn set_last_rounds(&self, pool: &PoolName, ended: Vec<(ServerName, Timestamp)>) {
        let family = &self.0.metrics.server_last_round_timestamp;
        let show = |server: &ServerName, at| {
            let labels = [("server", server.as_str()), in_pool(pool)];
            show(family, labels, at);
        };
        for (server, at) in &ended {
            show(server, Some(unix_seconds(*at)));
        }
        let servers = ended.into_iter().map(|(server, _)| server).collect();
        let mut shown = self.0.servers.lock();
        let now = shown.entry(pool.clone()).or_default();
        let before = std::mem::replace(now, servers);
        for gone in before.iter().filter(|server| !now.contains(server)) {
            show(gone, None);
        }
    }

    /// Sets the time of the last request with each accepted secret; `None` if there was none since the start. Removes
    /// the metrics of other secrets.
    pub fn set_secrets(&self, secrets: impl Iterator<Item = (Fingerprint, Option<Timestamp>)>) {
        let family = &self.0.metrics.secret_last_used_timestamp;
        let mut shown = self.0.secrets_shown.lock();
        let before = std::mem::take(&mut *shown);
        for (fingerprint, last) in secrets {
            let labels = labels([("fingerprint", &*fingerprint.to_string())]);
            family
                .get_or_create(&labels)
                .set(last.map_or(0.0, unix_seconds));
            shown.push(labels);
        }
        for gone in before.iter().filter(|labels| !shown.contains(labels)) {
            family.remove(gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Format;

    #[test]
    fn a_server_that_is_shown_no_more_loses_its_series_in_that_pool_alone() {
        let metrics = Metrics::new("0", Timestamp::UNIX_EPOCH);
        let (one, other): (PoolName, PoolName) = ("one".parse().unwrap(), "other".parse().unwrap());
        let server = |name: &str| (name.parse().unwrap(), Timestamp::YEAR_2000);
        metrics.set_last_rounds(&one, vec![server("a"), server("b")]);
        metrics.set_last_rounds(&other, vec![server("a")]);
        metrics.set_last_rounds(&one, vec![server("b"), server("c")]);
        let text = metrics.text(Format::OpenMetrics).unwrap();
        let name = "rbs_server_last_round_timestamp_seconds{";
        let mut shown: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(name))
            .collect();
        shown.sort_unstable();
        let expected = [
            "server=\"a\",pool=\"other\"} 946684800.0",
            "server=\"b\",pool=\"one\"} 946684800.0",
            "server=\"c\",pool=\"one\"} 946684800.0",
        ];
        assert_eq!(shown, expected);
    }
}
