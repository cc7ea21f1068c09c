use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::MIN_PLUGIN;
use super::seen::Seen;
use crate::api::{SecretUseAnswer, ServerAnswer, ServerAttention, ServersAnswer};
use crate::domain::{Fingerprint, PoolName, SecretName, ServerName, Timestamp};
use crate::rating::{GroupKind, GroupTotals};
use crate::service::hello::plugin_versions;
use crate::service::phrases::{duration, plural};
use crate::service::quality::RoundsOfDay;
use crate::service::{Pool, Service, ServiceError};
use crate::store::Greeting;

const LISTED: usize = 500;
/// Time without a sign of life after which a game server counts as silent.
const SILENT_AFTER: Duration = Duration::from_hours(24);
/// Time without a sign of life after which an undeclared game server counts as gone for good.
const GONE_AFTER: Duration = Duration::from_hours(14 * 24);

#[derive(Clone, Copy, Debug, Default)]
struct Played {
    last: Option<Timestamp>,
    of_day: RoundsOfDay,
    totals: GroupTotals,
}

#[derive(Debug, Default)]
struct ServerRecords {
    played: BTreeMap<ServerName, BTreeMap<PoolName, Played>>,
    greetings: BTreeMap<ServerName, Greeting>,
    seen: BTreeMap<ServerName, Seen>,
}

impl ServerRecords {
    fn played(&mut self, server: ServerName, pool: &PoolName) -> &mut Played {
        self.played
            .entry(server)
            .or_default()
            .entry(pool.clone())
            .or_default()
    }

    fn of(&self, server: &ServerName, pool: &PoolName, now: Timestamp) -> Signs<'_> {
        let played = self
            .played
            .get(server)
            .and_then(|pools| pools.get(pool))
            .copied();
        let (greeting, seen) = (self.greetings.get(server), self.seen.get(server));
        Signs {
            played: played.unwrap_or_default(),
            greeting,
            request: seen.and_then(|seen| seen.last),
            refused: seen.map_or(0, |seen| seen.refused(now)),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Signs<'known> {
    played: Played,
    greeting: Option<&'known Greeting>,
    /// Time and secret of the game server's last request to this instance.
    request: Option<(Timestamp, Fingerprint)>,
    refused: u64,
}

impl Signs<'_> {
    fn last_seen(&self, now: Timestamp) -> Option<Timestamp> {
        let greeted = self.greeting.map(|greeting| greeting.at);
        let requested = self.request.map(|(at, _)| at);
        // A game server whose clock is ahead reports rounds that end in the future.
        let played = self.played.last.map(|at| at.min(now));
        greeted.max(requested).max(played)
    }

    /// Returns the secret that the game server used last, with the time of its use.
    fn secret(&self) -> Option<(Timestamp, Fingerprint)> {
        let greeted = self.greeting.map(|greeting| (greeting.at, greeting.secret));
        greeted.max(self.request)
    }

    /// Returns the reason for which the game server needs attention, with advice.
    fn attention(&self, declared: bool, now: Timestamp) -> Option<(ServerAttention, String)> {
        if self.refused > 0 {
            let rounds = plural(
                self.refused,
                "of its rounds was refused",
                "of its rounds were refused",
            );
            let advice = format!(
                "{rounds} in the last 24 hours; rbs refusals or GET /v1/admin/refusals?server=NAME shows why. The \
                 plugin for Team Fortress 2 keeps them in refused.NAME.jsonl on the game server: correct the fault, \
                 then import that file with rbs import"
            );
            return Some((ServerAttention::Refused, advice));
        }
        let last_seen = self.last_seen(now);
        let silent = last_seen.map(|at| now.duration_since(at));
        match silent {
            None if declared => {
                let advice = "it has never sent a request; install the plugin there, or remove it from the configuration";
                return Some((ServerAttention::Silent, advice.to_owned()));
            }
            Some(silent) if silent >= SILENT_AFTER => {
                let gone = if declared {
                    "remove it from the configuration if it no longer exists"
                } else if silent < GONE_AFTER {
                    "after 14 days of silence RBS stops warning about it"
                } else {
                    return None;
                };
                let whole_days = Duration::from_hours(24 * (silent.as_secs() / 86_400));
                let advice = format!(
                    "it has sent nothing for {}; check that it is running and can reach this service; {gone}",
                    duration(whole_days)
                );
                return Some((ServerAttention::Silent, advice));
            }
            _ => {}
        }
        let plugin = self.greeting.and_then(|greeting| greeting.plugin);
        let outdated = plugin.filter(|version| *version < MIN_PLUGIN)?;
        let advice = format!(
            "its plugin is {outdated}, and this service works with {MIN_PLUGIN} and later; update the plugin there"
        );
        Some((ServerAttention::Plugin, advice))
    }
}

impl Service {
    /// Lists the game servers of one pool or all pools, those that need attention first. `name_of` returns a secret's
    /// name.
    pub async fn list_servers(
        &self,
        pool: Option<&PoolName>,
        name_of: impl Fn(Fingerprint) -> Option<SecretName>,
    ) -> Result<ServersAnswer, ServiceError> {
        if let Some(pool) = pool {
            self.pool(Some(pool), None)?;
        }
        let mut known = self.read_servers().await?;
        let pools = self.pools.now();
        for pool in pools.all() {
            for (server, of_day) in self.rounds_of_day(pool).await? {
                known.played(server, &pool.name).of_day = of_day;
            }
        }
        let (since, seen) = self.servers_seen.all();
        known.seen = seen;
        let now = self.clock.now();
        let everywhere = self.everywhere(&known)?;
        let asked = everywhere
            .iter()
            .filter(|(_, of)| pool.is_none_or(|pool| of.name == *pool));
        let mut servers: Vec<ServerAnswer> = asked
            .map(|(server, pool)| {
                let signs = known.of(server, &pool.name, now);
                self.server_answer(server, pool, &signs, &name_of, now)
            })
            .collect();
        // The stable sort keeps the order by name among equals.
        servers.sort_by_key(|server| (server.attention.is_none(), server.attention));
        let not_listed = servers.len().saturating_sub(LISTED) as u64;
        servers.truncate(LISTED);
        Ok(ServersAnswer {
            since,
            servers,
            not_listed,
            plugin: plugin_versions()?,
        })
    }

    /// Reads the game servers' records from the database, without the rounds of the last day.
    async fn read_servers(&self) -> Result<ServerRecords, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let mut known = ServerRecords::default();
        let pools = self.pools.now();
        for pool in pools.all() {
            for (server, last) in tx.last_rounds(pool.id).await? {
                known.played(server, &pool.name).last = Some(last);
            }
            for (server, totals) in tx.groups(pool.id, GroupKind::Server, u32::MAX).await? {
                let server = server.parse().map_err(ServiceError::internal)?;
                known.played(server, &pool.name).totals = totals;
            }
        }
        let greetings = tx.greetings().await?.into_iter();
        known.greetings = greetings.map(|one| (one.server.clone(), one)).collect();
        Ok(known)
    }

    /// Returns every game server with each pool in which it has rounds, by name. Servers without rounds come with the
    /// pool in which their rounds would count.
    fn everywhere(
        &self,
        known: &ServerRecords,
    ) -> Result<Vec<(ServerName, Arc<Pool>)>, ServiceError> {
        let pools = self.pools.now();
        let named: BTreeSet<&ServerName> = pools
            .declared_servers()
            .chain(known.greetings.keys())
            .chain(known.seen.keys())
            .chain(known.played.keys())
            .collect();
        let mut all = Vec::with_capacity(named.len());
        for server in named {
            match known.played.get(server) {
                Some(pools) => {
                    for pool in pools.keys() {
                        all.push((server.clone(), self.pool(Some(pool), None)?));
                    }
                }
                None => all.push((server.clone(), self.pool(None, Some(server))?)),
            }
        }
        Ok(all)
    }

    fn server_answer(
        &self,
        server: &ServerName,
        pool: &Pool,
        signs: &Signs<'_>,
        name_of: impl Fn(Fingerprint) -> Option<SecretName>,
        now: Timestamp,
    ) -> ServerAnswer {
        let declared = self.is_declared(server);
        let (attention, advice) = signs.attention(declared, now).unzip();
        let played = signs.played;
        let residual = played.totals.residual();
        ServerAnswer {
            server: server.clone(),
            pool: pool.name.clone(),
            declared,
            attention,
            advice,
            last_seen_at: signs.last_seen(now),
            last_round_at: played.last,
            rounds_today: played.of_day.today,
            rounds_24_hours: played.of_day.last_24_hours,
            refused_24_hours: signs.refused,
            rounds: played.totals.rounds,
            bias: residual.bias,
            standard_error: residual.standard_error,
            policy: pool.settings.balance.policy.clone(),
            secret: signs
                .secret()
                .map(|(used_at, fingerprint)| SecretUseAnswer {
                    fingerprint,
                    name: name_of(fingerprint),
                    used_at,
                }),
            plugin: signs.greeting.and_then(|greeting| greeting.plugin),
            hello_at: signs.greeting.map(|greeting| greeting.at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: u64) -> Timestamp {
        Timestamp::UNIX_EPOCH.later(Duration::from_hours(hours))
    }

    fn greeting(hours: u64, plugin: Option<&str>) -> Greeting {
        Greeting {
            server: "arena-1".parse().unwrap(),
            plugin: plugin.map(|version| version.parse().unwrap()),
            secret: Fingerprint::new([1; 4]),
            at: at(hours),
        }
    }

    #[test]
    fn what_is_lost_goes_before_silence_and_silence_before_an_old_plugin() {
        let old = greeting(0, Some("0.0.9"));
        for (refused, hours, expected, part) in [
            (
                1,
                48,
                ServerAttention::Refused,
                "1 of its rounds was refused",
            ),
            (
                2,
                48,
                ServerAttention::Refused,
                "2 of its rounds were refused",
            ),
            (0, 48, ServerAttention::Silent, "for 2 days;"),
            (0, 23, ServerAttention::Plugin, "its plugin is 0.0.9,"),
        ] {
            let signs = Signs {
                greeting: Some(&old),
                refused,
                ..Signs::default()
            };
            let (found, advice) = signs.attention(true, at(hours)).unwrap();
            assert_eq!(found, expected);
            assert!(advice.contains(part), "{advice}");
        }
    }

    #[test]
    fn a_server_is_silent_after_a_day_and_one_that_nobody_declared_gone_after_14() {
        let last = greeting(0, Some("0.1.0"));
        let signs = Signs {
            greeting: Some(&last),
            ..Signs::default()
        };
        for (hours, declared, silent) in [
            (23, true, None),
            (24, true, Some("for 1 day;")),
            (71, false, Some("for 2 days;")),
            (24 * 14, false, None),
            (24 * 14, true, Some("for 14 days;")),
        ] {
            let found = signs.attention(declared, at(hours));
            assert_eq!(found.is_some(), silent.is_some(), "{hours} {declared}");
            if let Some((found, advice)) = found {
                assert_eq!(found, ServerAttention::Silent);
                assert!(advice.contains(silent.unwrap_or_default()), "{advice}");
            }
        }
        let never = Signs::default();
        assert!(never.attention(true, at(0)).is_some());
        assert_eq!(never.attention(false, at(0)), None);
    }

    #[test]
    fn the_last_sign_counts_and_no_round_of_the_future() {
        let last = greeting(5, None);
        let mut signs = Signs {
            greeting: Some(&last),
            request: Some((at(4), Fingerprint::new([2; 4]))),
            ..Signs::default()
        };
        signs.played.last = Some(at(9));
        assert_eq!(signs.last_seen(at(6)), Some(at(6)));
        assert_eq!(signs.secret(), Some((at(5), last.secret)));
        signs.request = Some((at(6), Fingerprint::new([2; 4])));
        assert_eq!(signs.secret(), signs.request);
    }
}
