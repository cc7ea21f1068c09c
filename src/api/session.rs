use serde::{Deserialize, Serialize};

use crate::domain::{Fingerprint, SecretName};

/// `POST /session`: what somebody logs in to the dashboard by; one of the two.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// What stands behind `#/enter/` in the link that the service printed at its start.
    #[serde(default)]
    pub token: Option<String>,
    /// A secret.
    #[serde(default)]
    pub secret: Option<String>,
}

/// `GET` and `POST /session`: who is logged in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionAnswer {
    /// For how many seconds, unless something is asked for meanwhile; null where nobody is logged in.
    pub seconds: Option<u32>,
    /// What the audit knows them by; null where nobody is logged in.
    pub secret: Option<Fingerprint>,
    /// The name of the secret, where it has one.
    pub name: Option<SecretName>,
}
