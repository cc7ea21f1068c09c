use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::config::{InvalidSetting, secret};

/// Webhook of a pool: its address, and the events of the pool about which RBS sends messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Address to which the messages are posted.
    pub url: WebhookUrl,
    pub(crate) events: Vec<WebhookEvent>,
    /// `true` if messages may go to private addresses, and over HTTP without encryption.
    pub allow_private: bool,
}

/// Address of a webhook, a secret: everybody who knows the address can write to the chat. `Debug` hides it, and no log
/// or answer may contain it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WebhookUrl(pub(crate) String);

/// Event of a pool about which RBS can send a message to the pool's webhook.
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

impl TryFrom<String> for WebhookUrl {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let url = text.trim();
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        if !is_web || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(
                "must hold the address of a webhook, such as https://discord.com/api/webhooks/…",
            );
        }
        Ok(Self(url.to_owned()))
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
    let with_url = own.filter(|own| own.url.is_some() || own.url_file.is_some());
    let (place, table) = with_url.map_or(("webhook", common), |own| (place, own));
    let own = own.unwrap_or(common);
    let url = match (&table.url, &table.url_file) {
        (Some(_), Some(_)) => Err("url and url_file are both set; remove one of them".to_owned()),
        (None, Some(file)) => secret::read_file(file, |text| text.to_owned().try_into()).map(Some),
        (url, None) => Ok(url.clone()),
    };
    let url = url.map_err(|problem| InvalidSetting(format!("{place}: {problem}")))?;
    let events = own.events.as_ref().or(common.events.as_ref());
    let (Some(url), Some(events)) = (url, events.filter(|events| !events.is_empty())) else {
        return Ok(None);
    };
    let allow_private = own.allow_private.or(common.allow_private) == Some(true);
    require!(
        allow_private || url.0.starts_with("https://"),
        "{place}.url must begin with https://; for a receiver in your own network, set {place}.allow_private = true"
    );
    Ok(Some(WebhookSettings {
        url,
        events: events.clone(),
        allow_private,
    }))
}
