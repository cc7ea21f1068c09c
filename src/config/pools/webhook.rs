use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::config::{InvalidSetting, secret};

/// Webhook of a pool's chat, and the events of the pool that the chat is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Address to which the messages are posted.
    pub url: WebhookUrl,
    pub(crate) events: Vec<WebhookEvent>,
    /// `true` if messages may go to private addresses, and over HTTP without encryption.
    pub allow_private: bool,
}

/// Address of a webhook. Whoever knows it can write to the chat, so `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WebhookUrl(String);

/// Event of a pool that its chat can be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WebhookEvent {
    /// Event that a game server fell silent, or is back.
    ServerSilent,
    RoundsRefused,
    VerdictChanged,
    SeasonEnded,
    /// Event that a game server scrambles its teams for their uneven odds.
    ScrambleByOdds,
}

/// Table `[webhook]` or `[pools.NAME.webhook]` of the configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::config) struct WebhookTable {
    url: Option<WebhookUrl>,
    url_file: Option<PathBuf>,
    events: Option<Vec<WebhookEvent>>,
    allow_private: Option<bool>,
}

impl WebhookUrl {
    /// Returns the address, which no log or answer may contain.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let url = text.trim();
        let is_plain = url.bytes().all(|byte| byte.is_ascii_graphic());
        match url.split_once("://") {
            Some(("https" | "http", rest)) if is_plain && !rest.is_empty() => {
                Ok(Self(url.to_owned()))
            }
            _ => Err(
                "must hold the address of a webhook, such as https://discord.com/api/webhooks/…",
            ),
        }
    }
}

impl TryFrom<String> for WebhookUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl fmt::Debug for WebhookUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the address of a webhook")
    }
}

/// Merges a pool's own webhook table, whose path is `place`, over the common table. `None` if no message is wanted.
pub(super) fn check(
    common: &WebhookTable,
    place: &str,
    own: Option<&WebhookTable>,
) -> Result<Option<WebhookSettings>, InvalidSetting> {
    let no_table = WebhookTable::default();
    let own = own.unwrap_or(&no_table);
    let mut found = None;
    for (place, table) in [("webhook", common), (place, own)] {
        found = match (&table.url, &table.url_file) {
            (Some(_), Some(_)) => {
                Err("url and url_file are both set; remove one of them".to_owned())
            }
            (Some(url), None) => Ok(Some(url.clone())),
            (None, Some(file)) => secret::read_file(file, WebhookUrl::parse).map(Some),
            (None, None) => Ok(found),
        }
        .map_err(|problem| InvalidSetting(format!("{place}: {problem}")))?;
    }
    let events = own.events.as_ref().or(common.events.as_ref());
    let events = events.cloned().unwrap_or_default();
    let Some(url) = found.filter(|_| !events.is_empty()) else {
        return Ok(None);
    };
    let allow_private = own.allow_private.or(common.allow_private);
    let allow_private = allow_private.unwrap_or(false);
    require!(
        allow_private || url.0.starts_with("https://"),
        "{place}.url must begin with https://; for a receiver in your own network, set {place}.allow_private = true"
    );
    Ok(Some(WebhookSettings {
        url,
        events,
        allow_private,
    }))
}
