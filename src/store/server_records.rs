use crate::domain::{Fingerprint, PluginVersion, ServerName, Timestamp};

/// A game server's last `POST /v1/hello`, to whichever instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The server.
    pub server: ServerName,
    /// The version of its plugin, where the request named one.
    pub plugin: Option<PluginVersion>,
    /// The secret that the request had.
    pub secret: Fingerprint,
    /// When it came.
    pub at: Timestamp,
}
