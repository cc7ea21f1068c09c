//! Balance of a match in progress: verdicts on its teams, and placement of joining players.

mod bot_levels;
pub(in crate::service) mod evaluate;
mod form;
mod players;
pub(crate) mod reason;
mod ticket;

use crate::balance::Policy;
use crate::domain::{Fingerprint, InterventionResult, PolicyName, ServerName};
use crate::service::{Pool, ServiceError};

/// Metrics label value for a match whose teams the policy leaves alone, even if unbalanced.
pub(in crate::service) const SUPPRESSED: &str = "suppressed";
/// Metrics label value for a match whose teams need no change.
pub(in crate::service) const BALANCED: &str = "balanced";

/// Every result of a balance request, as values of a metrics label.
pub(super) const RESULTS: [&str; 5] = [
    BALANCED,
    SUPPRESSED,
    InterventionResult::Moved.as_str(),
    InterventionResult::Filled.as_str(),
    InterventionResult::NothingHelps.as_str(),
];

/// Game server, pool and policy of a balance request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'all> {
    pub(crate) server: &'all ServerName,
    pub(crate) client: Fingerprint,
    pub(crate) pool: &'all Pool,
    pub(crate) policy_name: &'all PolicyName,
    pub(crate) policy: &'all Policy,
}

impl<'all> Subject<'all> {
    /// Combines the server, pool and policy of a balance request. The policy is `named`, or else the pool's default.
    pub(crate) fn new(
        pool: &'all Pool,
        (server, client): (&'all ServerName, Fingerprint),
        named: Option<&'all PolicyName>,
    ) -> Result<Self, ServiceError> {
        let settings = &pool.settings.balance;
        let policy_name = named.unwrap_or(&settings.policy);
        let policy = settings.policies.named(policy_name).map_err(|error| {
            let detail = format!("{error}, or leave the field out for the pool's default");
            ServiceError::invalid("/policy", detail)
        })?;
        Ok(Self {
            server,
            client,
            pool,
            policy_name,
            policy,
        })
    }

    pub(crate) fn by<'other>(self, policy: &'other Policy) -> Subject<'other>
    where
        'all: 'other,
    {
        Subject { policy, ..self }
    }

    /// Returns Θ, the logistic scale of the pool's predictions, in points of a team's rating sum.
    pub(crate) fn theta(&self) -> f64 {
        self.pool.settings.parameters.theta
    }
}
