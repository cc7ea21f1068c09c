use serde::Deserialize;

/// What becomes of requests from servers that the configuration does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownServers {
    /// They are like others, of the pool `default`.
    #[default]
    Accept,
    /// The same, and the answer and the log say that the name may be a slip.
    Warn,
    /// They are refused.
    Refuse,
}
