//! News of servers, verdicts and seasons, each told once by one of all instances.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::News;
use crate::api::{ServerAnswer, ServerAttention};
use crate::config::{Secrets, WebhookEvent, WebhookSettings};
use crate::domain::Timestamp;
use crate::service::quality::{DAY_IN_HOURS, HOUR, beginning};
use crate::service::{PageStart, Pool, Service, ServiceError};

/// Knowledge of a pool's chat. Stored in the database, so that restarts and other instances repeat nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Told {
    /// Time of the last news of each subject, such as `silent arena-1`.
    times: BTreeMap<String, Timestamp>,
    /// Last verdict on the predictions; empty before the first look.
    verdict: String,
}

impl Told {
    /// Notes news of a subject. Returns `false` if the chat knows these or later news.
    fn note(&mut self, subject: &str, time: Timestamp) -> bool {
        let is_new = self.times.get(subject).is_none_or(|known| *known < time);
        if is_new {
            self.times.insert(subject.to_owned(), time);
        }
        is_new
    }
}

impl Service {
    /// Tells the chats of all pools what is new since the last look of any instance.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The news are then told by a later look.
    pub async fn look_for_news(&self) -> Result<(), ServiceError> {
        for pool in self.all_pools() {
            if let Some(webhook) = &pool.settings.webhook {
                Box::pin(self.look_at(&pool, webhook)).await?;
            }
        }
        Ok(())
    }

    async fn look_at(&self, pool: &Pool, webhook: &WebhookSettings) -> Result<(), ServiceError> {
        let servers = self.list_servers(Some(&pool.name), |_| None).await?.servers;
        let before = self.store.begin_read().await?.told(pool.id).await?;
        let mut told: Told = serde_json::from_str(&before).map_err(ServiceError::internal)?;
        let mut news: Vec<News<'_>> = Vec::new();
        let address = Secrets::fingerprint(&webhook.url.0).to_string();
        if told.note(&address, Timestamp::UNIX_EPOCH) {
            let greeting = format!(
                "RBS will post news about the pool `{}` in this chat.",
                pool.name
            );
            news.push((None, None, greeting));
        }
        let of_servers = servers.iter();
        news.extend(of_servers.filter_map(|one| self.news_of_server(one, &mut told)));
        news.extend(self.news_of_season(pool, &mut told).await?);
        let (verdict, _) = self.verdict_and_mean(pool).await?;
        let verdict = verdict.as_str().replace('_', " ");
        let today = beginning(HOUR * DAY_IN_HOURS, self.clock.now());
        // The verdict may go to and fro with every round.
        if verdict != told.verdict && told.note("verdict", today) {
            let old = std::mem::replace(&mut told.verdict, verdict);
            let sentence = format!(
                "The verdict on the predictions of the pool `{}` changed from \"{old}\" to \"{}\". `rbs quality` and \
                 the dashboard say why, and what to do.",
                pool.name, told.verdict
            );
            if !old.is_empty() {
                news.push((Some(WebhookEvent::VerdictChanged), None, sentence));
            }
        }
        let after = serde_json::to_string(&told).map_err(ServiceError::internal)?;
        if after == before {
            return Ok(());
        }
        let mut tx = self.store.begin().await?;
        // Another instance may have told the news meanwhile. What it left out, the next look finds.
        if tx.set_told(pool.id, &before, &after).await? {
            tx.commit().await?;
            for one in news {
                self.tell(pool, one);
            }
        }
        Ok(())
    }

    fn news_of_server<'one>(&self, one: &'one ServerAnswer, told: &mut Told) -> Option<News<'one>> {
        let (server, pool) = (&one.server, &one.pool);
        let seen = one.last_seen_at.unwrap_or(Timestamp::UNIX_EPOCH);
        let refused = self.servers_seen.last_refused(server);
        let silent = told.times.get(&format!("silent {server}")).copied();
        let ended = silent.filter(|since| *since < seen);
        let mut note = |what, time| told.note(&format!("{what} {server}"), time);
        let advice = one.advice.as_deref().unwrap_or_default();
        let (event, sentence) = match one.attention {
            Some(ServerAttention::Silent) if note("silent", seen) => {
                (WebhookEvent::ServerSilent, advice)
            }
            Some(ServerAttention::Refused) if refused.is_some_and(|hour| note("refused", hour)) => {
                (WebhookEvent::RoundsRefused, advice)
            }
            _ if ended.is_some_and(|since| note("back", since)) => {
                (WebhookEvent::ServerSilent, "it is back")
            }
            _ => return None,
        };
        let sentence = format!("`{server}` (pool `{pool}`): {sentence}.");
        Some((Some(event), Some(server), sentence))
    }

    async fn news_of_season(
        &self,
        pool: &Pool,
        told: &mut Told,
    ) -> Result<Option<News<'static>>, ServiceError> {
        let seasons = self.list_seasons(pool).await?.seasons;
        let [current, ended, ..] = &*seasons else {
            return Ok(None);
        };
        let begun = current.started_at.unwrap_or(Timestamp::UNIX_EPOCH);
        if !told.note("season", begun) || told.verdict.is_empty() {
            return Ok(None);
        }
        let (pool_name, number, next) = (&pool.name, ended.number, current.number);
        let mut lines = vec![format!(
            "Season {number} of the pool `{pool_name}` has ended, and season {next} has begun. `rbs season results \
             --season {number} --pool {pool_name}` prints the standings."
        )];
        let leaderboard = &pool.settings.leaderboard;
        if leaderboard.is_public() {
            let start = PageStart::Behind(None);
            let best = self.leaderboard(pool, Some(ended.number), start, 3).await?;
            lines.extend(best.players.iter().map(|player| {
                let shown = player.id_hidden || leaderboard.names;
                let name = player.name.as_ref().filter(|_| shown);
                let name = name.map_or_else(|| player.id.to_string(), ToString::to_string);
                format!("{}. {}", player.rank, escaped(&name))
            }));
        }
        let event = Some(WebhookEvent::SeasonEnded);
        Ok(Some((event, None, lines.join("\n"))))
    }
}

/// Escapes a player's name, so that a chat shows it as it is: without links, styles or mentions.
fn escaped(name: &str) -> String {
    let kept = name.chars().filter(|one| !"\\<>&@".contains(*one));
    let escape = |one: char| one.is_ascii_punctuation().then_some('\\');
    kept.flat_map(|one| escape(one).into_iter().chain([one]))
        .collect()
}
