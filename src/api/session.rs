use serde::{Deserialize, Serialize};

/// `POST /session`: the link that the service printed at its start, for a log-in to the dashboard.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// What stands behind `#/enter/` in the link.
    pub token: String,
}

/// `POST /session`: a secret that opens what an admin's does, for an hour and until the service stops.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct SessionAnswer {
    /// To be sent as every secret is.
    pub secret: String,
    /// For how many seconds it is good.
    pub seconds: u32,
}
