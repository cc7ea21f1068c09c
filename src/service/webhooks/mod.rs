//! Messages to the chats of the pools: queues in memory, and the tasks that send them.

mod news;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender};
use tokio::time::sleep;

use super::{Pool, Service};
use crate::config::WebhookEvent;
use crate::domain::{PoolName, Probability, ServerName};
use crate::webhook::Client;

/// Maximum number of messages that wait for the chat of a pool. A further message drops the oldest.
const WAITING: usize = 64;
/// Maximum length of a message in characters, which is Discord's.
const MAX_LENGTH: usize = 2_000;
/// Attempts to deliver a message, over a quarter of an hour unless the receiver asks for other pauses.
const ATTEMPTS: u32 = 12;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_mins(5);
/// Interval between two looks for news of servers, verdicts and seasons.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// Queue of the messages to the chat of each pool. A queue drops its oldest message if it is full.
pub(super) type WebhookQueues = Arc<BTreeMap<PoolName, Sender<Value>>>;

pub(super) fn queues<'names>(pools: impl Iterator<Item = &'names PoolName>) -> WebhookQueues {
    Arc::new(
        pools
            .map(|pool| (pool.clone(), Sender::new(WAITING)))
            .collect(),
    )
}

impl Service {
    /// Starts the tasks that look for news and send messages to the chats of the pools, until the service closes.
    pub fn tell_webhooks(&self, client: &Client) {
        for (pool, queue) in &*self.webhooks {
            let sending =
                self.clone()
                    .send_messages(client.clone(), pool.clone(), queue.subscribe());
            self.rebuilds.spawn(sending);
        }
        let service = self.clone();
        self.rebuilds.spawn(async move {
            loop {
                if let Err(error) = Box::pin(service.look_for_news()).await {
                    tracing::warn!(error = ?error, "Cannot look for news for the webhooks; retrying");
                }
                if !service.rebuilds.pause(LOOK_EVERY).await {
                    break;
                }
            }
        });
    }

    /// Queues a message to the chat of `pool`, if the chat is told of such events. Never waits. A message without an
    /// event is always wanted.
    fn tell(
        &self,
        pool: &Pool,
        event: Option<WebhookEvent>,
        server: Option<&ServerName>,
        sentence: &str,
    ) {
        let webhook = pool.settings.webhook.as_ref();
        let is_wanted = |event: WebhookEvent| webhook.is_some_and(|of| of.events.contains(&event));
        let Some(queue) = self.webhooks.get(&pool.name) else {
            return;
        };
        if event.is_none_or(is_wanted) {
            let content: String = sentence.chars().take(MAX_LENGTH).collect();
            // Discord reads `content`, Slack and Mattermost read `text`, which escapes nothing by backslashes.
            let message = json!({
                "content": content, "text": content.replace('\\', ""), "allowed_mentions": {"parse": []},
                "event": event, "pool": pool.name, "server": server, "at": self.clock.now(),
            });
            // Fails in a command, which has no task to send messages.
            let _sent = queue.send(message);
        }
    }

    /// Tells the chat of `pool` if the odds of the teams of `server` exceed the limit at which the server scrambles.
    pub(super) fn tell_of_odds(
        &self,
        pool: &Pool,
        server: &ServerName,
        odds: Probability,
        limit: Probability,
    ) {
        let favourite = odds.get().max(odds.complement().get());
        if favourite > limit.get() {
            let percent = favourite * 100.0;
            let sentence = format!(
                "`{server}` (pool `{}`): the teams are uneven, with odds of {percent:.0} to {:.0} %, so the server \
                 scrambles them before the next round. `rbs scramble --server {server}` shows the new teams.",
                pool.name,
                100.0 - percent
            );
            let event = Some(WebhookEvent::ScrambleByOdds);
            self.tell(pool, event, Some(server), &sentence);
        }
    }

    async fn send_messages(self, client: Client, pool: PoolName, mut queue: Receiver<Value>) {
        while let Some(received) = self.rebuilds.unless_stopped(queue.recv()).await {
            match received {
                Ok(message) => {
                    let delivering = self.deliver(&client, &pool, &message);
                    if self.rebuilds.unless_stopped(delivering).await.is_none() {
                        return;
                    }
                }
                Err(RecvError::Lagged(dropped)) => {
                    self.metrics.webhook_messages(&pool, "dropped", dropped);
                    tracing::warn!(%pool, dropped, "Too many messages waited for the webhook, so the oldest were dropped");
                }
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Delivers a message by the settings in force, with retries. A message that nobody wants any more is left out.
    async fn deliver(&self, client: &Client, pool: &PoolName, message: &Value) {
        let event = message["event"].as_str();
        let mut next_pause = FIRST_PAUSE;
        for attempt in 1..=ATTEMPTS {
            let current = self.pool(Some(pool), None).ok();
            let Some(webhook) = current.and_then(|pool| pool.settings.webhook.clone()) else {
                return;
            };
            let Err(failure) = client.post(webhook, message.to_string()).await else {
                self.metrics.webhook_messages(pool, "sent", 1);
                tracing::info!(%pool, event, "Sent a message to the webhook");
                return;
            };
            let reason = failure.reason;
            if let Some(pause) = failure.retry_after.filter(|_| attempt < ATTEMPTS) {
                tracing::info!(%pool, event, attempt, reason, "Cannot send a message to the webhook; retrying");
                sleep(pause.max(next_pause)).await;
                next_pause = MAX_PAUSE.min(next_pause * 2);
            } else {
                self.metrics.webhook_messages(pool, "failed", 1);
                tracing::warn!(%pool, event, reason, "Gave up a message to the webhook; check its url");
                return;
            }
        }
    }
}
