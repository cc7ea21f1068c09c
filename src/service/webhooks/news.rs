//! News of servers, verdicts and seasons, each told once by one of all instances.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::api::{ServerAnswer, ServerAttention};
use crate::config::{Secrets, WebhookEvent, WebhookSettings};
use crate::domain::{ServerName, Timestamp};
use crate::service::{PageStart, Pool, Service, ServiceError};

/// Minimum time between two messages about a verdict, which may go to and fro with every round.
const VERDICT_STAYS: Duration = Duration::from_hours(24);

/// Knowledge of a pool's chat, by subject: the state, and the time since which it holds. Stored in the database, so that
/// restarts and other instances repeat nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Told(BTreeMap<String, (Timestamp, String)>);

impl Told {
    /// Notes the state of a subject since a time. Returns the state before, which is empty at first, or `None` if the
    /// state is known or outdated.
    fn note(&mut self, subject: &str, since: Timestamp, state: &str) -> Option<String> {
        let known = self.0.get(subject);
        if known.is_some_and(|(known, of)| since < *known || of == state) {
            return None;
        }
        let noted = (since, state.to_owned());
        let before = self.0.insert(subject.to_owned(), noted);
        Some(before.map_or_else(String::new, |(_, state)| state))
    }
}

/// News for the chat of a pool: event, server, and sentence.
type News = Vec<(Option<WebhookEvent>, Option<ServerName>, String)>;

impl Service {
    /// Tells the chats of all pools what is new since the last look of any instance.
    ///
    /// # Errors
    /// Returns an error if the database does not answer. The news are then told by a later look.
    pub async fn look_for_news(&self) -> Result<(), ServiceError> {
        let mut pools = self.all_pools();
        pools.retain(|pool| pool.settings.webhook.is_some());
        if pools.is_empty() {
            return Ok(());
        }
        let servers = self.list_servers(None, |_| None).await?.servers;
        for pool in &pools {
            if let Some(webhook) = &pool.settings.webhook {
                let own = servers.iter().filter(|server| server.pool == pool.name);
                let own: Vec<&ServerAnswer> = own.collect();
                Box::pin(self.look_at(pool, webhook, &own)).await?;
            }
        }
        Ok(())
    }

    async fn look_at(
        &self,
        pool: &Pool,
        webhook: &WebhookSettings,
        servers: &[&ServerAnswer],
    ) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let before = self.store.begin_read().await?.told(pool.id).await?;
        let mut told: Told = serde_json::from_str(&before).map_err(ServiceError::internal)?;
        told.0.retain(|subject, _| {
            let server = subject.split_once(' ').map(|(_, server)| server);
            server.is_none_or(|name| servers.iter().any(|one| one.server.as_str() == name))
        });
        let mut news = News::new();
        let address = Secrets::fingerprint(webhook.url.reveal()).to_string();
        if told.note(&address, now, "greeted").is_some() {
            let greeting = format!("RBS tells this chat about the pool `{}`.", pool.name);
            news.push((None, None, greeting));
        }
        for server in servers {
            self.news_of_server(server, &mut told, &mut news);
        }
        let (verdict, _) = self.verdict_and_mean(pool).await?;
        let last = told.0.get("verdict");
        let is_due = last.is_none_or(|(since, _)| since.later(VERDICT_STAYS) <= now);
        let old = is_due.then(|| told.note("verdict", now, verdict.as_str()));
        if let Some(old) = old.flatten().filter(|old| !old.is_empty()) {
            let [old, new] = [&*old, verdict.as_str()].map(|word| word.replace('_', " "));
            let sentence = format!(
                "The verdict on the predictions of the pool `{}` changed from \"{old}\" to \"{new}\". `rbs quality` and \
                 the dashboard say why, and what to do.",
                pool.name
            );
            news.push((Some(WebhookEvent::VerdictChanged), None, sentence));
        }
        news.extend(self.news_of_season(pool, &mut told).await?);
        let after = serde_json::to_string(&told).map_err(ServiceError::internal)?;
        if after == before {
            return Ok(());
        }
        let mut tx = self.store.begin().await?;
        let is_first = tx.set_told(pool.id, &before, &after).await?;
        tx.commit().await?;
        // Another instance may have told the news meanwhile. What it left out, the next look finds.
        for (event, server, sentence) in news.into_iter().filter(|_| is_first) {
            self.tell(pool, event, server.as_ref(), &sentence);
        }
        Ok(())
    }

    fn news_of_server(&self, one: &ServerAnswer, told: &mut Told, news: &mut News) {
        let (server, pool) = (&one.server, &one.pool);
        let advice = one.advice.as_deref().unwrap_or_default();
        let mut push = |event, sentence: &str| {
            let sentence = format!("`{server}` (pool `{pool}`): {sentence}.");
            news.push((Some(event), Some(server.clone()), sentence));
        };
        let seen = one.last_seen_at.unwrap_or(Timestamp::UNIX_EPOCH);
        let subject = format!("silence {server}");
        let known = told.0.get(&subject);
        let was_silent = known.is_some_and(|(since, state)| *since < seen && state == "silent");
        if one.attention == Some(ServerAttention::Silent) {
            if told.note(&subject, seen, "silent").is_some() {
                push(WebhookEvent::ServerSilent, advice);
            }
        } else if was_silent && told.note(&subject, seen, "back").is_some() {
            push(WebhookEvent::ServerSilent, "it is back");
        }
        if one.attention == Some(ServerAttention::Refused)
            && let Some(hour) = self.servers_seen.last_refused(server)
            && told
                .note(&format!("refusals {server}"), hour, &hour.to_string())
                .is_some()
        {
            push(WebhookEvent::RoundsRefused, advice);
        }
    }

    async fn news_of_season(&self, pool: &Pool, told: &mut Told) -> Result<News, ServiceError> {
        let seasons = self.list_seasons(pool).await?.seasons;
        let Some(current) = seasons.first() else {
            return Ok(News::new());
        };
        let since = current.started_at.unwrap_or(Timestamp::UNIX_EPOCH);
        let id = current.change_id.as_ref();
        let id = id.map_or_else(|| "none".to_owned(), ToString::to_string);
        let old = told.note("season", since, &id);
        let (Some(ended), Some(_)) = (seasons.get(1), old.filter(|old| !old.is_empty())) else {
            return Ok(News::new());
        };
        let mut best = String::new();
        let leaderboard = &pool.settings.leaderboard;
        if leaderboard.is_public() {
            let start = PageStart::Behind(None);
            let players = self.leaderboard(pool, Some(ended.number), start, 3).await?;
            let listed = players.players.iter().map(|player| {
                let shown = player.id_hidden || leaderboard.shows_names();
                let name = player.name.as_ref().filter(|_| shown);
                let name = name.map_or_else(|| player.id.to_string(), ToString::to_string);
                format!("{}. {}", player.rank, escaped(&name))
            });
            let listed: Vec<String> = listed.collect();
            if !listed.is_empty() {
                best = format!(" Top three: {}.", listed.join(", "));
            }
        }
        let sentence = format!(
            "Season {} of the pool `{pool}` has ended, and season {} has begun.{best} `rbs season results --season {} \
             --pool {pool}` prints the standings.",
            ended.number,
            current.number,
            ended.number,
            pool = pool.name
        );
        Ok(vec![(Some(WebhookEvent::SeasonEnded), None, sentence)])
    }
}

/// Escapes a player's name, so that a chat shows it as it is: without links, styles or mentions.
fn escaped(name: &str) -> String {
    let kept = name.chars().filter(|one| !"\\<>&@".contains(*one));
    let escape = |one: char| one.is_ascii_punctuation().then_some('\\');
    kept.flat_map(|one| escape(one).into_iter().chain([one]))
        .collect()
}
