//! Messages to the chats of the pools: the tasks that queue and send them.

mod news;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;

use super::{Pool, Service};
use crate::api::BalanceRequest;
use crate::config::WebhookEvent;
use crate::domain::{PoolName, Probability, ServerName};
use crate::webhook::Client;

/// Maximum number of messages that wait for the chat of a pool.
pub(super) const MAX_WAITING: usize = 64;
/// Maximum number of attempts to deliver a message: over 17 minutes, unless the receiver asks for longer pauses.
const ATTEMPTS: u32 = 12;
/// First pause between two attempts. Each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Interval between two looks for news of servers, verdicts and seasons.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// News for a pool's chat: event, server, and sentence. News without an event are always wanted.
type News<'servers> = (Option<WebhookEvent>, Option<&'servers ServerName>, String);

impl Service {
    /// Starts the tasks that look for news and send messages to the chats of the pools, until the service closes.
    pub fn tell_webhooks(&self, client: &Client) {
        for pool in self.all_pools() {
            let (service, client) = (self.clone(), client.clone());
            let (name, queue) = (pool.name.clone(), pool.messages.subscribe());
            self.rebuilds.spawn(async move {
                let sending = service.send_messages(&client, &name, queue);
                service.rebuilds.unless_stopped(sending).await
            });
        }
        let service = self.clone();
        self.rebuilds.spawn(async move {
            loop {
                if let Err(error) = service.look_for_news().await {
                    tracing::warn!(error = ?error, "Cannot look for news for the webhooks; retrying");
                }
                if !service.rebuilds.pause(LOOK_EVERY).await {
                    break;
                }
            }
        });
    }

    /// Queues news for the chat of `pool`, if the chat is told of such events. Never waits.
    fn tell(&self, pool: &Pool, (event, server, sentence): News<'_>) {
        let events = pool.settings.webhook.as_ref().map(|of| &of.events);
        if events.is_some_and(|events| event.is_none_or(|event| events.contains(&event))) {
            // Discord reads `content`, Slack and Mattermost read `text`, which escapes nothing by backslashes.
            let message = json!({
                "content": sentence, "text": sentence.replace('\\', ""), "allowed_mentions": {"parse": []},
                "event": event, "pool": pool.name, "server": server, "at": self.clock.now(),
            });
            // Fails in a command, which has no task to send messages.
            let _sent = pool.messages.send(message);
        }
    }

    /// Tells the chat of `pool` if the odds of two teams exceed the limit at which the game server scrambles them.
    pub(super) fn tell_of_odds(&self, pool: &Pool, request: &BalanceRequest, odds: Probability) {
        let favourite = odds.get().max(odds.complement().get());
        let limit = request.scramble_above.map(Probability::get);
        if limit.is_some_and(|limit| favourite > limit) {
            let server = &request.server;
            let sentence = format!(
                "`{server}` (pool `{}`): the teams are uneven, with odds of {:.0} % for one of them, so the server \
                 scrambles them before the next round. `rbs scramble {server}` shows the new teams.",
                pool.name,
                favourite * 100.0
            );
            let event = Some(WebhookEvent::ScrambleByOdds);
            self.tell(pool, (event, Some(server), sentence));
        }
    }

    async fn send_messages(&self, client: &Client, pool: &PoolName, mut queue: Receiver<Value>) {
        loop {
            let (result, messages) = match queue.recv().await {
                Ok(message) => (self.deliver(client, pool, &message).await, 1),
                Err(RecvError::Lagged(dropped)) => {
                    tracing::warn!(%pool, dropped, "Too many messages waited for the webhook, so the oldest were dropped");
                    ("dropped", dropped)
                }
                Err(RecvError::Closed) => return,
            };
            self.metrics.webhook_messages(pool, result, messages);
        }
    }

    /// Delivers a message by the settings in force, with retries. Returns the result, as a value of a metrics label.
    async fn deliver(&self, client: &Client, pool: &PoolName, message: &Value) -> &'static str {
        let event = message["event"].as_str();
        let mut reason = String::new();
        for retries in 0..ATTEMPTS {
            let current = self.pool(Some(pool), None).ok();
            let Some(webhook) = current.and_then(|pool| pool.settings.webhook.clone()) else {
                return "dropped";
            };
            let Err(failure) = client.post(webhook, message.to_string()).await else {
                return "sent";
            };
            reason = failure.reason;
            let Some(pause) = failure.retry_after.filter(|_| retries + 1 < ATTEMPTS) else {
                break;
            };
            tracing::info!(%pool, event, reason, "Cannot send a message to the webhook; retrying");
            sleep(pause.max(FIRST_PAUSE * 2_u32.pow(retries))).await;
        }
        tracing::warn!(%pool, event, reason, "Gave up sending a message to the webhook; check its url");
        "failed"
    }
}
